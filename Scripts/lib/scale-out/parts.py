"""Reads a table of pairs and prints what the workflow needs: the parts, with their files, as JSON.

usage: parts.py MANIFEST OUTPUT PAIRS_A_PART THREADS MEGABYTES COMMAND [option of 'constant-color batch']...
"""

import csv
import json
import os
import sys


def complain(text):
    sys.exit(f"scale-out: {text}")


def rows(path):
    """The pairs of a table: their files, relative to where the workflow runs, and what else a row says."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        table = csv.DictReader(file)
        heads = [head.strip() for head in table.fieldnames or []]
        table.fieldnames = heads
        if "flash" not in heads or "ambient" not in heads:
            complain(f"{path}: the first line must name columns, flash and ambient among them")
        pictures = [head for head in heads if head == "flash" or head.startswith("ambient")]
        for row in table:
            cells = {head: (row.get(head) or "").strip() for head in heads if head}
            if not any(cells.values()):
                continue
            for head in pictures:
                if cells[head]:
                    cells[head] = os.path.relpath(os.path.join(os.path.dirname(path), cells[head]))
            yield cells, [cells[head] for head in pictures if cells[head]]


def main():
    manifest, output, size, threads, memory, command, *options = sys.argv[1:]
    table = list(rows(manifest))
    if not table:
        complain(f"{manifest}: no pairs")
    # What is told of each part is the workflow's to decide.
    options = [option for option in options if option not in ("--quiet", "--verbose", "--progress")]
    # The profile goes along with the pictures.
    profile = None
    if "--profile" in options:
        place = options.index("--profile")
        if place + 1 == len(options):
            complain("--profile needs a value")
        profile = os.path.relpath(options[place + 1])
        del options[place : place + 2]
    parts = {}
    for start in range(0, len(table), int(size)):
        rest = table[start : start + int(size)]
        parts[f"{start // int(size) + 1:05d}"] = {
            "rows": [cells for cells, _ in rest],
            "files": sorted({file for _, files in rest for file in files}),
        }
    json.dump(
        {
            "output": os.path.relpath(output), "threads": int(threads), "memory": int(memory), "command": command,
            "options": options, "profile": profile, "parts": parts,
        },
        sys.stdout, indent=1)


main()
