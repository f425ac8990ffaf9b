#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every dependency in package.xml is a key of rosdep: `rosdep install` ends at one that it does not know, and builds nothing."""
import pathlib
import sys
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
# looked up in rosdep/base.yaml and python.yaml of ros/rosdistro, 2026-08-13; a new one is to be looked up, too
KEYS = {"cmake", "pkg-config", "python3", "libglib-dev", "zlib", "libyaml-dev", "libsqlite3-dev", "liblttng-ust-dev", "lttng-tools"}


def main():
    package = ElementTree.parse(ROOT / "package.xml").getroot()
    named = {element.text for element in package if element.tag.endswith("depend")}
    print("no keys:", sorted(named - KEYS))
    return 0 if named and named <= KEYS else 1


if __name__ == "__main__":
    sys.exit(main())
