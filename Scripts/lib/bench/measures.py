"""Statistics of many trials, and tables of them. Needs NumPy only."""

import numpy as np

# An estimate that is off by more than this, or no estimate, is a failure: no later step can mend it.
FAILURE = 10.0


def percentile(values, percent):
    """The smallest of the values that at least so many per cent do not exceed; infinity counts, NaN does not."""
    known = np.sort([value for value in values if not np.isnan(value)])
    if not len(known):
        return np.nan
    return float(known[max(int(np.ceil(percent / 100 * len(known))) - 1, 0)])


def share(values, holds):
    """The part of the values, NaN aside, for which something holds."""
    known = [value for value in values if not np.isnan(value)]
    return sum(bool(holds(value)) for value in known) / len(known) if known else np.nan


def summary(values):
    """Percentiles and shares of errors in pixels."""
    return {
        "count": sum(not np.isnan(value) for value in values),
        "median": percentile(values, 50), "p90": percentile(values, 90), "max": percentile(values, 100),
        "below1": share(values, lambda value: value < 1), "failures": share(values, lambda value: value > FAILURE),
    }


def pixels(value):
    """An error for a table: no answer is infinitely wrong."""
    if np.isnan(value):
        return "-"
    if np.isinf(value):
        return "none"
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def percent(value):
    return "-" if np.isnan(value) else f"{100 * value:.0f} %"


def seconds(value):
    return "-" if np.isnan(value) else f"{value:.3f}"


def table(head, rows):
    """A table in Markdown, its columns aligned: the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in [head] + rows) for column in range(len(head))]
    line = lambda row: "| " + " | ".join([row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]) + " |"
    rule = "|" + "|".join(["-" * (widths[0] + 2)] + ["-" * (width + 1) + ":" for width in widths[1:]]) + "|"
    return "\n".join([line(head), rule] + [line(row) for row in rows])
