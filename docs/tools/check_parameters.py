#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_parameters.py DESCRIBE PAGE: the page's initialization parameters are those of the code, head by head.

In a page each parameter is a definition: its head in a line, then ": what it means".
"""
import pathlib
import subprocess
import sys


def heads_of_page(text):
    section = text.partition("\n## INITIALIZATION PARAMETERS\n")[2].partition("\n## ")[0]
    lines = section.splitlines()
    return [line for line, following in zip(lines, lines[1:]) if following.startswith(": ")]


def main():
    describe, page = sys.argv[1:]
    page = pathlib.Path(page)
    output = subprocess.run([describe, "parameters", page.stem], check=True, capture_output=True, text=True).stdout
    expected, found = output.splitlines(), heads_of_page(page.read_text(encoding="utf-8"))
    if found != expected:
        for line in expected:
            print(" " if line in found else "missing:", line)
        for line in found:
            if line not in expected:
                print("not in the code:", line)
        sys.exit(f"{page}: the parameters, or their order, differ from the code's")


main()
