#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The graph of a recording has the nodes, topics and losses of its tables, and Graphviz lays it out without a word.

usage: check_dot.py COMMAND RECORDING
"""

import pathlib
import subprocess
import sys

import report

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import dot_graph  # pylint: disable=wrong-import-position

HIDDEN = "/rosout", "/parameter_events"


def is_hidden(name):
    return name in HIDDEN or any(part.startswith("_") for part in name.split("/"))


def main():
    command, recording = sys.argv[1:]
    trace = report.source_arguments(recording)
    rows = report.table_of(command, recording, "communications")
    data = subprocess.run([command, "--format=dot"] + trace, check=True, stdout=subprocess.PIPE).stdout
    # of a large graph, `data` has a part
    graph = dot_graph.Graph(subprocess.run([command, "--format=dot", "--top=0"] + trace, check=True, stdout=subprocess.PIPE).stdout)
    edges = set()
    for row in rows:
        # what has no name is not drawn
        if row["topic"] and not is_hidden(row["topic"]) and int(row["received"]) + int(row["lost"]) > 0:
            edges.add(("n_" + (row["publisher_node"] or "?"), "t_" + row["topic"]))
            edges.add(("t_" + row["topic"], "n_" + (row["subscription_node"] or "?")))
    drawn = {ends for ends in graph.edges if not any(end.startswith("s_") for end in ends)}
    assert drawn == edges, f"edges {drawn ^ edges}"
    red = {ends for ends, (_, _, is_red) in graph.edges.items() if is_red and ends[0].startswith("t_")}
    lossy = {
        ("t_" + row["topic"], "n_" + row["subscription_node"])
        for row in rows
        if int(row["lost"]) > 0 and row["topic"] and not is_hidden(row["topic"])
    }
    assert red == lossy, f"losses {red ^ lossy}"
    assert all(label[0].endswith(" Hz") for label, _, _ in graph.edges.values()), "an edge has no rate"
    is_laid_out = dot_graph.lay_out(data)
    print(f"{len(graph.vertices)} vertices, {len(graph.edges)} edges" + ("" if is_laid_out else "; NOT laid out: no Graphviz"))


if __name__ == "__main__":
    main()
