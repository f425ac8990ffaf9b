#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes the tables of a fleet with DuckDB, from the rows of analyse.py: a Parquet file per table.

usage: run_duckdb.py --rows=DIRECTORY --output=DIRECTORY [--by=ATTRIBUTE,…] [--robot=ATTRIBUTE] [--compare=ATTRIBUTE]
"""
import argparse
import csv
import glob
import gzip
import os
import sys
import zlib

import duckdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import analyse  # noqa: E402
import tables  # noqa: E402

NUMBERS = ("low_ns", "high_ns", "n", "sum_ns", "min_ns", "max_ns")


def problem_of(path):
    """What is wrong with a file of rows; None: nothing."""
    try:
        with gzip.open(path, "rt", newline="", encoding="utf-8") as file:
            reader = csv.reader(file, strict=True)
            header = next(reader, [])
            missing = [name for name in ("recording", *analyse.FIELDS) if name not in header]
            if missing:
                return f"no column {', '.join(missing)}"
            if any(len(row) != len(header) for row in reader):
                return "a row with more or fewer cells than the first one"
    except (OSError, EOFError, ValueError, csv.Error, zlib.error) as error:
        return str(error) or type(error).__name__
    return None


def good_files(directory):
    """The files of rows that are whole; the others are named."""
    good = []
    for path in sorted(glob.glob(os.path.join(glob.escape(directory), "*.csv.gz"))):
        problem = problem_of(path)
        if problem:
            print(f"{path}: {problem}; the file is left out: remove it, and run analyse.py again", file=sys.stderr)
        else:
            good.append(path)
    if not good:
        raise SystemExit(f"{directory}: no file of rows, as analyse.py writes them")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rows", required=True, metavar="DIRECTORY")
    parser.add_argument("--output", required=True, metavar="DIRECTORY")
    tables.add_options(parser)
    arguments = parser.parse_args()
    database = duckdb.connect()
    files = "[" + ", ".join("'" + path.replace("'", "''") + "'" for path in good_files(arguments.rows)) + "]"
    database.execute(f"CREATE VIEW texts AS SELECT * FROM read_csv({files}, delim = ',', header = true, all_varchar = true,"
                     " quote = '\"', escape = '\"', union_by_name = true)")
    names = [row[0] for row in database.execute("DESCRIBE texts").fetchall()]
    attributes = [name for name in names if name not in ("recording", *analyse.FIELDS)]
    cells = [f"CAST({tables.quoted(name)} AS BIGINT) AS {tables.quoted(name)}" if name in NUMBERS
             else f"coalesce({tables.quoted(name)}, '') AS {tables.quoted(name)}" if name in attributes
             else tables.quoted(name) for name in names]
    database.execute(f"CREATE TABLE rows AS SELECT {', '.join(cells)} FROM texts")
    by, robot, compared = tables.choose(attributes, arguments)
    versions = [row[0] for row in database.execute(f"SELECT DISTINCT {tables.quoted(compared)} FROM rows").fetchall()] if compared else []
    os.makedirs(arguments.output, exist_ok=True)
    kept, made = tables.statements(attributes, by, robot, compared, versions)
    for name, select in kept.items():
        database.execute(f"CREATE TABLE {name} AS {select}")
    for name, select in made.items():
        path = os.path.join(arguments.output, f"{name}.parquet")
        database.execute(f"COPY ({select} ORDER BY ALL) TO {tables.literal(path + '.part')} (FORMAT parquet)")
        os.replace(path + ".part", path)


if __name__ == "__main__":
    main()
