#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""extract.py PROJECT FOLDER: makes the examples of docs/adding.md, an analysis and a subcommand: their source files, as
FOLDER/topic_rates.c and FOLDER/span.c, and copies of both lists with their rows, as FOLDER/core/analyses/analyses.h and
FOLDER/command/commands.h. All are taken from the page."""
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

    def section(title):
        return page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]

    def write_list(path, row, after):
        listing = (project / path).read_text(encoding="utf-8")
        if after not in listing:
            sys.exit(f"{path} has no row {after!r}")
        write(folder / path, listing.replace(after, f"{row.rstrip()} \\\n{after}"))

    analysis, subcommand = section("An analysis"), section("A subcommand")
    write_list("core/analyses/analyses.h", block_with(analysis, "BETWEEN ROW("), "\tBETWEEN ROW(diagnostics,")
    write(folder / "topic_rates.c", block_with(analysis, "struct analysis_class"))
    write_list("command/commands.h", block_with(subcommand, "\tROW("), "\tROW(points,")
    write(folder / "span.c", block_with(subcommand, "struct command "))


main()
