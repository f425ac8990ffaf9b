#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The dashboard for Grafana: its structure, and its queries in a real Prometheus.

usage: check_dashboard.py DASHBOARD COMMAND RECORDING [prometheus]

Without the last word: panels have numbers and places of their own, variables that queries use are there, and all metrics in
queries are written for the recording. With it: ros2-latency writes its file again and again, node_exporter serves it, a
Prometheus scrapes that, and answers: counters and sums are those of the CSV report, and each query has a result. Skipped
unless Debian's packages prometheus and prometheus-node-exporter are installed.
"""

import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal
from http import HTTPStatus

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import prometheus_text  # noqa: E402
from check_prometheus import find, report  # noqa: E402
from latency import PATIENCE_S  # noqa: E402
from ports import free_ports  # noqa: E402

STAGES = "+2s", "+4s", None  # the end of what the file is about
# metric, table, labels with their columns, column
VALUES = [
    ("ros2_callbacks_total", "callbacks", {"node": "node", "kind": "kind"}, "count", 1),
    ("ros2_callback_duration_seconds_sum", "callbacks", {"node": "node", "kind": "kind"}, "duration_sum_ns", 10**9),
    ("ros2_messages_published_total", "communications", {"topic": "topic", "publisher": "publisher_node"}, "published", 1),
    ("ros2_messages_lost_total", "communications", {"topic": "topic", "publisher": "publisher_node"}, "lost", 1),
    ("ros2_message_latency_seconds_sum", "communications", {"topic": "topic", "publisher": "publisher_node"},
     "latency_sum_ns", 10**9),
    ("ros2_paths_total", "paths", {"path": "path"}, "count", 1),
]


def queries(dashboard):
    """Title and expression of each."""
    return [(panel["title"], target["expr"]) for panel in dashboard["panels"] for target in panel["targets"]]


def metrics_of(expression):
    return set(re.findall(r"\bros2_[a-z0-9_]+", expression))


def cells_of(place):
    return {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}


# --- structure ---

def check_structure(dashboard, command, recording):
    panels, variables = dashboard["panels"], dashboard["templating"]["list"]
    assert dashboard["title"] and dashboard["uid"] and dashboard["schemaVersion"] >= 36
    assert len({panel["id"] for panel in panels}) == len(panels) >= 10
    cells = [cells_of(panel["gridPos"]) for panel in panels]
    assert sum(map(len, cells)) == len(set.union(*cells)), "panels overlap"
    assert all(x < 24 for x, _ in set.union(*cells)), "a panel is beyond the right edge"
    known = {variable["name"] for variable in variables}
    text = json.dumps(dashboard)
    used = set(re.findall(r"\$\{?([a-z][a-z_]*)\b", text))  # those of Grafana begin with __
    assert used == known, f"variables used {used}, declared {known}"
    for panel in panels:
        assert panel["type"] in ("stat", "timeseries", "heatmap") and panel["title"] and panel["fieldConfig"]["defaults"]["unit"]
        assert panel["targets"] and all(target["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
                                        for target in panel["targets"])
    written = set()
    for name, family in prometheus_text.read(report(command, recording, "--format=prometheus", "--hidden")).items():
        written |= {name + suffix for suffix, _ in family.samples}
    wanted = metrics_of(" ".join(expression for _, expression in queries(dashboard)))
    wanted |= metrics_of(" ".join(variable["query"]["query"] for variable in variables if variable["type"] == "query"))
    assert wanted <= written, f"not written: {wanted - written}"
    print(f"{len(panels)} panels, {len(wanted)} metrics")


# --- Prometheus ---

def ask(address, expression):
    """[(labels, value)]; OSError while Prometheus is not ready, which it says with 503 if it listens already."""
    url = f"http://{address}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
    try:
        with urllib.request.urlopen(url) as answer:
            data = json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code == HTTPStatus.SERVICE_UNAVAILABLE:
            raise
        sys.exit(f"Prometheus refuses {expression}: {error.read().decode()}")
    assert data["status"] == "success", data
    return [(row["metric"], float(row["value"][1])) for row in data["data"]["result"]]


def ask_for_some(address, expression):
    """The same, once there are any: after a scrape that took too long, which a busy machine may cause, there are none."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        found = ask(address, expression)
        if found or time.monotonic() > deadline:
            return found
        time.sleep(0.1)


