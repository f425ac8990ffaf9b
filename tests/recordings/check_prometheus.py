#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The metrics of a recording are the numbers of its JSON report, and Prometheus' own tools take them.

usage: check_prometheus.py COMMAND RECORDING [promtool|node_exporter]

Without the last word, all metrics are compared with the JSON report. `promtool` lets promtool check them, `node_exporter`
lets the textfile collector of node_exporter serve them. Both are in Debian's packages prometheus and
prometheus-node-exporter; where they are not installed, the check is skipped.
"""

import pathlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from decimal import Decimal

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import prometheus_text  # noqa: E402
from latency import PATIENCE_S, SKIPPED  # noqa: E402
from ports import free_ports  # noqa: E402

SIDES = "publisher", "subscription", "client", "server"
BOUNDS = [Decimal(text) for text in ("0.0001 0.00025 0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 10").split()]
NS = Decimal(10) ** 9


def report(command, recording, *options):
    return subprocess.run([command, *options, recording], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


# --- the same numbers ---

def column_of(label):
    return label + "_node" if label in SIDES else re.sub("_seconds$", "_ns", label)


def text_of(label, value):
    if value is None:
        return ""
    if isinstance(value, int) and (label == "source" or label.endswith("_seconds")):
        return f"{Decimal(value) / NS:f}".rstrip("0").rstrip(".")
    return str(value)


def labels_of_row(row, labels):
    return tuple((label, text_of(label, row[column_of(label)])) for label in labels)


class Histograms:
    """Of all statistics of a table, with 512 buckets per octave."""

    def __init__(self, tables, name):
        rows = tables.get(re.sub("s$", "", name) + "_histograms", [])
        self.keys = [key for key in (rows[0] if rows else {}) if key not in ("statistic", "low_ns", "high_ns", "count")]
        self.rows = {}
        for row in rows:
            self.rows.setdefault((row["statistic"], *(row[key] for key in self.keys)), []).append(row)

    def add(self, row, statistic, expected, labels):
        for bucket in self.rows.get((statistic, *(row[key] for key in self.keys)), []):
            middle = Decimal(bucket["low_ns"] + (bucket["high_ns"] - bucket["low_ns"]) // 2) / NS
            for bound in [*BOUNDS, None]:
                if bound is None or middle <= bound:
                    key = ("_bucket", tuple(sorted((*labels, ("le", "+Inf" if bound is None else f"{bound:f}")))))
                    expected[key] = expected.get(key, 0) + bucket["count"]
            expected[("_count", labels)] = expected.get(("_count", labels), 0) + bucket["count"]


def check_family(family, tables):
    match = re.fullmatch(r"Column (\w+) of the table (\w+) of ros2-latency\.", family.help)
    if not match:
        return False
    column, name = match.groups()
    labels = sorted({label for _, pairs in family.samples for label, _ in pairs} - {"le"})
    for _, pairs in family.samples:
        assert not [pair for pair in pairs if pair[0] in ("vpid", "vtid", "symbol") or pair[1].startswith("0x") and pair[0] != "name"], pairs
    histograms, expected = Histograms(tables, name), {}
    for row in tables[name]:
        of_row = labels_of_row(row, labels)
        if family.type == "histogram":
            histograms.add(row, column, expected, of_row)
            if row[column + "_sum_ns"] is not None:
                expected[("_sum", of_row)] = expected.get(("_sum", of_row), 0) + Decimal(row[column + "_sum_ns"]) / NS
        elif row[column] is not None:
            scale = NS if family.name.endswith("_seconds_total") else 1
            expected[("", of_row)] = expected.get(("", of_row), 0) + Decimal(str(row[column])) / scale
    if family.type == "histogram":  # bounds below the shortest duration
        for suffix, pairs in list(expected):
            if suffix == "_count":
                for bound in BOUNDS:
                    expected.setdefault(("_bucket", tuple(sorted((*pairs, ("le", f"{bound:f}"))))), 0)
    assert expected.keys() == family.samples.keys(), f"{family.name}: {set(expected) ^ set(family.samples)}"
    for key, value in expected.items():
        assert abs(value - family.samples[key]) <= Decimal("1e-9") * (1 + abs(value)) * (value % 1 != 0), \
            f"{family.name} {key}: {family.samples[key]}, {value} in JSON"
    return True


def check_numbers(command, recording):
    families = prometheus_text.read(report(command, recording, "--format=prometheus", "--hidden"))
    tables = json.loads(report(command, recording, "--format=json", "--histograms", "--buckets=512"))
    compared = [family for family in families.values() if check_family(family, tables)]
    assert len(compared) >= 20, f"{len(compared)} families"
    for name in "begin", "end":
        if tables["trace"][name + "_ns"] is not None:
            value = families[f"ros2_trace_{name}_timestamp_seconds"].samples[("", ())]
            assert value == Decimal(tables["trace"][name + "_ns"]) / NS
    discarded = sum(row["count"] for row in tables["diagnostics"] if row["what"] in ("discarded events", "discarded kernel events"))
    assert families["ros2_trace_discarded_events_total"].samples[("", ())] == discarded
    shown = prometheus_text.read(report(command, recording, "--format=prometheus"))
    for name, family in shown.items():  # what is shown is the same
        assert family.samples.items() <= families[name].samples.items(), name
        assert not [pairs for _, pairs in family.samples if any(value.startswith("/rosout") for _, value in pairs)], name
    print(f"{len(compared)} families, {sum(len(family.samples) for family in compared)} samples")


# --- Prometheus' tools ---

def find(program, package):
    path = shutil.which(program)
    if not path:
        print(f"skipped: needs {program} of Debian's package {package}")
        sys.exit(SKIPPED)
    return path


def check_promtool(command, recording):
    promtool = find("promtool", "prometheus")
    for options in [], ["--hidden"]:
        data = report(command, recording, "--format=prometheus", *options)
        done = subprocess.run([promtool, "check", "metrics"], input=data, capture_output=True, check=False)
        assert (done.returncode, done.stdout + done.stderr) == (0, b""), (done.stdout + done.stderr).decode()


def fetch(process, address):
    deadline = time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://{address}/metrics") as answer:
                return answer.read().decode()
        except OSError:
            time.sleep(0.05)
    sys.exit("node_exporter does not answer")


def check_node_exporter(command, recording):
    exporter = find("prometheus-node-exporter", "prometheus-node-exporter")
    with tempfile.TemporaryDirectory() as folder:
        report(command, recording, "--format=prometheus", f"--output={folder}")
        families = prometheus_text.read((pathlib.Path(folder) / "ros2.prom").read_bytes())
        address = f"127.0.0.1:{free_ports(1)[0]}"
        with subprocess.Popen([exporter, "--collector.disable-defaults", "--collector.textfile", f"--web.listen-address={address}",
                               f"--collector.textfile.directory={folder}"], stderr=subprocess.DEVNULL) as process:
            try:
                served = fetch(process, address)
            finally:
                process.terminate()
    assert re.search("^node_textfile_scrape_error 0$", served, re.M), "node_exporter refuses the file"
    got = {}
    for line in served.split("\n"):
        if line.startswith("ros2_"):
            name = re.match("[a-z0-9_]+", line).group()
            labels, value = prometheus_text.labels_of(line[len(name) + 1:]) if line[len(name)] == "{" else ({}, line[len(name):])
            got[name, tuple(sorted((label, text) for label, text in labels.items() if label != "le"))
                + tuple(("le", float(text)) for label, text in labels.items() if label == "le")] = float(value)
    expected = {}
    for family in families.values():
        for (suffix, pairs), value in family.samples.items():
            expected[family.name + suffix, tuple(pair for pair in pairs if pair[0] != "le")
                     + tuple(("le", float(text)) for label, text in pairs if label == "le")] = float(value)
    assert got == expected, f"{len(got)} samples served, {len(expected)} written"


def main():
    command, recording = sys.argv[1:3]
    {"": check_numbers, "promtool": check_promtool, "node_exporter": check_node_exporter}["".join(sys.argv[3:])](command, recording)


if __name__ == "__main__":
    main()
