"""Fits the confidence to pixels whose colour error is known, and writes it as Swift.

The probability that a colour error is at most t is 1 - exp(-t^2 / E^2): that of a normal error in the plane of a* and b*.
What the picture suffers from multiplies its mean square error, and the transform to D65 adds its own:

    s = intercept + slope log(t / 3) - sum of c log(1 + x / d)
    E^2 / t^2 = exp(-s) + k calibration / t^2

x is a term of ConfidenceTerms, over t^2 if it is a squared colour error; d one of a few fixed scales of it; c and k at
least 0, so that more of any cause never raises the confidence. Since errors are not quite normal, and causes not quite
independent, the exponent of the probability is an increasing function of z = log(t^2 / E^2): a straight line and a few
smooth steps. The numbers are found by maximum likelihood (Fisher scoring of complementary log-log regressions, McCullagh &
Nelder, Generalized Linear Models, 1989), for several tolerances at once.

usage: calibrate_confidence.py OUTPUT.swift COMMAND SEED... < list of sample files, one a line
"""

import sys

import numpy as np

TOLERANCES = (1.5, 3.0, 6.0)

# The terms as `validate --samples` writes them: name, whether it is a squared colour error, scales. The calibration's has
# none: it adds to the others.
TERMS = (
    ("noise", True, (0.003, 0.03, 0.3)),
    ("ratio", True, (0.03, 0.3)),
    ("misregistration", True, (0.03, 0.3, 3)),
    ("movement", True, (1, 10, 100)),
    ("disagreement", True, (0.03, 0.3, 3)),
    ("edge", True, (0.003, 0.03, 0.3, 3)),
    ("relief", False, (0.01, 0.1, 1)),
    ("filledShare", False, (0.001, 0.01, 0.1)),
    ("filled", True, (0.1, 1, 10)),
    ("calibration", True, ()),
    ("clipping", False, (0.01, 0.1, 1)),
    ("glare", False, (0.1, 1,)),
    ("darkness", False, (0.1, 0.3, 1)),
    ("residual", False, (0.01, 0.1, 1)),
    ("impossibility", False, (0.3, 1)),
    ("ambient", False, (1, 30)),
    ("contradiction", False, (0.001, 0.01, 0.1)),
    ("extrapolation", False, (0.01, 0.1, 1)),
)
HEAD = ("pair", "regions", "weight", "error", "confidence")
FAR, MOVING, FLASH_SHADOW = 4, 16, 32
# What is judged by itself and is little of a picture counts more than its pixels.
DIM_FACTOR = 3.0
MOVING_FACTOR = 100.0
# A cause that physics knows is never taken for none, however little the simulated pictures show of it.
LEAST = {"noise": 0.02, "ratio": 0.02, "misregistration": 0.05, "movement": 0.02, "disagreement": 0.01,
         "impossibility": 0.02, "residual": 0.02, "filled": 0.02, "contradiction": 0.02}
LEAST_CALIBRATION = 0.05
CALIBRATION = [name for name, _, _ in TERMS].index("calibration") + len(HEAD)
RIDGE = 1e-5
# Where the steps of the last function are, in z, and how steep.
STEPS, STEEPNESS = (-3.0, -1.5, -0.5, 0.25, 0.75, 1.25), 3.0
# How much the tolerances count: results are mostly judged by the middle one.
IMPORTANCE = {1.5: 0.15, 3.0: 1.0, 6.0: 0.1}


def parameters():
    """(term, its column, is a squared error, scale) of each coefficient."""
    return [(name, len(HEAD) + index, squared, scale)
            for index, (name, squared, scales) in enumerate(TERMS) for scale in scales]


def design(rows, tolerance, chosen):
    """What is multiplied with the coefficients; the last two columns are for slope and intercept."""
    matrix = np.empty((len(rows), len(chosen) + 2), np.float32)
    for column, (_, source, squared, scale) in enumerate(chosen):
        unit = scale * (tolerance * tolerance if squared else 1)
        matrix[:, column] = -np.log1p(np.maximum(rows[:, source], 0) / unit)
    matrix[:, -2] = np.log(tolerance / 3)
    matrix[:, -1] = 1
    return matrix


def log_precision(rows, tolerance, chosen, values):
    """log(t^2 / E^2), and its derivatives by the values: the calibration's factor, coefficients, slope and intercept."""
    matrix = design(rows, tolerance, chosen).astype(float)
    other = np.exp(np.clip(-(matrix @ values[1:]), -20, 20))
    calibration = np.maximum(rows[:, CALIBRATION], 0) / (tolerance * tolerance)
    square = other + values[0] * calibration
    return -np.log(square), np.c_[-calibration / square, matrix * (other / square)[:, None]]


