"""Fits the confidence to pixels whose colour error is known, and writes its numbers as Swift.

The probability that a colour error is at most t is 1 / (1 + exp(-z)), where z comes from what the picture suffers from
through a network that is monotone: no weight is negative, so that more of any cause never raises the confidence, and a
larger tolerance never lowers it (Sill, Monotonic Networks, NIPS 1997).

    u_i = log(1 + x_i / d_i)
    h = step(b + W u - c log(t / 3))
    g = step(b' + W' h)
    z = b" - w g - v u + k log(t / 3)

x_i is a term of ConfidenceTerms, over (t / 3)^2 if it is a squared colour error; d_i its usual size; step(a) = 1 / (1 +
exp(-a)). The numbers are found by maximum likelihood (Adam: Kingma & Ba, ICLR 2015), for several tolerances at once.

usage: calibrate_confidence.py OUTPUT.swift COMMAND SEED... < list of sample files, one a line
"""

import sys

import numpy as np

TOLERANCES = (1.5, 3.0, 6.0)
# How much they count: results are mostly judged by the middle one.
IMPORTANCE = (0.15, 1.0, 0.1)

# The terms as `validate --samples` writes them: name, whether it is a squared colour error, usual size.
TERMS = (
    ("noise", True, 0.03),
    ("ratio", True, 0.03),
    ("misregistration", True, 0.3),
    ("movement", True, 3),
    ("disagreement", True, 0.03),
    ("edge", True, 0.03),
    ("relief", False, 0.1),
    ("filledShare", False, 0.003),
    ("filled", True, 0.3),
    ("calibration", True, 0.1),
    ("clipping", False, 0.05),
    ("glare", False, 0.1),
    ("darkness", False, 0.3),
    ("residual", False, 0.1),
    ("impossibility", False, 0.3),
    ("ambient", False, 1),
    ("contradiction", False, 0.003),
    ("extrapolation", False, 0.01),
)
HEAD = ("pair", "regions", "weight", "error", "confidence")
FAR, MOVING, FLASH_SHADOW, WELL_LIT = 4, 16, 32, 128
# What is judged by itself and is little of a picture counts more than its pixels.
DIM_FACTOR = 3.0
MOVING_FACTOR = 100.0
# The network's two layers.
HIDDEN = (24, 8)
# A cause that physics knows is never taken for none, however little the simulated pictures show of it: the least of v.
LEAST = 0.01
EPOCHS, BATCH, RATE = 300, 4096, 0.01


def inputs(rows, tolerance):
    """What the terms say, a column each."""
    sizes = np.array([size * (tolerance * tolerance / 9 if squared else 1) for _, squared, size in TERMS])
    return np.log1p(np.maximum(rows[:, len(HEAD):], 0) / sizes).astype(np.float32)


def regions(rows):
    """The weights by which parts of pictures count that are judged by themselves."""
    parts = rows[:, 1].astype(int)
    factor = np.where(parts & (FAR | FLASH_SHADOW) != 0, DIM_FACTOR, 1)
    return rows[:, 2] * np.where(parts & MOVING != 0, MOVING_FACTOR, factor)


def step(a):
    return 1 / (1 + np.exp(-a))


def positive(values):
    """Weights that are never negative, from numbers that are free (log(1 + e^x), whose derivative is step(x))."""
    return np.logaddexp(0, values)


