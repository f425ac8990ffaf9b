#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: release.py versions | notes VERSION [URL]

versions  Prints the version that each file of the source declares. package.xml is where it is set and where CMake reads it;
          the others follow. Exits with 1 if they differ.
notes     Prints what CHANGELOG.md says of a version, for the page of its release. Links to files of the source become links
          below URL, if it is given. Exits with 1 if there is nothing, and with 3 if it says "not released".
"""
import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEADING = re.compile(r"^## (\d+\.\d+\.\d+)(.*)$", re.MULTILINE)
LINK = re.compile(r"\]\((?![a-z]+:)(?!#)([^)\s]+)\)")


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def first(pattern, text):
    match = re.search(pattern, text, re.MULTILINE)
    return match.group(1) if match else None


def declared_versions():
    """File to version, None if it declares none."""
    versions = {name: xml.etree.ElementTree.fromstring(text_of(name).encode()).findtext("version")
                for name in ("package.xml", "packaging/ros2latency/package.xml")}
    versions["CHANGELOG.md"] = first(HEADING.pattern, text_of("CHANGELOG.md"))
    # without what is Debian's own part of the version
    versions["packaging/debian/changelog"] = first(r"\A\S+ \((.*)-[^-]*\)", text_of("packaging/debian/changelog"))
    versions["packaging/babeltrace2-ros2.spec"] = first(r"^Version:\s*(\S+)$", text_of("packaging/babeltrace2-ros2.spec"))
    versions["packaging/conda/recipe.yaml"] = first(r'^  version: "(.*)"$', text_of("packaging/conda/recipe.yaml"))
    return versions


def notes_of(version, changelog):
    """The rest of the heading, and the text below it; None if there is none."""
    headings = list(HEADING.finditer(changelog))
    for index, heading in enumerate(headings):
        if heading.group(1) == version:
            end = headings[index + 1].start() if index + 1 < len(headings) else len(changelog)
            return heading.group(2), changelog[heading.end():end].strip()
    return None


def print_versions():
    versions = declared_versions()
    for name, version in versions.items():
        print(f"{version or 'none':10} {name}")
    return 0 if len(set(versions.values())) == 1 and None not in versions.values() else 1


def print_notes(version, url=None):
    notes = notes_of(version, text_of("CHANGELOG.md"))
    if not notes or not notes[1]:
        print(f"CHANGELOG.md says nothing of {version}", file=sys.stderr)
        return 1
    heading, text = notes
    print(LINK.sub(rf"]({url.rstrip('/')}/\1)", text) if url else text)
    return 3 if "not released" in heading else 0


def main():
    if sys.argv[1:] == ["versions"]:
        return print_versions()
    if sys.argv[1:2] == ["notes"] and len(sys.argv) in (3, 4):
        return print_notes(*sys.argv[2:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