def pixels(rows):
    """The weights by which every pixel of a picture counts the same."""
    return rows[:, 2]


def regions(rows):
    """The weights by which parts of pictures count that are judged by themselves."""
    parts = rows[:, 1].astype(int)
    factor = np.where(parts & (FAR | FLASH_SHADOW) != 0, DIM_FACTOR, 1)
    return rows[:, 2] * np.where(parts & MOVING != 0, MOVING_FACTOR, factor)


def probability(sums):
    return -np.expm1(-np.exp(np.clip(sums, -20, 4)))


def steps(sums, tolerance):
    """The columns of the second regression: the sum itself, the steps, the tolerance, and the intercept."""
    columns = [sums] + [1 / (1 + np.exp(STEEPNESS * (step - sums))) for step in STEPS]
    columns += [np.full(len(sums), np.log(tolerance / 3)), np.ones(len(sums))]
    return np.stack(columns, axis=1)


def statistics(rows, model, values, weights):
    """The mean loss with its gradient and expected Hessian, piece by piece: little memory."""
    loss, gradient, hessian, total = 0.0, np.zeros(len(values)), np.zeros((len(values),) * 2), 0.0
    for tolerance in TOLERANCES:
        for start in range(0, len(rows), 50000):
            piece = rows[start:start + 50000]
            eta, matrix = model(piece, tolerance, values)
            good = piece[:, 3] <= tolerance
            weight = IMPORTANCE[tolerance] * weights(piece)
            eta = np.clip(eta, -20, 4)
            rate = np.exp(eta)
            chance = np.clip(probability(eta), 1e-6, 1 - 1e-6)
            change = np.exp(-rate) * rate
            loss -= weight @ np.log(np.where(good, chance, 1 - chance))
            slope = weight * (chance - good) / (chance * (1 - chance)) * change
            curvature = weight * change * change / (chance * (1 - chance))
            gradient += matrix.T @ slope
            hessian += (matrix * curvature[:, None]).T @ matrix
            total += weight.sum()
    return loss / total, gradient / total, hessian / total


def step(gradient, hessian, values, least):
    """Minimises the quadratic model above bounds, coordinate by coordinate."""
    new = values.copy()
    for _ in range(2000):
        largest = 0.0
        for index in range(len(new)):
            slope = gradient[index] + hessian[index] @ (new - values)
            value = max(least[index], new[index] - slope / hessian[index, index])
            largest = max(largest, abs(value - new[index]))
            new[index] = value
        if largest < 1e-6:
            break
    return new


def fit(rows, model, start, least, weights):
    """Values of the greatest likelihood above bounds; the last two, slope and intercept, are free of the penalty."""
    values = np.maximum(start, least)
    ridge = np.full(len(values), RIDGE)
    ridge[-2:] = 0
    penalty = lambda v: float(ridge @ (v * v))
    loss, gradient, hessian = statistics(rows, model, values, weights)
    for _ in range(25):
        target = step(gradient + 2 * ridge * values, hessian + np.diag(2 * ridge + 1e-9), values, least)
        length, before = 1.0, loss + penalty(values)
        while True:
            trial = values + length * (target - values)
            new = statistics(rows, model, trial, weights)
            if new[0] + penalty(trial) <= before or length < 0.01:
                break
            length /= 2
        values, (loss, gradient, hessian) = trial, new
        if before - loss - penalty(values) < 1e-7:
            break
    return values, loss


