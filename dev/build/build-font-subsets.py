#!/usr/bin/env python3
"""Rebuilds the fonts of the share images: worker/modules/public/shares/fonts/*.bin.

Needs Debian 12 (fontTools 4.38, Noto fonts of 2020-12-25), and npm for Geist:

    apt-get install fonttools fonts-noto-core
    /usr/bin/python3 dev/build/build-font-subsets.py

Then compare what they draw: npm test -- worker -t "reference images"
"""

import logging
import subprocess
import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

GEIST_PACKAGE = "geist@1.7.2"
GEIST = "package/dist/fonts/geist-sans/Geist-{}.ttf"
GEIST_MONO = "package/dist/fonts/geist-mono/GeistMono-Medium.ttf"
NOTO = Path("/usr/share/fonts/truetype/noto")
OUTPUT = Path(__file__).resolve().parents[2] / "worker/modules/public/shares/fonts"

# Inclusive ranges of Unicode code points, in hexadecimal.
LATIN_GREEK_CYRILLIC = """
    20-7E A0-24F 259 2BC 2C6-2C8 2D8-2DD 300-304 306-30C 328 39B 3A9 3BB-3BC 3C0 3C9 400-4FF 1E00-1EFF
    2013-2014 2018-201A 201C-201E 2020-2022 2026 2030 2032-2033 2039-203A
    20AA 20AC 20B1 20B4 20B9 20BD 2116 2122 2212
"""
ARABIC = "600-61C 61E-6FF 750-77F 200C-200F"
HEBREW = "591-5C7 5D0-5EA 5F0-5F4 200C-200F"
PRICES_AND_ADDRESSES = "20-7E 2026 2212"

GEIST_FEATURES = ["ccmp", "liga", "locl", "tnum", "kern", "mark", "mkmk"]
NAME_IDS = [1, 2, 4, 6, 13, 14, 16, 17]


def code_points(ranges: str) -> list[int]:
    found = []
    for part in ranges.split():
        first, _, last = part.partition("-")
        found.extend(range(int(first, 16), int(last or first, 16) + 1))
    return found


def subset(font: TTFont, ranges: str, features: list[str]) -> TTFont:
    subsetter = Subsetter(Options(layout_features=features, hinting=False, notdef_outline=True, name_IDs=NAME_IDS))
    subsetter.populate(unicodes=code_points(ranges))
    subsetter.subset(font)
    return font


def merge(folder: Path, fonts: list[TTFont]) -> TTFont:
    """Where two fonts have the same character, the first font draws it."""
    paths = [folder / f"part-{index}.ttf" for index in range(len(fonts))]
    for font, path in zip(fonts, paths):
        font.save(path)
    merged = Merger().merge([str(path) for path in paths])
    # The same bytes with every run.
    merged.recalcTimestamp = False
    merged["head"].created, merged["head"].modified = fonts[0]["head"].created, fonts[0]["head"].modified
    return merged


def open_font(path: Path) -> TTFont:
    return TTFont(path, recalcTimestamp=False)


def main() -> None:
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pack = ["npm", "pack", "--silent", GEIST_PACKAGE]
        archive = subprocess.run(pack, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
        subprocess.run(["tar", "xzf", archive], cwd=folder, check=True)
        for weight in ("Regular", "SemiBold"):
            # Noto's bold suits both weights of Geist.
            merged = merge(folder, [
                subset(open_font(folder / GEIST.format(weight)), LATIN_GREEK_CYRILLIC, GEIST_FEATURES),
                subset(open_font(NOTO / "NotoSansArabic-Bold.ttf"), ARABIC, ["*"]),
                subset(open_font(NOTO / "NotoSansHebrew-Bold.ttf"), HEBREW, ["*"]),
            ])
            # Drops the glyphs of characters that an earlier font draws.
            every_character = " ".join([LATIN_GREEK_CYRILLIC, ARABIC, HEBREW])
            subset(merged, every_character, ["*"]).save(OUTPUT / f"geist-noto-{weight.lower()}.bin")
        mono = subset(open_font(folder / GEIST_MONO), PRICES_AND_ADDRESSES, ["locl"])
        mono.save(OUTPUT / "geist-mono-medium.bin")


if __name__ == "__main__":
    main()
