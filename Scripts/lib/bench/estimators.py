"""The estimators that are compared: ours, those of OpenCV at their best, and hugin's.

Each takes the paths of two picture files of one size and gives an Answer.
"""

from dataclasses import dataclass
import json
import os
import shutil
import subprocess
import tempfile
import time

import cv2
import numpy as np

import geometry

COARSEST_LEVEL = 3  # of the pyramids: eighths


@dataclass(frozen=True)
class Answer:
    """What an estimator says of a pair."""

    matrix: np.ndarray | None  # from flash to ambient pixels; None: it found nothing
    seconds: float  # from decoded pixels to the moved ambient frame; of a program that does not tell, all
    process: float = float("nan")  # of the whole program, where it is one
    model: str = ""  # the kind of map, where the program chooses it


class Ours:
    """The command of this project, as it is used."""

    def __init__(self, command, align):
        self._words = [command, "develop", "--align", align, "--quiet"]

    def __call__(self, flash, ambient):
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "report.json")
            start = time.perf_counter()
            done = subprocess.run(
                self._words + ["--flash", flash, "--ambient", ambient, "--output", os.path.join(folder, "x.png")]
                + ["--report", report], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            process = time.perf_counter() - start
            if done.returncode != 0:
                return Answer(None, float("nan"), process, f"exit status {done.returncode}: {done.stderr.strip()}")
            with open(report) as file:
                found = json.load(file)
        alignment, seconds = found["alignment"] or {}, found["timings"]["align"]
        matrix = alignment.get("matrix")
        matrix = None if matrix is None else np.array(matrix, float).reshape(3, 3)
        return Answer(matrix, seconds, process, alignment.get("model", ""))


class Hugin:
    """hugin's align_image_stack; its own pano_trafo says what the project that it writes does to a pixel.

    A shift of the picture is a turn of the camera to it, with the perspective of the field of view; the narrow one given
    here makes that small, and the position in x and y takes up the rest."""

    _options = ["--use-given-order", "-f", "10", "-m", "-s", "0"]

    def __init__(self, options=None):
        self._words = ["align_image_stack"] + (options or self._options)

    @staticmethod
    def missing():
        return [name for name in ("align_image_stack", "pano_trafo") if not shutil.which(name)]

    def __call__(self, flash, ambient):
        with tempfile.TemporaryDirectory() as folder:
            project = os.path.join(folder, "project.pto")
            start = time.perf_counter()
            done = subprocess.run(self._words + ["-p", project, flash, ambient], capture_output=True, text=True)
            process = time.perf_counter() - start
            if done.returncode != 0 or not os.path.exists(project):
                return Answer(None, process, process)
            height, width = cv2.imread(flash, cv2.IMREAD_UNCHANGED).shape[:2]
            ends = geometry.corners((width, height))
            panorama = self._transform([project, "0"], ends)
            ambient_ends = self._transform(["-r", project, "1"], panorama)
        if ambient_ends is None or not np.all(np.isfinite(ambient_ends)):
            return Answer(None, process, process)
        return Answer(geometry.through(ends, ambient_ends), process, process)

    @staticmethod
    def _transform(words, points):
        if points is None:
            return None
        text = "".join(f"{x:.9f} {y:.9f}\n" for x, y in points)
        done = subprocess.run(["pano_trafo"] + words, input=text, capture_output=True, text=True)
        numbers = [float(word) for word in done.stdout.split()]
        return np.array(numbers).reshape(-1, 2) if len(numbers) == 2 * len(points) else None


class OpenCV:
    """An estimator on decoded 8-bit pixels; what is timed includes moving the ambient frame, as in ours."""

    def __init__(self, estimate):
        self._estimate = estimate

    def __call__(self, flash, ambient):
        frames = [cv2.imread(path, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION) for path in (flash, ambient)]
        start = time.perf_counter()
        try:
            matrix = self._estimate(*frames)
        except cv2.error:
            matrix = None
        if matrix is not None:
            warp(frames[1], matrix)
        return Answer(matrix, time.perf_counter() - start)


def warp(ambient, matrix):
    """The ambient frame in the flash frame's geometry, as floats."""
    size = (ambient.shape[1], ambient.shape[0])
    return cv2.warpPerspective(ambient.astype(np.float32), matrix, size, flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP)


# What the estimators look at.


def grey(frame):
    return cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)


def brightness(frame):
    return grey(frame).astype(np.float32)


