#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_version.py ROS2_LATENCY PLUGIN_DIRECTORY: the version of package.xml is that of the command, of the plugin, of
the package ros2latency, and the newest of CHANGELOG.md."""
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]


def first(pattern, text):
    match = re.search(pattern, text, re.MULTILINE)
    return match.group(1) if match else None


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def main():
    command, plugins = sys.argv[1:]
    versions = {
        "package.xml": xml.etree.ElementTree.parse(ROOT / "package.xml").findtext("version"),
        "ros2latency": xml.etree.ElementTree.parse(ROOT / "packaging/ros2latency/package.xml").findtext("version"),
        "ros2-latency": first(r"^ros2-latency (\S+)$", output(command, "--version")),
        "plugin": first(r"^ros2:$(?:\n  .*)*?\n  Version: (\S+)$", output("babeltrace2", f"--plugin-path={plugins}", "list-plugins")),
        "CHANGELOG.md": first(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")),
    }
    print(versions)
    return 0 if len(set(versions.values())) == 1 and None not in versions.values() else 1


if __name__ == "__main__":
    sys.exit(main())
