#!/usr/bin/env python3
"""The study of docs/documents.md: pages from the simulator, read with tesseract before and after.

study.py CONSTANT-COLOR FOLDER [TABLE.md]

Each page is compared with the same pair's ambient frame: white-balanced ('develop --fallback'), and straightened by the true
corners, so that only light makes the difference; and with that frame divided by its background (a wide median of the
lighter pixels), which is what scanning applications do without a flash. Where a pair was finished before, it is not done again.
"""
import json
import os
import struct
import subprocess
import sys
import zlib

import numpy
from PIL import Image, ImageFilter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge
import page as pages

# Seed, dots of the page, its sheet, view, lux, temperature, tint, and what else the simulator is told.
CASES = [
    ("a4", 1000101, 1480, 2093, "tilted", 200, 3000, "planckian", []),
    ("a4-chart", 1000102, 1480, 2093, "tilted", 200, 4500, "green", ["--page-chart"]),
    ("letter", 1000103, 1700, 2200, "tilted", 400, 3000, "magenta", []),
    ("straight", 1000104, 1480, 2093, "straight", 200, 6000, "planckian", []),
    ("straight-bright", 1000105, 1480, 2093, "straight", 800, 3000, "planckian", []),
    ("gloss", 1000106, 1480, 2093, "straight", 200, 3000, "planckian", ["--page-gloss"]),
    ("close", 1000108, 1480, 2093, "close", 200, 3000, "planckian", []),
    ("square", 1000110, 1600, 1600, "tilted", 200, 6000, "magenta", ["--shake", "large"]),
]
ROOM = {"--page-chart": 0.27}


def run(*words, allowed=(0,)):
    process = subprocess.run(words, capture_output=True, text=True)
    if process.returncode not in allowed:
        sys.exit(f"{' '.join(words)}: {process.stderr}")
    return process