def fit_causes(rows, chosen):
    start = np.zeros(len(chosen) + 3)
    start[0], start[-1] = 0.5, 1
    least = np.zeros(len(start))
    least[0], least[-2:] = LEAST_CALIBRATION, -np.inf
    # The term's lower bound goes to its middle scale.
    for name, bound in LEAST.items():
        of_term = [index for index, parameter in enumerate(chosen) if parameter[0] == name]
        if of_term:
            least[1 + of_term[len(of_term) // 2]] = bound
    return fit(rows, lambda piece, tolerance, values: log_precision(piece, tolerance, chosen, values), start, least, regions)


def fit_steps(rows, chosen, causes):
    start = np.r_[1, np.zeros(len(STEPS) + 2)]
    # Everywhere it increases: nothing that differs becomes equal.
    least = np.r_[0.1, np.zeros(len(STEPS)), -0.1, -np.inf]

    def model(piece, tolerance, values):
        matrix = steps(log_precision(piece, tolerance, chosen, causes)[0], tolerance)
        return matrix @ values, matrix
    return fit(rows, model, start, least, pixels)


def figures(rows, chosen, causes, bends):
    for tolerance in TOLERANCES:
        chance = probability(steps(log_precision(rows, tolerance, chosen, causes)[0], tolerance) @ bends)
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
        print(f"  within {tolerance}: {base:.3f} right, largest gap {max(map(abs, gaps)):.3f}, Brier skill {skill:.3f}, "
              f"right where sure {right:.3f}")


def number(value):
    return f"{value:.4g}"


def swift(chosen, values, bends, command, seeds, count):
    lines = [
        "// Written by Scripts/calibrate-confidence; run that instead of changing this.",
        "",
        "/// How the terms make a confidence: the probability that a normal error in the plane of a* and b* is within the",
        "/// tolerance, 1 - exp(-t² / E²), where log(t² / E²) falls with each cause.",
        "///",
        f"/// Fitted to {count} pixels of simulated pairs by",
        f"/// `{command}`.",
        "enum ConfidenceModel {",
        "  /// The seeds of the pictures that the numbers come from.",
        "  static let seeds: [UInt64] = [",
    ]
    for start in range(0, len(seeds), 16):
        lines.append("    " + ", ".join(str(seed) for seed in seeds[start:start + 16]) + ",")
    lines += [
        "  ]",
        "",
        "  /// P(ΔE₀₀ ≤ tolerance); NaN terms give no number or 0.",
        "  @inline(__always)",
        "  static func probability(_ terms: ConfidenceTerms, tolerance: Float) -> Vector8 {",
        "    // Squared colour errors count by the tolerance.",
        "    let unit = 1 / (tolerance * tolerance)",
        "    let base: Float = "
        + f"{number(values[-1])} + {number(values[-2])} * logarithm(tolerance / 3)",
        "    var sum = Vector8(repeating: base)",
    ]
    for (name, _, squared, scale), value in zip(chosen, values[1:]):
        if value < 5e-4:
            continue
        factor = f"({number(1 / scale)} * unit)" if squared else number(1 / scale)
        lines.append(f"    sum -= {number(value)} * (1 + terms.{name} * {factor}).logarithm")
    lines += [
        "    // E² / t², of which the transform's part is added. (e²⁰: the exponential is for numbers up to 0.)",
        "    let other = 4.851652e8 * ((-sum).lesser(Vector8(repeating: 20)) - 20).exponential",
        f"    sum = -(other + ({number(values[0])} * unit) * terms.calibration).logarithm",
        f"    var logarithm = {number(bends[0])} * sum",
        f"    logarithm += {number(bends[-1])} + {number(bends[-2])} * Self.logarithm(tolerance / 3)",
    ]
    for place, height in zip(STEPS, bends[1:-2]):
        if height > 1e-4:
            lines.append(f"    logarithm += {number(height)} * rise({number(STEEPNESS)} * (sum + {number(-place)}))")
    lines += [
        "    // e⁴ = 54.6: surer than that is sure.",
        "    let rate = 54.59815 * (logarithm.lesser(Vector8(repeating: 4)) - 4).exponential",
        "    return 1 - (-rate).exponential",
        "  }",
        "",
        "  /// A smooth step from 0 to 1.",
        "  @inline(__always)",
        "  private static func rise(_ x: Vector8) -> Vector8 {",
        "    let small = (-x.greater(-x)).exponential",
        "    return (1 / (1 + small)).replacing(with: small / (1 + small), where: x .< 0)",
        "  }",
        "",
        "  private static func logarithm(_ value: Float) -> Float { Vector8(repeating: value).logarithm[0] }",
        "}",
    ]
    return "\n".join(lines) + "\n"


def main():
    output, command, *seeds = sys.argv[1:]
    parts = []
    for number_, path in enumerate(line.strip() for line in sys.stdin if line.strip()):
        rows = np.load(path)
        assert rows.shape[1] == len(HEAD) + len(TERMS), f"{path}: has not the terms that are expected"
        parts.append(rows)
    rows = np.concatenate(parts)
    chosen = parameters()
    causes, _ = fit_causes(rows, chosen)
    # What hardly says anything is left out.
    spread = design(rows, 3.0, chosen).std(axis=0)
    kept = [parameter for index, parameter in enumerate(chosen)
            if causes[1 + index] > 0.003 and (causes[1 + index] * spread[index] > 0.01 or parameter[0] in LEAST)]
    causes, _ = fit_causes(rows, kept)
    bends, loss = fit_steps(rows, kept, causes)
    print(f"{len(rows)} pixels, {len(kept)} numbers, loss {loss:.4f}")
    figures(rows, kept, causes, bends)
    with open(output, "w", encoding="utf-8") as file:
        file.write(swift(kept, causes, bends, command, seeds, len(rows)))


if __name__ == "__main__":
    main()
