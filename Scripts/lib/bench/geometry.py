"""Known homographies, and how far an estimate is from them. Needs NumPy only.

Coordinates are those of the command's report: x to the right, y down, pixel centres at whole numbers; a matrix maps
(x, y, 1) of the flash frame to the ambient frame.
"""

from dataclasses import dataclass
import zlib

import numpy as np


@dataclass(frozen=True)
class Shake:
    """How far a hand may move between the frames: each value is drawn evenly from minus to plus this."""

    shift: float = 0.0  # pixels, in x and in y
    rotation: float = 0.0  # degrees
    scale: float = 0.0  # per cent
    perspective: float = 0.0  # pixels that each corner moves on its own

    def __str__(self):
        parts = [f"±{self.shift:g} px", f"±{self.rotation:g}°"]
        parts += [f"±{self.scale:g} % scale"] if self.scale else []
        parts += [f"±{self.perspective:g} px perspective"] if self.perspective else []
        return ", ".join(parts)


def generator(seed, *names):
    """Random numbers that depend on the seed and the names alone, not on what else is measured in the same run."""
    return np.random.default_rng([seed] + [zlib.crc32(str(name).encode()) for name in names])


def corners(size):
    """The centres of the four corner pixels of a picture of (width, height): top left, top right, bottom left, right."""
    right, bottom = size[0] - 1.0, size[1] - 1.0
    return np.array([[0, 0], [right, 0], [0, bottom], [right, bottom]])


def apply(matrix, points):
    """Where a homography takes points (one a row); NaN where that is nowhere."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ np.asarray(matrix, float).T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(mapped[:, 2:] > 0, mapped[:, :2] / mapped[:, 2:], np.nan)


def normalized(matrix):
    """The same map with 1 as its last number."""
    return np.asarray(matrix, float) / matrix[2][2]


def through(source, target):
    """The homography through four pairs of points."""
    rows, values = [], []
    for (x, y), (u, v) in zip(source, target):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return np.append(np.linalg.solve(rows, values), 1).reshape(3, 3)


def random_homography(random, size, shake):
    """A movement of the hand, about the middle of a picture of (width, height)."""
    x, y = (size[0] - 1) / 2, (size[1] - 1) / 2
    dx, dy = random.uniform(-shake.shift, shake.shift, 2)
    angle = np.radians(random.uniform(-shake.rotation, shake.rotation))
    factor = 1 + random.uniform(-shake.scale, shake.scale) / 100
    c, s = factor * np.cos(angle), factor * np.sin(angle)
    similarity = np.array([[c, -s, x + dx - c * x + s * y], [s, c, y + dy - s * x - c * y], [0, 0, 1]])
    ends = corners(size)
    tilt = through(ends, ends + random.uniform(-shake.perspective, shake.perspective, (4, 2)))
    return normalized(similarity @ tilt)


def resized(matrix, factor):
    """The same map between frames that are `factor` times as large; pixel centres stay at whole numbers."""
    larger = np.array([[factor, 0, (factor - 1) / 2], [0, factor, (factor - 1) / 2], [0, 0, 1]])
    return normalized(larger @ matrix @ np.linalg.inv(larger))


def corner_errors(estimate, truth, size):
    """How far an estimate takes the four corners from where the truth does: (root mean square, largest), in pixels.

    Infinite without an estimate."""
    if estimate is None or not np.all(np.isfinite(estimate)):
        return np.inf, np.inf
    ends = corners(size)
    distances = np.linalg.norm(apply(estimate, ends) - apply(truth, ends), axis=1)
    if not np.all(np.isfinite(distances)):
        return np.inf, np.inf
    return float(np.sqrt(np.mean(distances**2))), float(distances.max())
