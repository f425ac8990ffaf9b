#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_layout.py LAYOUT: records one event of each kind of a layout as real CTF, and compares

- names, fields, their order and values, as babeltrace2 prints them, with the rows of the table of events,
- the fields' types, as LTTng declares them, with those of real recordings of the release where there are some.

The rows are read here from the text of the table, not by the code that made the tracepoints.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from ctf_metadata import declared_events

ROOT = Path(__file__).resolve().parents[2]
RELEASES = ["DASHING", "ELOQUENT", "FOXY", "GALACTIC", "HUMBLE", "IRON", "EARLY_JAZZY", "JAZZY", "ROLLING", "KILTED"]
LAYOUTS = {name.lower(): (name, False) for name in RELEASES}
LAYOUTS["galactic_fork"] = ("GALACTIC", True)
# recordings of ROS 2 itself, of CARET, or both, made with the layout's release
RECORDINGS = {"jazzy": ["jazzy/chain", "jazzy/intra", "jazzy/caret-both", "jazzy/caret-delayed"],
              "humble": ["humble/chain", "humble/caret-both"],
              "galactic_fork": ["caret-demos-e2e"]}


class Row:
    def __init__(self, number, name, providers, event_class, first, last):
        self.number, self.name, self.providers, self.event_class = number, name, providers, event_class
        self.first, self.last = first, last
        self.fields = []  # (name, type, first, last)


def release_number(name):
    return {"NEWEST": len(RELEASES) - 1, "FORK": len(RELEASES)}.get(name, RELEASES.index(name) if name in RELEASES else -1)


def table_rows():
    rows = []
    for line in (ROOT / "core/events/event_table.h").read_text().splitlines():
        event = re.match(r"EVENT\(\w+, (\w+), (\w+), (\w+), (\w+), (\w+),", line)
        field = re.match(r"FIELD\(\w+, (\w+), \w+, (\w+), (\w+), (\w+)\)", line)
        if event:
            name, providers, event_class, first, last = event.groups()
            rows.append(Row(len(rows), name, providers, event_class, release_number(first), release_number(last)))
        elif field:
            name, kind, first, last = field.groups()
            rows[-1].fields.append((name, kind, release_number(first), release_number(last)))
    return rows


def value_text(row, index, kind, gid_size):
    """How babeltrace2 prints the value that the catalogue gives to a field."""
    number = row.number * 100 + index
    if kind == "ADDRESS":
        return f"0x{0x7f0000000000 + number:X}"
    if kind == "U64":
        return str(2 ** 64 - 1 - number)
    if kind in ("I64", "I32"):
        return str(-number - 1)
    if kind == "STRING":
        return f'"{row.name}.{row.fields[index][0]}, \\"{number}\\""'
    if kind == "GID":
        content = ([number % 256] + list(range(1, 15)) + [255] + [0] * 8)[:gid_size]
        return "[ " + ", ".join(f"[{i}] = {byte}" for i, byte in enumerate(content)) + " ]"
    return f"[ [0] = 0x{0x7f0000000000 + number:X}, [1] = 0x1 ]"


def expected_events(layout):
    """The lines that the table asks for, by provider."""
    release_name, is_fork = LAYOUTS[layout]
    release, fork = RELEASES.index(release_name), len(RELEASES)
    has_caret = release >= RELEASES.index("GALACTIC")
    gid_size = 16 if release >= RELEASES.index("ROLLING") else 24
    lines = []

    def is_in(first, last, which):
        return first <= which <= last

    for row in table_rows():
        of_fork = is_fork and (is_in(row.first, row.last, fork) or any(is_in(f[2], f[3], fork) for f in row.fields))
        for provider in ("ros2", "ros2_caret"):
            is_caret = provider == "ros2_caret"
            if row.providers not in (("BOTH", "CARET", "AGNOCAST_OR_CARET") if is_caret else ("BOTH", "ROS2")):
                continue
            # CARET before v0.4, as it was with the fork, leaves the definitions of ROS 2 to ros2_tracing
            if is_caret and (not has_caret or (is_fork and (row.providers == "BOTH" or row.event_class == "MARK"))):
                continue
            # one CARET serves all releases from Humble on, and declares all its definitions for each
            of_caret = is_caret and row.event_class == "INIT" and release >= RELEASES.index("HUMBLE")
            if not (is_in(row.first, row.last, release) or of_caret or (of_fork and not is_caret)):
                continue
            era = release if is_in(row.first, row.last, release) else row.first
            values = []
            for index, (name, kind, first, last) in enumerate(row.fields):
                if is_caret and (row.name, name) == ("rcl_init", "version"):
                    continue
                if is_in(first, last, era) or (is_fork and is_in(first, last, fork)):
                    if kind == "ADDRESSES":
                        values.append(f"_{name}_length = 2")
                    values.append(f"{name} = {value_text(row, index, kind, gid_size)}")
            if is_caret and row.event_class == "INIT" and not is_fork:
                values.append(f"init_timestamp = {row.number + 1}")
            fields = f"{{ {', '.join(values)} }}" if values else "{ }"
            lines.append(f"{provider}:{row.name}: {fields}")
    return lines


def recorded_events(trace):
    text = subprocess.run(["babeltrace2", str(trace)], check=True, capture_output=True, text=True, errors="replace").stdout
    # time, delta, host, name, then the structs: packet context, event context, payload
    return [re.sub(r"^\[.*?\] \(.*?\) (?:\S+ )?(\w+:\w+:) \{.*?\}, \{ vpid.*?\}, ", r"\1 ", line)
            for line in text.splitlines()]


def compare_values(layout, trace):
    expected, recorded = sorted(expected_events(layout)), sorted(recorded_events(trace))
    assert len(expected) > 10, "the table was not read"
    problems = [f"missing: {line}" for line in expected if line not in recorded]
    problems += [f"too much: {line}" for line in recorded if line not in expected]
    if len(expected) != len(recorded):
        problems.append(f"{len(recorded)} events instead of {len(expected)}")
    return problems


def without_alignment(declarations):
    """Alignment is that of the machine that recorded: x86 packs, others do not."""
    return {name: [re.sub(r" align = \d+;", "", field) for field in fields] for name, fields in declarations.items()}


def compare_types(layout, trace):
    shared = Path(os.environ.get("ROS2BT_SHARED_TRACES", ROOT.parent / "shared/traces"))
    ours, problems, compared = without_alignment(declared_events(trace)), [], 0
    for recording in RECORDINGS.get(layout, []):
        if not (shared / recording).is_dir():
            continue
        for name, fields in without_alignment(declared_events(shared / recording)).items():
            if name not in ours:
                problems.append(f"{recording} has {name}, the layout has not")
            elif ours[name] != fields:
                problems.append(f"{name}: {recording} has {fields}, the layout has {ours[name]}")
            compared += 1
    print(f"{compared} event classes compared with real recordings")
    return problems


def main():
    layout = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="ros2bt-layout-") as folder:
        output = Path(folder) / "recording"
        result = subprocess.run([sys.executable, Path(__file__).with_name("record"), "--output", output, "--", "--catalogue",
                                 "--processes", "1", "--layout", layout], check=False)
        if result.returncode != 0:
            sys.exit(result.returncode)
        problems = compare_values(layout, output / "trace") + compare_types(layout, output / "trace")
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
