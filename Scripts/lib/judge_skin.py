"""Judges the skin records by simulated captures, whose truth is known.

Three things: whether ten captures of one subject scatter inside their stated margins; what twelve lights do to the colours, and
whether the retake prompts come where the colours are wrong; whether records survive that the program is killed at any moment.

usage: judge_skin.py PROGRAM FOLDER [--captures N] [--kills N] [--size WxH] [--seed N]

PROGRAM is constant-color. FOLDER is made and holds what was rendered; it may be thrown away.
Prints Markdown; exit status 1 where something is not as it must be.
"""

import argparse
import json
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import time

QUANTITIES = ("lightness", "a", "b", "hue", "ita", "erythema")
ASSUMED_LIGHTNESS = 60.0


def run(words, allowed=(0,)):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode not in allowed:
        sys.exit("%s: status %d\n%s" % (" ".join(words), result.returncode, result.stderr))
    return result


# Colour, once more and on its own: the judge must not use what it judges.

WHITE = (0.95047, 1.0, 1.08883)


def lab(xyz):
    def f(t):
        return t ** (1 / 3) if t > 216 / 24389 else 841 / 108 * t + 4 / 29

    x, y, z = (f(value / white) for value, white in zip(xyz, WHITE))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def quantities(xyz, knows_lightness):
    """The truth; a* and b* at L* 60 where the lightness is not known."""
    if not knows_lightness:
        y = ((ASSUMED_LIGHTNESS + 16) / 116) ** 3
        xyz = [y / xyz[1] * value for value in xyz]
    lightness, a, b = lab(xyz)
    red = 3.2406 * xyz[0] - 1.5372 * xyz[1] - 0.4986 * xyz[2]
    green = -0.9689 * xyz[0] + 1.8758 * xyz[1] + 0.0415 * xyz[2]
    return {
        "lightness": lightness, "a": a, "b": b, "hue": math.degrees(math.atan2(b, a)) % 360,
        "ita": math.degrees(math.atan2(lightness - 50, b)), "erythema": 100 * math.log10(red / green),
    }


def difference(quantity, one, other):
    step = one - other
    return step - 360 * round(step / 360) if quantity == "hue" else step


class Set:
    """A simulated set with its profile."""

    def __init__(self, program, folder, options, size, seed):
        self.folder = folder
        run([program, "simulate", "--output", folder, "--size", size, "--seed", str(seed), "--quiet"] + options)
        with open(folder + "/inputs/set.json") as file:
            listing = json.load(file)
        self.pairs = listing["pairs"]
        calibration = listing["calibration"]
        corners = calibration["chart_corners"]
        places = [corners[name] for name in ("dark_skin", "bluish_green", "black", "white")]
        self.profile = folder + "/profile.json"
        run([
            program, "calibrate", "--flash", self.input(calibration["flash"]), "--ambient",
            self.input(calibration["ambient"]), "--output", self.profile, "--quiet", "--corners",
            ",".join(str(number) for place in places for number in place)])

    def input(self, name):
        return self.folder + "/inputs/" + name

    def truth(self, pair):
        with open("%s/truth/%s.json" % (self.folder, pair["id"])) as file:
            return json.load(file)


def box(patch, part=0.6):
    """An upright rectangle well inside a patch."""
    x, y = patch["centre"]
    xs, ys = ([corner[axis] for corner in patch["polygon"]] for axis in (0, 1))
    width, height = part * (max(xs) - min(xs)), part * (max(ys) - min(ys))
    return "%d,%d,%d,%d" % (round(x - width / 2), round(y - height / 2), round(width), round(height))


def skin(truth):
    return [patch for patch in truth["patches"] if patch["kind"] == "skin"]


def words(program, simulated, pair, database, reference, more=()):
    truth = simulated.truth(pair)
    line = [
        program, "record", "add", "--database", database, "--subject", "SIM-1", "--site", "skin chart", "--quiet",
        "--profile", simulated.profile, "--flash", simulated.input(pair["flash"]), "--ambient",
        simulated.input(pair["ambient"]), "--report", "-"]
    for patch in skin(truth):
        line += ["--region", patch["name"] + "=" + box(patch)]
    if reference == "grey":
        card = next(patch for patch in truth["patches"] if patch["name"] == "neutral 5")
        line += ["--grey", "%s=%.4f" % (box(card), card["XYZ"][1])]
    if reference == "distance":
        line += ["--distance", "fixed", "--exposure", "fixed"]
    return line + list(more)


