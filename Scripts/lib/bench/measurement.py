"""One run of the benchmark: a record of all that was measured, as plain dictionaries and lists."""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import captures
import process

FOLDER = os.path.dirname(os.path.abspath(__file__))
# Beyond this one run of each program must do.
REPEATED = 12
TINY = 0.03


class Measurement:
    """Measures what the options ask for."""

    def __init__(self, options, binaries):
        self._options = options
        self._command = os.path.join(binaries, "constant-color")
        self._program = os.path.join(binaries, "Benchmark")
        self._captures = captures.Captures(self._command, options.cache)
        for megapixels in options.sizes:
            self._captures.pair(megapixels)

    def record(self):
        """Everything."""
        record = {
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M"), "commit": _commit(),
            "machine": process.machine(), "memory": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
            "load": os.getloadavg()[0], "threads": self._options.threads, "versions": self._versions()}
        for group in self._options.steps:
            record[group] = getattr(self, "_" + group)()
        return record

    def _times(self, megapixels):
        return self._options.times if megapixels <= REPEATED else 1

    def _develop(self):
        """Whole developments by both, with all threads and, of smaller pairs, with one."""
        found = []
        for megapixels in self._options.sizes:
            for threads in sorted({self._options.threads, 1} if megapixels <= REPEATED else {self._options.threads}):
                self._say(f"developing {megapixels:g} megapixels, {threads} thread(s)")
                # They take turns, so that both meet whatever else the machine does.
                runs = {"ours": [], "opencv": []}
                failures = {}
                for _ in range(self._times(megapixels)):
                    for name, develop in (("ours", self._our_development), ("opencv", self._opencv_development)):
                        try:
                            runs[name].append(develop(megapixels, threads))
                        except process.Failed as error:
                            failures[name] = str(error)
                for name, taken in runs.items():
                    common = {"program": name, "megapixels": megapixels, "pixels": _pixels(megapixels), "threads": threads}
                    found.append({**common, **_median(taken)} if taken else {**common, "failure": failures[name]})
        return found

    def _our_development(self, megapixels, threads):
        flash, ambient = self._captures.pair(megapixels)
        with tempfile.TemporaryDirectory(dir=self._options.cache) as folder:
            swap = os.path.join(folder, "swap")
            os.mkdir(swap)
            outputs = [os.path.join(folder, name) for name in ("result.png", "confidence.png", "report.json")]
            words = [self._command, "develop", "--quiet", "--flash", flash, "--ambient", ambient, "--threads", str(threads)]
            for option, path in zip(("--output", "--confidence", "--report"), outputs):
                words += [option, path]
            taken = process.run(words, GEGL_SWAP=swap)
            with open(outputs[-1]) as file:
                report = json.load(file)
            steps = report["timings"]
            steps.pop("total", None)
            # What a program writes is its results, and what it could not keep in memory.
            results = sum(os.path.getsize(path) for path in outputs)
            return {
                "seconds": taken.seconds, "peak": taken.peak, "swap": max(taken.written - results, 0), "steps": steps,
                "matrix": (report["alignment"] or {}).get("matrix")}

    def _opencv_development(self, megapixels, threads):
        flash, ambient = self._captures.pair(megapixels)
        with tempfile.TemporaryDirectory(dir=self._options.cache) as folder:
            outputs = [os.path.join(folder, name) for name in ("result.png", "confidence.png")]
            taken = process.run(
                _python("opencv_develop.py", flash, ambient, *outputs, threads), OMP_NUM_THREADS=str(threads))
            said = json.loads(taken.output)
            results = sum(os.path.getsize(path) for path in outputs)
            return {
                "seconds": taken.seconds, "peak": taken.peak, "swap": max(taken.written - results, 0), "steps": said["steps"],
                "matrix": said["matrix"]}

    def _align(self):
        """hugin's alignment of the same pairs; ours and OpenCV's are steps of the developments."""
        found = []
        if not shutil.which("align_image_stack"):
            return found
        for megapixels in self._options.sizes:
            if megapixels > REPEATED:
                continue
            self._say(f"aligning {megapixels:g} megapixels with hugin")
            pictures = self._captures.png(megapixels)
            with tempfile.TemporaryDirectory() as folder:
                try:
                    taken = process.run(
                        ["align_image_stack", "--use-given-order", "-m", "-s", "0", "-p", os.path.join(folder, "x.pto")] + pictures,
                        OMP_NUM_THREADS=str(self._options.threads))
                except process.Failed as error:
                    found.append({"megapixels": megapixels, "failure": str(error)})
                else:
                    found.append({"megapixels": megapixels, "pixels": _pixels(megapixels), "seconds": taken.seconds})
        return found

    def _kernels(self):
        self._say("arithmetic on pixels")
        return self._lines([self._program, "kernels", *self._frame(), self._options.times * 3])

    def _operations(self):
        self._say("operations in a graph")
        return [
            line for threads in sorted({1, self._options.threads})
            for line in self._lines([self._program, "operations", *self._frame(), self._options.times * 3, threads])]

    def _points(self):
        width, height = self._frame()
        self._say("arithmetic in other libraries")
        times = self._options.times * 3
        return self._lines(_python("point_peers.py", width, height, times, self._options.threads)) + list(
            _gmic(width, height, times, self._options.threads))

    def _start(self):
        """The start of the command: its version alone, and a development that is hardly more."""
        flash, ambient = self._captures.pair(TINY)
        with tempfile.TemporaryDirectory() as folder:
            develop = [
                self._command, "develop", "--quiet", "--align", "none", "--flash", flash, "--ambient", ambient,
                "--output", os.path.join(folder, "x.png")]
            return {
                "version": process.median_run(21, [self._command, "--version"]).seconds,
                "tiny": process.median_run(11, develop).seconds, "tinyPixels": _pixels(TINY)}

    def _frame(self):
        """The frame of the steps that need no photograph: of 12 megapixels, or the largest below."""
        return captures.size(max([size for size in self._options.sizes if size <= REPEATED], default=REPEATED))

    def _lines(self, words):
        """What a program says, a JSON object a line."""
        return [json.loads(line) for line in process.run(list(map(str, words))).output.splitlines()]

    def _versions(self):
        import cv2

        return {
            "constant-color": process.version([self._command, "--version"]), "OpenCV": f"OpenCV {cv2.__version__}",
            "GEGL": f"GEGL {process.version(['pkg-config', '--modversion', 'gegl-0.4'])}",
            "hugin": process.version(["align_image_stack", "-h"]),
            "libvips": process.version(["vips", "--version"], "vips"), "G'MIC": _gmic_version()}

    def _say(self, what):
        if sys.stderr.isatty():
            print(f"\r\x1b[K{what}", end="", file=sys.stderr, flush=True)


