"""The page and the picture that are made of a record."""

import measures
from targets import STEPS, developments, targets

PROGRAMS = {"ours": "constant-color develop", "opencv": "LibRaw and OpenCV"}


def text(record, history, picture=None):
    """The page, in Markdown. `history` is of all runs, the last one is the record; `picture` names one beside the page."""
    parts = [
        "# Performance", "Written by `Scripts/bench`, which runs all programs on the same pictures, one after the other.",
        _conditions(record)]
    if picture and record.get("develop"):
        parts.append(f"![Time a megapixel and memory of both, for each size]({picture})")
    parts += ["## What is promised", _promises(record)]
    for title, group, show in (
            ("A pair, from RAW files to two PNG files", "develop", _developments),
            ("Alignment alone", "align", _alignment), ("Arithmetic on pixels", "kernels", _kernels),
            ("Operations in a graph", "operations", _operations), ("The same arithmetic elsewhere", "points", _points),
            ("Starting", "start", _start)):
        if record.get(group):
            parts += ["## " + title, show(record)]
    before = _history(history[:-1])
    if before:
        parts += ["## Before", measures.table(["12 megapixels", "s", "LibRaw and OpenCV, × ours", "memory, GB"], before)]
    return "\n\n".join(parts + [_WHAT]) + "\n"


_WHAT = """## What is measured

Pairs are rendered by `constant-color simulate` in a room of 50 lux; those above 12 megapixels are that pair enlarged, mosaic by mosaic,
with noise as the file tells of it. The pipeline with OpenCV decodes by LibRaw (AHD), finds a homography by ECC on frames of 640 pixels,
warps, subtracts by the metadata's exposure, filters with a guided filter, reckons a confidence, applies a matrix, and writes both
pictures as 16-bit PNG (`Scripts/lib/bench/opencv_develop.py`). It does less: it neither measures the exposure ratio nor the
flash's white, nor judges the alignment. Up to 12 megapixels a time is the median of several runs; arithmetic is the least of several. Memory
is the largest that a process held (RSS), swapped is what it wrote beside its results."""


def _conditions(record):
    versions = "; ".join(version for version in record["versions"].values() if version)
    loaded = f" The machine had other work (load {record['load']:.1f}): only ratios say something." if record["load"] > 0.5 else ""
    return (f"{record['date']} UTC, commit {record['commit'] or 'unknown'}, {record['machine']}, "
            f"{record['memory'] / 1e9:.0f} GB, {record['threads']} threads. {versions}.{loaded}")


def _promises(record):
    words = {True: "yes", False: "**no**", None: "not measured"}
    rows = [[promise["what"], promise["limit"], promise["measured"], words[promise["kept"]]] for promise in targets(record)]
    return measures.table(["", "promise", "measured", "kept"], rows)


def _developments(record):
    rows = []
    for run in record["develop"]:
        name = f"{PROGRAMS[run['program']]}, {run['megapixels']:g} MP, {run['threads']} thread{'s' * (run['threads'] > 1)}"
        if "failure" in run:
            rows.append([name, run["failure"]] + [""] * 4)
            continue
        ours = developments(record, "ours").get((run["megapixels"], run["threads"]))
        ratio = f"{run['seconds'] / ours['seconds']:.2f}" if ours else "-"
        rows.append([
            name, f"{run['seconds']:.2f}", f"{1e9 * run['seconds'] / run['pixels']:.0f}", ratio, f"{run['peak'] / 1e9:.2f}",
            f"{run['swap'] / 1e9:.2f}"])
    parts = [measures.table(["", "s", "ns a pixel", "× ours", "memory, GB", "swapped, GB"], rows)]
    for (size, threads), ours in developments(record, "ours").items():
        theirs = developments(record, "opencv").get((size, threads))
        if threads == record["threads"]:
            parts += [f"Steps at {size:g} megapixels, in seconds:", _steps(ours, theirs)]
    return "\n\n".join(parts)


def _steps(ours, theirs):
    rows, known = [], {name for _, names, _ in STEPS for name in names}
    rest = [(name, (name,), ()) for name in ours["steps"] if name not in known]
    for what, names, others in STEPS + rest:
        times = [ours["steps"][name] for name in names if name in ours["steps"]]
        peers = [theirs["steps"][name] for name in others if name in theirs["steps"]] if theirs else []
        if not times and not peers:
            continue
        one, other = sum(times), sum(peers)
        rows.append([
            what, f"{one:.2f}" if times else "-", f"{other:.2f}" if peers else "-", f"{other / one:.2f}" if one and peers else "-"])
    return measures.table(["", PROGRAMS["ours"], PROGRAMS["opencv"], "× ours"], rows)


def _alignment(record):
    rows = []
    for run in record["align"]:
        if "failure" in run:
            rows.append([f"hugin, {run['megapixels']:g} MP", run["failure"]])
            continue
        rows.append([f"hugin align_image_stack, {run['megapixels']:g} MP (8-bit PNG)", f"{run['seconds']:.2f}"])
        for program, names in (("ours", ("load", "align")), ("opencv", ("decode", "align", "warp"))):
            other = developments(record, program).get((run["megapixels"], record["threads"]))
            if other:
                seconds = sum(other["steps"].get(name, 0) for name in names)
                rows.append([f"{PROGRAMS[program]}, the steps up to it, {run['megapixels']:g} MP (RAW)", f"{seconds:.2f}"])
    return measures.table(["", "s"], rows)


