#!/usr/bin/env python3
"""What is needed to judge pages: character error rates, paper's lightness, straightening by known corners.

judge.py cer TEXT.txt READ.txt        the edit distance between two texts, relative to the first one's length
judge.py lightness PICTURE.png PAGE   the 5th and 95th percentile of L* over what is paper
"""
import sys

import numpy


def distance(a, b):
    """Levenshtein's."""
    row = numpy.arange(len(b) + 1)
    letters = numpy.frombuffer(b.encode("utf-32-le"), dtype=numpy.uint32)
    for index, letter in enumerate(a, 1):
        best = numpy.minimum(row[:-1] + (letters != ord(letter)), row[1:] + 1)
        best = numpy.concatenate(([index], best))
        # Insertions run along the row.
        steps = numpy.arange(len(best))
        row = numpy.minimum.accumulate(best - steps) + steps
    return int(row[-1])


def plain(text):
    """White space does not count, nor does how quotes are drawn."""
    for old, new in (("’", "'"), ("‘", "'"), ("“", '"'), ("”", '"'), ("—", "-")):
        text = text.replace(old, new)
    return " ".join(text.split())


def error_rate(truth, read):
    truth, read = plain(truth), plain(read)
    return distance(truth, read) / max(len(truth), 1)


def lightness(linear):
    """L* of linear luminance, white 1."""
    return numpy.where(linear > 216 / 24389, 116 * numpy.cbrt(linear) - 16, linear * 24389 / 27)


def spread(luminance, paper):
    """p5 and p95 of L* over paper, relative to its 95th percentile."""
    values = luminance[paper]
    values = lightness(values / numpy.percentile(values, 95))
    return numpy.percentile(values, 5), numpy.percentile(values, 95)


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "cer":
        with open(sys.argv[2], encoding="utf-8") as first, open(sys.argv[3], encoding="utf-8") as second:
            print(f"{error_rate(first.read(), second.read()):.4f}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
