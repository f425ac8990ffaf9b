#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Links and files of a page in a browser: a row has an address that opens it in another window, findings lead to their
tables, a table is saved as CSV as it is filtered and sorted, and why the slowest traversal took so long is seen at once.

usage: check_links.py COMMAND RECORDING
"""
import csv
import io
import os
import subprocess
import sys
import tempfile

import browser
import page as pages


def title(page):
    return page.run("document.getElementById('detail').hidden ? null : document.getElementById('detail-title').textContent")


def check_addresses(chromium, path):
    with chromium.page(path) as page:
        page.click("#paths tbody tr:nth-child(2)")
        shown, address = title(page), page.run("location.hash")
        assert shown and address.startswith("#paths/"), (shown, address)
        page.key("Escape")
        assert page.run("location.hash") == "#paths" and title(page) is None
    url = "file://" + os.path.abspath(path)
    with browser.Page(chromium, url + address, "document.documentElement?.dataset.ready", 1440, 900, "light") as page:
        page.url = url
        assert title(page) == shown, "as in another browser"
        page.key("Escape")
        page.run(f"location.hash = '{address}'")
        page.wait("!document.getElementById('detail').hidden")
        assert title(page) == shown
        # what is no address of a row opens nothing
        for wrong in ("#paths/999999", "#nothing/1", "#paths/-1", "#<img src=x>/0"):
            page.key("Escape")
            page.run(f"new Promise(resolve => {{ addEventListener('hashchange', () => setTimeout(resolve, 0), {{ once: true }}); location.hash = '{wrong}'; }})")
            assert title(page) is None, wrong
        tables = page.run("[...document.querySelectorAll('.found a')].map(link => link.getAttribute('href'))")
        assert tables and all(page.run(f"document.querySelector('main > section{table}') !== null") for table in tables), tables


def check_row_links(chromium, path):
    """A row, in a table and in a finding, is a link to its details."""
    with chromium.page(path) as page:
        links = page.run("[...document.querySelectorAll('#findings tbody a.link, #paths tbody a.link')].map(link => [link.getAttribute('href'), link.closest('section').id])")
        assert {section for _, section in links} == {"findings", "paths"}, links
        for address, section in links[:2] + links[-1:]:
            page.run(f"document.querySelector('#{section} a.link[href=\"{address}\"]').click()")
            shown = title(page)
            assert shown and page.run("location.hash") == address, (shown, address)
            page.key("Escape")
            page.run(f"location.hash = '{address}'")
            page.wait("!document.getElementById('detail').hidden")
            assert title(page) == shown, address
            page.key("Escape")


def check_csv(chromium, path, table):
    with chromium.page(path) as page:
        page.run("window.saved = []; saveText = (name, type, text) => window.saved.push([name, type, text])")
        page.run("[...document.querySelectorAll('#callbacks .sort')].find(button => button.getAttribute('aria-label') === 'duration mean, sort').click()")
        page.click("#callbacks input[type=search]")
        page.type("timer")
        page.run("[...document.querySelectorAll('#callbacks .toolbar button')].find(button => button.textContent === 'CSV').click()")
        name, kind, text = page.run("window.saved[0]")
        assert (name, kind) == ("callbacks.csv", "text/csv")
        rows = list(csv.DictReader(io.StringIO(text)))
        expected = [row for row in pages.rows(table) if "timer" in " ".join(str(value) for value in row.values() if isinstance(value, str)).lower()]
        expected.sort(key=lambda row: (row["duration_mean_ns"] is None, -(row["duration_mean_ns"] or 0)))
        assert len(rows) == len(expected) > 0 and "duration_mean_ns" in rows[0]
        for row, of in zip(rows, expected):
            assert all(value == ("" if of[column] is None else str(of[column])) or float(value) == of[column] for column, value in row.items()), (row, of)
        assert page.run("csvCell('=1+1')") == "'=1+1" and page.run("csvCell('a,\"b')") == '"a,""b"' and page.run("csvCell(-5)") == "-5"


def check_why(chromium, path):
    for width in (1000, 1600):
        with chromium.page(path, width) as page:
            page.run("document.querySelector('#paths tbody tr').click()")
            box = "[...document.querySelectorAll('#detail section')].find(section => /slowest traversal/.test(section.textContent)).querySelector('.scroller')"
            assert page.run(f"{box}.textContent.includes('preempted')")
            inner, whole = page.run(f"[{box}.clientWidth, {box}.scrollWidth]")
            assert whole <= inner, (width, inner, whole)


def main():
    command, recording = sys.argv[1:]
    program = browser.find_or_skip()
    with tempfile.TemporaryDirectory() as folder, browser.Browser(program) as chromium:
        subprocess.run([command, "--format=html", "--output=" + folder, recording], check=True)
        path = os.path.join(folder, "report.html")
        check_addresses(chromium, path)
        check_row_links(chromium, path)
        check_csv(chromium, path, pages.tables(pages.read(path))["callbacks"])
        check_why(chromium, path)


main()
