#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_links.py PROJECT: links between Markdown files lead to files and headings that exist. What pages for developers mention
in `code` exists, too: files such as `core/flow/take.c` or `take.h`, functions such as `flow_linker_holds()`, and constants such
as `FLOW_AGE_NS`.

File names with capital letters are placeholders; PLANNED are files of examples, and files of other projects.
"""
import pathlib
import re
import sys

PLACEHOLDERS = "thing_", "NAME_"
PLANNED = {"topic_rates.c", "span.c", "tp_call.h"}
DEVELOPERS = re.compile(r"(DESIGN|CONTRIBUTING|tests/README|docs/(adding|glossary|internals/\w+))\.md$")
FOLDERS = "core|include|filters|sinks|plugin|command|fleet|docs|packaging|scripts|third_party|tools|tests"
PATH = re.compile(rf"`((?:{FOLDERS})/[a-z0-9_./-]+)`")
FILE = re.compile(r"`(?:[a-z0-9_-]+/)*([a-z0-9_-]+\.[ch])`")
FUNCTION = re.compile(r"`([a-z_][a-z0-9_]*)\(\)`")
CONSTANT = re.compile(r"`([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])`")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(text):
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken_links(project, page, text):
    for link in LINK.findall(text):
        path, _, anchor = link.partition("#")
        target = (project / page).parent / path if path else project / page
        if "://" in link:
            continue
        if not target.exists():
            yield f"{page}: no file {link}"
        elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
            yield f"{page}: no heading {link}"


def missing_files(project, page, text, names):
    for path in PATH.findall(text):
        candidates = path, path + ".c", path + ".h"
        if not any((project / candidate).exists() for candidate in candidates) and pathlib.Path(path).name not in PLANNED:
            yield f"{page}: no file {path}"
    for name in FILE.findall(text):
        if name not in names and name not in PLANNED:
            yield f"{page}: no file {name}"


def missing_names(page, text, words):
    for name in FUNCTION.findall(text) + CONSTANT.findall(text):
        if name not in words and not name.startswith(PLACEHOLDERS):
            yield f"{page}: no {name} in the source"


def words_of(project, files):
    words = set()
    for file in files:
        if file.suffix in (".c", ".h", ".js", ".py", ".S") or file.name == "CMakeLists.txt":
            words.update(re.findall(r"\w+", (project / file).read_text(encoding="utf-8")))
    return words


def main():
    project = pathlib.Path(sys.argv[1])
    files = [file.relative_to(project) for folder in FOLDERS.split("|") for file in (project / folder).rglob("*")]
    files.append(pathlib.Path("CMakeLists.txt"))
    names, words = {file.name for file in files}, words_of(project, files)
    pages = [*project.glob("*.md"), *(project / file for file in files if file.suffix == ".md")]
    problems = []
    for page in (page.relative_to(project) for page in pages):
        text = prose((project / page).read_text(encoding="utf-8"))
        problems += broken_links(project, page, text)
        if DEVELOPERS.search(str(page)):
            problems += missing_files(project, page, text, names)
            problems += missing_names(page, text, words)
    print("\n".join(problems))
    sys.exit(1 if problems or len(pages) < 40 else 0)


main()
