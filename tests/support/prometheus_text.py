# SPDX-License-Identifier: MIT
"""Prometheus' text format, read strictly: what node_exporter would refuse, or promtool complain about, is an error here."""

import re
from decimal import Decimal

NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
LABEL = re.compile(r'([a-z][a-z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(,|\})')
ESCAPES = {"\\n": "\n", "\\\\": "\\", '\\"': '"'}


class Family:
    def __init__(self, name, text):
        self.name, self.help, self.type = name, text, None
        self.samples = {}  # (suffix of the name, labels as a sorted tuple of pairs) -> Decimal


def labels_of(text):
    """The labels in the text after `{`, and what follows `}`."""
    labels = {}
    while True:
        match = LABEL.match(text)
        assert match, f"no label: {text!r}"
        name, value, end = match.groups()
        assert name not in labels, f"label {name} twice"
        labels[name] = re.sub(r"\\[\\\"n]", lambda escape: ESCAPES[escape.group()], value)
        text = text[match.end():]
        if end == "}":
            return labels, text


def read(data):
    """By name: the families of a file (bytes)."""
    lines = data.decode("utf-8").split("\n")  # not splitlines(): names hold other line separators
    assert lines.pop() == "", "the last line does not end"
    families, family = {}, None
    for line in lines:
        if line.startswith("# HELP "):
            name, text = line[7:].split(" ", 1)
            assert NAME.match(name) and name not in families, f"{name} twice"
            family = families[name] = Family(name, text)
        elif line.startswith("# TYPE "):
            name, family.type = line[7:].split(" ")
            assert name == family.name and not family.samples
        elif not line.startswith("#"):
            name = re.match(r"[a-z0-9_]+", line).group()
            assert name.startswith(family.name), f"{name} among the lines of {family.name}"
            labels, rest = labels_of(line[len(name) + 1:]) if line[len(name)] == "{" else ({}, line[len(name):])
            assert re.fullmatch(r" -?[0-9]+(\.[0-9]+)?", rest), f"no plain value: {rest!r}"
            key = (name[len(family.name):], tuple(sorted(labels.items())))
            assert key not in family.samples, f"{name}: {key} twice"
            family.samples[key] = Decimal(rest[1:])
    for family in families.values():
        suffixes = {suffix for suffix, _ in family.samples}
        assert suffixes == ({"_bucket", "_sum", "_count"} if family.type == "histogram" else {""}), family.name
        assert (family.type == "counter") == family.name.endswith("_total"), family.name
    return families
