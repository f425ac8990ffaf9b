#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""extract.py PROJECT FOLDER: makes the example analysis of docs/adding.md: its source file, as FOLDER/publications.c, and a
copy of the list of analyses with its row, as FOLDER/core/analyses/analyses.h. Both are taken from the page."""
import pathlib
import re
import sys


def block_with(section, text):
    blocks = [block for block in re.findall(r"^```c\n(.*?)^```$", section, re.DOTALL | re.MULTILINE) if text in block]
    if len(blocks) != 1:
        sys.exit(f"docs/adding.md: {len(blocks)} examples hold {text!r}")
    return blocks[0]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main():
    project, folder = map(pathlib.Path, sys.argv[1:])
    page = (project / "docs/adding.md").read_text(encoding="utf-8")
    section = page.partition("\n## An analysis\n")[2].partition("\n## ")[0]
    row = block_with(section, "BETWEEN ROW(").rstrip("\n")
    listing = (project / "core/analyses/analyses.h").read_text(encoding="utf-8")
    last = "\tBETWEEN ROW(diagnostics,"
    if last not in listing:
        sys.exit(f"core/analyses/analyses.h has no row {last!r}")
    write(folder / "core/analyses/analyses.h", listing.replace(last, f"{row} \\\n{last}"))
    write(folder / "publications.c", block_with(section, "struct analysis_class"))


main()
