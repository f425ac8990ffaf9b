#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one case of the command line and compares what came of it with what is expected.

run.py CASE_DIRECTORY PLUGIN_DIRECTORY DATA_DIRECTORY

A case is a folder with `cmd`, a script for sh that runs in an empty directory of its own with $BT (babeltrace2 and our
plugin), $DATA (recordings), $PICK (pick.py) and $COMMANDS, and `expect`: its standard output, then the exit status if it
is not 0, then the causes that our components reported, one a line. With ROS2BT_UPDATE=1 in the environment `expect` is
written instead.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from latency import PATIENCE_S  # noqa: E402


def our_causes(errors):
    """The texts of causes from component classes of the plugin, without line breaks and places."""
    causes = re.findall(r"^CAUSED BY \[[^\]]*\.ros2\.[^\]]*\][^\n]*\n((?:  [^\n]*\n)+)", errors, re.MULTILINE)
    return [" ".join(cause.split()) for cause in causes]


def run(case, plugins, data):
    environment = {
        **os.environ,
        "BT": f"babeltrace2 --plugin-path={plugins}",
        "DATA": str(data),
        "COMMANDS": str(pathlib.Path(__file__).resolve().parents[2] / "command"),
        "PICK": f"{sys.executable} {pathlib.Path(__file__).resolve().parent / 'pick.py'}",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
    }
    environment.pop("COLUMNS", None)
    script = (case / "cmd").read_text()
    with tempfile.TemporaryDirectory(prefix="ros2bt-cli-") as directory:
        done = subprocess.run(["sh", "-eu", "-c", script], cwd=directory, env=environment, capture_output=True,
                              timeout=PATIENCE_S)
    output = done.stdout.decode("utf-8", "replace").replace(str(data), "$DATA")
    errors = done.stderr.decode("utf-8", "replace")
    if done.returncode != 0:
        output += f"[exit {done.returncode}]\n"
    for cause in our_causes(errors):
        output += f"[cause] {cause}\n"
    return output, errors


def main():
    case, plugins, data = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    output, errors = run(case, plugins, data)
    expect = case / "expect"
    if os.environ.get("ROS2BT_UPDATE") == "1":
        expect.write_text(output)
        return 0
    expected = expect.read_text() if expect.exists() else ""
    if output == expected:
        return 0
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), output.splitlines(True), "expected", "got"))
    print(errors)
    print(f"If this is right now: ROS2BT_UPDATE=1 ctest -R cli_{case.name}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
