#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a reader meets on a page: in three widths and both themes no number is cut off, no word torn apart, and nothing goes
wrong; columns are explained where they stand, by the mouse and by keys; a search says where it found what and Enter goes there; a
column that does not exist is named; long paths are cut in the middle; how often something happened is drawn over time.

usage: check_reading.py COMMAND RECORDING
"""
import os
import re
import subprocess
import sys
import tempfile

import browser
import page as pages

WIDTHS = (400, 1000, 1600)

# Cells with text of which a part is beyond the edge of the window or of what scrolls; [table, text].
CUT_OFF = """[...document.querySelectorAll('main .grid td, #detail .grid:not(.worst) td')].filter(cell => {
    const box = cell.getBoundingClientRect(), frame = cell.closest('.scroller').getBoundingClientRect();
    return cell.textContent && cell.getClientRects().length > 0 && (box.right > Math.min(frame.right, innerWidth) + 1.5 || box.left < -1);
}).map(cell => [cell.closest('table').caption.textContent, cell.textContent])"""

# Cells whose only word goes on in another line although there is more room beside it.
TORN = """[...document.querySelectorAll('main .grid tbody td:not(.names)')].filter(cell => {
    const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode(), range = document.createRange();
    range.selectNodeContents(text ?? cell);
    return text && !/[\\s/]/.test(cell.textContent) && range.getClientRects().length > 1 && cell.clientWidth < cell.parentElement.clientWidth - 10;
}).map(cell => [cell.closest('section').id, cell.textContent])"""

# Tables of one column are sentences.
UNEXPLAINED = """state.detail.model.tables.filter(table => table.columns.length > 1).flatMap(table => table.columns.filter(column => !aboutColumn(table, column))
    .map(column => `${table.name}.${column.name}`))"""

# Units are in the values, not in the heads; "percent" tells shares from times.
UNITS = """state.detail.model.tables.flatMap(table => table.columns.map(column => column.full).filter(full => / (ns|hz)$/.test(full)))"""


def check_widths(chromium, path):
    for scheme in ("light", "dark"):
        for width in WIDTHS:
            with chromium.page(path, width, 900, scheme) as page:
                page.settle()
                cut = page.run(CUT_OFF)
                assert not cut, (width, scheme, cut[:5])
                torn = page.run(TORN)
                assert not torn, (width, scheme, "words torn apart", torn[:5])
                ranked = page.run("state.views.filter(view => view.columns.some(column => column.ranks && column.isShown) && !view.shownColumns().some(column => column.ranks)).map(view => view.table.name)")
                assert not ranked, f"{ranked}: the column that orders the rows is left out at {width}"
                page.run("document.querySelector('#callbacks tbody tr').click()")
                page.settle()
                cut = page.run(CUT_OFF)
                assert not cut, ("with details", width, scheme, cut[:5])


def check_left_out(chromium, path):
    """What there is no room for is counted, and shown on demand."""
    with chromium.page(path, 700, 900, "light") as page:
        page.settle()
        left = page.run("state.views[0].columns.filter(column => column.isShown && column.isLeftOut).length")
        assert left > 0 and page.run("document.querySelector('#callbacks .rest').textContent") == f"+ {left} column{'s' if left > 1 else ''}"
        page.run("document.querySelector('#callbacks .rest').click()")
        assert page.run("state.views[0].shownColumns().length === state.views[0].columns.filter(column => column.isShown).length")


def check_words(chromium, path):
    with chromium.page(path) as page:
        missing = page.run(UNEXPLAINED)
        assert not missing, f"no word about {missing}"
        units = page.run(UNITS)
        assert not units, f"units in {units}"
        assert page.run("document.getElementById('about').hidden")
        button = "document.querySelector('#callbacks .sort[data-about^=\"duration: \"]')"
        page.run(f"{button}.scrollIntoView({{ behavior: 'instant', block: 'center' }})")
        page.settle()
        page.run(f"{button}.focus({{ preventScroll: true }})")
        assert "from the start of the callback to its end" in page.run("document.getElementById('about').hidden ? '' : document.getElementById('about').textContent")
        assert page.run(f"{button}.getAttribute('aria-description')") == page.run("document.getElementById('about').textContent")
        page.key("Escape")
        assert page.run("document.getElementById('about').hidden")


def check_search(chromium, path, table):
    node = next(row["node"] for number, row in enumerate(pages.rows(table)) if row["node"] and number not in table["hidden"] and number not in table["idle"])
    with chromium.page(path) as page:
        page.run("document.getElementById('search').focus()")
        page.type(node)
        page.settle()
        said = page.run("document.getElementById('result').textContent")
        count = page.run("state.views.find(view => view.table.name === 'callbacks').rows.length")
        assert f"Callbacks {count}" in said, said
        page.key("Enter")
        assert page.run("document.activeElement.closest('section').id") == "callbacks" and page.run("document.getElementById('detail').hidden")
        page.run("document.getElementById('search').focus()")
        page.key("Enter")
        assert page.run("document.activeElement.closest('section').id") != "callbacks", "to the next table"
        page.run("document.getElementById('search').focus(); document.getElementById('search').value = ''")
        page.type("no such thing")
        page.settle()
        assert page.run("document.getElementById('result').textContent") == "Nothing is found."
        page.run("document.getElementById('search').focus()")
        page.key("Escape")
        assert page.run("document.getElementById('result').hidden && state.views[0].rows.length > 0")
        page.run("(() => { const view = state.views[0]; view.words = 'p9>5'; view.update(); })()")
        assert "No column is called “p9”" in page.run("document.querySelector('#callbacks tbody').textContent")
        names = page.run("makePath('/a > /1 > /b > /2 > /c > /3 > /d > /4 > /e > /5 > /f', PATH_NAMES).textContent")
        assert names == "/a › /1 › /b › … 4 more … › /4 › /e › /5 › /f", names
        assert page.run("makePath('/a > /1 > /b', PATH_NAMES).textContent") == "/a › /1 › /b"


def check_rate(chromium, path):
    with chromium.page(path) as page:
        page.run("document.querySelector('#callbacks tbody tr').click()")
        drawn = page.run("[...document.querySelectorAll('#detail svg')].find(svg => svg.getAttribute('aria-label').startsWith('How often over time')).querySelectorAll('rect').length")
        pieces = page.run("decodeSeries(state.detail.table.series[0].byId.get(state.detail.row[0]), 0).pieces.filter(piece => piece).length")
        assert drawn == pieces > 0, (drawn, pieces)
        # moments are told as in the tables
        ends = page.run("[...[...document.querySelectorAll('#detail svg')].find(svg => svg.getAttribute('aria-label').startsWith('How often over time')).querySelectorAll('text')].map(text => text.textContent).filter(text => text.endsWith(' s'))")
        assert len(ends) == 2 and all(re.fullmatch(r"[+−][0-9]+\.[0-9]{3} s", end) for end in ends), ends


def check_orders(chromium, path, tables):
    """What the lists at the top are ordered by is marked, and they are."""
    ordered = [table for table in tables.values() if table["summary"] and table["order"]]
    for table in ordered:
        values = [row[table["order"]] for row in pages.rows(table) if row[table["order"]] is not None]
        assert values == sorted(values, reverse=True), (table["name"], values)
    with chromium.page(path) as page:
        marked = page.run("[...document.querySelectorAll('#findings .grid')].flatMap(grid => [...grid.querySelectorAll('[aria-sort=descending]')].map(() => grid.caption.textContent))")
        wanted = [table["title"] for table in ordered if table["rows"]]
        assert wanted and set(marked) <= set(wanted) and len(set(marked)) == len(marked), (marked, wanted)
        assert "paths_summary" not in tables or tables["paths_summary"]["title"] in marked, marked


def check_rare(chromium, path, tables):
    """Rare things that never happened have no column: messages that were kept for late subscriptions."""
    with chromium.page(path) as page:
        for section, name in (("communications", "latched"), ("paths", "latched")):
            values = [row[name] for row in pages.rows(tables[section])]
            heads = page.run(f"state.viewOf.get(state.detail.model.tables.find(table => table.name === '{section}')).columns.filter(column => column.isShown).map(column => column.name)")
            assert (name in heads) == any(values), (section, name, values, heads)
            assert section != "communications" or "lost" in heads, "what was looked for, and not found, is told"


def check_cpu(chromium, path, usage):
    """Where the kernel was recorded, nodes are coloured by their time on a CPU and say it; elsewhere that is not offered."""
    times = {row["name"]: row["cpu_ns"] for row in pages.rows(usage) if row["scope"] == "node"}
    with chromium.page(path) as page:
        field = "document.querySelector('#graph [aria-label=\"Colours\"]')"
        offered = page.run(f"[...{field}.options].map(option => option.value)")
        assert ("cpu" in offered) == any(time is not None for time in times.values()), (offered, times)
        if "cpu" in offered:
            page.run(f"(field => {{ field.value = 'cpu'; field.dispatchEvent(new Event('change')); }})({field})")
            shown = page.run("[...document.querySelectorAll('#graph .vertex.node')].map(vertex => [vertex.dataset.name, vertex.querySelector('.more')?.textContent.trim() ?? null, vertex.classList.contains('heat')])")
            for name, text, is_coloured in shown:
                assert text == page.run(f"formatDuration({times[name]})") + " on a CPU" and is_coloured, (name, text, times)
            assert shown


def main():
    command, recording = sys.argv[1:]
    program = browser.find_or_skip()
    with tempfile.TemporaryDirectory() as folder, browser.Browser(program) as chromium:
        subprocess.run([command, "--format=html", "--output=" + folder, recording], check=True)
        path = os.path.join(folder, "report.html")
        tables = pages.tables(pages.read(path))
        table = tables["callbacks"]
        check_widths(chromium, path)
        check_left_out(chromium, path)
        check_words(chromium, path)
        check_search(chromium, path, table)
        check_rate(chromium, path)
        check_orders(chromium, path, tables)
        check_rare(chromium, path, tables)
        check_cpu(chromium, path, tables["usage"])


if __name__ == "__main__":
    main()
