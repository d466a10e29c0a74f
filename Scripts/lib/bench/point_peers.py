#!/usr/bin/env python3
"""Steps that work on each pixel alone, by libraries that have them: libvips and OpenCV, in one process, into new memory.

    point_peers.py WIDTH HEIGHT TIMES THREADS

prints one JSON object a line: the least of so many times, in seconds, of pictures of three floats a pixel.
"""

import ctypes
import json
import sys
import time

import cv2
import numpy as np

MATRIX = np.array([[0.82, 0.18, 0.0], [0.03, 0.97, 0.0], [0.02, 0.07, 0.91]])
FLOAT = 6  # VIPS_FORMAT_FLOAT


class Vips:
    """libvips by its C functions; None where it is not installed."""

    def __init__(self, threads):
        self._library = ctypes.CDLL("libvips.so.42")
        for name in ("vips_image_new_from_memory", "vips_image_new_matrix_from_array", "vips_image_write_to_memory"):
            getattr(self._library, name).restype = ctypes.c_void_p
        if self._library.vips_init(b"point_peers") != 0:
            raise OSError("libvips does not start")
        self._library.vips_concurrency_set(threads)

    def image(self, picture):
        height, width, bands = picture.shape
        return ctypes.c_void_p(self._library.vips_image_new_from_memory(
            picture.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(picture.nbytes), width, height, bands, FLOAT))

    def matrix(self, values):
        numbers = (ctypes.c_double * values.size)(*values.ravel())
        return ctypes.c_void_p(self._library.vips_image_new_matrix_from_array(*values.shape[::-1], numbers, values.size))

    def subtract(self, one, other):
        self._compute(lambda result: self._library.vips_subtract(one, other, result, None))

    def recombine(self, picture, matrix):
        self._compute(lambda result: self._library.vips_recomb(picture, result, matrix, None))

    def _compute(self, prepare):
        """Computes a result into memory of its own."""
        result, size = ctypes.c_void_p(), ctypes.c_size_t()
        if prepare(ctypes.byref(result)) != 0:
            raise OSError("libvips cannot do it")
        memory = self._library.vips_image_write_to_memory(result, ctypes.byref(size))
        self._library.g_free(ctypes.c_void_p(memory))
        self._library.g_object_unref(result)


def least(times, work):
    seconds = []
    for _ in range(times + 1):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds[1:])


def main(width, height, times, threads):
    cv2.setNumThreads(threads)
    random = np.random.default_rng(1)
    flash, ambient = (random.random((height, width, 3), np.float32) for _ in range(2))
    works = {
        ("subtract", "OpenCV"): lambda: cv2.subtract(flash, ambient),
        ("matrix", "OpenCV"): lambda: cv2.transform(flash, MATRIX),
    }
    try:
        vips = Vips(threads)
    except OSError:
        pass
    else:
        one, other, matrix = vips.image(flash), vips.image(ambient), vips.matrix(MATRIX)
        works["subtract", "libvips"] = lambda: vips.subtract(one, other)
        works["matrix", "libvips"] = lambda: vips.recombine(one, matrix)
    for (step, peer), work in works.items():
        print(json.dumps({"step": step, "peer": peer, "seconds": least(times, work), "pixels": width * height}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
