#!/usr/bin/env python3
"""Checks the benchmark's own arithmetic against cases whose answers are known.

Needs NumPy only; where OpenCV is installed, the warps and the peers are checked, too."""

import os
import sys
import tempfile

import numpy as np

import geometry
import measures
from checks import check, passed
from geometry import Shake, apply, corner_errors, corners

SIZE = (1000, 750)
IDENTITY = np.eye(3)


def close(a, b, tolerance=1e-9):
    return bool(np.all(np.abs(np.asarray(a, float) - np.asarray(b, float)) <= tolerance))


def shift(x, y):
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], float)


# Errors: a perfect estimator has none; not aligning is off by the movement itself.
check(close(corner_errors(shift(3, 4), IDENTITY, SIZE), (5, 5)), "a shift of (3, 4) is 5 px at every corner")
turn = np.radians(2)
radius = np.hypot(999, 749) / 2
still = geometry.random_homography(np.random.default_rng(1), SIZE, Shake())
check(close(still, IDENTITY), "no shake is the identity")
c, s, x, y = np.cos(turn), np.sin(turn), 999 / 2, 749 / 2
rotation = shift(x, y) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ shift(-x, -y)
chord = 2 * radius * np.sin(turn / 2)
check(close(corner_errors(IDENTITY, rotation, SIZE), (chord, chord)), "a rotation moves the corners along a chord")
one = geometry.through(corners(SIZE), corners(SIZE) + [[0, 0], [0, 0], [0, 0], [6, 8]])
check(close(corner_errors(IDENTITY, one, SIZE), (5, 10)), "one corner off by 10 px is 5 px RMS")
check(corner_errors(None, IDENTITY, SIZE) == (np.inf, np.inf), "no answer is infinitely wrong")
check(corner_errors(np.diag([1, 1, -1]), IDENTITY, SIZE)[0] == np.inf, "a picture behind the camera is no answer")

# Movements: within the limits, about the middle, the same for the same seed.
shake = Shake(shift=15, rotation=0.5, scale=1, perspective=3)
furthest = 0.0
for number in range(200):
    movement = geometry.random_homography(geometry.generator(7, "pair", number), SIZE, shake)
    again = geometry.random_homography(geometry.generator(7, "pair", number), SIZE, shake)
    check(np.array_equal(movement, again), "a seed gives one movement")
    check(close(corner_errors(movement, movement, SIZE), (0, 0)), "a perfect estimator has no error")
    furthest = max(furthest, corner_errors(IDENTITY, movement, SIZE)[1])
    plain = geometry.random_homography(geometry.generator(7, "pair", number), SIZE, Shake(shift=15, rotation=0.5))
    middle = np.array([[999 / 2, 749 / 2]])
    check(np.all(np.abs(apply(plain, middle) - middle) <= 15), "the middle moves by the shift alone")
    angle = np.degrees(np.arctan2(plain[1, 0], plain[0, 0]))
    check(abs(angle) <= 0.5 and close(np.linalg.det(plain[:2, :2]), 1), "the rest is a rotation within the limit")
    # An estimator that is wrong in the same way always is consistent with itself.
    own = shift(1.5, -0.5)
    check(close(corner_errors(plain @ own, plain @ own, SIZE), (0, 0)), "a constant error is none to itself")
    check(corner_errors(own @ plain, plain @ own, SIZE)[0] < 0.1, "and nearly so in the other order")
    # Frames twice as large: movements and errors in pixels are twice as large.
    double = geometry.resized(plain, 2)
    check(close(geometry.resized(double, 0.5), plain, 1e-9), "resizing can be undone")
    place = np.array([[10.0, 20.0]])
    check(close(apply(double, 2 * place + 0.5), 2 * apply(plain, place) + 0.5, 1e-6), "pixel centres are at whole numbers")
bound = 15 * np.sqrt(2) + radius * (np.radians(0.5) + 0.01) + 3 * 1.5
check(10 < furthest < bound, "the corners move, within the limits")
first, second = (geometry.generator(7, "pair", number).integers(1 << 30) for number in (1, 2))
check(first != second, "trials differ")

# Statistics: nearest rank, infinity counts, NaN does not.
errors = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 20.0, np.inf, np.nan]
found = measures.summary(errors)
check(found == {"count": 10, "median": 0.5, "p90": 20.0, "max": np.inf, "below1": 0.8, "failures": 0.2}, f"a summary is {found}")
check(np.isnan(measures.percentile([], 50)), "of nothing there is no median")
lines = measures.table(["method", "s"], [["ours", "1.25"], ["a longer name", "-"]]).split("\n")
check(len({len(line) for line in lines}) == 1, "columns are aligned")
check(lines[2].startswith("| ours ") and lines[2].endswith("| 1.25 |"), "names to the left, numbers to the right")

# Pictures: a smooth scene, whose light at any place is known, warped; and the peers on it.
try:
    import cv2
except ImportError:
    print(f"{passed()} checks passed, OpenCV is not installed: warps and peers are not checked")
    sys.exit()

import estimators
import pictures


def light(points, wavelengths=((173, 41), (57, 190), (83, -71), (29, 37))):
    """The light of the scene at places given in parts of its width: waves of some pixels at a width of 1000."""
    phases = [2 * np.pi * 1000 * (points[..., 0] / across + points[..., 1] / down) for across, down in wavelengths]
    return 0.4 + sum(0.08 * np.sin(phase + number) for number, phase in enumerate(phases))


def grid(size):
    return np.stack(np.meshgrid(np.arange(size[0]), np.arange(size[1])), -1).astype(float)


for width, height in ((2400, 1800), (900, 700)):
    with tempfile.TemporaryDirectory() as folder:
        scene = pictures.encoded(light((grid((width, height)) + 0.5) / width))
        original, flash, ambient = (os.path.join(folder, name) for name in ("scene.png", "flash.png", "ambient.png"))
        cv2.imwrite(original, np.rint(65535 * np.dstack([scene] * 3)).astype(np.uint16))
        draw = lambda size: [geometry.random_homography(np.random.default_rng(3), size, Shake(15, 0.5, 1, 3))]
        studio = pictures.Studio(pictures.Pair("scene", original, original, shift(0, 0)), 1000, draw)
        movement = studio.movements[0]
        studio.take(movement, np.random.default_rng(1), 0, flash, ambient)
        step = max(width / 1000, 1)
        cut = (np.array([width / step, height / step]).astype(int) - studio.size) / 2
        places = grid(studio.size)
        unmoved = apply(np.linalg.inv(movement), places.reshape(-1, 2)).reshape(places.shape)
        for path, seen in ((flash, places), (ambient, unmoved)):
            wanted = light((seen + cut + 0.5) * step / width)
            error = pictures.linear(pictures.read(path))[..., 1] - wanted
            # The mean over a pixel is a little flatter than the middle of it; 8 bits are the rest.
            check(np.sqrt(np.mean(error**2)) < 0.004, f"a warped picture is off by {np.sqrt(np.mean(error**2)):.4f}")
        for name, limit in (("ecc-gradient-homography", 0.2), ("ecc-grey-homography", 0.05), ("sift-homography", 0.5)):
            error = corner_errors(estimators.make(name, "")(flash, ambient).matrix, movement, studio.size)[0]
            check(error < limit, f"{name} is off by {error:.3f} px on an easy pair")

print(f"{passed()} checks passed")
