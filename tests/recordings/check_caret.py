#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Named paths by CARET's joins (contexts=caret) against what caret_analyze itself computes.

usage: check_caret.py LATENCY RECORDING SCENARIO

A scenario is a folder, or an archive of one, with an architecture and the tables that caret_analyze made of it and of the
recording, as CSV files:

  path__NAME__firstF_lastL.csv             the flows, by include_first_callback and include_last_callback
  element__NAME__I_*.csv                   the records of the element I of the path
  response__NAME__firstF_lastL__CASE.csv   a series of response times: start, response
  period__element__NAME__I_*.csv           the period of its first column: start, period
  frequency__element__NAME__I_*.csv        how often that happens: start of the second, count
  callback__NODE__CALLBACK.csv             executions of a callback: start, end

All must be the same, but for what CARET gets wrong by the programs' logs: see WRONG.
"""

import csv
import os
import subprocess
import sys
import tarfile
import tempfile

SKIPPED = 77
MS = 1000000

# Scenario, beginning of the file → what of it is not right.
#   ends       of a callback that runs on several threads at once
#   charged    to an output with responses above this (ns): across a time in which a process was not recorded
WRONG = {
    ("intra-join-latest", "path__cam_to_disp__first1_last1"): ("ends",),
    ("intra-join-chain", "path__cam_to_disp__first1_last1"): ("ends",),
    ("intra-join-latest", "callback__disp"): ("all",),
    ("intra-join-chain", "callback__disp"): ("all",),
    ("intra-join-latest", "response__cam_to_disp__first1_last1"): ("all",),
    ("intra-join-chain", "response__cam_to_disp__first1_last1"): ("all",),
    ("both-chain", "response__"): ("charged", 1000 * MS),
    ("both-mixed", "response__"): ("charged", 1000 * MS),
}
CASES = {"worst-with-external-latency": "external"}


def number(text):
    return int(text) if text != "" else None


def read_csv(path):
    """The columns, and the rows in order of all of them, empty cells last."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return rows[0] if rows else [], in_order([tuple(number(cell) for cell in row) for row in rows[1:]])


def in_order(rows):
    return sorted(rows, key=lambda row: [(cell is None, cell or 0) for cell in row])


class Tables:
    """The report of a recording with the named paths of an architecture."""

    def __init__(self, latency, recording, architecture, first, last):
        with tempfile.TemporaryDirectory() as folder:
            command = [latency, "--format=csv", "--instances", "--output=" + folder, "--table=named_paths,callbacks", "--contexts=caret"]
            command += ["--architecture=" + architecture]
            command += ["--first-callback"] if first else []
            command += ["--last-callback"] if last else []
            command += [os.path.join(recording, "trace") if os.path.exists(os.path.join(recording, "trace")) else recording]
            result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            if result.returncode != 0:
                sys.exit("exit %d: %s\n%s" % (result.returncode, " ".join(command), result.stdout.decode()))
            self.tables = {name[:-4]: self.read(os.path.join(folder, name)) for name in os.listdir(folder)}
        self.ids = {row["name"]: row["named_path_id"] for row in self.rows("named_paths")}
        self.records = {}
        for row in self.rows("named_path_records"):
            table = self.records.setdefault((row["named_path_id"], row["element"]), ([], []))
            if row["record"] == "1":
                table[0].append(row["column"])
            if row["column"] == table[0][0]:
                table[1].append([])
            table[1][-1].append(number(row["time_ns"]))

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def rows(self, table):
        return self.tables.get(table, [])

    def executions(self, rows):
        """Those of the callbacks of which the rows have executions."""
        starts = {str(row[0]) for row in rows}
        instances = [row for row in self.rows("callback_instances") if row["duration_ns"] != ""]
        ids = {row["callback_id"] for row in instances if row["start_ns"] in starts}
        return in_order([(int(row["start_ns"]), int(row["end_ns"])) for row in instances if row["callback_id"] in ids])

    def table_of(self, path, element):
        """Columns and rows of an element; without one, of the flows."""
        columns, rows = self.records.get((self.ids[path], element), ([], []))
        return columns, in_order([tuple(row) for row in rows])

    def series(self, table, path, **keys):
        """The first two columns after the keys, of the rows that have these values in them."""
        rows = [row for row in self.rows(table) if row["named_path_id"] == self.ids[path]]
        rows = [row for row in rows if all(row[key] == value for key, value in keys.items())]
        names = {"response_instances": ("start_ns", "response_ns"), "frequencies": ("start_ns", "count")}[table]
        return in_order([tuple(int(row[name]) for name in names) for row in rows])