def records(program, database):
    return json.loads(run([program, "record", "list", "--database", database, "--format", "json"]).stdout)


def table(heads, rows):
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def repeatability(program, simulated, reference, folder):
    """Ten captures of one subject. Returns whether all are inside their margins."""
    database = "%s/repeat-%s.db" % (folder, reference)
    for pair in simulated.pairs:
        run(words(program, simulated, pair, database, reference, ["--keep"]), allowed=(0, 3))
    found = records(program, database)
    truth = {patch["name"]: patch["XYZ"] for patch in skin(simulated.truth(simulated.pairs[0]))}
    rows, good = [], True
    for quantity in QUANTITIES:
        deviations, largest, inside, near, count, margins, series, errors = [], 0.0, 0, 0, 0, [], [], []
        for name, xyz in truth.items():
            regions = [next(r for r in record["regions"] if r["name"] == name)[quantity] for record in found]
            known = [region for region in regions if region["value"] is not None]
            if len(known) < 2:
                continue
            true = quantities(xyz, reference != "none")[quantity]
            first = known[0]["value"]
            mean = first + statistics.mean(difference(quantity, region["value"], first) for region in known)
            steps = [difference(quantity, region["value"], mean) for region in known]
            deviations.append(statistics.stdev(steps))
            for region, step in zip(known, steps):
                # What one capture states alone: the scatter of the others is not in it.
                own = 1.96 * region["captureUncertainty"]
                largest = max(largest, abs(step))
                inside += abs(step) <= own
                error = difference(quantity, region["value"], true)
                near += abs(error) <= region["margin95"]
                errors.append(abs(error))
                margins.append(region["margin95"])
                series.append(own)
                count += 1
        if count:
            rows.append([
                quantity, "%.2f" % statistics.mean(deviations), "%.2f" % largest, "%.2f" % statistics.median(series),
                "%.1f %%" % (100 * inside / count), "%.2f" % statistics.mean(errors), "%.2f" % statistics.median(margins),
                "%.1f %%" % (100 * near / count)])
            good = good and inside >= 0.95 * count and near >= 0.95 * count
    names = {"none": "no lightness reference", "grey": "grey card", "distance": "fixed distance and exposure"}
    print("%d captures, %s:\n" % (len(found), names[reference]))
    table(
        ["quantity", "standard deviation", "largest deviation", "± within the series", "inside", "mean error",
         "± to the truth", "inside"], rows)
    return good


