#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples.py [--update] PROJECT PLUGINS PAGE...: runs the examples of the pages.

An example is a block fenced as "```sh run". It is run by bash in an empty directory that shows the project's folders
`tests` and `scripts`, with the plugin at hand, and must succeed. If the next block is fenced as "```text output", the
example must print just that, on a terminal of 100 columns. --update writes into the pages what the examples print.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests/support"))
from terminal import Terminal  # noqa: E402

EXAMPLE = re.compile(r"^```sh run\n(?P<script>.*?)^```\n(?:\n?```text output\n(?P<output>.*?)^```\n)?", re.M | re.S)
STYLE = re.compile(r"\x1b\[[0-9;]*m")
# what a slow machine shows for a while, and how it is cleared
PROGRESS = re.compile(r"\r\x1b\[K(?:\[[# ]*\] +\d+ %  \d+ MB/s  \d+:\d\d left)?")


def run(script, project, plugins):
    """Exit status and what was printed, as a terminal of 100 columns shows it, without the progress of a slow machine."""
    environment = dict(os.environ, BABELTRACE_PLUGIN_PATH=str(plugins), LC_ALL="C.UTF-8", TZ="UTC", COLUMNS="", TERM="dumb",
                       PATH=f"{plugins.parent / 'command'}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as directory:
        for folder in ("tests", "scripts"):
            os.symlink(project / folder, pathlib.Path(directory, folder))
        terminal = Terminal(columns=100)
        status = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=directory, env=environment, check=False,
                                stdin=subprocess.DEVNULL, stdout=terminal.descriptor, stderr=terminal.descriptor).returncode
        text = terminal.close().decode()
        return status, STYLE.sub("", PROGRESS.sub("", text.replace("\r\n", "\n")))


def check_page(page, project, plugins, is_update):
    text = page.read_text(encoding="utf-8")
    examples = list(EXAMPLE.finditer(text))
    if not examples:
        sys.exit(f"{page}: no example")
    is_good = True
    for example in reversed(examples):
        status, output = run(example["script"], project, plugins)
        output = "\n".join(line.rstrip() for line in output.splitlines()) + "\n"
        line = text.count("\n", 0, example.start()) + 1
        if status != 0:
            print(f"{page}:{line}: exit status {status}:\n{output}")
            is_good = False
        elif example["output"] is not None and example["output"] != output:
            if is_update:
                text = text[:example.start("output")] + output + text[example.end("output"):]
            else:
                print(f"{page}:{line}: prints something else now (`ninja docs` renews the page):")
                sys.stdout.writelines(difflib.ndiff(example["output"].splitlines(True), output.splitlines(True)))
                is_good = False
    if is_update:
        page.write_text(text, encoding="utf-8")
    return is_good


def main():
    arguments = sys.argv[1:]
    is_update = arguments[0] == "--update"
    project, plugins, *pages = [pathlib.Path(argument).resolve() for argument in arguments[is_update:]]
    results = [check_page(page, project, plugins, is_update) for page in pages]
    sys.exit(not all(results))


main()
