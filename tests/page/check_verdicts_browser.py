#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages of `check` and `compare` in a browser: nothing goes wrong and nothing is asked for, at any width and in both
themes; verdicts come first, limits and both sides are drawn; names are never markup; all works with keys.

usage: check_verdicts_browser.py COMMAND DATA
"""
import json
import pathlib
import sys
import tempfile

import browser
import verdict_pages

WIDTHS = (320, 400, 800, 1000, 1600)
OUTSIDE = ("[...document.querySelectorAll('main *, #detail:not([hidden]) *')].filter(element => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1"
           " && element.getClientRects().length > 0 && !element.closest('.scroller, svg, .menu, .sr')).map(element => element.outerHTML.slice(0, 90))")
# texts of drawings that are on each other, or outside
COLLIDING = """[...document.querySelectorAll('svg.distribution')].flatMap(svg => {
    const edge = svg.getBoundingClientRect(), boxes = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
    const out = boxes.filter(([, box]) => box.left < edge.left - 2 || box.right > edge.right + 2).map(([text]) => `outside: ${text}`);
    return out.concat(boxes.flatMap(([a, one], i) => boxes.slice(i + 1).filter(([, other]) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 3 && other.top < one.bottom - 3).map(([b]) => `${a} on ${b}`)));
})"""


def check_widths(chromium, path, *actions):
    for width in WIDTHS:
        for scheme in ("light", "dark") if width == 1000 else ("light",):
            with chromium.page(path, width, scheme=scheme) as page:
                for action in actions:
                    page.run(action)
                page.settle()
                inner, scroll = page.run("[document.documentElement.clientWidth, document.documentElement.scrollWidth]")
                assert scroll <= inner, (path, width, scroll)
                for expression in (OUTSIDE, COLLIDING):
                    found = page.run(expression)
                    assert found == [], (path, width, found[:3])


def texts(page, selector):
    return page.run(f"[...document.querySelectorAll('{selector}')].map(element => element.textContent)")


def check_budgets(chromium, path):
    with chromium.page(path) as page:
        assert [text[:10].strip() for text in texts(page, ".tile")] == ["Not keptal", "1broken", "1undecided", "2kept"], texts(page, ".tile")
        assert texts(page, "main section h2") == ["Broken", "Undecided", "Kept"]
        assert texts(page, "#undecided summary .muted")[0] == 'nothing in the recording matches "/nowhere"; there are "/a", "/b", "/c", "/parameter_events"'
        # the limits are in the distribution, and what is beyond them
        assert texts(page, "#broken text.limit") == ["p99 at most 20 ms", "max at most 50 ms"]
        assert texts(page, "#broken text.value")[0].startswith("p99 ")
        lines = page.run("[...document.querySelectorAll('#broken .distribution line.limit, #broken .distribution line.value')].map(line => Number(line.getAttribute('x1')))")
        assert lines[0] < lines[2] and lines[3] < lines[1], "p99 is beyond its limit, max is not"
        assert page.run("document.querySelectorAll('#broken .beyond').length") == 2
        # a closed budget is opened by a key
        page.run("document.querySelector('#kept summary').focus()")
        page.key("Enter")
        page.wait("document.querySelector('#kept details').open && document.querySelectorAll('#kept .distribution').length === 1")
        page.key("/")
        assert page.run("document.activeElement.id") == "search"
        page.type("SENSOR to")
        page.wait("[...document.querySelectorAll('.budget')].filter(budget => !budget.hidden).length === 1")
    check_widths(chromium, path, "document.querySelectorAll('details').forEach(details => { details.open = true; })")


def check_comparison(chromium, path, figures):
    with chromium.page(path) as page:
        # what ran on neither side is listed on demand
        without = sum(figure["base"] is None and figure["new"] is None for figure in figures)
        assert 0 < without < len(figures), (without, len(figures))
        assert texts(page, "#figures .count") == [str(len(figures) - without)], texts(page, "#figures .count")
        page.click("#figures .toggle input")
        assert texts(page, "#figures .count") == [str(len(figures))], texts(page, "#figures .count")
        page.click("#figures .toggle input")
        assert texts(page, "main section h2")[:2] == ["Limits", "What changed, beyond chance"]
        assert texts(page, "#verdicts .verdict") == ["✕ exceeded", "? undecided"], texts(page, "#verdicts .verdict")
        assert "missing on one side" in texts(page, "#verdicts p")[1]
        # before and after over each other, in each card of a statistic, with what they lie in
        assert page.run("[...document.querySelectorAll('.change')].filter(card => card.querySelector('.layer.before') && card.querySelector('.layer.after')).length") >= 2
        assert page.run("document.querySelectorAll('.change .whisker.before .reach').length") >= 2
        assert page.run("document.querySelectorAll('.change .whisker.after .reach').length") >= 2
        page.run("document.querySelector('#figures tbody .link').focus()")
        page.key("Enter")
        assert page.run("!document.getElementById('detail').hidden && document.querySelectorAll('#detail .layer').length") == 2
        page.key("Escape")
        assert page.run("document.getElementById('detail').hidden")
        page.click("#search")
        page.type("duration")
        page.wait("[...document.querySelectorAll('#figures tbody tr')].length > 0 && [...document.querySelectorAll('#figures tbody tr')].every(row => row.textContent.includes('duration'))")
    check_widths(chromium, path)
    check_widths(chromium, path, "document.querySelector('#figures tbody tr').click()")


def check_hostile(chromium, command, folder):
    trace = verdict_pages.write_hostile(folder / "hostile")
    budgets = f'budgets:\n- name: "{verdict_pages.MARKUP}"\n  callback: "**"\n  duration: 1 us\n'
    path, _, status = verdict_pages.check(command, budgets, trace, folder)
    assert status == 4, status
    for path in path, verdict_pages.comparison_page(command, trace, trace, folder)[0]:
        with chromium.page(path) as page:
            page.run("document.querySelectorAll('details').forEach(details => { details.open = true; })")
            page.settle()
            assert verdict_pages.MARKUP in page.run("document.querySelector('main').textContent"), path
            assert page.run("document.querySelectorAll('img').length") == 0
        check_widths(chromium, path)


def check_silence(chromium, command, folder):
    """A rate that was kept until the node stopped says so."""
    trace = verdict_pages.write_stopped(folder / "stopped")
    path, _, status = verdict_pages.check(command, "budgets:\n- callback: /short\n  rate: {min: 90 Hz}\n- callback: /long\n  rate: {min: 90 Hz}\n", trace, folder)
    assert status == 4, status
    with chromium.page(path) as page:
        assert texts(page, "#broken tbody td:last-child") == ["with the silence at the end"], texts(page, "#broken tbody td")
        page.run("document.querySelectorAll('details').forEach(details => { details.open = true; })")
        page.wait("document.querySelectorAll('#kept tbody').length === 1")
        assert texts(page, "#kept tbody td:last-child") == [""]


def main():
    program = browser.find_or_skip()
    command, data = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name, browser.Browser(program) as chromium:
        folder = pathlib.Path(name)
        check_budgets(chromium, verdict_pages.budgets_page(command, data, folder)[0])
        path, text, _ = verdict_pages.comparison_page(command, data / "jazzy/edge-nocontext/trace", data / "jazzy/twohosts/trace", folder, verdict_pages.LIMITS)
        check_comparison(chromium, path, json.loads(text)["figures"])
        check_hostile(chromium, command, folder)
        check_silence(chromium, command, folder)


main()
