#!/usr/bin/env python3
"""Aligns pairs that were warped by known homographies, with constant-color and with its peers, and says how far off each is."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import names
import options as kinds

DEFAULT_SHAKES = [(15, 0.5), (40, 2)]


def arguments(words):
    parser = argparse.ArgumentParser(
        prog="Scripts/bench align", description=__doc__,
        epilog="Without --pairs and --set the project's own rendered pair is warped. A pair that lies crooked by itself may say so "
        "in a file alignment.json beside its pictures: {\"matrix\": nine numbers, flash to ambient pixels}.")
    add = parser.add_argument
    add("--pairs", metavar="DIR", action="append", default=[],
        help="a folder of folders, or one folder, with pictures flash.* and ambient.*; may be repeated")
    add("--set", metavar="DIR", action="append", default=[], dest="sets",
        help="a simulated set (inputs/set.json, truth/ID.json); its pairs are taken as they are; may be repeated")
    add("--trials", metavar="N", type=kinds.whole(1), default=4, help="movements of each pair (default 4)")
    add("--seed", metavar="N", type=kinds.whole(0), default=1, help="the same seed gives the same pictures (default 1)")
    add("--shift", metavar="PX", type=kinds.positive, help="largest shift in x and y; with this or the next three there is one "
        "kind of shake instead of the two of ±15 px, ±0.5° and ±40 px, ±2°")
    add("--rotation", metavar="DEG", type=kinds.positive, help="largest rotation")
    add("--scale", metavar="PCT", type=kinds.positive, help="largest change of scale, per cent")
    add("--perspective", metavar="PX", type=kinds.positive, help="largest movement of each corner on its own")
    add("--size", metavar="PX", type=kinds.whole(128), default=1000,
        help="long side of the frames before the border is cut off (default 1000); smaller pairs are not enlarged")
    add("--border", choices=("crop", "black", "replicate"), default="crop",
        help="what the moved frame shows beyond the picture: cut off (default), black, or the last pixel again")
    add("--noise", metavar="FACTOR", type=kinds.positive, default=1.0,
        help="times noise with a standard deviation of 2 (flash) and 4 (ambient) of 255 (default 1)")
    add("--methods", metavar="A,B,…", type=kinds.among(names.NAMES), default=list(names.NAMES),
        help="only these: " + ", ".join(names.NAMES))
    add("--times", metavar="N", type=kinds.whole(1), default=1,
        help="estimates each so many times and takes the median time (default 1)")
    add("--large", action="store_true", help="measures the time at 12 megapixels, too")
    add("--worst", metavar="N", type=kinds.whole(0), default=5, help="how many of our worst trials to list (default 5)")
    add("--json", metavar="FILE", type=kinds.writable, help="writes every single trial")
    add("--keep", metavar="DIR", help="keeps the pictures in this folder")
    add("--parse-only", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(words)


def main(words):
    options = arguments(words)
    if options.parse_only:
        return 0
    # Not before the arguments are known to be right: these need what the benchmark installs.
    import estimators
    import large
    import pictures
    import trials

    binaries = os.environ.get("CONSTANT_COLOR_BIN", ".build/release")
    command = os.path.join(binaries, "constant-color")
    if not os.access(command, os.X_OK):
        print(f"bench: {command}: is not there; Scripts/bench builds it", file=sys.stderr)
        return 2
    methods = {name: estimators.make(name, command) for name in options.methods}

    try:
        with tempfile.TemporaryDirectory() as folder:
            sets = {path: pictures.find_set(path) for path in options.sets}
            pairs = [pair for path in options.pairs for pair in pictures.find_pairs(path)]
            if not pairs and not sets:
                pairs = sample_pair(binaries, folder)
            print("\n".join(setting(command, options)))
            runner = trials.Runner(options, methods, options.keep or folder)
            for shake in shakes(options) if pairs else []:
                title = f"{options.trials} movement(s) of {shake}"
                trials.show(title, runner.warped(pairs, shake), methods, options.worst)
            for path, members in sets.items():
                title = f"{os.path.basename(os.path.normpath(path))}, as it is"
                trials.show(title, runner.unchanged(members), methods, options.worst)
            if options.large:
                large.show(pairs or members, runner, command)
            if options.json:
                with open(options.json, "w") as file:
                    json.dump(runner.plain(), file, indent=1, allow_nan=False)
    except pictures.Unreadable as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def shakes(options):
    """The kinds of shake that were asked for."""
    import geometry

    given = [options.shift, options.rotation, options.scale, options.perspective]
    if all(value is None for value in given):
        return [geometry.Shake(*values) for values in DEFAULT_SHAKES]
    return [geometry.Shake(*(value or 0.0 for value in given))]


def sample_pair(binaries, folder):
    """The pair that the project renders itself."""
    import pictures

    place = os.path.join(folder, "sample-pair")
    os.mkdir(place)
    subprocess.run([os.path.join(binaries, "DemoPair"), place], check=True)
    return pictures.find_pairs(place)


def setting(command, options):
    """What was run, on what."""
    import cv2

    import process

    hugin = process.version(["align_image_stack", "-h"]) or "align_image_stack not installed"
    yield f"{process.version([command, '--version'])}; OpenCV {cv2.__version__}; {hugin}"
    yield process.machine()
    yield (f"seed {options.seed}, frames of {options.size} px before the border is cut off, border: {options.border}, "
           f"noise × {options.noise:g}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
