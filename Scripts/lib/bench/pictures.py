"""Pairs of pictures, and how they are warped. Needs OpenCV."""

from dataclasses import dataclass
import glob
import json
import os

import cv2
import numpy as np

import geometry

# The noise added to frames, as a standard deviation in 8-bit values: a hand-held ambient frame is noisier.
FLASH_NOISE, AMBIENT_NOISE = 2.0, 4.0


class Unreadable(Exception):
    """A sentence about an input that cannot be used."""


@dataclass(frozen=True)
class Pair:
    """Two photographs of one scene, and how they lie to each other where that is known."""

    name: str
    flash: str
    ambient: str
    matrix: np.ndarray  # flash to ambient; the identity for a pair that its author publishes as aligned


def _file(folder, name):
    """The picture `name.*` of a folder."""
    found = [path for path in sorted(glob.glob(os.path.join(glob.escape(folder), name + ".*"))) if cv2.haveImageReader(path)]
    return found[0] if found else None


def find_pairs(folder):
    """The pairs in a folder: the one that it is, or those in its folders."""
    result = []
    for place in [folder] + sorted(glob.glob(os.path.join(glob.escape(folder), "*", ""))):
        flash, ambient = _file(place, "flash"), _file(place, "ambient")
        if flash and ambient:
            truth = os.path.join(place, "alignment.json")
            matrix = np.eye(3)
            if os.path.exists(truth):
                with open(truth) as file:
                    matrix = np.array(json.load(file)["matrix"], float).reshape(3, 3)
            result.append(Pair(os.path.basename(os.path.normpath(place)), flash, ambient, matrix))
    if not result:
        raise Unreadable(f"{folder}: has no folders with flash.* and ambient.* that OpenCV can read")
    return result


def find_set(folder):
    """The pairs of a simulated set, whose inputs/set.json names them and whose truth/ID.json how they really lie.

    The camera's own JPEG is taken where there is one beside a RAW file, so that every program sees the same pixels."""
    try:
        with open(os.path.join(folder, "inputs", "set.json")) as file:
            entries = json.load(file)["pairs"]
        result = []
        for entry in entries:
            with open(os.path.join(folder, "truth", entry["id"] + ".json")) as file:
                truth = json.load(file)
            files = [os.path.join(folder, "inputs", entry[key]) for key in ("flash", "ambient")]
            jpegs = [os.path.splitext(path)[0] + ".jpg" for path in files]
            flash, ambient = jpegs if all(map(os.path.exists, jpegs)) else files
            result.append(Pair(entry["id"], flash, ambient, np.array(truth["H_flash_to_ambient"], float)))
        return result
    except (OSError, KeyError, ValueError) as error:
        raise Unreadable(f"{folder}: is no simulated set ({error})") from None


def read(path):
    """A picture as stored, three channels, encoded values 0...1; its orientation is not applied."""
    samples = _samples(path)
    return samples.astype(np.float32) / np.iinfo(samples.dtype).max


def read_light(path):
    """The same as linear light, 0...1."""
    samples = _samples(path)
    largest = np.iinfo(samples.dtype).max
    return linear(np.arange(largest + 1, dtype=np.float32) / largest)[samples]


def _samples(path):
    if os.path.splitext(path)[1].lower() == ".dng":
        return _raw_samples(path)
    picture = cv2.imread(path, cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION)
    if picture is None:
        raise Unreadable(f"{path}: cannot be read")
    if picture.dtype not in (np.uint8, np.uint16):
        raise Unreadable(f"{path}: has samples of the kind {picture.dtype}; give 8 or 16 bits")
    if picture.ndim == 2 or picture.shape[2] == 1:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    return picture[..., :3]


def _raw_samples(path):
    try:
        import rawpy
    except ImportError:
        raise Unreadable(f"{path}: to read RAW files install the Python package rawpy, or put JPEGs beside them") from None
    with rawpy.imread(path) as raw:
        picture = raw.postprocess(use_camera_wb=True, no_auto_bright=True, output_bps=16, user_flip=0)
    return picture[..., ::-1]


def write(path, picture):
    """Writes encoded values 0...1 as an 8-bit PNG."""
    values = np.clip(np.rint(picture * 255), 0, 255).astype(np.uint8)
    if not cv2.imwrite(path, values, [cv2.IMWRITE_PNG_COMPRESSION, 1]):
        raise Unreadable(f"{path}: cannot be written")


