#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The charts of traversals and threads in a browser: what they draw and tell is what the JSON output has; keys go from one to
the next; nothing is cut off in three widths and both themes; a long path leaves room for them.

usage: check_charts.py COMMAND RECORDING
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import browser

OUTSIDE = """[...document.querySelectorAll('#detail .drawn svg')].flatMap(svg => {
    const box = svg.getBoundingClientRect();
    const own = [...svg.querySelectorAll('rect, text, .part')].map(part => [part, part.getBoundingClientRect()]);
    return own.filter(([part, inner]) => inner.width > 0 && !part.closest('.flow') && (inner.left < box.left - 1 || inner.right > box.right + 1 || inner.bottom > box.bottom + 1)).map(([part]) => part.outerHTML.slice(0, 120));
})"""


def open_path(page, number):
    page.run(f"(table => state.detail.open(table, table.rows[{number}], state.viewOf.get(table), null))(state.detail.model.about.get('paths'))")


def check_path(page, number, path_id, report):
    open_path(page, number)
    instances = {row["instance"]: row["latency_ns"] for row in report["path_instances"] if row["path_id"] == path_id}
    flow = f"state.detail.table.flows[0], state.detail.table.flows[0].byId.get({path_id})"
    shown = page.run(f"decodeTraversals({flow}).map(traversal => [traversal.instance, traversal.latency, partsOfTraversal(traversal).reduce((sum, {{ from, to }}) => sum + to - from, 0)])")
    for instance, latency, parts in shown:
        assert latency == instances[instance], (path_id, instance, latency)
        assert parts <= latency, (path_id, instance, parts)
    stacks = page.run("[...document.querySelectorAll('#detail .stack')].map(stack => stack.words)")
    assert len(stacks) == len(shown) > 0
    texts = page.run(f"{[latency for _, latency, _ in shown]}.map(formatDuration)")
    for words, text, (instance, _, _) in zip(stacks, texts, shown):
        assert words.replace("\u202f", "").startswith(f"Traversal {instance} at ") and f": {text}" in words, (words, text)
    run = page.run("document.querySelectorAll('#detail .flow').length")
    assert 1 <= run <= 8, run
    assert page.run("document.querySelectorAll('#detail .flow.slow').length") >= 1, "the run with the slowest is shown"
    page.run("(choice => { choice.value = 'all'; choice.dispatchEvent(new Event('change')); })(document.querySelector('#detail [aria-label=\"Which traversals\"]'))")
    assert page.run("document.querySelectorAll('#detail .flow').length") == len(shown)
    return len(shown)


def check_keys(page):
    for kind in ("flow", "stack", "part"):
        page.run(f"document.querySelector('#detail .{kind}[tabindex=\"0\"]').focus()")
        first = page.run("document.activeElement.words")
        assert page.run(f"document.activeElement.closest('.drawn-chart').querySelector('.readout').textContent") == first
        if page.run(f"document.querySelectorAll('#detail .{kind}').length") > 1:
            page.key("ArrowRight")
            second = page.run("document.activeElement.words")
            assert page.run("document.activeElement.closest('.drawn-chart').querySelector('.readout').textContent") == second
            assert page.run(f"[...document.querySelectorAll('#detail .{kind}')].includes(document.activeElement) && document.activeElement.tabIndex") == 0


def check_threads(page, report):
    """Each execution that is drawn and told is one of the recording."""
    page.run("document.querySelector('#callbacks tbody tr').click()")
    count = page.run("document.querySelector('#detail .threads select').options.length")
    known = {(row["end_ns"] - row["start_ns"]) for row in report["callback_instances"] if None not in (row["start_ns"], row["end_ns"])}
    states, told = 0, []
    for which in range(count):
        page.run(f"(choice => {{ choice.value = '{which}'; choice.dispatchEvent(new Event('change')); }})(document.querySelector('#detail .threads select'))")
        own = page.run("document.querySelectorAll('#detail .threads .part.own').length")
        assert own >= 1, which
        lengths = page.run("state.detail.threads.chart && [...document.querySelectorAll('#detail .threads .part.own, #detail .threads .part.other')].length")
        drawn = page.run("(([, number]) => decodeWindow(state.detail.model, number).threads.flatMap(({ executions }) => executions.map(({ from, to }) => to - from)))"
                         f"([0, [...state.detail.threads.of.keys()][{which}]])")
        assert lengths == len(drawn) and set(drawn) <= known, (which, lengths, drawn)
        states += page.run("document.querySelectorAll('#detail .threads .part.running').length")
        told += page.run("[...document.querySelectorAll('#detail .threads .part.woken, #detail .threads .part.preempted')].map(part => part.words)")
    assert (states > 0) == bool(report.get("scheduling_instances")), states
    page.run("[...document.querySelectorAll('#detail .worst button')].find(button => button.textContent === 'threads').click()")
    assert page.run("document.activeElement.closest('.threads') !== null"), "the focus goes to the threads"
    assert page.run("document.querySelectorAll('#detail .threads .part').length") > 0
    if report.get("scheduling_instances"):
        said = page.run("document.querySelector('#detail .threads .sums').textContent")
        assert "on a CPU" in said, said
        # who woke a thread is told as such: it is not who has the CPU that the thread waits for
        known = re.compile(r"(woken( by .+)?, waiting for a CPU|preempted( by .+)?): ")
        assert told and all(known.match(words) for words in told), [words for words in told if not known.match(words)][:3]
        assert any(words.startswith("woken by ") and not words.startswith("woken by an interrupt") for words in told), told[:3]
    return count


def check_looks(chromium, path):
    for scheme in ("light", "dark"):
        for width in (400, 1000, 1600):
            with chromium.page(path, width, 900, scheme) as page:
                open_path(page, 0)
                page.settle()
                assert page.run("document.querySelectorAll('#detail .drawn svg').length") >= 3
                outside = page.run(OUTSIDE)
                assert not outside, (width, scheme, outside[:3])
                assert page.run("document.getElementById('detail').scrollWidth <= document.getElementById('detail').clientWidth"), (width, scheme)


def check_long_path(page):
    """The head of a path of many nodes leaves room for what is below it, and is reached by scrolling."""
    title = "document.getElementById('detail-title')"
    for width, height in ((400, 800), (400, 500), (1600, 900)):
        page.resize(width, height)
        open_path(page, 0)
        page.run(f"{title}.append(' \u203a /a_namespace/a_node'.repeat(60))")
        head, scrolled = page.run(f"[document.querySelector('.detail-head').offsetHeight, ({title}.scrollTop = 1e6, {title}.scrollTop)]")
        assert head <= height / 2 and scrolled > 0, (width, height, head, scrolled)
    page.resize(1440)


def main():
    command, recording = sys.argv[1:]
    program = browser.find_or_skip()
    with tempfile.TemporaryDirectory() as folder, browser.Browser(program) as chromium:
        subprocess.run([command, "--format=html", "--output=" + folder, recording], check=True)
        subprocess.run([command, "--format=json", "--instances", "--output=" + folder, recording], check=True)
        path = os.path.join(folder, "report.html")
        with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
            report = json.load(file)
        with chromium.page(path) as page:
            shown = [check_path(page, number, row["path_id"], report) for number, row in enumerate(report["paths"][:12])]
            check_keys(page)
            windows = check_threads(page, report)
            check_long_path(page)
        check_looks(chromium, path)
    print(f"{sum(shown)} traversals of {len(shown)} paths, {windows} windows of a callback")


main()