class Network:
    """Free numbers, from which the weights come; the inputs are taken with mean 0 and deviation 1."""

    def __init__(self, mean, deviation, random):
        self.mean, self.deviation = mean, deviation
        first, second = HIDDEN
        shapes = {
            "weights1": ((len(TERMS), first), -2, 0.7), "bias1": ((first,), 0, 1), "tolerance1": ((first,), -2, 0.5),
            "weights2": ((first, second), -1.5, 0.7), "bias2": ((second,), 0, 1),
            "weights3": ((second,), 0, 0.3), "direct": ((len(TERMS),), -4, 0), "bias3": ((1,), 0, 0),
            "tolerance3": ((1,), 0, 0),
        }
        self.free = {name: random.normal(*numbers, shape).astype(np.float32) for name, (shape, *numbers) in shapes.items()}

    def weights(self, name):
        least = LEAST * self.deviation if name == "direct" else 0
        return positive(self.free[name]) + least

    def forward(self, standard, tolerance):
        """z, and both layers' values; `tolerance` is log(t / 3), for each row."""
        sums = standard @ self.weights("weights1") + self.free["bias1"] - tolerance[:, None] * self.weights("tolerance1")
        first = step(sums)
        second = step(first @ self.weights("weights2") + self.free["bias2"])
        z = self.free["bias3"] - second @ self.weights("weights3") - standard @ self.weights("direct")
        return z + tolerance * self.weights("tolerance3"), first, second

    def gradient(self, standard, tolerance, good, weight):
        z, first, second = self.forward(standard, tolerance)
        change = weight * (step(z) - good) / len(good)
        change2 = -change[:, None] * self.weights("weights3") * second * (1 - second)
        change1 = change2 @ self.weights("weights2").T * first * (1 - first)
        gradient = {
            "weights1": standard.T @ change1, "bias1": change1.sum(0), "tolerance1": -tolerance @ change1,
            "weights2": first.T @ change2, "bias2": change2.sum(0), "weights3": -second.T @ change,
            "direct": -standard.T @ change, "bias3": change.sum(keepdims=True),
            "tolerance3": (tolerance @ change).reshape(1),
        }
        return {name: value if name.startswith("bias") else value * step(self.free[name])
                for name, value in gradient.items()}

    def probability(self, rows, tolerance):
        standard = (inputs(rows, tolerance) - self.mean) / self.deviation
        return step(self.forward(standard, np.full(len(rows), np.log(tolerance / 3), np.float32))[0])


def fit(rows):
    random = np.random.default_rng(1)
    of_middle = inputs(rows, 3.0)
    network = Network(of_middle.mean(0), of_middle.std(0) + 1e-3, random)
    standard = np.concatenate([(inputs(rows, t) - network.mean) / network.deviation for t in TOLERANCES])
    tolerance = np.repeat(np.log(np.array(TOLERANCES, np.float32) / 3), len(rows))
    good = np.concatenate([rows[:, 3] <= t for t in TOLERANCES]).astype(np.float32)
    weight = np.concatenate([regions(rows) * share for share in IMPORTANCE]).astype(np.float32)
    weight /= weight.mean()
    mean = {name: np.zeros_like(value) for name, value in network.free.items()}
    square = {name: np.zeros_like(value) for name, value in network.free.items()}
    count = len(good) // BATCH
    for number in range(EPOCHS * count):
        if number % count == 0:
            order = random.permutation(len(good))
        batch = order[number % count * BATCH:][:BATCH]
        gradient = network.gradient(standard[batch], tolerance[batch], good[batch], weight[batch])
        rate = RATE * 0.5 * (1 + np.cos(np.pi * number / (EPOCHS * count)))
        for name, value in gradient.items():
            mean[name] = 0.9 * mean[name] + 0.1 * value
            square[name] = 0.999 * square[name] + 0.001 * value * value
            move = mean[name] / (1 - 0.9 ** (number + 1)) / (np.sqrt(square[name] / (1 - 0.999 ** (number + 1))) + 1e-8)
            network.free[name] = (network.free[name] - rate * move).astype(np.float32)
    return network


