#!/usr/bin/env python3
"""Measures how fast pairs are developed, with how much memory, beside programs and libraries that do the same work on the same
pictures in the same run; and each step."""

import argparse
import json
import os
import sys

import options as kinds

GROUPS = {
    "develop": "whole developments and their steps, beside a pipeline of LibRaw and OpenCV",
    "align": "alignment alone, beside hugin's align_image_stack",
    "kernels": "arithmetic on pixels, beside copying as much memory",
    "operations": "operations in a graph, beside GEGL's own",
    "points": "the same arithmetic in OpenCV, libvips and G'MIC",
    "start": "what it takes to start the command",
}


def arguments(words):
    parser = argparse.ArgumentParser(
        prog="Scripts/bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="steps:\n" + "\n".join(f"  {name:11}{what}" for name, what in GROUPS.items())
        + "\n\nNumbers are worth something on a machine that does nothing else. 'Scripts/bench align' judges alignment.")
    add = parser.add_argument
    add("--sizes", metavar="MP,…", type=kinds.numbers, default=[2, 12], help="megapixels of the pairs, 1 to 200 (default 2,12)")
    add("--steps", metavar="A,B,…", type=kinds.among(GROUPS), default=list(GROUPS), help="only these (below)")
    add("--times", metavar="N", type=kinds.whole(1), default=3, help="runs of each program up to 12 megapixels, the median of "
        "which counts (default 3); larger pairs are developed once")
    add("--threads", metavar="N", type=kinds.whole(1), default=os.cpu_count(), help="threads (default all); one is measured, too")
    add("--quick", action="store_true", help="2 megapixels, once: to see that all of it works")
    add("--cache", metavar="DIR", default=os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "constant-color", "bench"),
        help="where the pairs are kept (default %(default)s)")
    add("--history", metavar="FILE", type=kinds.writable, help="adds the figures to this file, one line of JSON a run")
    add("--page", metavar="FILE.md", type=kinds.writable,
        help="writes the page here instead of printing it, and a picture beside it")
    add("--parse-only", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(words)
    if chosen.quick:
        chosen.sizes, chosen.times = [2], 1
    return chosen


def main(words):
    options = arguments(words)
    if options.parse_only:
        return 0
    import page
    import process
    from measurement import Measurement

    binaries = os.environ.get("CONSTANT_COLOR_BIN", ".build/release")
    if not os.access(os.path.join(binaries, "Benchmark"), os.X_OK):
        print(f"bench: {binaries}/Benchmark: is not there; Scripts/bench builds it", file=sys.stderr)
        return 2
    try:
        record = Measurement(options, binaries).record()
        history = [record]
        if options.history:
            with open(options.history, "a") as file:
                file.write(json.dumps(record, allow_nan=False) + "\n")
            with open(options.history) as file:
                history = [json.loads(line) for line in file]
        if options.page:
            picture = os.path.splitext(options.page)[0] + ".svg"
            with open(picture, "w") as file:
                file.write(page.picture(record))
            with open(options.page, "w") as file:
                file.write(page.text(record, history, os.path.basename(picture)))
        else:
            print(page.text(record, history))
    except (process.Failed, ValueError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
