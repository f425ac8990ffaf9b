# SPDX-License-Identifier: MIT
"""Reads the graphs that --format=dot writes, and has Graphviz lay them out, where it is installed."""

import re
import shutil
import subprocess

from latency import PATIENCE_S

STRING = r'"((?:[^"\\]|\\.)*)"'
VERTEX = re.compile(rf"\t{STRING} \[label={STRING}, shape=(ellipse|box|hexagon)\];")
EDGE = re.compile(rf"\t{STRING} -> {STRING} \[label={STRING}, weight=(\d+), penwidth=(\d+)(, color=red, fontcolor=red)?\];")
HEAD = re.compile(r"\t(graph|node|edge) \[.*\];")


def text(quoted):
    """A string as Graphviz shows it."""
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], quoted)


class Graph:
    """vertices: id -> (lines of the label, shape); edges: (id, id) -> (lines of the label, weight, whether it is red)"""

    def __init__(self, data):
        lines = data.decode("utf-8").split("\n")
        assert lines[0] == "digraph ros2 {" and lines[-2:] == ["}", ""], lines
        self.vertices, self.edges = {}, {}
        for line in lines[1:-2]:
            vertex, edge = VERTEX.fullmatch(line), EDGE.fullmatch(line)
            if vertex:
                assert text(vertex[1]) not in self.vertices, line
                self.vertices[text(vertex[1])] = text(vertex[2]).split("\n"), vertex[3]
            elif edge:
                ends = text(edge[1]), text(edge[2])
                assert ends not in self.edges and set(ends) <= set(self.vertices), line
                self.edges[ends] = text(edge[3]).split("\n"), int(edge[4]), bool(edge[6])
            else:
                assert HEAD.fullmatch(line), line


def lay_out(data):
    """False if there is no Graphviz. It must say nothing."""
    command = shutil.which("dot")
    if not command:
        return False
    result = subprocess.run([command, "-Tsvg"], input=data, capture_output=True, check=False, timeout=PATIENCE_S)
    assert result.returncode == 0 and not result.stderr, result.stderr.decode()
    assert result.stdout.rstrip().endswith(b"</svg>")
    return True
