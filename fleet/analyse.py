#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Analyses recordings of a fleet: turns each into rows that can be merged by SUM, MIN and MAX (tables.py).

usage: analyse.py --manifest=FILE --rows=DIRECTORY [OPTION]... [RECORDING]...

The manifest is a CSV file with a column `recording`, the path of a recording relative to the file, and further columns that
are its attributes: robot, version, day, … A recording is a directory with traces somewhere below it, or an archive that tar
unpacks. Each yields a gzipped CSV file in DIRECTORY, even if it cannot be read: its row then says why. Recordings that have their
file are not analysed again. Without RECORDING: all recordings of the manifest, or those of --share=I/N.

The rows (FIELDS) are of these kinds: `recording`, one per recording, with its status as `statistic`; `count` and `largest`,
columns to be added, or of which the largest counts; `totals` and `bucket` of a statistic. `series` are the names that identify
a row of a table (`tab`) of ros2-latency.

Only the standard library is used, so that a job can ship this file to where it runs (run_spark.py).
"""
import argparse
import collections
import contextlib
import csv
import gzip
import hashlib
import io
import os
import subprocess
import sys
import tempfile

FIELDS = ("kind", "tab", "series", "statistic", "low_ns", "high_ns", "n", "sum_ns", "min_ns", "max_ns", "problem")
Row = collections.namedtuple("Row", FIELDS, defaults=(None,) * len(FIELDS))

# Columns of the tables (tables.py) and names within their SQL, which no attribute can have
TAKEN = frozenset((*FIELDS, "recording", "recordings", "status", "run", "total", "mean_ns", "upto", "middle", "value", "position",
                   "place", "ratio", "robots", "p50_ns", "p90_ns", "p99_ns", "median_p99_ns", "first_ns", "third_ns",
                   "p50_change_percent", "p99_change_percent", "t", "q", "s", "o", "r", "f", "v", "last", "all_rows", ""))
PREFIX = "manifest_"

COMPLETE, PARTIAL, FAILED = "complete", "partial", "failed"
SEPARATOR = " | "

csv.field_size_limit(1 << 24)


class Failure(Exception):
    """Why a recording has no rows."""


def column_names(attributes):
    """Attributes as columns: one whose name is taken, whatever its case, becomes manifest_NAME."""
    names = []
    for name in attributes:
        while name.lower() in TAKEN or name.lower().startswith("previous_") or name.lower() in [other.lower() for other in names]:
            name = PREFIX + name
        names.append(name)
    return names


def read_manifest(path):
    """
    The columns of the attributes (column_names()), and the values of each recording, by its path relative to the working
    directory. A recording that is given twice, however its path is written, is named and taken once.
    """
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = [row for row in csv.reader(file, strict=True) if row]
    names = rows[0] if rows else []
    if "recording" not in names:
        raise SystemExit(f"{path}: no column recording")
    at = names.index("recording")
    folder = os.path.dirname(os.path.abspath(path))
    recordings, known = {}, {}
    for row in rows[1:]:
        cells = (row + [""] * len(names))[:len(names)]
        recording = os.path.join(folder, cells[at])
        first = known.setdefault(os.path.normpath(recording), recording)
        if first in recordings:
            print(f"{recording}: given twice, and counted once", file=sys.stderr)
            continue
        recordings[first] = [cell for index, cell in enumerate(cells) if index != at]
    return column_names([name for index, name in enumerate(names) if index != at]), recordings


def read_columns(command):
    """By table, its columns in order: the name, and how a merge treats it (name, sum, max, statistic)."""
    text = subprocess.run([command, "merge", "--columns"], stdout=subprocess.PIPE, text=True, check=True).stdout
    columns = collections.defaultdict(list)
    for row in csv.DictReader(io.StringIO(text)):
        columns[row["table"]].append((row["column"], row["merge"]))
    return dict(columns)


def run(arguments, timeout, what):
    """Returns standard error and the exit status; a program that does not end, or is killed, is a failure."""
    try:
        result = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        raise Failure(f"{what} took more than {timeout:g} s") from None
    except OSError as error:
        raise Failure(f"{what} cannot be run: {error}") from None
    text = result.stderr.decode(errors="replace").strip().replace("\n", "; ")[:1000]
    if result.returncode < 0:
        raise Failure(f"{what} was killed by signal {-result.returncode}: {text}")
    return result.returncode, text


@contextlib.contextmanager
def unpacked(recording, fetch, timeout):
    """The directory of a recording, fetched and unpacked if need be, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="ros2-fleet-") as folder:
        if fetch:
            status, text = run(["sh", "-c", fetch, "fetch", recording, folder], timeout, "fetching")
            if status != 0:
                raise Failure(f"fetching: {text or status}")
            found = os.listdir(folder)
            recording = os.path.join(folder, found[0]) if len(found) == 1 else folder
        if not os.path.exists(recording):
            raise Failure("no such recording")
        if os.path.isfile(recording):
            target = os.path.join(folder, "unpacked")
            os.mkdir(target)
            status, text = run(["tar", "--extract", "--file", recording, "--directory", target], timeout, "tar")
            if status != 0:
                raise Failure(f"tar: {text or status}")
            recording = target
        yield recording


def read_table(folder, name):
    """The header and the rows; empty if the report does not have the table."""
    path = os.path.join(folder, name + ".csv")
    if not os.path.exists(path):
        return [], []
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True))
    return rows[0], rows[1:]


