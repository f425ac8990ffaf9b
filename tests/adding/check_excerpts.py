#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_excerpts.py PROJECT: what docs/adding.md quotes of the source is there, in the same lines.

Each block fenced as `c` must be in one file as it is, except for the example analysis and subcommand, which another test
builds. Where a block has lines that are abbreviated with "…", the lines around them are compared. Macros that continue on the next line may
end with a backslash in the source.
"""
import pathlib
import re
import sys

BUILT = "An analysis\n", "A subcommand\n"
FOLDERS = "core", "include", "filters", "sinks", "plugin", "command"


def normalized(text):
    return "\n" + "\n".join(re.sub(r"\s*\\$", "", line).strip() for line in text.splitlines()) + "\n"


def excerpts(page):
    for section in re.split(r"^#{2,3} ", page, flags=re.MULTILINE):
        for block in re.findall(r"^```c\n(.*?)^```$", section, re.DOTALL | re.MULTILINE):
            if not section.startswith(BUILT):
                parts = re.split(r"^.*….*\n", block, flags=re.MULTILINE)
                yield from (normalized(part) for part in parts if part.strip())


def main():
    project = pathlib.Path(sys.argv[1])
    files = [normalized(file.read_text(encoding="utf-8"))
             for folder in FOLDERS for file in (project / folder).rglob("*.[ch]")]
    quoted = list(excerpts((project / "docs/adding.md").read_text(encoding="utf-8")))
    missing = [excerpt for excerpt in quoted if not any(excerpt in file for file in files)]
    for excerpt in missing:
        print(f"not in the source:{excerpt}")
    if missing or len(quoted) < 8:
        sys.exit(f"docs/adding.md: {len(missing)} of {len(quoted)} excerpts are not in the source")


main()
