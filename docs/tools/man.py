#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""man.py PAGE VERSION: a manual page of section 7 from a page of a component class, to standard output.

Knows the Markdown that these pages are written in: headings, paragraphs, lists, definitions ("head" and ": text"),
tables, fenced and indented blocks, `code`, *emphasis*, **strong**, [links](…). Tables become definitions: the first
cell, then the others with the names of their columns.
"""
import pathlib
import re
import sys

DATE = "2026-11-22"  # of the contents; docs/*.1 have it too
INLINE = re.compile(r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\*(?P<emphasis>[^*\s][^*]*?)\*"
                    r"|\[(?P<text>[^\]]+)\]\((?P<target>[^)]+)\)")


def escape(text):
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")
    text = text.replace("^", r"\(ha").replace("~", r"\(ti")
    text = re.sub(r"([|,])(?! )", r"\1\:", text)  # long lists of names may break there
    return "".join(c if ord(c) < 128 else rf"\[u{ord(c):04X}]" for c in text)


def inline(text):
    result, position = [], 0
    for match in INLINE.finditer(text):
        result.append(escape(text[position:match.start()]))
        position = match.end()
        if match["code"] or match["strong"]:
            result.append(rf"\fB{escape(match['code'] or match['strong'])}\fR")
        elif match["emphasis"]:
            result.append(rf"\fI{escape(match['emphasis'])}\fR")
        else:
            target = match["target"]
            result.append(inline(match["text"]) + (f" ({escape(target)})" if "://" in target else ""))
    result.append(escape(text[position:]))
    line = "".join(result)
    return r"\&" + line if line.startswith((".", "'")) else line


def cells(row):
    return [cell.strip().replace("\0", "|") for cell in row.replace(r"\|", "\0").strip().strip("|").split("|")]


def table(rows):
    names = cells(rows[0])
    lines = []
    for row in rows[2:]:
        first, *others = cells(row)
        lines += [".TP", inline(first)]
        if len(others) == 1:
            lines.append(inline(others[0]))
        else:
            lines.append("; ".join(f"{inline(name)}: {inline(cell)}" for name, cell in zip(names[1:], others) if cell))
        if not lines[-1]:
            lines[-1] = r"\&"
    return lines


def take_while(lines, predicate):
    taken = []
    while lines and predicate(lines[0]):
        taken.append(lines.pop(0))
    return taken


def block(lines):
    """One block of Markdown off the beginning of the lines, as roff."""
    line = lines[0]
    if not line.strip():
        lines.pop(0)
        return []
    if line.startswith("```"):
        lines.pop(0)
        code = take_while(lines, lambda following: not following.startswith("```"))
        lines.pop(0)
        return preformatted(code)
    if line.startswith("    "):
        code = take_while(lines, lambda following: following.startswith("    "))
        return preformatted([text[4:] for text in code])
    if line.startswith("### "):
        return [".SS " + escape(lines.pop(0)[4:])]
    if line.startswith("## "):
        return [".SH " + escape(lines.pop(0)[3:])]
    if line.startswith(("<!--", "# ")):
        lines.pop(0)
        return []
    if line.startswith("|"):
        return table(take_while(lines, lambda following: following.startswith("|")))
    if line.startswith("- "):
        text = [lines.pop(0)[2:]] + take_while(lines, lambda following: following.startswith("  "))
        return [r".IP \(bu 2", paragraph(text)]
    if len(lines) > 1 and lines[1].startswith(": "):
        head = lines.pop(0)
        text = [lines.pop(0)[2:]] + take_while(lines, lambda following: following.startswith("  "))
        return [".TP", inline(head), paragraph(text)]
    text = take_while(lines, lambda following: following.strip() and not following.startswith(("#", "|", "- ", "```")))
    return [".PP", paragraph(text)]


def paragraph(lines):
    return inline(" ".join(line.strip() for line in lines))


def preformatted(lines):
    return [".PP", ".RS 4", ".nf", ".ft CR"] + [r"\&" + escape(line) for line in lines] + [".ft", ".fi", ".RE"]


def main():
    page, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    lines = page.read_text(encoding="utf-8").splitlines()
    name = f"babeltrace2-{page.stem}".upper()
    print('.\\" SPDX-License-Identifier: MIT')
    print(f'.\\" made of docs/{page.name}')
    print(f'.TH "{escape(name)}" 7 "{DATE}" "babeltrace2\\-ros2 {version}" "babeltrace2 manual"')
    print(".ad l")  # long names leave lines that cannot be adjusted
    previous = ""
    while lines:
        for line in block(lines):
            if line != ".PP" or not previous.startswith((".SH", ".SS")):  # a heading begins a paragraph
                print(line)
            previous = line


main()