def linear(encoded):
    """The light of sRGB values."""
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4).astype(np.float32)


def encoded(light):
    """The sRGB values of light."""
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055).astype(np.float32)


BORDERS = {"crop": cv2.BORDER_REPLICATE, "black": cv2.BORDER_CONSTANT, "replicate": cv2.BORDER_REPLICATE}


def resample(light, matrix, size, step, border):
    """What a camera sees that looks at a picture through a homography.

    The one resampling there is: at about the picture's own resolution, then the mean of whole blocks of pixels, as a
    sensor with larger pixels takes it. Takes linear light; gives linear light.

    Args:
        matrix: from the wanted picture's pixels to the given one's.
        size: (width, height) of the wanted picture.
        step: how many pixels of the given picture a pixel of the wanted one is wide.
        border: what is outside the given picture, a key of BORDERS.
    """
    block = max(1, int(np.ceil(step - 1e-9)))
    finer = np.array([[1 / block, 0, (1 - block) / (2 * block)], [0, 1 / block, (1 - block) / (2 * block)], [0, 0, 1]])
    # The mean of a block hides the softness of linear interpolation; without one it would be seen.
    interpolation = cv2.INTER_LINEAR if block > 1 else cv2.INTER_LANCZOS4
    canvas = cv2.warpPerspective(
        light, np.asarray(matrix) @ finer, (size[0] * block, size[1] * block), flags=interpolation | cv2.WARP_INVERSE_MAP,
        borderMode=BORDERS[border])
    return cv2.resize(canvas, size, interpolation=cv2.INTER_AREA) if block > 1 else canvas


class Studio:
    """Takes a pair under known movements of the hand.

    Where the border is cut off, the frames show a part of the scene that stays inside whatever the movement."""

    def __init__(self, pair, long_side, draw, border="crop", enlarge=False):
        """
        Args:
            long_side: of the frames, in pixels, before the border is cut off; a smaller pair is not enlarged.
            draw: gives the homographies, for a picture of (width, height).
            enlarge: whether a smaller pair is enlarged after all.
        """
        flash, ambient = read_light(pair.flash), read_light(pair.ambient)
        if flash.shape != ambient.shape:
            raise Unreadable(f"{pair.name}: the frames are of different sizes")
        height, width = flash.shape[:2]
        ratio = max(width, height) / long_side
        self._step = ratio if enlarge else max(ratio, 1.0)
        self._border = border
        full = (int(width / self._step), int(height / self._step))
        movements = draw(full)
        ends = geometry.corners(full)
        moved = [np.abs(geometry.apply(np.linalg.inv(matrix), ends) - ends).max(axis=0) for matrix in movements]
        margin = np.ceil(np.max(moved, axis=0) + 2).astype(int) if border == "crop" else np.zeros(2, int)
        self.size = (full[0] - 2 * int(margin[0]), full[1] - 2 * int(margin[1]))
        if min(self.size) < 64:
            raise Unreadable(f"{pair.name}: is too small for such movements")
        cut = np.array([[1, 0, -margin[0]], [0, 1, -margin[1]], [0, 0, 1]], float)
        self.movements = [geometry.normalized(cut @ matrix @ np.linalg.inv(cut)) for matrix in movements]
        # How the pair lies by itself, and where its pixels are, in the frames' coordinates.
        self.own = geometry.normalized(cut @ geometry.resized(pair.matrix, 1 / self._step) @ np.linalg.inv(cut))
        shift = (self._step - 1) / 2
        larger = np.array([[self._step, 0, shift], [0, self._step, shift], [0, 0, 1]])
        self._source = larger @ np.linalg.inv(cut)
        self._ambient = ambient
        self._flash = encoded(resample(flash, self._source, self.size, self._step, border))

    def take(self, movement, random, noise, flash_path, ambient_path):
        """Writes the two frames as 8-bit PNG, the ambient one after a movement; noise is a factor."""
        source = self._source @ np.linalg.inv(movement)
        ambient = encoded(resample(self._ambient, source, self.size, self._step, self._border))
        for path, picture, deviation in ((flash_path, self._flash, FLASH_NOISE), (ambient_path, ambient, AMBIENT_NOISE)):
            grain = random.standard_normal(picture.shape, dtype=np.float32) * (noise * deviation / 255)
            write(path, picture + grain)
