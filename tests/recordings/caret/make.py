#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what caret_analyze computes of the named paths of an architecture: the files that check_caret.py compares.

usage: make.py ARCHITECTURE TRACE FOLDER

Needs caret_analyze (tier4, 0.7.3) with its extension caret_analyze_cpp_impl, from their repositories, and pip's pandas 2.1.4,
numpy 1.26.4, bokeh 3.8.2, multimethod 2.1, graphviz, colorcet; not ROS. CARET takes a definition that is recorded twice for
two objects, and leaves a cache in the trace: so the trace is made by

    babeltrace2 TRACE -c filter.ros2.dedup -c filter.ros2.init-timestamp -c sink.ctf.fs -p 'path="COPY"'

both-mixed.tar.xz is that of tests/data/jazzy/caret-both, with the architecture in it.
"""

import os
import sys

from caret_analyze import Application, Architecture, Lttng
from caret_analyze.plot import Plot
from caret_analyze.record import Period, ResponseTime


def write(folder, name, columns, rows):
    with open(os.path.join(folder, name + ".csv"), "w", encoding="utf-8") as file:
        for row in [columns, *rows]:
            file.write(",".join("" if cell is None else str(cell) for cell in row) + "\n")


def table(records, is_sorted=True):
    rows = [[record.get(column) if column in record.columns else None for column in records.columns] for record in records.data]
    if is_sorted:
        rows.sort(key=lambda row: [(cell is None, cell or 0) for cell in row])
    return records.columns, rows


def write_path(folder, path, first, last):
    path.include_first_callback, path.include_last_callback = bool(first), bool(last)
    path.clear_cache()
    records = path.to_records()
    name = "%s__first%d_last%d" % (path.path_name, first, last)
    write(folder, "path__" + name, *table(records))
    response = ResponseTime(records, columns=[records.columns[0], records.columns[-1]])
    cases = {
        "best": response.to_best_case_records,
        "worst": response.to_worst_case_records,
        "all": response.to_all_records,
        "worst-with-external-latency": response.to_worst_with_external_latency_case_records,
    }
    for case, compute in cases.items():
        write(folder, "response__%s__%s" % (name, case), ("start", "response"), table(compute(), False)[1])


def write_element(folder, name, element):
    records = element.to_records()
    if not records.columns:
        return
    write(folder, "element__" + name, *table(records))
    if type(element).__name__ == "Communication":
        write(folder, "period__element__" + name, ("start", "period"), table(Period(records).to_records(), False)[1])
        seconds = Plot.create_frequency_timeseries_plot([element]).to_dataframe().dropna().values
        write(folder, "frequency__element__" + name, ("start", "count"), [[int(cell) for cell in row] for row in seconds])


def main():
    architecture, trace, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    for path in Application(Architecture("yaml", architecture), Lttng(trace, force_conversion=True)).paths:
        for first in 0, 1:
            for last in 0, 1:
                write_path(folder, path, first, last)
        for index, element in enumerate(path.child):
            write_element(folder, "%s__%d" % (path.path_name, index), element)


if __name__ == "__main__":
    main()
