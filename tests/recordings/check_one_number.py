#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A rate, a count or a loss is the same number wherever a report shows it: in CSV, JSON, the text, the page, the database, the
graph and in budgets; and the rates of a topic and of the callback that receives it agree.

usage: check_one_number.py COMMAND RECORDING
"""

import collections
import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

import report

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", folder) for folder in ("support", "page")]
import dot_graph  # pylint: disable=wrong-import-position
import page  # pylint: disable=wrong-import-position

TABLES = "callbacks", "communications", "paths"
THREE_DIGITS = 0.005
FACTOR = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "Hz": 1}


def number(value):
    return float(value) if value not in ("", None) else None


class Checks:
    def __init__(self, command, recording):
        self.command, self.trace = command, report.source_arguments(recording)
        self.folder = tempfile.TemporaryDirectory()
        self.tables = {name: self.csv(name) for name in TABLES}
        self.count = collections.Counter()

    def run(self, *arguments):
        return report.output(self.command, *arguments, *self.trace, env={**os.environ, "COLUMNS": "500"})

    def csv(self, table):
        return report.rows_of(self.run("--format=csv", "--table=" + table))

    def same(self, where, found, expected, tolerance=0.0):
        found, expected = number(found), number(expected)
        self.count[where] += found is not None
        assert (found is None) == (expected is None), (where, found, expected)
        assert found is None or abs(found - expected) <= max(tolerance * abs(expected), 0.0006), (where, found, expected)

    def rows_are_same(self, where, name, rows):
        columns = [column for column in self.tables[name][0] if column == "rate_hz" or column.endswith(("count", "lost", "received"))] \
            if self.tables[name] else []
        key = next(iter(self.tables[name][0]), None) if self.tables[name] else None
        by_id = {str(row[key]): row for row in rows}
        assert len(by_id) == len(rows) == len(self.tables[name]), where
        for expected in self.tables[name]:
            row = by_id[expected[key]]
            for column in columns:
                self.same(f"{where} {name}", row[column], expected[column])

    def check_json(self):
        found = json.loads(self.run("--format=json"))
        for name in TABLES:
            self.rows_are_same("json", name, found[name])

    def check_page(self):
        """What the page's tables and its summary hold; the tiles are sums over these tables (check_browser.py)."""
        path = os.path.join(self.folder.name, "page")
        self.run("--format=html", "--output=" + path)
        tables = page.tables(page.read(os.path.join(path, "report.html")))
        for name in TABLES:
            self.rows_are_same("page", name, page.rows(tables[name]))
        for row in page.rows(tables["busiest_callbacks"]):
            own = self.callback(row["node"], row["source"], row["total_ns"])
            self.same("page busiest", row["rate_hz"], own["rate_hz"])

    def check_database(self):
        path = os.path.join(self.folder.name, "database")
        self.run("--format=sqlite", "--output=" + path)
        with contextlib.closing(sqlite3.connect(os.path.join(path, "report.sqlite"))) as database:
            database.row_factory = sqlite3.Row
            for name in TABLES:
                self.rows_are_same("database", name, list(database.execute(f"SELECT * FROM {name}")))
            graph = collections.Counter((row["topic"], row["publisher_node"], row["subscription_node"],
                                         row["rate_hz"] and round(row["rate_hz"], 3))
                                        for row in database.execute("SELECT * FROM node_graph"))
        expected = collections.Counter((row["topic"] or None, row["publisher_node"] or None, row["subscription_node"] or None,
                                        number(row["rate_hz"])) for row in self.tables["communications"] if int(row["received"]) > 0)
        assert graph == expected, (graph - expected, expected - graph)

    def callback(self, node, source, total_ns):
        # without a recorded node, the process in brackets stands for it
        names = ("" if node.startswith("[") else node, str(source or ""))
        rows = [row for row in self.tables["callbacks"] if (row["node"], row["source"]) == names and
                number(row["duration_sum_ns"]) == total_ns]
        assert rows, (node, source, total_ns)
        return rows[0]

    def check_text(self):
        """Busiest callbacks, the only table of the text with rates."""
        text = self.run()
        block = re.search(r"\nBusiest callbacks\n(.*?)\n\n", text, re.S)
        for line in block[1].split("\n")[1:] if block else []:
            cells = re.split(r" {2,}", line.strip())
            if len(cells) == 1:  # what explains the table
                continue
            values = [re.fullmatch(r"([0-9.,]+) (ns|µs|ms|s|Hz)", cell) for cell in cells]
            rate = next((float(value[1]) for value in values if value and value[2] == "Hz"), None)
            times = [float(value[1]) * FACTOR[value[2]] for value in values if value and value[2] != "Hz"]
            node = "" if cells[0].startswith("[") else cells[0]
            alike = [row for row in self.tables["callbacks"] if row["node"] == node and any(
                abs(float(row["duration_sum_ns"] or 0) - total) <= THREE_DIGITS * total for total in times)]
            assert any(self.is_near(rate, row["rate_hz"]) for row in alike), (line, [row["rate_hz"] for row in alike])
            self.count["text"] += 1

    @staticmethod
    def is_near(found, expected):
        return (found is None) == (expected == "") and (found is None or abs(found - float(expected)) <= THREE_DIGITS * float(expected))

    def check_graph(self):
        """Each callback is a line of its node; an edge to a callback has the rate of the callback."""
        graph = dot_graph.Graph(self.run("--format=dot", "--top=0").encode())
        for vertex, (lines, _) in graph.vertices.items():
            node = vertex[2:].split("@")[0]
            rates = [row["rate_hz"] for row in self.tables["callbacks"] if row["node"] == node]
            for line in lines[1:]:
                found = re.search(r" ([0-9.e+]+) Hz", line)
                if found:
                    assert any(self.is_near(float(found[1]), rate) for rate in rates), (node, line, rates)
                    self.count["graph"] += 1
        for (start, end), (lines, _, _) in graph.edges.items():
            rates = [row["rate_hz"] for row in self.tables["callbacks"]
                     if ("t_" + row["source"], "n_" + row["node"]) == (start.split("@")[0], end.split("@")[0]) and row["rate_hz"]]
            if rates:
                found = float(re.match(r"([0-9.e+]+) Hz", lines[0])[1])
                assert any(self.is_near(found, rate) for rate in rates), (start, end, lines, rates)
                self.count["graph edges"] += 1

    def check_budgets(self):
        """The value that a budget is held against."""
        path = os.path.join(self.folder.name, "budgets.yaml")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"lost_events": "ignore", "budgets": [
                {"table": name, "rate": {"max": 0}} for name in TABLES]}, file)
        result = subprocess.run([self.command, "check", "--format=json", path, *self.trace], check=False, stdout=subprocess.PIPE)
        for name, budget in zip(TABLES, json.loads(result.stdout)["budgets"]):
            found = collections.Counter(f"{limit['value']:.2f}" for row in budget["rows"] for limit in row["limits"] if "value" in limit)
            all_rates = collections.Counter(f"{float(row['rate_hz']):.2f}" for row in self.tables[name] if row["rate_hz"])
            assert sum((found - all_rates).values()) <= len(found) // 10, (name, found - all_rates)
            self.count["budgets"] += sum(found.values())

    def check_topics(self):
        """A callback that receives all messages of one publisher runs as often as these are sent; the first ones may have queued."""
        for row in self.tables["communications"]:
            pair = lambda other, row=row: (other["topic"], other["subscription_node"], other["subscription_vpid"])
            alone = sum(pair(other) == pair(row) and int(other["received"]) > 0 for other in self.tables["communications"]) == 1
            own = [line for line in self.tables["callbacks"] if (line["source"], line["node"] or f"[{line['procname']}]", line["vpid"]) ==
                   (row["topic"], row["subscription_node"], row["subscription_vpid"]) and line["count"] == row["received"]]
            if alone and own and int(row["received"]) >= 50 and row["lost"] in ("", "0") and own[0]["rate_hz"]:
                self.same("topics", row["rate_hz"], own[0]["rate_hz"], 0.03)


def main():
    checks = Checks(*sys.argv[1:])
    with checks.folder:
        for name in sorted(dir(checks)):
            if name.startswith("check_"):
                getattr(checks, name)()
    assert checks.count["text"] and checks.count["page callbacks"] and checks.count["database callbacks"] and checks.count["json callbacks"], checks.count
    print(", ".join(f"{count} in {where}" for where, count in sorted(checks.count.items())))


if __name__ == "__main__":
    main()