def figures(network, rows):
    for tolerance in TOLERANCES:
        chance = network.probability(rows, tolerance)
        good, weight = rows[:, 3] <= tolerance, rows[:, 2]
        base = np.average(good, weights=weight)
        skill = 1 - np.average((chance - good) ** 2, weights=weight) / (base * (1 - base))
        gaps = []
        for index in range(10):
            inside = np.clip((chance * 10).astype(int), 0, 9) == index
            if weight[inside].sum() > 0.005 * weight.sum():
                gaps.append(np.average(chance[inside] - good[inside], weights=weight[inside]))
        sure = chance >= 0.9
        right = np.average(good[sure], weights=weight[sure]) if sure.any() else np.nan
        parts = []
        for name, bit in (("far", FAR), ("moving", MOVING), ("flash shadow", FLASH_SHADOW), ("well-lit", WELL_LIT)):
            inside = rows[:, 1].astype(int) & bit != 0
            if inside.any():
                parts.append(f"{name} {np.average(chance[inside] - good[inside], weights=weight[inside]):+.3f}")
        print(f"  within {tolerance}: {base:.3f} right, largest gap {max(map(abs, gaps)):.3f}, Brier skill {skill:.3f}, "
              f"right where sure {right:.3f}; {', '.join(parts)}")


def table(name, what, values):
    lines = [f"  /// {what}", f"  static let {name}: [Float] = ["]
    words = [f"{value:.5g}," for value in np.ravel(values)]
    line = "   "
    for word in words:
        if len(line) + 1 + len(word) > 120:
            lines.append(line)
            line = "   "
        line += " " + word
    return lines + [line, "  ]"]


def swift(network, command, seeds, count):
    lines = [
        "// Written by Scripts/calibrate-confidence; run that instead of changing this.",
        "",
        f"/// The numbers of ``ConfidenceNetwork``, fitted to {count} pixels of simulated pairs by",
        f"/// `{command}`. None of the weights is negative.",
        "enum ConfidenceModel {",
        "  /// The seeds of the pictures that the numbers come from.",
        "  static let seeds: [UInt64] = [",
    ]
    for start in range(0, len(seeds), 16):
        lines.append("    " + ", ".join(str(seed) for seed in seeds[start:start + 16]) + ",")
    lines.append("  ]")
    # The network's inputs as they are, instead of with mean 0 and deviation 1.
    mean, deviation = network.mean, network.deviation
    weights1, direct = network.weights("weights1") / deviation[:, None], network.weights("direct") / deviation
    for name, what, values in (
            ("sizes", "The usual size of each term.", [size for _, _, size in TERMS]),
            ("squares", "1 for terms that are squared colour errors.", [int(squared) for _, squared, _ in TERMS]),
            ("firstWeights", "For each unit of the first layer, a weight for each term.", weights1.T),
            ("firstBias", "For each unit of the first layer.", network.free["bias1"] - mean @ weights1),
            ("firstTolerance", "For each unit of the first layer; the sum falls with the tolerance.",
             network.weights("tolerance1")),
            ("secondWeights", "For each unit of the second layer, a weight for each of the first.",
             network.weights("weights2").T),
            ("secondBias", "For each unit of the second layer.", network.free["bias2"]),
            ("outputWeights", "For each unit of the second layer.", network.weights("weights3")),
            ("directWeights", "From each term directly to the output.", direct),
            ("output", "The output's bias, and how it rises with the tolerance.",
             [network.free["bias3"][0] + mean @ direct, network.weights("tolerance3")[0]])):
        lines += [""] + table(name, what, values)
    return "\n".join(lines + ["}"]) + "\n"


def main():
    output, command, *seeds = sys.argv[1:]
    parts = []
    for path in (line.strip() for line in sys.stdin if line.strip()):
        rows = np.load(path)
        assert rows.shape[1] == len(HEAD) + len(TERMS), f"{path}: has not the terms that are expected"
        parts.append(rows)
    rows = np.concatenate(parts)
    network = fit(rows)
    print(f"{len(rows)} pixels")
    figures(network, rows)
    with open(output, "w", encoding="utf-8") as file:
        file.write(swift(network, command, seeds, len(rows)))


if __name__ == "__main__":
    main()
