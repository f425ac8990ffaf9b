#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pages of any recordings as a reader meets them: in three widths and both themes no number is cut off, nothing goes wrong, and
the first rows are there soon; all that can be clicked is reached by keys, and what they lead to works.

usage: check_matrix.py COMMAND RECORDING|report.html…
"""
import os
import subprocess
import sys
import tempfile

import browser
from check_reading import CUT_OFF, WIDTHS

FIRST_ROWS_CPU_S = 2  # of the page's process: that it waits for a busy machine does not count

# Notes when the first row of a table is in the document.
WATCH = """new MutationObserver((changes, observer) => {
    if (document.querySelector('.grid tbody tr')) { window.firstRowMs = performance.now(); observer.disconnect(); }
}).observe(document, { childList: true, subtree: true });"""

# What is visible and can be used. Of parts that arrow keys move between, one can be reached by Tab.
USABLE = """[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')].filter(element =>
    element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0 && !element.matches('.skip')
    && !(element.type === 'radio' && !element.checked))"""

# What looks as if it could be clicked, and is not part of something that keys reach, nor has such a part; and what is never reached.
BY_MOUSE_ONLY = """[...document.querySelectorAll('body *')].filter(element => getComputedStyle(element).cursor === 'pointer' && element.checkVisibility()
    && !element.closest('a[href], button, input, select, label, summary, option, [tabindex]:not(main)') && !element.querySelector('a[href], button, input, [tabindex]')
    || element.matches('a[href], button, input, select') && element.tabIndex < 0)
    .map(element => element.outerHTML.slice(0, 120))"""


def check_looks(chromium, path):
    for scheme in ("light", "dark"):
        for width in WIDTHS:
            with chromium.page(path, width, 900, scheme) as page:
                page.settle()
                assert page.run("document.documentElement.scrollWidth <= innerWidth"), (width, scheme, "scrolls sideways")
                cut = page.run(CUT_OFF)
                assert not cut, (width, scheme, cut[:5])
                for section in page.run("[...state.views].map(view => view.table.name).filter(name => document.querySelector(`#${name} tbody tr.opens`))"):
                    page.run(f"document.querySelector('#{section} tbody tr.opens').click()")
                    page.settle()
                    cut = page.run(CUT_OFF)
                    assert not cut, (width, scheme, "with details of " + section, cut[:5])


def check_time(chromium, path):
    """The first rows: CPU time of the page's process until all is ready, which is later."""
    times = []
    while not times or (len(times) < 3 and min(times)[0] > FIRST_ROWS_CPU_S):
        with chromium.page(path, watch=WATCH) as page:
            times.append((page.cpu_s(), page.run("window.firstRowMs") / 1000, page.ready_s))
    assert min(times)[0] <= FIRST_ROWS_CPU_S, times
    return min(times)


def walk(page):
    """By Tab through all that can be used, from the top: none is left out."""
    page.run(f"window.wanted = {USABLE}; window.reached = new Set(); document.activeElement.blur(); scrollTo(0, 0)")
    count = page.run("wanted.length")
    left = []
    for _ in range(3 * count):
        page.key("Tab")
        page.run("reached.add(document.activeElement)")
        left = page.run("wanted.filter(element => element.isConnected && !reached.has(element)).length")
        if left == 0:
            return count
    raise AssertionError(page.run("wanted.filter(element => element.isConnected && !reached.has(element)).map(element => element.outerHTML.slice(0, 160))")[:5])


def check_keys(chromium, path):
    with chromium.page(path, 1000) as page:
        page.settle()
        only = page.run(BY_MOUSE_ONLY)
        assert not only, only[:5]
        count = walk(page)
        first = page.run("state.views.find(view => document.querySelector(`#${view.table.name} tbody tr.opens .link`)).table.name")
        page.run("document.activeElement.blur()")
        page.key("/")
        page.type(page.run(f"document.querySelector('#{first} tbody tr.opens .link').textContent.trim().split(/\\s/)[0]"))
        page.settle()
        page.key("Enter")
        assert page.run("document.activeElement.closest('section') !== null && document.getElementById('detail').hidden"), "Enter goes to what was found"
        page.run("document.getElementById('search').focus()")
        page.key("Escape")
        page.run(f"document.querySelector('#{first} tbody tr.opens .link').focus()")
        page.key("Enter")
        page.settle()
        assert page.run("!document.getElementById('detail').hidden"), "Enter opens a row"
        only = page.run(BY_MOUSE_ONLY)
        assert not only, ("details", only[:5])
        count += walk(page)
        page.run("document.getElementById('detail-title').focus()")
        page.key("Escape")
        assert page.run("document.getElementById('detail').hidden"), "Escape closes it"
    return count


def main():
    command, *sources = sys.argv[1:]
    program = browser.find_or_skip()
    with tempfile.TemporaryDirectory() as folder, browser.Browser(program) as chromium:
        for source in sources:
            path = source
            if not source.endswith(".html"):
                subprocess.run([command, "--format=html", "--output=" + folder, source], check=True)
                path = os.path.join(folder, "report.html")
            cpu_s, rows_s, ready_s = check_time(chromium, path)
            stops = check_keys(chromium, path)
            check_looks(chromium, path)
            print(f"{source}: {os.path.getsize(path) / 1e6:.1f} MB; first rows after {rows_s:.2f} s, ready after {ready_s:.2f} s, {cpu_s:.2f} s of CPU; {stops} stops by Tab", flush=True)


main()