def lights(program, simulated, folder):
    """One subject in twelve lights."""
    database = folder + "/lights.db"
    rows, values, offsets, prompts, good = [], {}, [], [], True
    for number, pair in enumerate(simulated.pairs):
        # Days apart: what differs is the light, not a repetition.
        date = "2026-01-%02d" % (number + 1)
        result = run(words(program, simulated, pair, database, "none", ["--keep", "--date", date]), allowed=(0, 3))
        record = json.loads(result.stdout)
        truth = simulated.truth(pair)
        errors, nulls = [], 0
        for patch in skin(truth):
            region = next(r for r in record["regions"] if r["name"] == patch["name"])
            true = quantities(patch["XYZ"], False)
            if region["a"]["value"] is None:
                nulls += 1
                continue
            errors.append(math.hypot(region["a"]["value"] - true["a"], region["b"]["value"] - true["b"]))
            for quantity in ("a", "hue", "erythema"):
                step = difference(quantity, region[quantity]["value"], true[quantity])
                own = 1.96 * region[quantity]["captureUncertainty"]
                values.setdefault(quantity, {}).setdefault(patch["name"], []).append((step, own, record["retake"]))
                offsets.append(abs(step) <= region[quantity]["margin95"])
        prompts.append((record["retake"], errors))
        ambient = truth["ambient"]
        rows.append([
            "%g lx" % ambient["lux"], ambient["spec"], "%.2f" % record["centerWeightedMeanConfidence"],
            "yes: " + ", ".join(item["kind"] for item in record["advice"]) if record["retake"] else "no",
            "%d of %d" % (nulls, nulls + len(errors)),
            "%.2f" % statistics.mean(errors) if errors else "–", "%.2f" % max(errors) if errors else "–"])
    print("One subject in %d lights:\n" % len(rows))
    table(
        ["room", "light", "confidence", "retake", "regions without a number", "mean error (a*b* plane)", "largest"], rows)
    spread = []
    for quantity, patches in values.items():
        row = [quantity]
        for chosen in (False, True):
            deviations, near, count = [], 0, 0
            for steps in patches.values():
                steps = [(step, own) for step, own, retake in steps if chosen or not retake]
                if len(steps) < 3:
                    continue
                mean = statistics.mean(step for step, _ in steps)
                deviations.append(statistics.stdev(step for step, _ in steps))
                near += sum(abs(step - mean) <= own for step, own in steps)
                count += len(steps)
            row += ["%.2f" % statistics.mean(deviations), "%.1f %%" % (100 * near / count)] if count else ["–", "–"]
        spread.append(row)
    print("Spread of a region's colour over the lights (mean standard deviation), and how much of it is inside ± within the series:\n")
    table(["quantity", "accepted captures", "inside", "all captures", "inside"], spread)
    inside = sum(offsets) / max(len(offsets), 1)
    print("Inside the stated ± to the truth: %.1f %% of %d numbers.\n" % (100 * inside, len(offsets)))
    for retake, name in ((False, "accepted"), (True, "to be taken again")):
        errors = [error for asked, errors in prompts if asked == retake for error in errors]
        if errors:
            print("Captures %s: %d, mean error of their regions %.2f, largest %.2f.\n" % (
                name, sum(asked == retake for asked, _ in prompts), statistics.mean(errors), max(errors)))
    return inside >= 0.95


def crashes(program, simulated, folder, kills, seed):
    """The program is killed at any moment of adding; what was there stays, and nothing is half there."""
    database = folder + "/crash.db"
    chance = random.Random(seed)
    line = words(program, simulated, simulated.pairs[0], database, "none", ["--keep", "--new-series"])
    start = time.monotonic()
    run(line, allowed=(0, 3))
    moment = time.monotonic() - start
    before = records(program, database)
    added, bad = 0, []
    for number in range(kills):
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # A third of them anywhere, the others about the moment at which the record is written, which moves with the machine's load.
        is_aimed = number % 3 != 0
        time.sleep(moment * (0.9 + 0.2 * chance.random() if is_aimed else chance.random()))
        process.send_signal(signal.SIGKILL)
        process.wait()
        check = subprocess.run([program, "record", "check", "--database", database], capture_output=True, text=True)
        now = records(program, database)
        got_in = len(now) > len(before)
        added += got_in
        if is_aimed:
            moment *= 0.94 if got_in else 1.06
        left = [name for name in os.listdir(folder) if name.startswith("crash.db") and name != "crash.db"]
        if check.returncode or now[: len(before)] != before or left:
            bad.append((number, check.stderr, left))
        before = now
    print("Killed %d times while adding: %d captures were in before that, %d were not; %d times something was wrong afterwards.\n" % (
        kills, added, kills - added, len(bad)))
    for problem in bad:
        print(problem)
    return not bad


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--captures", type=int, default=10)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--seed", type=int, default=1000011)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    for name in os.listdir(options.folder):
        if name.endswith(".db"):
            os.remove("%s/%s" % (options.folder, name))
    print("Captures of seed %d, in twelve lights of seed %d; the margins were adjusted with others.\n" % (options.seed, options.seed + 1))
    # Temperatures that nobody can tell apart: another hand and other noise in the same light.
    kelvin = ",".join("%g" % (4500 + 0.01 * number) for number in range(options.captures))
    repeats = Set(
        options.program, options.folder + "/repeats", ["--lux", "100", "--cct", kelvin, "--tint", "planckian"],
        options.size, options.seed)
    good = [repeatability(options.program, repeats, name, options.folder) for name in ("none", "grey", "distance")]
    rooms = Set(
        options.program, options.folder + "/lights",
        ["--lux", "20,100,800", "--cct", "3000,6500", "--tint", "planckian,green"], options.size, options.seed + 1)
    good.append(lights(options.program, rooms, options.folder))
    good.append(crashes(options.program, repeats, options.folder, options.kills, options.seed))
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
