#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of a large system is small: it has the rows that matter most, and says how many it leaves out.

usage: check_size.py WRITE_PAGE
"""
import os
import subprocess
import sys
import tempfile

import page

SIZE_MAX = 8_000_000
ROWS = 40_000
KEPT = 10_000


def check_table(table, count_column):
    rows = page.rows(table)
    assert len(rows) == KEPT and table["lacking"]["others"] == ROWS - KEPT, (table["name"], len(rows), table["lacking"])
    names = [column["name"] for column in table["columns"]]
    ranked = next(column["name"] for column in table["columns"] if column["ranks"])
    ids = [row[names[0]] for row in rows]
    assert ids == sorted(ids) and len(table["histograms"]) == KEPT, "in their order, each with its histograms"
    kept_sum = sum(row[count_column] for row in rows)
    assert table["lacking"]["sums"]["others"][names.index(count_column)] > kept_sum, table["lacking"]["sums"]
    return min(row[ranked] for row in rows), set(ids)


def main():
    [write_page] = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([write_page, folder, str(ROWS), "2000000"], check=True)
        path = os.path.join(folder, "report.html")
        size = os.path.getsize(path)
        data = page.read(path)
    assert size <= SIZE_MAX, size
    tables = page.tables(data)
    least, ids = check_table(tables["callbacks"], "count")
    check_table(tables["communications"], "received")
    for series in data["series"]:
        assert {row["id"] for row in series["rows"]} == ids, "series of the rows that are there, and of no others"
    assert least > 4_000_000, "the largest of durations below 8 ms"
    print(f"{ROWS} callbacks and pairs, {KEPT} kept: {size / 1e6:.1f} MB")


main()
