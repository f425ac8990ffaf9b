#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pages in a browser: nothing goes wrong and nothing is asked for, in any width and both themes; what can be clicked works,
by keys too; names of a trace are never markup; a page of 10 000 callbacks is ready in time.

usage: check_browser.py COMMAND WRITE_PAGE RECORDING
"""
import os
import shlex
import subprocess
import sys
import tempfile

import browser
import page as pages

WIDTHS = (320, 375, 640, 800, 1024, 1280, 1440, 1920)
READY_CPU_S = 5
SIZE_MAX = 20_000_000


def check_widths(page, what):
    for width in WIDTHS:
        page.resize(width)
        inner, scroll = page.run("[document.documentElement.clientWidth, document.documentElement.scrollWidth]")
        assert scroll <= inner, (what, width, scroll)
        # nothing but what scrolls by itself reaches beyond the edge
        outside = page.run("[...document.querySelectorAll('main *')].filter(element => element.getBoundingClientRect().right > innerWidth + 1"
                           " && element.getClientRects().length > 0 && !element.closest('.scroller, svg, .menu, .sr')).map(element => element.outerHTML.slice(0, 80))")
        assert not outside, (what, width, outside[:3])
    page.resize(1440)


def rows_of(page, section):
    return page.run(f"[...document.querySelectorAll('#{section} tbody tr')].map(row => row.textContent)")


def check_sorting(page, table):
    column = next(i for i, column in enumerate(table["columns"]) if column["name"] == "duration_mean_ns")
    page.run("(() => { for (const button of document.querySelectorAll('#callbacks .sort')) { if (button.getAttribute('aria-label') === 'duration mean, sort') { button.click(); return; } } throw Error('no button'); })()")
    assert page.run("document.querySelector('#callbacks [aria-sort=descending]').textContent").startswith("mean")
    assert page.run("document.activeElement.closest('[aria-sort]').getAttribute('aria-sort')") == "descending", "the focus stays"
    values = page.run(f"state.views[0].rows.map(row => row[{column}])")
    known = [value for value in values if value is not None]
    assert known == sorted(known, reverse=True) and values[:len(known)] == known, values
    page.run("document.activeElement.click()")
    known = [value for value in page.run(f"state.views[0].rows.map(row => row[{column}])") if value is not None]
    assert known == sorted(known), known


def check_filter(page, data):
    table = pages.tables(data)["callbacks"]
    shown = [row for number, row in enumerate(pages.rows(table)) if number not in table["hidden"] and number not in table["idle"]]
    assert len(rows_of(page, "callbacks")) == min(15, len(shown))
    page.click("#callbacks input[type=search]")
    page.type("timer")
    timers = [row for row in pages.rows(table) if "timer" in " ".join(str(value) for value in row.values() if isinstance(value, str)).lower()]
    assert 0 < len(timers) < len(table["rows"])
    assert page.run("state.views[0].rows.length") == len(timers)
    assert all("timer" in text for text in rows_of(page, "callbacks"))
    page.run("(input => { input.value = ''; input.dispatchEvent(new Event('input')); })(document.querySelector('#callbacks input[type=search]'))")
    longest = sorted(row["duration_max_ns"] or 0 for row in shown)
    page.click("#callbacks input[type=search]")
    page.type(f"max>={longest[-1] / 1e6}ms")
    assert page.run("state.views[0].rows.length") == 1, "only the longest"
    page.run("(input => { input.value = ''; input.dispatchEvent(new Event('input')); })(document.querySelector('#callbacks input[type=search]'))")
    assert page.run("state.views[0].rows.length") == len(shown)
    # all tables
    page.click("#search")
    page.type("no such name anywhere")
    page.wait("state.views.every(view => view.rows.length === 0)")
    page.run("(input => { input.value = ''; input.dispatchEvent(new Event('input')); })(document.getElementById('search'))")
    page.wait(f"state.views[0].rows.length === {len(shown)}")


def check_detail(page, section):
    page.click(f"#{section} tbody tr")
    assert page.run("!document.getElementById('detail').hidden"), section
    assert page.run("document.activeElement.id") == "detail-title", "the focus goes along"
    assert page.run("document.querySelectorAll('#detail .u-wrap canvas').length") >= 1, "over time"
    assert page.run("document.querySelectorAll('#detail .histogram rect').length") >= 1, "histogram"
    assert page.run("document.querySelectorAll('#detail .worst tbody tr').length") >= 1, "worst"
    command = page.run("document.querySelector('#detail .command code').textContent")
    page.run("[...document.querySelectorAll('#detail .worst button')].find(button => button.textContent === 'timeline').click()")
    moment = page.run("document.querySelector('#detail .command code').textContent")
    assert moment != command and moment.startswith("ros2-latency --format=perfetto --output=timeline --begin=+"), moment
    assert not moment.endswith(" TRACE"), "the recording is named"
    words = ["my trace/it's", "-x", "a/b_1.tar.xz"]
    assert shlex.split(page.run(f"{words}.map(quote).join(' ')")) == ["my trace/it's", "./-x", "a/b_1.tar.xz"]
    check_widths(page, "details of " + section)
    before = page.run("document.getElementById('detail-title').textContent")
    if page.run("state.detail.view.rows.length") > 1:
        page.run("document.querySelector('#detail [title=\"Row below\"]').click()")
        assert page.run("document.getElementById('detail-title').textContent") != before
    page.key("Escape")
    assert page.run("document.getElementById('detail').hidden")


def check_keys(page):
    page.run("document.querySelector('#callbacks tbody .link').focus()")
    page.key("ArrowDown")
    assert page.run("[...document.querySelectorAll('#callbacks tbody .link')].indexOf(document.activeElement)") == 1
    page.key("Enter")
    assert page.run("!document.getElementById('detail').hidden")
    page.key("Escape")
    assert page.run("[...document.querySelectorAll('#callbacks tbody .link')].indexOf(document.activeElement)") == 1, "the focus comes back"
    page.run("document.querySelector('.vertex.node').focus()")
    page.key("ArrowRight")
    assert page.run("document.activeElement.classList.contains('topic')"), "along an edge"
    page.key("ArrowRight")
    assert page.run("document.activeElement.matches('.edge.opens')"), "an edge with a row is a stop"
    page.key("Enter")
    assert page.run("state.detail.table.subject") == "messages" and page.run("!document.getElementById('detail').hidden")
    page.key("Escape")
    assert page.run("document.activeElement.matches('.edge.opens')"), "the focus comes back"
    page.key("ArrowRight")
    assert page.run("document.activeElement.classList.contains('node')")
    page.key("ArrowLeft")
    page.key("ArrowLeft")
    assert page.run("document.activeElement.classList.contains('topic')")
    assert page.run("[...document.querySelectorAll('#graph svg [tabindex=\"0\"]')].length") == 1
    page.key("Enter")
    assert page.run("document.getElementById('search').value") == page.run("document.activeElement.dataset.name")
    page.key("Enter")
    page.run("document.activeElement.blur()")
    page.key("/")
    assert page.run("document.activeElement.id") == "search"
    page.key("Tab")
    assert page.run("document.activeElement.name") == "theme"


def check_names(page):
    """What can be used has a name, for who cannot see it."""
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    for node in nodes:
        role = node.get("role", {}).get("value")
        if not node.get("ignored") and role in ("button", "link", "textbox", "searchbox", "checkbox", "combobox", "radio", "img", "table", "region"):
            assert node.get("name", {}).get("value"), (role, node)
    roles = {node.get("role", {}).get("value") for node in nodes}
    assert {"banner", "main", "navigation", "table", "columnheader", "heading", "searchbox"} <= roles, roles
    assert page.run("document.querySelectorAll('h1').length") == 1
    ids = page.run("[...document.querySelectorAll('[id]')].map(element => element.id)")
    assert len(ids) == len(set(ids)), ids


def check_contrast(page, scheme):
    """WCAG 2: 4.5 to 1 between a text and what is behind it."""
    low = page.run("""(() => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const rgba = colour => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return canvas.getImageData(0, 0, 1, 1).data; };
        const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const behind = element => { for (; element; element = element.parentElement) { const c = rgba(getComputedStyle(element).backgroundColor); if (c[3] === 255) { return c; } } return [255, 255, 255, 255]; };
        const low = [];
        for (const element of document.querySelectorAll('body *')) {
            const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
            if (!own || element.closest('svg, script, style, noscript, .sr, .skip, :disabled') || !element.getClientRects().length) { continue; }
            const a = light(rgba(getComputedStyle(element).color)), b = light(behind(element));
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4.5) { low.push([element.outerHTML.slice(0, 100), ratio]); }
        }
        return low;
    })()""")
    assert not low, (scheme, low[:5])


def check_themes(page):
    backgrounds = {}
    for choice in ("light", "dark"):
        page.run(f"document.querySelector('.theme input[value={choice}]').click()")
        backgrounds[choice] = page.run("getComputedStyle(document.body).backgroundColor")
        check_contrast(page, choice)
    assert backgrounds["light"] != backgrounds["dark"], backgrounds
    page.run("document.querySelector('.theme input[value=\"\"]').click()")
    for scheme in ("dark", "light"):
        page.set_scheme(scheme)
        assert page.run("getComputedStyle(document.body).backgroundColor") == backgrounds[scheme], scheme


def check_print(page):
    page.set_scheme("dark", media="print")
    assert page.run("getComputedStyle(document.querySelector('.toolbar')).display") == "none"
    assert page.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.run("getComputedStyle(document.querySelector('.card')).color") == "rgb(23, 32, 43)", "light on paper"
    assert len(page.call("Page.printToPDF")["data"]) > 10_000
    page.set_scheme("light")


def check_recording(chromium, path):
    data = pages.read(path)
    for scheme in ("light", "dark"):
        with chromium.page(path, scheme=scheme) as page:
            check_widths(page, scheme)
    with chromium.page(path) as page:
        check_filter(page, data)
        check_sorting(page, pages.tables(data)["callbacks"])
        for section in ("callbacks", "communications", "paths"):
            check_detail(page, section)
        check_keys(page)
        check_names(page)
        check_path_names(page)
        check_rates(page)
        check_groups(page)
        check_colours(page, data)
        check_fold(page)
        check_themes(page)
        check_print(page)
        page.run("document.querySelector('#findings tbody tr').click()")
        assert page.run("!document.getElementById('detail').hidden"), "a finding leads to its row"


def check_path_names(page):
    shown = page.run("[...makePath('/a > /b ~> /c >> /d ~> /e').children].map(part => [part.className, part.textContent])")
    assert shown == [["node", "/a"], ["to", " › "], ["topic", "/b"], ["to", " ~› "], ["node", "/c"], ["to", " » "], ["topic", "/d"],
                     ["to", " ~› "], ["node", "/e"]], shown
    hops = page.run("[...slowestHops({ tables: [], about: new Map([['paths', { meant: new Map([['path', 0]]), rows: [['/a > /b ~> /c']] }]]) })]")
    assert hops == ["/a /b /c"], hops


def check_rates(page):
    """What was overwritten before its subscription took it was published, too."""
    page.run("window.messages = { meant: new Map(['node of sender', 'topic', 'node of receiver', 'received', 'lost', 'overwritten', 'rate'].map((name, i) => [name, i])),"
             " rows: [['/a', '/t', '/b', 10, 5, 15, 10]], idle: new Set(), hidden: new Set() }")
    rates = page.run("graphOf({ tables: [], about: new Map([['messages', messages]]) }, true, () => true).edges.map(edge => edge.rate)")
    assert rates == [30, 10], rates


def check_fit(page):
    """A pipeline of 40 nodes: Fit shows all of it, so large that names can be read; what edges say is above all edges."""
    columns = ["node of sender", "topic", "node of receiver", "received", "lost", "p50 of duration", "p99 of duration", "rate"]
    rows = [[f"/node_{i}", f"/stage_{i % 20}", f"/node_{i + 1}", 10, 0, 1000, 2000 * i, 10] for i in range(39)]
    page.run(f"window.long = {{ about: new Map([['messages', {{ meant: new Map({columns}.map((name, i) => [name, i])), rows: {rows}, idle: new Set(), hidden: new Set() }}]]), tables: [] }}")
    page.run("(() => { window.longGraph = makeGraph(long, () => {}, () => {}); longGraph.id = 'long'; longGraph.style.width = '1000px'; document.body.append(longGraph); longGraph.start(); })()")
    page.run("document.querySelector('#long [aria-label=\"Zoom in\"]').click(); document.querySelector('#long [aria-label=\"Fit: show all\"]').click()")
    outside, least = page.run("""(() => {
        const frame = document.querySelector('#long svg').getBoundingClientRect();
        const boxes = [...document.querySelectorAll('#long .vertex rect')].map(rect => rect.getBoundingClientRect());
        return [boxes.filter(box => box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1).length, Math.min(...boxes.map(box => box.height))];
    })()""")
    assert outside == 0, f"{outside} nodes and topics are outside"
    assert least >= 12, f"{least} px high: names cannot be read"
    order = page.run("[...document.querySelector('#long svg').children].map(part => part.classList.contains('words') ? 2 : part.classList.contains('edge') ? 1 : part.classList.contains('vertex') ? 3 : 0)")
    assert order == sorted(order) and 2 in order, "lines, then what they say, then nodes and topics"
    page.run("longGraph.remove()")


def check_labels(page):
    """What is said of an edge is on its line, also where that makes a detour between many others."""
    far = page.run("""(() => {
        const ids = [...'abcdef'], vertices = new Map(ids.map(id => [id, { id, kind: 'group', name: `/${id}/`, count: 9, share: null, hosts: '' }]));
        const edges = ids.flatMap((from, i) => ids.filter(to => to !== from).map((to, j) => ({ from, to, rate: 1, p50: 1e6, p99: 2e6, lost: 0, topics: new Set(Array.from({ length: i + j + 2 }, (_, k) => `/t${k}`)) })));
        const layout = layOut({ vertices, edges }, 'losses');
        return layout.edges().map(edge => layout.edge(edge)).filter(edge => !edge.isFolded).map(({ points, x, y }) => {
            const path = makeSvg('path', { d: smoothLine(points) }), length = path.getTotalLength();
            return Math.min(...Array.from({ length: 401 }, (_, i) => path.getPointAtLength(length * i / 400)).map(point => Math.hypot(point.x - x, point.y - y)));
        });
    })()""")
    assert len(far) >= 10 and max(far) < 8, (len(far), max(far))


def check_colours(page, data):
    """Nodes coloured by the time in callbacks say the shares of the table."""
    page.run("(field => { field.value = 'share'; field.dispatchEvent(new Event('change')); })(document.querySelector('#graph [aria-label=\"Colours\"]'))")
    shares = {row["name"]: row["share_percent"] for row in pages.rows(pages.tables(data)["usage"]) if row["scope"] == "node"}
    shown = page.run("[...document.querySelectorAll('#graph .vertex.node')].map(vertex => [vertex.dataset.name, vertex.querySelector('.more')?.textContent.trim() ?? null, vertex.classList.contains('heat')])")
    texts = dict(zip(shares, page.run(f"{list(shares.values())}.map(formatPercent)")))
    for name, text, is_coloured in shown:
        assert name not in shares or (text == f"{texts[name]} in callbacks" and is_coloured == (shares[name] > 0)), (name, text, texts.get(name))
    assert any(name in shares for name, _, _ in shown)
    page.run("(field => { field.value = 'losses'; field.dispatchEvent(new Event('change')); })(document.querySelector('#graph [aria-label=\"Colours\"]'))")


def check_fold(page):
    """Of many rows of one topic three are shown, and a line that opens the others; what is searched for is not folded."""
    lines = lambda: page.run("state.viewOf.get(state.detail.model.about.get('messages')).lines.length")
    page.run("(view => { view.shows.hidden = true; view.pageSize = 200; view.update(); })(state.viewOf.get(state.detail.model.about.get('messages')))")
    rows = page.run("(({ table, rows }) => rows.map(row => valueOf(table, row, 'topic')))(state.viewOf.get(state.detail.model.about.get('messages')))")
    folded = {topic: rows.count(topic) - 3 for topic in rows if rows.count(topic) >= 6}
    assert folded and lines() == len(rows) - sum(folded.values()) + len(folded), (folded, lines(), len(rows))
    said = page.run("[...document.querySelectorAll('#communications .fold')].map(line => line.textContent)")
    assert said == [f"{left} more of {topic}" for topic, left in folded.items()], said
    page.run("document.querySelector('#communications .fold button').focus()")
    before = page.run("[...document.querySelectorAll('#communications tbody tr')].indexOf(document.activeElement.closest('tr'))")
    page.key("Enter")
    assert lines() == len(rows) - sum(folded.values()) + len(folded) + folded[next(iter(folded))] - 1
    assert page.run("[...document.querySelectorAll('#communications tbody tr')].indexOf(document.activeElement.closest('tr'))") == before, "the focus stays"
    page.run("(view => { view.opened.clear(); view.words = 'parameter'; view.update(); })(state.viewOf.get(state.detail.model.about.get('messages')))")
    assert page.run("document.querySelectorAll('#communications .fold').length") == 0 and lines() == page.run("state.viewOf.get(state.detail.model.about.get('messages')).rows.length")
    page.run("(view => { view.shows.hidden = false; view.words = ''; view.pageSize = 15; view.update(); })(state.viewOf.get(state.detail.model.about.get('messages')))")


GROUPED = [("/a/x/1", 1, "/t", "/a/y/1", 2), ("/a/x/2", 1, "/t", "/b/1", 3), ("/a/y/2", 2, "/u", "/b/2", 3), ("/a/y/2", 2, "/v", "/alone", 4)]


def check_groups(page):
    """Groups of nodes: by namespace, one in another, or by process; opened by keys and clicks; a node is found in a closed group."""
    columns = ["node of sender", "process of sender", "topic", "node of receiver", "process of receiver", "received", "lost", "p99 of duration"]
    rows = [[*row, 10, number, 1000 * 10 ** number] for number, row in enumerate(GROUPED)]
    page.run(f"window.grouped = {{ about: new Map([['messages', {{ meant: new Map({columns}.map((name, i) => [name, i])), rows: {rows}, idle: new Set(), hidden: new Set() }}]]), tables: [] }}")
    shown = lambda grouping, *opened: page.run(f"(graph => [[...graph.vertices.values()].map(({{ kind, name, count }}) => `${{kind}} ${{name}} ${{count}}`).sort(),"
                                               " graph.edges.map(({ from, to, lost, topics }) => `${from.trim()} > ${to.trim()} ${lost} ${[...topics]}`)])"
                                               f"(graphOf(grouped, true, () => true, '{grouping}', new Set({list(opened)})))")
    assert shown("namespace") == [["group /a/ 4", "group /b/ 2", "node /alone 1", "topic /v 1"],
                                  ["group /a/ > group /b/ 3 /t,/u", "group /a/ > topic /v 0 ", "topic /v > node /alone 3 "]], shown("namespace")
    assert shown("namespace", "/a/")[0] == ["group /a/x/ 2", "group /a/y/ 2", "group /b/ 2", "node /alone 1", "topic /v 1"], shown("namespace", "/a/")
    assert shown("namespace", "/a/", "/b/", "/a/x/", "/a/y/") == shown("none")
    assert shown("process")[0] == ["group process 1 2", "group process 2 2", "group process 3 2", "node /alone 1", "topic /v 1"], shown("process")
    assert page.run("[1000, 10000, 1e5, 1e6, null].map(heatOf([1000, 1e6]))") == [0, 1, 3, 4, 0]

    check_fit(page)
    check_labels(page)
    page.run("(() => { window.ownGraph = makeGraph(grouped, () => {}, () => {}); ownGraph.id = 'own'; document.body.append(ownGraph); ownGraph.start(); })()")
    names = lambda: sorted(page.run("[...document.querySelectorAll('#own .vertex:not(.topic)')].map(vertex => vertex.dataset.name)"))
    choose = lambda label, value: page.run(f"(field => {{ field.value = '{value}'; field.dispatchEvent(new Event('change')); }})(document.querySelector('#own [aria-label=\"{label}\"]'))")
    focused = lambda: page.run("document.activeElement.dataset.name")
    assert len(names()) == 7, "a small system is shown as it is"
    choose("Groups", "namespace")
    assert names() == ["/a/", "/alone", "/b/"], names()
    page.run("document.querySelector('#own [data-name=\"/a/\"]').focus()")
    page.key("Enter")
    assert names() == ["/a/x/", "/a/y/", "/alone", "/b/"] and focused() == "/a/x/", (names(), focused())
    page.run("document.querySelector('#own [aria-label=\"Close /a/\"]').click()")
    assert names() == ["/a/", "/alone", "/b/"] and focused() == "/a/", (names(), focused())
    choose("Find a node in the graph", "/a/y/2")
    assert names() == ["/a/x/", "/a/y/1", "/a/y/2", "/alone", "/b/"] and focused() == "/a/y/2", (names(), focused())
    choose("Find a node in the graph", "/nowhere")
    assert "/nowhere" in page.run("document.querySelector('#own [placeholder=\"Find a node\"]').validationMessage")
    assert page.run("document.querySelectorAll('#own .edge.bad').length") > 0 and page.run("document.querySelectorAll('#own .heat').length") == 0
    choose("Colours", "p99")
    assert page.run("document.querySelectorAll('#own .edge.bad').length") == 0 and page.run("document.querySelectorAll('#own .edge.heat-4').length") == 1
    page.run("ownGraph.remove()")


def check_hostile(chromium, path):
    with chromium.page(path) as page:
        check_widths(page, "hostile")
        for section in ("callbacks", "communications"):
            while not page.run(f"document.querySelector('#{section} [aria-label=\"Next page\"]').disabled"):
                page.run(f"document.querySelector('#{section} [aria-label=\"Next page\"]').click()")
            page.run(f"(view => {{ for (const row of view.rows) {{ state.detail.open(view.table, row, view); }} }})(state.viewOf.get(state.views.find(view => view.table.name === '{section}').table))")
        page.run("document.querySelectorAll('.vertex').forEach(vertex => vertex.dispatchEvent(new MouseEvent('click', { bubbles: true })))")
        assert page.run("document.querySelectorAll('script').length") == 2
        assert page.run("document.querySelectorAll('img, iframe, object, embed, [onerror], [onmouseover], a[href^=javascript]').length") == 0
        assert "<img src=x onerror=alert(1)>" in page.run("document.body.textContent")


def check_large(chromium, path):
    size = os.path.getsize(path)
    assert size < SIZE_MAX, size
    times = []
    while len(times) < 3 and (not times or min(times) > READY_CPU_S):
        with chromium.page(path) as page:
            times.append(page.cpu_s())
            drawn = page.run("document.querySelectorAll('.vertex').length")
            assert drawn <= 150, f"{drawn} nodes and topics are laid out at first"
            page.click("#callbacks tbody tr")
            assert page.run("!document.getElementById('detail').hidden")
            page.run("document.querySelector('#communications .sort').click()")
    assert min(times) <= READY_CPU_S, times
    print(f"10 000 callbacks and 10 000 pairs: {size / 1e6:.1f} MB, ready after {min(times):.1f} s of CPU")


def main():
    command, write_page, recording = sys.argv[1:]
    program = browser.find_or_skip()
    with tempfile.TemporaryDirectory() as folder, browser.Browser(program) as chromium:
        subprocess.run([command, "--format=html", "--output=" + folder, recording], check=True)
        check_recording(chromium, os.path.join(folder, "report.html"))
        for name, rows, samples, check in (("hostile", 40, 20_000, check_hostile), ("large", 10_000, 2_000_000, check_large)):
            subprocess.run([write_page, os.path.join(folder, name), str(rows), str(samples)], check=True)
            check(chromium, os.path.join(folder, name, "report.html"))


main()