def normalized_gradient(frame):
    """The strength of the logarithm's gradient, relative to that of its surroundings: much the same in any light."""
    logarithm = np.log(grey(frame).astype(np.float32) / 255 + 0.02)
    smooth = cv2.GaussianBlur(logarithm, (0, 0), 1)
    strength = cv2.magnitude(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8))
    return strength / (np.sqrt(cv2.GaussianBlur(strength * strength, (0, 0), 12)) + 0.05)


# Estimators. Each gives the matrix from flash to ambient pixels, or None.


def shifted(x, y):
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], float)


def nothing(flash, ambient):
    """What not aligning comes to."""
    return np.eye(3)


def median_threshold_bitmaps(flash, ambient):
    shift = cv2.createAlignMTB().calculateShift(grey(flash), grey(ambient))
    return shifted(-shift[0], -shift[1])


def phase_correlation(look):
    def estimate(flash, ambient):
        flash, ambient = look(flash), look(ambient)
        height, width = (side // 2 * 2 for side in flash.shape)  # odd sizes go wrong in some versions
        window = cv2.createHanningWindow((width, height), cv2.CV_32F)
        (x, y), _ = cv2.phaseCorrelate(flash[:height, :width], ambient[:height, :width], window)
        return shifted(x, y) if np.isfinite([x, y]).all() else None

    return estimate


def ecc(look, homography):
    """Maximisation of the correlation coefficient over a pyramid, from the shift that phase correlation finds.

    It throws where it does not converge; what was reached at the level before is its answer then."""

    def estimate(flash, ambient):
        matrix = phase_correlation(look)(flash, ambient)
        matrix = np.eye(3) if matrix is None else matrix
        flash, ambient = look(flash), look(ambient)
        until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 200, 1e-6)
        for level in range(COARSEST_LEVEL, -1, -1):
            factor = 0.5**level
            reduced = [
                cv2.resize(frame, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) if level else frame
                for frame in (flash, ambient)]
            free = homography and level < 2
            start = geometry.resized(matrix, factor).astype(np.float32)
            try:
                mode = cv2.MOTION_HOMOGRAPHY if free else cv2.MOTION_EUCLIDEAN
                _, found = cv2.findTransformECC(*reduced, start if free else start[:2], mode, until, None, 5)
            except cv2.error:
                continue
            found = found if free else np.vstack([found, [0, 0, 1]])
            if np.isfinite(found).all() and found[2, 2]:
                matrix = geometry.resized(found.astype(float), 1 / factor)
        return matrix

    return estimate


def features(make, norm, homography):
    """Key points, matched where the best match is much better than the second, and RANSAC."""

    def estimate(flash, ambient):
        detector = make()
        (points, words), (others, other_words) = (detector.detectAndCompute(grey(frame), None) for frame in (flash, ambient))
        if words is None or other_words is None or len(points) < 2 or len(others) < 2:
            return None
        matches = [pair[0] for pair in cv2.BFMatcher(norm).knnMatch(words, other_words, 2)
                   if len(pair) == 2 and pair[0].distance < 0.75 * pair[1].distance]
        source = np.float32([points[match.queryIdx].pt for match in matches])
        target = np.float32([others[match.trainIdx].pt for match in matches])
        if len(matches) < (4 if homography else 2):
            return None
        if homography:
            return cv2.findHomography(source, target, cv2.RANSAC, 3.0, maxIters=10000, confidence=0.999)[0]
        found, _ = cv2.estimateAffinePartial2D(
            source, target, method=cv2.RANSAC, ransacReprojThreshold=3.0, maxIters=10000, confidence=0.999)
        return None if found is None else np.vstack([found, [0, 0, 1]])

    return estimate


def sift():
    return cv2.SIFT_create(nfeatures=5000, contrastThreshold=0.02)


def orb():
    return cv2.ORB_create(nfeatures=5000)


def make(name, command):
    """The estimator of a short name."""
    if name.startswith("ours"):
        return Ours(command, name.partition("-")[2] or "auto")
    if name == "hugin":
        return Hugin()
    look = normalized_gradient if "gradient" in name else brightness
    homography = name.endswith("homography")
    kinds = {
        "none": lambda: nothing, "mtb": lambda: median_threshold_bitmaps, "phase": lambda: phase_correlation(look),
        "ecc": lambda: ecc(look, homography), "orb": lambda: features(orb, cv2.NORM_HAMMING, homography),
        "sift": lambda: features(sift, cv2.NORM_L2, homography),
    }
    return OpenCV(kinds[name.partition("-")[0]]())
