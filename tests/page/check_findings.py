#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The findings of a page in a browser: texts are complete, names break after slashes only, tables fit their width, tiles
are the sums over the rows that a table lists at first, and what is not in the trace is a line each.

usage: check_findings.py COMMAND RECORDING
"""
import os
import subprocess
import sys
import tempfile

import browser
import page as pages

WIDTHS = (1024, 1200, 1440, 1920)
# parts of names, between slashes and spaces, that are on more than one line
BROKEN = """[...document.querySelectorAll('#findings td.names')].flatMap(cell => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), broken = [];
    while (walker.nextNode()) {
        for (const part of walker.currentNode.data.matchAll(/[^\\s\\/]+/g)) {
            const range = document.createRange();
            range.setStart(walker.currentNode, part.index);
            range.setEnd(walker.currentNode, part.index + part[0].length);
            if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) { broken.push(part[0]); }
        }
    }
    return broken;
})"""
WIDE = "[...document.querySelectorAll('#findings .scroller')].filter(box => box.scrollWidth > box.clientWidth).map(box => box.getAttribute('aria-label'))"


def check_tiles(page, tables):
    tiles = dict(page.run("[...document.querySelectorAll('.tile')].map(tile => [tile.querySelector('span').textContent.split(/[;,]/)[0], "
                          "tile.querySelector('b').textContent])"))
    for table, column, label in (("callbacks", "count", "callback executions"), ("communications", "received", "messages received"),
                                 ("communications", "lost", "messages lost")):
        shown = [row for number, row in enumerate(pages.rows(tables[table])) if number not in tables[table]["hidden"]]
        assert int("".join(filter(str.isdigit, tiles[label]))) == sum(row[column] for row in shown), (label, tiles)
    shown = len(tables["paths"]["rows"]) - len(tables["paths"]["hidden"])
    assert tiles["paths end to end"] == str(shown), tiles


def main():
    command, recording = sys.argv[1:]
    program = browser.find_or_skip()
    with tempfile.TemporaryDirectory() as folder, browser.Browser(program) as chromium:
        subprocess.run([command, "--format=html", "--output=" + folder, recording], check=True)
        path = os.path.join(folder, "report.html")
        tables = pages.tables(pages.read(path))
        texts = {row["most"] for row in pages.rows(tables["slowest_paths"])}
        assert any("held by" in text for text in texts), texts
        gaps = ["Not in the trace: " + row["text"] for row in pages.rows(tables["not_in_trace"])]
        with chromium.page(path) as page:
            assert page.run("[...document.querySelectorAll('#findings .lines p')].map(line => line.textContent)") == gaps, gaps
            for width in WIDTHS:
                page.resize(width)
                assert page.run(BROKEN) == [], (width, page.run(BROKEN))
                assert page.run(WIDE) == [], (width, page.run(WIDE))
            shown = set(page.run("[...document.querySelectorAll('#findings td.names')].map(cell => cell.textContent)"))
            assert texts <= shown, texts - shown
            check_tiles(page, tables)


main()