def read_histograms(folder, table):
    """The buckets of each statistic, by the key of its row and the statistic."""
    header, rows = read_table(folder, (table[:-1] if table.endswith("s") else table) + "_histograms")
    key = header[:-4]  # before statistic, low_ns, high_ns, count
    buckets = collections.defaultdict(list)
    for row in rows:
        buckets[tuple(row[:len(key)]), row[-4]].append((int(row[-3]), int(row[-2]), int(row[-1])))
    return key, buckets


def rows_of_series(table, series, cells, counts, statistics, identity, buckets):
    """No row for a statistic without samples."""
    numbers = [(kind, column, int(cells[at])) for kind, column, at in counts if cells[at]]
    sampled = [(column, at, buckets[identity, column]) for column, at in statistics if (identity, column) in buckets]
    if not sampled and not any(value for _, _, value in numbers):
        return
    for kind, column, value in numbers:
        yield Row(kind, table, series, column, n=value)
    for column, at, found in sampled:
        yield Row("totals", table, series, column, n=sum(count for _, _, count in found),
                  sum_ns=int(cells[at["sum"]]) if cells[at["sum"]] else None, min_ns=int(cells[at["min"]]), max_ns=int(cells[at["max"]]))
        for low, high, count in found:
            yield Row("bucket", table, series, column, low, high, count)


def rows_of_table(folder, table, columns):
    """The counts and statistics of each row, by its names."""
    header, rows = read_table(folder, table)
    if not rows:
        return
    index = {name: at for at, name in enumerate(header)}
    names = [index[column] for column, merge in columns if merge == "name"]
    counts = [("count" if merge == "sum" else "largest", column, index[column]) for column, merge in columns
              if merge in ("sum", "max") and column in index]
    statistics = [(column, {name: index[f"{column}_{name}_ns"] for name in ("sum", "min", "max")}) for column, merge in columns
                  if merge == "statistic" and f"{column}_sum_ns" in index]
    key, buckets = read_histograms(folder, table) if statistics else ([], {})
    for cells in rows:
        series = SEPARATOR.join(cells[at] for at in names)
        yield from rows_of_series(table, series, cells, counts, statistics, tuple(cells[index[name]] for name in key), buckets)


def analyse(recording, command, columns, buckets=32, timeout=3600, fetch=None, options=()):
    """The rows of a recording. Never fails: for a bad recording, the only row says what is wrong with it."""
    try:
        with unpacked(recording, fetch, timeout) as folder, tempfile.TemporaryDirectory(prefix="ros2-fleet-") as report:
            status, text = run([command, "--format=csv", "--histograms", f"--buckets={buckets}", f"--output={report}", *options,
                                folder], timeout, "ros2-latency")
            if not os.path.exists(os.path.join(report, "callbacks.csv")) or status not in (0, 1):
                raise Failure(text or f"exit status {status}")
            rows = [row for table, merges in columns.items() for row in rows_of_table(report, table, merges)]
            return [Row("recording", statistic=COMPLETE if status == 0 else PARTIAL, problem=text or None), *rows]
    except Exception as error:  # whatever a recording does, it must not end a job with thousands of others
        problem = str(error) if isinstance(error, Failure) else f"{type(error).__name__}: {error}"
        return [Row("recording", statistic=FAILED, problem=problem)]


def write_rows(path, recording, values, names, rows):
    """Writes a file that appears whole or not at all."""
    temporary = f"{path}.{os.getpid()}.part"
    with gzip.open(temporary, "wt", compresslevel=1, newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("recording", *names, *FIELDS))
        writer.writerows((recording, *values, *row) for row in rows)
    os.replace(temporary, path)


def file_of(directory, recording):
    return os.path.join(directory, hashlib.sha256(recording.encode()).hexdigest()[:32] + ".csv.gz")


def chosen(recordings, arguments):
    if arguments.recordings:
        wanted = [os.path.abspath(recording) for recording in arguments.recordings]
        known = {os.path.abspath(recording): recording for recording in recordings}
        missing = [recording for recording in wanted if recording not in known]
        if missing:
            raise SystemExit(f"not in the manifest: {', '.join(missing)}")
        return [known[recording] for recording in wanted]
    if arguments.share:
        index, count = (int(part) for part in arguments.share.split("/"))
        return sorted(recordings)[index::count]
    return sorted(recordings)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--manifest", required=True, metavar="FILE")
    parser.add_argument("--rows", required=True, metavar="DIRECTORY", help="a file for each recording; made if missing")
    parser.add_argument("--command", default="ros2-latency", metavar="FILE", help="default: ros2-latency")
    parser.add_argument("--buckets", type=int, default=32, help="of histograms, an octave; default: 32")
    parser.add_argument("--timeout", type=float, default=3600, metavar="SECONDS", help="for each recording; default: an hour")
    parser.add_argument("--fetch", metavar="SCRIPT", help="shell script that copies the recording $1 to the directory $2")
    parser.add_argument("--share", metavar="I/N", help="every Nth recording of the manifest, from number I (0 to N-1) on")
    parser.add_argument("recordings", nargs="*", metavar="RECORDING")
    arguments = parser.parse_args()
    names, recordings = read_manifest(arguments.manifest)
    columns = read_columns(arguments.command)
    os.makedirs(arguments.rows, exist_ok=True)
    for recording in chosen(recordings, arguments):
        path = file_of(arguments.rows, recording)
        if not os.path.exists(path):
            rows = analyse(recording, arguments.command, columns, arguments.buckets, arguments.timeout, arguments.fetch)
            write_rows(path, recording, recordings[recording], names, rows)
            if rows[0].problem:
                print(f"{recording}: {rows[0].problem}", file=sys.stderr)


if __name__ == "__main__":
    main()