def _median(runs):
    """The run with the median time."""
    return sorted(runs, key=lambda taken: taken["seconds"])[len(runs) // 2]


def _pixels(megapixels):
    width, height = captures.size(megapixels)
    return width * height


def _python(program, *words):
    return [sys.executable, "-B", os.path.join(FOLDER, program), *map(str, words)]


def _gmic(width, height, times, threads):
    """G'MIC's own stopwatch, which counts milliseconds."""
    if not shutil.which("gmic"):
        return
    matrix = "0.82,0.18,0,0.03,0.97,0,0.02,0.07,0.91"
    for step, command in (("subtract", "+sub[0] [1]"), ("matrix", f"+mix_rgb[0] {matrix}")):
        words = f"{width},{height},1,3,x {width},{height},1,3,y".split()
        words += f"tic {command} toc rm[-1]".split() * (times + 1) + ["rm"]
        done = subprocess.run(
            ["gmic"] + words, env={**os.environ, "OMP_NUM_THREADS": str(threads)}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        seconds = [float(number) for number in re.findall(r"Elapsed time: ([0-9.]+) s", done.stdout)]
        if len(seconds) > 1:
            yield {"step": step, "peer": "G'MIC", "seconds": min(seconds[1:]), "pixels": width * height}


def _gmic_version():
    found = re.search(r"Version ([0-9.]+)", process.version(["gmic", "version"]) or "")
    return found and f"G'MIC {found[1]}"


def _commit():
    """The commit, with a plus where files have changed since; None outside of a repository."""
    def git(*words):
        return subprocess.run(["git", "-C", FOLDER, *words], capture_output=True, text=True).stdout.strip()

    commit = git("rev-parse", "--short", "HEAD")
    return commit + ("+" if git("status", "--porcelain", "--untracked-files=no") else "") if commit else None
