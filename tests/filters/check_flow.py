#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""filter.ros2.flow on a recording: it adds what it says, and nothing else changes.

usage: check_flow.py BABELTRACE2 PLUGIN_DIR TRACE [LINKS]

- annotate: the text without the added context is the text of the recording, also through sink.ctf.fs and back, and
  with a trimmer behind (which goes back to the beginning). Every flow_id of a take belongs to a publication.
- events: the text without the added events is the text of the recording, byte for byte; as many links as
  sink.ros2.latency has received messages (LINKS of them, if given).
- A second filter.ros2.flow behind the first one changes nothing.
"""

import csv
import pathlib
import re
import subprocess
import sys
import tempfile

CONTEXT = re.compile(r", \{ flow_id = (\d+), flow_parent_id = (\d+), flow_latency_ns = (-?\d+) \}")
PUBLISH = re.compile(r" ros2(?:_caret)?:(?:rclcpp_publish|rclcpp_intra_publish|rcl_publish|rmw_publish|dds_write): ")


def fail(text):
    sys.exit(f"FAILED: {text}")


class Babeltrace:
    def __init__(self, command, plugin_dir):
        self.command = [command, "--plugin-path", plugin_dir]

    def run(self, trace, *components):
        command = [*self.command, str(trace), *components]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0 or done.stderr:
            fail(f"{command}: exit {done.returncode}, {done.stderr}")
        return done.stdout

    def text(self, trace, *components):
        return self.run(trace, "--clock-cycles", "--no-delta", *components)

    def rewritten(self, trace, directory, *components):
        help_text = self.run_help("sink.ctf.fs")
        version = ["--params", 'ctf-version="1"'] if "ctf-version" in help_text else []
        self.run(trace, *components, "-c", "sink.ctf.fs", "--params", f'path="{directory}"', *version)
        return self.text(directory)

    def run_help(self, component):
        return subprocess.run([self.command[0], "help", component], capture_output=True, text=True).stdout


def same(expected, found, what):
    if expected != found:
        pairs = zip(expected.splitlines(), found.splitlines())
        fail(f"{what}: {next(((a, b) for a, b in pairs if a != b), 'one is longer')}")


def check_annotate(bt, trace, original):
    annotated = bt.text(trace, "-c", "filter.ros2.flow")
    same(original, CONTEXT.sub("", annotated), "annotate changed more than the context")
    published = set()
    linked = 0
    for line in annotated.splitlines():
        context = CONTEXT.search(line)
        if not context or context[1] == "0":
            continue
        if PUBLISH.search(line):
            published.add(context[1])
        elif context[1] not in published:
            fail(f"a flow that was not published: {line}")
        linked += 1
        if int(context[3]) < 0 and context[3] != "-1":
            print(f"negative latency: {line}")
    same(annotated, bt.text(trace, "-c", "filter.ros2.flow", "-c", "filter.ros2.flow"), "a second filter changed")
    # A trimmer asks its upstream to go back to its beginning.
    trimmed = bt.text(trace, "-c", "filter.ros2.flow", "-c", "filter.utils.trimmer", "--params", 'begin="1970-01-02 00:00:00"')
    same(annotated, trimmed, "annotate behind a trimmer")
    with tempfile.TemporaryDirectory() as directory:
        target = pathlib.Path(directory) / "copy"
        plain = pathlib.Path(directory) / "plain"
        # sink.ctf.fs gives traces new identities, by which events of equal time are ordered.
        same("\n".join(sorted(bt.rewritten(trace, plain).splitlines())),
             "\n".join(sorted(CONTEXT.sub("", bt.rewritten(trace, target, "-c", "filter.ros2.flow")).splitlines())),
             "through sink.ctf.fs and back")
    return linked


def received(bt, trace):
    with tempfile.TemporaryDirectory() as directory:
        bt.run(trace, "-c", "sink.ros2.latency", "--params", f'format=csv,output="{directory}"')
        rows = csv.DictReader((pathlib.Path(directory) / "communications.csv").read_text().splitlines())
        return sum(int(row["received"]) for row in rows)


def check_events(bt, trace, original, expected):
    text = bt.text(trace, "-c", "filter.ros2.flow", "--params", "mode=events")
    links = [line for line in text.splitlines(True) if " ros2_flow:link: " in line]
    same(original, "".join(line for line in text.splitlines(True) if " ros2_flow:link: " not in line),
         "events changed the other events")
    with tempfile.TemporaryDirectory() as directory:
        target = pathlib.Path(directory) / "copy"
        copied = bt.rewritten(trace, target, "-c", "filter.ros2.flow", "--params", "mode=events")
        if copied.count(" ros2_flow:link: ") != len(links):
            fail("links are lost through sink.ctf.fs and back")
    if expected is not None and len(links) != expected:
        fail(f"{len(links)} links, expected {expected}")
    if len(links) < received(bt, trace):
        fail("fewer links than messages received")
    return len(links)


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    bt = Babeltrace(sys.argv[1], sys.argv[2])
    trace = pathlib.Path(sys.argv[3])
    expected = int(sys.argv[4]) if len(sys.argv) == 5 else None
    original = bt.text(trace)
    annotated = check_annotate(bt, trace, original)
    links = check_events(bt, trace, original, expected)
    print(f"{trace}: {annotated} events annotated, {links} links")


if __name__ == "__main__":
    main()
