"""Kinds of option values, for argparse."""

import argparse
import os


def whole(smallest):
    """A whole number that is not less than another."""
    def parse(text):
        value = int(text)
        if value < smallest:
            raise argparse.ArgumentTypeError(f"{value} is less than {smallest}")
        return value

    parse.__name__ = "whole number"
    return parse


def positive(text):
    """A number from 0."""
    value = float(text)
    if not 0 <= value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not 0 or more")
    return value


def numbers(text):
    """Megapixels, one or several, in order."""
    values = sorted({float(word) for word in text.split(",")})
    if not all(1 <= value <= 200 for value in values):
        raise argparse.ArgumentTypeError("sizes are from 1 to 200 megapixels")
    return values


def writable(text):
    """A file that can be written."""
    folder = os.path.dirname(text) or "."
    if not os.access(folder, os.W_OK):
        raise argparse.ArgumentTypeError(f"nothing can be written in {folder}")
    return text


def among(known):
    """Some of the known names."""
    def parse(text):
        chosen = text.split(",")
        for name in chosen:
            if name not in known:
                raise argparse.ArgumentTypeError(f"there is no {name!r}; there are {', '.join(known)}")
        return chosen

    parse.__name__ = "list of names"
    return parse