def exr(path):
    """Rows of linear red, green, blue of a file with ZIP blocks of floats, as this project writes it."""
    with open(path, "rb") as file:
        data = file.read()
    place, header = 8, {}
    while data[place]:
        name, kind, rest = data[place:].split(b"\0", 2)
        start = place + len(name) + len(kind) + 2
        size = struct.unpack_from("<i", data, start)[0]
        header[name] = data[start + 4 : start + 4 + size]
        place = start + 4 + size
    left, top, right, bottom = struct.unpack("<4i", header[b"dataWindow"])
    width, height = right - left + 1, bottom - top + 1
    rows = {b"\2": 1, b"\3": 16}[header[b"compression"]]
    blocks = -(-height // rows)
    result = numpy.empty((height, 3, width), dtype=numpy.float32)
    for offset in struct.unpack_from(f"<{blocks}Q", data, place + 1):
        y, size = struct.unpack_from("<ii", data, offset)
        count = min(rows, height - (y - top))
        block = data[offset + 8 : offset + 8 + size]
        if size < count * width * 12:
            block = numpy.frombuffer(zlib.decompress(block), dtype=numpy.uint8).astype(numpy.int64)
            block[1:] -= 128
            block = numpy.cumsum(block).astype(numpy.uint8)
            half = (len(block) + 1) // 2
            bytes_ = numpy.empty_like(block)
            bytes_[0::2], bytes_[1::2] = block[:half], block[half:]
            block = bytes_.tobytes()
        result[y - top : y - top + count] = numpy.frombuffer(block, dtype=numpy.float32).reshape(count, 3, width)
    # Channels stand in the order of the alphabet.
    return result.transpose(0, 2, 1)[:, :, ::-1]


def homography(corners, width, height):
    """From pixels of a straight page to the picture, by its corners."""
    rows, right = [], []
    ends = [(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)]
    for (x, y), (u, v) in zip(ends, corners):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return numpy.append(numpy.linalg.solve(numpy.array(rows), numpy.array(right)), 1).reshape(3, 3)


def straightened(picture, corners, width, height):
    """Bilinear, in linear light."""
    y, x = numpy.mgrid[0:height, 0:width]
    u, v, w = numpy.tensordot(homography(corners, width, height), numpy.stack([x, y, numpy.ones_like(x)]), 1)
    u, v = numpy.clip(u / w, 0, picture.shape[1] - 1.001), numpy.clip(v / w, 0, picture.shape[0] - 1.001)
    left, top = u.astype(int), v.astype(int)
    s, t = (u - left)[..., None], (v - top)[..., None]
    upper = picture[top, left] * (1 - s) + picture[top, left + 1] * s
    lower = picture[top + 1, left] * (1 - s) + picture[top + 1, left + 1] * s
    return upper * (1 - t) + lower * t


def luminance(rgb):
    return rgb @ numpy.array([0.2126, 0.7152, 0.0722], dtype=numpy.float32)


def encoded(linear):
    linear = numpy.clip(linear, 0, 1)
    return numpy.where(linear > 0.0031308, 1.055 * linear ** (1 / 2.4) - 0.055, 12.92 * linear)


def save(grey, path):
    Image.fromarray((encoded(grey) * 255 + 0.5).astype(numpy.uint8)).save(path)


def read(path):
    return run("tesseract", path, "stdout", "-l", "eng").stdout


def background_divided(grey):
    """Scanning applications' remedy: a wide median of the locally lightest pixels is taken for paper."""
    size = max(grey.shape) // 60
    small = Image.fromarray((encoded(grey) * 255).astype(numpy.uint8)).filter(ImageFilter.MaxFilter(5))
    small = small.resize((grey.shape[1] // 4, grey.shape[0] // 4)).filter(ImageFilter.MedianFilter(2 * (size // 4) + 1))
    paper = numpy.asarray(small.resize((grey.shape[1], grey.shape[0]), Image.BILINEAR), dtype=numpy.float32) / 255
    return numpy.clip(encoded(grey) / numpy.maximum(paper, 0.02), 0, 1)


def paper_mask(page, width, height, room):
    """Where a straight page is bare: a few pixels from print and from the edge."""
    print_ = Image.open(page).convert("L").resize((width, height), Image.BOX).filter(ImageFilter.MinFilter(9))
    mask = numpy.asarray(print_) > 250
    edge = max(6, width // 60)
    mask[:edge] = mask[-edge:] = False
    mask[:, :edge] = mask[:, -edge:] = False
    if room:
        mask[int(height * (1 - room)) :] = False
    return mask


def judged(tool, folder, case, profile):
    name, seed, dots, lines, view, lux, kelvin, tint, more = case
    base = os.path.join(folder, name)
    result = base + "/result.json"
    if os.path.exists(result):
        with open(result) as file:
            return json.load(file)
    os.makedirs(base, exist_ok=True)
    room = max([ROOM.get(word, 0) for word in more], default=0)
    pages.draw(base + "/page.png", base + "/text.txt", seed, dots, lines, room)
    size = "1200x1600" if lines >= dots else "1600x1200"
    if not os.path.exists(base + "/inputs/set.json"):
        run(tool, "simulate", "--output", base, "--page", base + "/page.png", "--page-view", view, "--size", size, "--lux",
            str(lux), "--cct", str(kelvin), "--tint", tint, "--seed", str(seed), "--quiet", *more)
    with open(base + "/inputs/set.json") as file:
        pair = json.load(file)["pairs"][0]
    with open(base + f"/truth/{pair['id']}.json") as file:
        truth = json.load(file)
    words = ["--flash", base + "/inputs/" + pair["flash"], "--ambient", base + "/inputs/" + pair["ambient"], "--profile",
             profile, "--quiet"]
    cut = [] if view == "close" else ["--straighten"]
    ocr = base + "/page.txt"
    done = run(tool, "document", *words, *cut, "--output", base + "/page.pdf", "--text", ocr, "--report",
               base + "/report.json", allowed=(0, 3))
    run(tool, "document", *words, *cut, "--plain", "--output", base + "/plain.exr", allowed=(0, 3))
    run(tool, "develop", *words, "--space", "linear-srgb", "--output", base + "/developed.exr", "--fallback",
        base + "/ambient.exr", allowed=(0, 3))
    with open(base + "/report.json") as file:
        report = json.load(file)
    found = report["document"]

    plain, ambient, developed = (exr(base + f"/{name}.exr") for name in ("plain", "ambient", "developed"))
    height, width = plain.shape[:2]
    corners = truth["page"] if cut else [[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]]
    ambient = luminance(straightened(ambient, corners, width, height))
    developed = luminance(straightened(developed, corners, width, height))
    # What a scanning application would show: paper in the light is white.
    ambient /= numpy.percentile(ambient, 90)
    save(ambient, base + "/ambient.png")
    Image.fromarray((background_divided(ambient) * 255).astype(numpy.uint8)).save(base + "/divided.png")
    with open(base + "/text.txt", encoding="utf-8") as file:
        text = file.read()
    mask = paper_mask(base + "/page.png", width, height, room) if cut else None
    if not cut:
        # From near, the page is beyond the frame: its own map tells where print is.
        page = numpy.asarray(Image.open(base + "/page.png").convert("L").filter(ImageFilter.MinFilter(13)), dtype=numpy.float32)
        inverse = numpy.linalg.inv(homography(truth["page"], page.shape[1], page.shape[0]))
        y, x = numpy.mgrid[0:height, 0:width]
        u, v, w = numpy.tensordot(inverse, numpy.stack([x, y, numpy.ones_like(x)]), 1)
        u, v = (u / w).round().astype(int), (v / w).round().astype(int)
        inside = (u >= 0) & (v >= 0) & (u < page.shape[1]) & (v < page.shape[0])
        mask = inside & (page[v.clip(0, page.shape[0] - 1), u.clip(0, page.shape[1] - 1)] > 250)
    values = {}
    for key, picture in (("ambient", ambient), ("developed", developed), ("ours", luminance(plain))):
        low, high = judge.spread(picture, mask)
        values[key] = high - low
    with open(ocr, encoding="utf-8") as file:
        ours = file.read()
    off = [float(numpy.hypot(a[0] - b[0], a[1] - b[1])) for a, b in zip(found["corners"], truth["page"])] if cut else None
    values = {
        "name": name, "spread": values, "exit": done.returncode, "confidence": report["centerWeightedMeanConfidence"],
        "cer": {"ambient": judge.error_rate(text, read(base + "/ambient.png")),
                "divided": judge.error_rate(text, read(base + "/divided.png")), "ours": judge.error_rate(text, ours)},
        # The outline lies 1.5 pixels inside.
        "corners": max(off) if off else None,
        "aspect": found["width"] / found["height"] / (dots / lines) - 1 if cut else None,
        "sheet": found["paperSize"],
    }
    with open(result, "w") as file:
        json.dump(values, file, indent=1)
    return values


def lab(xyz):
    """CIELAB under D65 of rows of XYZ, Y of white 1."""
    t = xyz / numpy.array([0.95047, 1, 1.08883])
    f = numpy.where(t > 216 / 24389, numpy.cbrt(numpy.maximum(t, 0)), 841 / 108 * t + 4 / 29)
    return numpy.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def colours(folder, case):
    """The mean and largest ΔE*ab of a page's chart, relative to paper; of the picture in which paper is even."""
    base = os.path.join(folder, case[0])
    with open(base + "/inputs/set.json") as file:
        pair = json.load(file)["pairs"][0]
    with open(base + f"/truth/{pair['id']}.json") as file:
        truth = json.load(file)
    with open(base + "/report.json") as file:
        corners = json.load(file)["document"]["corners"]
    plain = exr(base + "/plain.exr")
    inverse = numpy.linalg.inv(homography(corners, plain.shape[1], plain.shape[0]))
    to_xyz = numpy.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    off = []
    for patch in truth["patches"]:
        u, v, w = inverse @ numpy.array([*patch["centre"], 1])
        x, y = int(round(u / w)), int(round(v / w))
        seen = to_xyz @ plain[y - 4 : y + 5, x - 4 : x + 5].reshape(-1, 3).mean(0)
        # The simulator's paper reflects 84 % of every wavelength.
        off.append(numpy.linalg.norm(lab(seen) - lab(numpy.array(patch["XYZ"]) / 0.84)))
    return float(numpy.mean(off)), float(numpy.max(off))


def table(results):
    lines = [
        "| page | characters wrong: ambient | divided | ours | L* spread: ambient | developed | ours | confidence | corner | proportion |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for r in results:
        cer, spread = r["cer"], r["spread"]
        corner = "–" if r["corners"] is None else f"{r['corners']:.1f} px"
        aspect = "–" if r["aspect"] is None else f"{100 * r['aspect']:+.1f} %"
        lines.append(
            f"| {r['name']} | {100 * cer['ambient']:.1f} % | {100 * cer['divided']:.1f} % | {100 * cer['ours']:.1f} % "
            f"| {spread['ambient']:.1f} | {spread['developed']:.1f} | {spread['ours']:.1f} | {r['confidence']:.2f} "
            f"| {corner} | {aspect} |")
    def mean(values):
        values = list(values)
        return sum(values) / len(values)
    lines.append(
        "| **mean** | " + " | ".join(f"**{100 * mean(r['cer'][k] for r in results):.1f} %**" for k in ("ambient", "divided", "ours"))
        + " | " + " | ".join(f"**{mean(r['spread'][k] for r in results):.1f}**" for k in ("ambient", "developed", "ours")) + " | | | |")
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    tool, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    profile = folder + "/profile.json"
    if not os.path.exists(profile):
        run(tool, "simulate", "--output", folder + "/chart", "--lux", "50", "--cct", "4500", "--tint", "planckian", "--seed",
            "1000100", "--quiet")
        chart = folder + "/chart/inputs/calibration_"
        run(tool, "calibrate", "--flash", chart + "flash.dng", "--ambient", chart + "ambient.dng", "--output", profile, "--quiet")
    results = []
    for case in CASES:
        results.append(judged(tool, folder, case, profile))
        print(json.dumps(results[-1]), flush=True)
    text = table(results)
    for case in CASES:
        if "--page-chart" in case[8]:
            mean, worst = colours(folder, case)
            text += f"\nColours of the chart on the page *{case[0]}*, relative to paper: mean ΔE*ab {mean:.1f}, largest {worst:.1f}.\n"
    print(text)
    if len(sys.argv) == 4:
        with open(sys.argv[3], "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
