#!/usr/bin/env python3
"""What one writes with OpenCV to develop a pair: the peer of 'constant-color develop' in this benchmark.

    opencv_develop.py FLASH.dng AMBIENT.dng OUTPUT.png CONFIDENCE.png THREADS

LibRaw decodes (AHD); ECC on small frames finds the homography; the ambient frame is warped and subtracted in the metadata's
exposure; a guided filter takes the noise; a confidence comes from noise, clipping and the share of the flash; a matrix leads to
Display P3; both pictures are written as 16-bit PNG with the least compression. Prints the seconds of each step as JSON.
"""

import json
import sys
import time

import cv2
import numpy as np

import dng
import geometry

ECC_WIDTH = 640
# Linear Display P3 of XYZ under D65, from the primaries of SMPTE EG 432-1.
P3 = np.array([[2.49350912, -0.93138817, -0.40271276], [-0.82947326, 1.76263057, 0.0236246], [0.03585127, -0.07618384, 0.95698865]])
D65 = np.array([0.95047, 1.0, 1.08883])


class Laps:
    """The time of each step."""

    def __init__(self):
        self.seconds = {}
        self._last = time.perf_counter()

    def __call__(self, step):
        now = time.perf_counter()
        self.seconds[step] = now - self._last
        self._last = now


def look(frame, size):
    """A small grey frame without its light: relative to mean and deviation of the surroundings."""
    small = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
    grey = np.sqrt(np.maximum(small @ np.float32([0.25, 0.5, 0.25]), 0))
    grey /= max(float(np.percentile(grey, 99)), 1e-6)
    rest = grey - cv2.GaussianBlur(grey, (0, 0), 12)
    return rest / (np.sqrt(cv2.GaussianBlur(rest * rest, (0, 0), 12)) + 0.03)


def homography(flash, ambient):
    """From flash to ambient pixels: a shift, a turn, a homography, each from frames twice as large."""
    height, width = flash.shape[:2]
    factor = min(1.0, ECC_WIDTH / width)
    frames = [look(frame, (round(width * factor), round(height * factor))) for frame in (flash, ambient)]
    matrix = np.eye(3)
    stages = ((4, cv2.MOTION_TRANSLATION, 60), (2, cv2.MOTION_EUCLIDEAN, 60), (1, cv2.MOTION_HOMOGRAPHY, 80))
    for divisor, mode, times in stages:
        smaller = [cv2.resize(frame, None, fx=1 / divisor, fy=1 / divisor, interpolation=cv2.INTER_AREA) for frame in frames]
        start = geometry.resized(matrix, 1 / divisor).astype(np.float32)
        start = start if mode == cv2.MOTION_HOMOGRAPHY else start[:2].copy()
        until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, times, 1e-5)
        try:
            _, found = cv2.findTransformECC(*smaller, start, mode, until, None, 5)
        except cv2.error:
            break
        found = found if len(found) == 3 else np.vstack([found, [0, 0, 1]])
        matrix = geometry.resized(found.astype(float), divisor)
    return geometry.resized(matrix, 1 / factor)


def confidence(flash, ambient, inside, raw, smooth, scales, noise, white):
    """How far each pixel can be trusted, 0...1."""
    variance = sum(
        (gain * frame[..., 1] + floor) * scale**2 for frame, (gain, floor), scale in zip((flash, ambient), noise, scales))
    ratio = smooth[..., 1] / np.sqrt(variance + 1e-30)
    share = smooth[..., 1] / (flash[..., 1] * scales[0] + 1e-12)
    darkest = np.clip(smooth.min(axis=2) / (0.02 * white), 0, 1)
    result = np.clip((ratio - 1) / 6, 0, 1) * np.clip(share / 0.06, 0, 1) * np.sqrt(darkest)
    clipped = ((flash.max(axis=2) > 0.985) | (ambient.max(axis=2) > 0.985)).astype(np.uint8)
    result[cv2.dilate(clipped, np.ones((5, 5), np.uint8)) > 0] = 0
    left = cv2.GaussianBlur(np.abs(raw - smooth)[..., 1], (0, 0), 1.5) / (np.abs(smooth[..., 1]) + 0.02 * white)
    result *= np.clip(1.6 - 1.5 * left, 0, 1) * (inside > 0.99)
    return cv2.GaussianBlur(result.astype(np.float32), (0, 0), 1)


def to_p3(file):
    """From camera RGB to linear Display P3, white to white."""
    to_xyz = np.linalg.inv(np.reshape(file[dng.MATRIX_D65], (3, 3)))
    white = to_xyz @ file[dng.NEUTRAL]
    return (P3 @ np.diag(D65 / white) @ to_xyz).astype(np.float32)


def save(path, picture):
    """Writes values 0...1, encoded, as 16 bits."""
    values = np.clip(picture, 0, 1)
    if values.ndim == 3:
        curve = 1.055 * np.power(np.maximum(values, 1e-8), np.float32(1 / 2.4)) - 0.055
        values = np.where(values <= 0.0031308, 12.92 * values, curve)
        values = values[..., ::-1]
    cv2.imwrite(path, np.rint(values * 65535).astype(np.uint16), [cv2.IMWRITE_PNG_COMPRESSION, 1])


def main(flash_path, ambient_path, output, map_output, threads):
    cv2.setNumThreads(int(threads))
    laps = Laps()
    files = [dng.Dng(path) for path in (flash_path, ambient_path)]
    flash, ambient = (dng.decode(path, 3) for path in (flash_path, ambient_path))
    laps("decode")
    matrix = homography(flash, ambient)
    laps("align")
    height, width = flash.shape[:2]
    warp = lambda frame, interpolation, border: cv2.warpPerspective(
        frame, matrix, (width, height), flags=interpolation | cv2.WARP_INVERSE_MAP, borderMode=border)
    ambient = warp(ambient, cv2.INTER_CUBIC, cv2.BORDER_REPLICATE)
    inside = warp(np.ones((height, width), np.float32), cv2.INTER_LINEAR, cv2.BORDER_CONSTANT)
    laps("warp")
    scales = [np.float32(1 / file.exposure) for file in files]
    raw = flash * scales[0] - ambient * scales[1]
    white = float(np.percentile(raw[..., 1], 99)) + 1e-9
    laps("subtract")
    noise = [file[dng.NOISE] for file in files]
    guide = np.sqrt(np.clip(flash @ np.float32([0.25, 0.6, 0.15]), 0, 1)).astype(np.float32)
    radius = max(2, round(4 * np.sqrt(width / ECC_WIDTH)))
    smooth = cv2.ximgproc.guidedFilter(guide, raw / np.float32(white), radius, 2e-4 + 1.5 * noise[0][0]) * np.float32(white)
    laps("filter")
    trust = confidence(flash, ambient, inside, raw, smooth, scales, noise, white)
    laps("confidence")
    colour = to_p3(files[0])
    result = smooth @ colour.T
    # Where the difference cannot be trusted: the flash frame, as bright as the rest.
    base = flash @ colour.T
    bright, base_bright = np.clip(result[..., 1], 0, None), base[..., 1]
    level = bright.mean() / (base_bright.mean() + 1e-9)
    base *= ((0.3 * level * base_bright + 0.7 * bright) / (base_bright + 1e-6))[..., None]
    weight = np.clip(trust / 0.3, 0, 1)[..., None]
    result = (result * weight + base * (1 - weight)) * np.float32(0.9 / white)
    laps("colour")
    save(output, result)
    save(map_output, trust)
    laps("write")
    print(json.dumps({"steps": laps.seconds, "matrix": matrix.ravel().tolist()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
