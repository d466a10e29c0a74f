"""What this project promises of its speed, and whether a record keeps it."""

# The steps of a development that do the same work: ours, and those of the pipeline with OpenCV.
STEPS = [
    ("read, demosaic, align", ("load", "align", "average"), ("decode", "align", "warp")),
    ("match exposure", ("matchExposure",), ()),
    ("subtract, take the noise", ("estimate",), ("subtract", "filter")),
    ("confidence", ("confidence",), ("confidence",)),
    ("colours, tone", ("meter", "look", "whiteBalance"), ("colour",)),
    ("encode, write", ("write",), ("write",)),
]


def developments(record, program):
    """Those of a program that went well, by megapixels and threads."""
    return {
        (run["megapixels"], run["threads"]): run for run in record.get("develop", ())
        if run["program"] == program and "failure" not in run}


def targets(record):
    """Each promise: what, the limit in words, what was measured in words, whether it is kept (None: not measured)."""
    ours, theirs = (developments(record, program) for program in ("ours", "opencv"))
    threads = record["threads"]

    def promise(what, limit, value, kept, shown):
        return {"what": what, "limit": limit, "measured": "-" if value is None else shown(value),
                "kept": None if value is None else bool(kept(value))}

    def ratio(megapixels):
        one, other = ours.get((megapixels, threads)), theirs.get((megapixels, threads))
        return other["seconds"] / one["seconds"] if one and other else None

    def of(megapixels, key):
        run = ours.get((megapixels, threads))
        return run and run[key]

    def gigabytes(value):
        return f"{value / 1e9:.2f} GB"

    per_pixel = {size: run["seconds"] / run["pixels"] for (size, used), run in ours.items() if used == threads}
    smaller = [value for size, value in per_pixel.items() if 12 <= size < 100]
    growth = per_pixel[100] / min(smaller) if 100 in per_pixel and smaller else None
    kernels = {kernel["kernel"]: kernel["seconds"] / kernel["copySeconds"] for kernel in record.get("kernels", ())}
    operations = {
        (line["operation"], line["way"], line["threads"]): line["seconds"] / line["peerSeconds"]
        for line in record.get("operations", ())}

    def worst(values):
        name = max(values, key=values.get, default=None)
        return name and (values[name], name if isinstance(name, str) else f"{name[0]}, {name[1]}")

    def named(value):
        return f"{value[0]:.2f} × ({value[1]})"

    start = record.get("start", {})
    return [
        promise("12 megapixels of RAW, beside LibRaw and OpenCV", "at least 3 × as fast", ratio(12), lambda v: v >= 3,
                lambda v: f"{v:.2f} ×"),
        promise("arithmetic on pixels, one thread", "at most 1.5 × a copy of the memory", worst(kernels), lambda v: v[0] <= 1.5,
                named),
        promise("operations on pixels in a graph", "as fast as GEGL's own, within 5 %", worst(operations), lambda v: v[0] <= 1.05,
                named),
        promise("time a pixel at 100 megapixels", "as at 12 and 48, within a quarter", growth, lambda v: v <= 1.25,
                lambda v: f"{v:.2f} ×"),
        promise("memory at 12 megapixels", "at most 1 GB", of(12, "peak"), lambda v: v <= 1e9, gigabytes),
        promise("memory at 100 megapixels", "at most 3 GB", of(100, "peak"), lambda v: v <= 3e9, gigabytes),
        promise("swapped to disk at 100 megapixels", "at most 2 GB", of(100, "swap"), lambda v: v <= 2e9, gigabytes),
        promise("start of the command", "at most 0.15 s", start.get("version"), lambda v: v <= 0.15, lambda v: f"{v:.3f} s"),
    ]
