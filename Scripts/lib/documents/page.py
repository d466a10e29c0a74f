#!/usr/bin/env python3
"""Draws a page of text, for the simulator: page.py PAGE.png TEXT.txt SEED [WIDTH HEIGHT] [--space PART] [--scale N].

The words are common English ones in an order of chance, so that no reader can guess them from each other; sizes are in
dots, the type is DejaVu's, N times as large. PART of the page stays blank at its foot (a chart may go there). The text file
holds what is written, a line a line.
"""
import random
import sys

import cairo

WORDS = """time year people way day man thing woman life child world school state family student group country problem hand
part place case week company system program question work government number night point home water room mother area money
story fact month lot right study book eye job word business issue side kind head house service friend father power hour game
line end member law car city community name president team minute idea body information back parent face others level office
door health person art war history party result change morning reason research girl guy moment air teacher force education
light colour shadow paper white black window garden river bridge market letter measure quiet simple early winter summer
green yellow orange purple exact common carry bring answer follow travel listen remember between without because although
invoice amount total balance 2024 1987 365 48 12.50 99 £7 3.14 No. 17""".split()


def draw(path, text_path, seed, width, height, space=0.0, scale=1.0):
    chance = random.Random(seed)
    surface = cairo.ImageSurface(cairo.FORMAT_RGB24, width, height)
    page = cairo.Context(surface)
    page.set_source_rgb(1, 1, 1)
    page.paint()
    page.set_source_rgb(0, 0, 0)
    margin = width * 0.09
    lines = []
    y = margin
    # A heading, then paragraphs in three sizes of type: down to 8 points on A5.
    sizes = [0.05] + [0.0195, 0.0235, 0.0275] * 9
    for index, part in enumerate(sizes):
        size = part * width * scale
        family = "DejaVu Serif" if index % 2 else "DejaVu Sans"
        page.select_font_face(family, cairo.FONT_SLANT_NORMAL, cairo.FONT_WEIGHT_NORMAL)
        page.set_font_size(size)
        for line in range(1 if index == 0 else chance.randint(2, 5)):
            words = []
            while True:
                word = chance.choice(WORDS)
                if page.text_extents(" ".join(words + [word])).x_advance > width - 2 * margin:
                    break
                words.append(word)
                if index == 0 and len(words) == 3:
                    break
            y += 1.4 * size
            if y > height * (1 - space) - margin:
                break
            page.move_to(margin, y)
            page.show_text(" ".join(words))
            lines.append(" ".join(words))
        y += 0.7 * size
    surface.write_to_png(path)
    with open(text_path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    words = sys.argv[1:]
    numbers = {"--space": 0.0, "--scale": 1.0}
    for name in numbers:
        if name in words[:-1]:
            place = words.index(name)
            numbers[name] = float(words[place + 1])
            del words[place : place + 2]
    if len(words) not in (3, 5):
        sys.exit(__doc__)
    width, height = (int(words[3]), int(words[4])) if len(words) == 5 else (1480, 2100)
    draw(words[0], words[1], int(words[2]), width, height, numbers["--space"], numbers["--scale"])


if __name__ == "__main__":
    main()