def wait_for_value(address, process, expression, expected):
    deadline = time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            found = ask(address, expression)
        except OSError:
            found = []  # it is not ready
        if found and abs(found[0][1] - expected) < 1e-3:
            return
        time.sleep(0.1)
    sys.exit(f"Prometheus does not get {expected} for {expression}")


def check_values(address, folder):
    compared = 0
    for metric, table, labels, column, scale in VALUES:
        expected = {}
        for row in csv.DictReader((folder / f"{table}.csv").open(encoding="utf-8")):
            key = tuple(row[name] for name in labels.values())
            if row[column]:
                expected[key] = expected.get(key, 0) + Decimal(row[column])
        found = {tuple(row[label] for label in labels): value
                 for row, value in (ask_for_some if expected else ask)(address, f"sum by ({', '.join(labels)}) ({metric})")}
        assert found.keys() == expected.keys(), f"{metric}: {found.keys() ^ expected.keys()}"
        for key, value in found.items():
            written = float(expected[key] / scale)
            assert abs(value - written) <= 1e-9 * (1 + abs(written)), f"{metric} {key}: {value}, {written} in CSV"
            compared += 1
    return compared


def check_queries(address, dashboard, written):
    for title, expression in queries(dashboard):
        asked = re.sub(r"\$__\w+", "5m", re.sub(r'"\$[a-z]+"', '".*"', expression))
        found = (ask_for_some if metrics_of(expression) <= written else ask)(address, asked)
        assert found or not metrics_of(expression) <= written, f"{title}: {asked} has no result"


def check_prometheus(dashboard, command, recording):
    exporter = find("prometheus-node-exporter", "prometheus-node-exporter")
    prometheus = find("prometheus", "prometheus")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        addresses = [f"127.0.0.1:{port}" for port in free_ports(2)]
        (folder / "prometheus.yml").write_text(
            "global: {scrape_interval: 500ms, scrape_timeout: 500ms}\n"
            f"scrape_configs: [{{job_name: robots, static_configs: [{{targets: ['{addresses[0]}']}}]}}]\n")
        (folder / "textfile").mkdir()
        processes = [subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for words in (
            [exporter, "--collector.disable-defaults", "--collector.textfile", f"--web.listen-address={addresses[0]}",
             f"--collector.textfile.directory={folder / 'textfile'}"],
            [prometheus, f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}",
             f"--web.listen-address={addresses[1]}"])]
        try:
            for end in STAGES:
                options = [f"--end={end}"] if end else []
                report(command, recording, "--format=prometheus", "--hidden", f"--output={folder / 'textfile'}", *options)
                families = prometheus_text.read((folder / "textfile/ros2.prom").read_bytes())
                count = sum(value for (_, _), value in families["ros2_callbacks_total"].samples.items())
                wait_for_value(addresses[1], processes[1], "sum(ros2_callbacks_total)", float(count))
            report(command, recording, "--format=csv", f"--output={folder / 'csv'}")
            compared = check_values(addresses[1], folder / "csv")
            check_queries(addresses[1], dashboard, {name + suffix for name, family in families.items()
                                                    for suffix, _ in family.samples})
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()
    print(f"{compared} values, {len(queries(dashboard))} queries")


def main():
    dashboard = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    check = check_prometheus if sys.argv[4:] == ["prometheus"] else check_structure
    check(dashboard, *sys.argv[2:4])


if __name__ == "__main__":
    main()