class Check:
    def __init__(self, scenario, reports):
        self.scenario, self.reports = scenario, reports
        self.compared, self.left_out, self.complaints = 0, 0, []

    def wrong(self, name):
        for (scenario, beginning), what in WRONG.items():
            if scenario == self.scenario and name.startswith(beginning):
                return what
        return ("nothing",)

    def compare(self, name, expected, found):
        what = self.wrong(name)
        if what[0] == "all":
            self.left_out += 1
            return
        if what[0] == "ends":
            self.left_out += len(expected)
            expected, found = [row[:-1] for row in expected], [row[:-1] for row in found]
        if what[0] == "charged":
            # The first output after the break: of what CARET charges to it we have a part.
            outputs = {row[0] + row[1] for row in expected if row[1] > what[1]}
            self.complaints += ["%s: %d is charged across a break" % (name, row[1]) for row in found if row[1] > what[1]]
            self.left_out += sum(row[0] + row[1] in outputs for row in expected)
            expected, found = ([row for row in rows if row[0] + row[1] not in outputs] for rows in (expected, found))
        self.compared += 1
        if expected != found:
            missing, extra = sorted(set(expected) - set(found), key=str), sorted(set(found) - set(expected), key=str)
            self.complaints.append(
                "%s: %d rows, CARET has %d; missing %s, not CARET's %s" % (name, len(found), len(expected), missing[:2], extra[:2])
            )

    def compare_table(self, name, file, found):
        columns, rows = read_csv(file)
        if rows and columns != found[0]:
            self.complaints.append("%s: columns %s, CARET has %s" % (name, found[0], columns))
        self.compare(name, rows, found[1])

    def file(self, folder, name):
        file, parts = os.path.join(folder, name), name[: -len(".csv")].split("__")
        kind = parts[0]
        if kind in ("path", "response"):
            report = self.reports(int(parts[2][5]), int(parts[2][11]))
        else:
            report = self.reports(0, 0)
        if kind == "path":
            self.compare_table(name, file, report.table_of(parts[1], ""))
        elif kind == "element":
            self.compare_table(name, file, report.table_of(parts[1], parts[2].split("_")[0]))
        elif kind == "response":
            case = CASES.get(parts[3], parts[3])
            self.compare(name, read_csv(file)[1], report.series("response_instances", parts[1], case=case))
        elif kind == "callback":
            rows = read_csv(file)[1]
            self.compare(name, rows, report.executions(rows))
        elif kind == "period" and parts[1] == "element":
            _, rows = report.table_of(parts[2], parts[3].split("_")[0])
            starts = [row[0] for row in rows]
            self.compare(name, read_csv(file)[1], [(a, b - a) for a, b in zip(starts, starts[1:])])
            self.period(name, read_csv(file)[1], report, parts[2], parts[3].split("_")[0])
        elif kind == "frequency" and parts[1] == "element":
            element = parts[3].split("_")[0]
            self.compare(name, read_csv(file)[1], report.series("frequencies", parts[2], element=element))

    def period(self, name, rows, report, path, element):
        for row in report.rows("named_path_elements"):
            if row["named_path_id"] == report.ids[path] and row["element"] == element:
                periods = [period for _, period in rows]
                found = tuple(int(row["period_%s_ns" % what]) for what in ("sum", "min", "max"))
                self.compare(name + " (statistic)", [(sum(periods), min(periods), max(periods))], [found])
                return
        self.complaints.append(name + ": the element is not listed")


def main():
    latency, recording, scenario = sys.argv[1:4]
    if not os.path.exists(scenario):
        print("skipped: there is no", scenario)
        return SKIPPED
    with tempfile.TemporaryDirectory() as unpacked:
        if tarfile.is_tarfile(scenario) if os.path.isfile(scenario) else False:
            with tarfile.open(scenario) as archive:
                archive.extractall(unpacked)
            scenario = os.path.join(unpacked, os.listdir(unpacked)[0])
        made = {}

        def reports(first, last):
            if (first, last) not in made:
                made[first, last] = Tables(latency, recording, os.path.join(scenario, "architecture.yaml"), first, last)
            return made[first, last]

        check = Check(os.path.basename(scenario.rstrip("/")), reports)
        for name in sorted(os.listdir(scenario)):
            if name.endswith(".csv"):
                check.file(scenario, name)
    for complaint in check.complaints[:20]:
        print(complaint)
    print("%d tables compared, %d complaints; %d rows or tables in which CARET is wrong" % (check.compared, len(check.complaints), check.left_out))
    return 1 if check.complaints or not check.compared else 0


if __name__ == "__main__":
    sys.exit(main())
