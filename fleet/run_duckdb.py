#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes the tables of a fleet with DuckDB, from the rows of analyse.py: a Parquet file per table.

usage: run_duckdb.py --rows=DIRECTORY --output=DIRECTORY [--by=ATTRIBUTE,…] [--robot=ATTRIBUTE] [--compare=ATTRIBUTE]
"""
import argparse
import os
import sys

import duckdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import analyse  # noqa: E402
import tables  # noqa: E402

NUMBERS = ("low_ns", "high_ns", "n", "sum_ns", "min_ns", "max_ns")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rows", required=True, metavar="DIRECTORY")
    parser.add_argument("--output", required=True, metavar="DIRECTORY")
    tables.add_options(parser)
    arguments = parser.parse_args()
    database = duckdb.connect()
    files = tables.literal(os.path.join(arguments.rows, "*.csv.gz"))
    database.execute(f"CREATE VIEW texts AS SELECT * FROM read_csv({files}, header = true, all_varchar = true, quote = '\"')")
    names = [row[0] for row in database.execute("DESCRIBE texts").fetchall()]
    attributes = [name for name in names if name not in ("recording", *analyse.FIELDS)]
    cells = [f"CAST({name} AS BIGINT) AS {name}" if name in NUMBERS
             else f"coalesce({tables.quoted(name)}, '') AS {name}" if name in attributes else name for name in names]
    database.execute(f"CREATE TABLE rows AS SELECT {', '.join(cells)} FROM texts")
    by, robot, compared = tables.choose(attributes, arguments)
    versions = [row[0] for row in database.execute(f"SELECT DISTINCT {compared} FROM rows").fetchall()] if compared else []
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
