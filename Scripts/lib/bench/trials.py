"""Runs estimators over pairs, and shows what came of it."""

import os
import sys

import numpy as np

import estimators
import geometry
import measures
import names
import pictures

IDENTITY = np.eye(3)


class Runner:
    """Takes the pictures, has every method estimate from the same files, and keeps what each said."""

    def __init__(self, options, methods, folder):
        self._options, self._methods, self._folder = options, methods, folder
        os.makedirs(folder, exist_ok=True)
        self.seed, self.noise, self.times = options.seed, options.noise, options.times
        self.done = []  # one dictionary for each trial and method

    def warped(self, pairs, shake):
        """Each pair under movements of the hand."""
        options, start = self._options, len(self.done)
        for pair in pairs:
            random = lambda *names: geometry.generator(options.seed, pair.name, shake, *names)
            draw = lambda size: [
                geometry.random_homography(random("movement", number), size, shake) for number in range(options.trials)]
            try:
                studio = pictures.Studio(pair, options.size, draw, options.border)
            except pictures.Unreadable as error:
                print(f"bench: left out: {error}", file=sys.stderr)
                continue
            # First unmoved, to learn what each method takes for the pair's own misalignment.
            unmoved = {}
            for number, movement in enumerate([IDENTITY] + studio.movements):
                where = f"{pair.name}, {shake}, {number}"
                flash, ambient = self.paths(where)
                studio.take(movement, random("noise", number), options.noise, flash, ambient)
                for name, answer in self.answers(where, flash, ambient):
                    if number == 0:
                        unmoved[name] = answer
                        continue
                    own = unmoved[name].matrix
                    expected = None if own is None else movement @ own
                    self._keep(
                        name, answer, studio.size, movement @ studio.own, expected, pair=pair.name, shake=str(shake),
                        trial=number, unmovedModel=unmoved[name].model)
                self.discard(flash, ambient)
        return self.done[start:]

    def unchanged(self, pairs):
        """Each pair as it is; its files are written anew, since programs differ in what they make of an orientation."""
        start = len(self.done)
        for pair in pairs:
            paths = self.paths(pair.name)
            frames = [pictures.read(path) for path in (pair.flash, pair.ambient)]
            for path, frame in zip(paths, frames):
                pictures.write(path, frame)
            size = frames[0].shape[1::-1]
            for name, answer in self.answers(pair.name, *paths):
                self._keep(name, answer, size, pair.matrix, None, pair=pair.name, shake="", trial=1, unmovedModel="")
            self.discard(*paths)
        return self.done[start:]

    def plain(self):
        """What was kept, for JSON, which has no infinity and no NaN: null is what is not known, and an endless error."""
        finite = lambda value: None if isinstance(value, float) and not np.isfinite(value) else value
        return [{key: finite(value) for key, value in record.items()} for record in self.done]

    def answers(self, where, flash, ambient):
        """What each method says of two files, and how long it took: the median of as many times as asked for."""
        for name, method in self._methods.items():
            if name in missing():
                continue
            if sys.stderr.isatty():
                print(f"\r\x1b[K{where}: {name}", end="", file=sys.stderr, flush=True)
            answers = [method(flash, ambient) for _ in range(self._options.times)]
            yield name, sorted(answers, key=lambda answer: answer.seconds)[len(answers) // 2]
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def paths(self, where):
        """Where the two pictures of a trial go."""
        name = "".join(letter if letter.isalnum() else "-" for letter in where)
        return [os.path.join(self._folder, f"{name}-{kind}.png") for kind in ("flash", "ambient")]

    def discard(self, *paths):
        if not self._options.keep:
            for path in paths:
                os.remove(path)

    def _keep(self, name, answer, size, truth, expected, **what):
        rms, largest = geometry.corner_errors(answer.matrix, truth, size)
        # A method that said nothing of the unmoved pair cannot agree with itself, so that is a failure, too.
        own = geometry.corner_errors(answer.matrix if expected is not None else None, expected, size)
        self.done.append({
            **what, "method": name, "size": list(size), "rms": rms, "largest": largest, "selfRMS": own[0], "selfLargest": own[1],
            "seconds": answer.seconds, "process": answer.process, "model": answer.model,
            "truth": geometry.normalized(truth).ravel().tolist(),
            "estimate": None if answer.matrix is None else geometry.normalized(answer.matrix).ravel().tolist()})


def missing():
    """The methods whose program is not installed."""
    return {"hugin"} if estimators.Hugin.missing() else set()


def show(title, records, methods, worst):
    """The tables of one kind of trial."""
    moved = bool(records) and records[0]["shake"] != ""
    print(f"\n## {len({record['pair'] for record in records})} pair(s), {title}\n")
    print(_percentiles(records, methods, moved))
    key, what = ("selfRMS", "self-consistent") if moved else ("rms", "to the truth")
    print(f"\nMedian error of each pair ({what}, px RMS over the corners):\n")
    print(_pairs(records, methods, key))
    ours = [record for record in records if record["method"] == "ours"]
    if ours and worst:
        print(f"\nWhere --align auto is worst ({what}):\n")
        print(_worst(sorted(ours, key=lambda record: -record[key])[:worst]))
    sys.stdout.flush()


def _percentiles(records, methods, moved):
    head = ["corner error in px (RMS)", "median", "p90", "max", "< 1 px", "> 10 px"]
    if moved:
        head[1:] = ["absolute: median"] + head[2:] + ["self: median", "p90", "max", "< 1 px", "> 10 px"]
    rows = []
    for name in methods:
        own = [record for record in records if record["method"] == name]
        row = [names.NAMES[name]]
        for key in ("rms", "selfRMS")[: 1 + moved]:
            found = measures.summary([record[key] for record in own])
            row += [measures.pixels(found[part]) for part in ("median", "p90", "max")]
            row += [measures.percent(found[part]) for part in ("below1", "failures")]
        row += [measures.seconds(measures.percentile([record[key] for record in own], 50)) for key in ("seconds", "process")]
        rows.append([row[0], "not installed"] + ["-"] * (len(row) - 2) if name in missing() else row)
    return measures.table(head + ["s", "s, whole process"], rows)


def _pairs(records, methods, key):
    shown = [name for name in methods if name not in missing()]
    rows = []
    for pair in dict.fromkeys(record["pair"] for record in records):
        errors = {name: [record[key] for record in records if (record["pair"], record["method"]) == (pair, name)] for name in shown}
        rows.append([pair] + [measures.pixels(measures.percentile(errors[name], 50)) for name in shown])
    return measures.table(["pair"] + shown, rows)


def _worst(records):
    rows = []
    for record in records:
        matrix = np.array(record["truth"]).reshape(3, 3)
        middle = np.array([[(side - 1) / 2 for side in record["size"]]])
        x, y = (geometry.apply(matrix, middle) - middle)[0]
        turn = np.degrees(np.arctan2(matrix[1, 0], matrix[0, 0]))
        rows.append([
            record["pair"], str(record["trial"]), f"{x:+.1f}, {y:+.1f} px", f"{turn:+.2f}°", record["model"], record["unmovedModel"],
            measures.pixels(record["rms"]), measures.pixels(record["largest"]),
            *(measures.pixels(record[key]) if record["shake"] else "-" for key in ("selfRMS", "selfLargest"))])
    return measures.table(
        ["pair", "trial", "shift of the middle", "rotation", "model", "unmoved", "RMS", "largest", "self RMS", "self largest"], rows)