def _kernels(record):
    rows = []
    for line in record["kernels"]:
        pixels = line["pixels"]
        rows.append([
            line["kernel"], f"{1e9 * line['seconds'] / pixels:.2f}", f"{1e9 * line['copySeconds'] / pixels:.2f}",
            f"{line['seconds'] / line['copySeconds']:.2f}"])
    pixels = record["kernels"][0]["pixels"]
    return (f"One thread, {pixels / 1e6:.0f} megapixels of four floats, beside a copy (memcpy) of as many bytes as each reads and "
            "writes:\n\n" + measures.table(["", "ns a pixel", "copy", "× copy"], rows))


def _operations(record):
    rows = []
    for line in record["operations"]:
        pixels = line["pixels"]
        rows.append([
            f"{line['operation']}, {'into a buffer' if line['way'] == 'buffer' else 'streamed'}, {line['threads']} "
            f"thread{'s' * (line['threads'] > 1)}", line["peer"], f"{1e9 * line['seconds'] / pixels:.2f}",
            f"{1e9 * line['peerSeconds'] / pixels:.2f}", f"{line['seconds'] / line['peerSeconds']:.2f}"])
    return ("Pixels of four floats, the same cache; neither keeps what its nodes have computed:\n\n"
            + measures.table(["", "GEGL's own", "ns a pixel", "GEGL's", "× GEGL's"], rows))


def _points(record):
    rows = [[f"{line['step']}, {line['peer']}", f"{1e9 * line['seconds'] / line['pixels']:.2f}"] for line in record["points"]]
    return (f"{record['threads']} threads, pixels of three floats, into new memory:\n\n" + measures.table(["", "ns a pixel"], rows))


def _start(record):
    start = record["start"]
    return measures.table(["", "s"], [
        ["constant-color --version", f"{start['version']:.3f}"],
        [f"development of a RAW pair of {start['tinyPixels'] / 1e6:.2f} megapixels", f"{start['tiny']:.3f}"]])


def _history(history):
    """The last runs that developed 12 megapixels."""
    rows = []
    for record in history:
        ours, theirs = (developments(record, program).get((12, record["threads"])) for program in ("ours", "opencv"))
        if ours:
            rows.append([
                f"{record['date']}, {record['commit'] or '-'}", f"{ours['seconds']:.2f}",
                f"{theirs['seconds'] / ours['seconds']:.2f}" if theirs else "-", f"{ours['peak'] / 1e9:.2f}"])
    return rows[-12:]


# The picture: two columns of bars. Colours that differ in lightness, too.
_COLOURS = {"ours": "#d9730d", "opencv": "#9db4c0"}
_WIDTH, _BAR, _GAP, _LEFT = 460, 16, 14, 70


def picture(record):
    """Time a megapixel and memory of both programs for each size, as SVG."""
    sizes = sorted({size for size, threads in developments(record, "ours") if threads == record["threads"]})
    height = 90 + len(sizes) * (2 * _BAR + _GAP)
    panels = [
        ("seconds a megapixel", lambda run: 1e6 * run["seconds"] / run["pixels"], "{:.2f}"),
        ("memory, GB", lambda run: run["peak"] / 1e9, "{:.1f}")]
    shapes = [f'<rect width="{2 * _WIDTH}" height="{height}" fill="white"/>']
    for number, program in enumerate(PROGRAMS):
        x = _LEFT + 220 * number
        shapes.append(f'<rect x="{x}" y="14" width="12" height="12" fill="{_COLOURS[program]}"/>')
        shapes.append(f'<text x="{x + 18}" y="25">{PROGRAMS[program]}</text>')
    for column, (title, value, form) in enumerate(panels):
        values = {
            (size, program): value(run) for program in PROGRAMS for size in sizes
            if (run := developments(record, program).get((size, record["threads"])))}
        left = column * _WIDTH + _LEFT
        longest = max(values.values(), default=1)
        shapes.append(f'<text x="{left}" y="56" font-weight="bold">{title}</text>')
        y = 70
        for size in sizes:
            shapes.append(f'<text x="{left - 8}" y="{y + _BAR + 5}" text-anchor="end">{size:g} MP</text>')
            for program in PROGRAMS:
                if (size, program) in values:
                    length = values[size, program] / longest * (_WIDTH - _LEFT - 60)
                    shapes.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{_BAR - 2}" fill="{_COLOURS[program]}"/>')
                    label = form.format(values[size, program])
                    shapes.append(f'<text x="{left + length + 6:.1f}" y="{y + 12}" font-size="12">{label}</text>')
                y += _BAR
            y += _GAP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * _WIDTH} {height}" width="{2 * _WIDTH}" height="{height}" '
            'font-family="sans-serif" font-size="14" fill="#222">\n' + "\n".join(shapes) + "\n</svg>\n")
