#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test_architecture.py ROS2_LATENCY READ_ARCHITECTURE DATA [RECORDING]...

ros2-latency architecture: of every recording a file that our reader takes as it was written; callbacks of publishers against the
programs' logs; what caret_analyze exported of the same recordings (caret-golden, beside the recordings), but for what it does
not know; searches and their limits; wrong command lines.
"""
import csv
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path += [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("faults", "support")]
import latency  # pylint: disable=wrong-import-position
from ros_trace import CHATTER, HEARD, TALKER, TICK, RosTrace  # pylint: disable=wrong-import-position

COMMAND, READ, DATA = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
RECORDINGS = sorted(map(pathlib.Path, sys.argv[4:])) or sorted(DATA.glob("*/*"))
READ_ONLY_PARTLY, USAGE, NOTHING = 1, 2, 3
WITHOUT_LIBYAML = 77
# which recording each of CARET's exports was made of
EXPORTS = {"jazzy/caret-both": "both-chain", "jazzy/caret-delayed": "delayed-latest", "jazzy/caret-intra": "intra-join-latest"}
LEFT_OUT = "/clock", "/rosout", "/parameter_events"
# what does not record all publications with their callbacks; as do nodes without rclcpp
LACKING = {
    "humble/intra": "publications within a process",
    "jazzy/edge-late-start": "definitions",
    "jazzy/edge-snapshot": "definitions",
    "jazzy/edge-nocontext": "threads",
}


def run(*arguments):
    return latency.run(COMMAND, "architecture", *arguments)


def parse(text):
    """The lists and mappings of a file in block style, of which scalars in plain style may go on in further lines."""
    lines = []
    for line in text.splitlines():
        content = line.lstrip()
        if content.startswith("- ") or re.match(r"[a-z_]+:( |$)", content):
            lines.append(line)
        else:
            lines[-1] += " " + content
    return parse_block(lines, 0)[0]


def indent_of(line):
    return len(line) - len(line.lstrip())


def scalar(text):
    return [] if text == "[]" else text.strip().strip('"')


def parse_block(lines, first):
    """The list or mapping that begins in a line, and the line after it."""
    if lines[first].lstrip().startswith("- "):
        return parse_list(lines, first)
    result, indent, at = {}, indent_of(lines[first]), first
    while at < len(lines) and indent_of(lines[at]) == indent and not lines[at].lstrip().startswith("- "):
        key, _, value = lines[at].strip().partition(":")
        at += 1
        if value:
            result[key] = scalar(value.strip())
        else:
            result[key], at = parse_block(lines, at)
    return result, at


def parse_list(lines, first):
    result, indent, at = [], indent_of(lines[first]), first
    while at < len(lines) and indent_of(lines[at]) == indent and lines[at].lstrip().startswith("- "):
        rest = lines[at].lstrip()[2:]
        if re.match(r"[a-z_]+:( |$)", rest):
            lines[at] = " " * (indent + 2) + rest
            element, at = parse_block(lines, at)
        else:
            element, at = scalar(rest), at + 1
        result.append(element)
    return result, at


@functools.lru_cache(maxsize=None)
def architecture_of(trace):
    got = run(trace)
    assert got.returncode == 0, (trace, got.returncode, got.stderr)
    return parse(got.stdout)


def nodes_of(architecture):
    return {node["node_name"]: node for node in architecture["nodes"]}


def publishing(architecture):
    """(node, topic of the subscription or "timer", published topic) of each callback of a publisher."""
    found = set()
    for node in architecture["nodes"]:
        inputs = {callback["callback_name"]: callback.get("topic_name", "timer") for callback in node.get("callbacks", [])}
        for publisher in node.get("publishes", []):
            found |= {(node["node_name"], inputs[name], publisher["topic_name"]) for name in publisher["callback_names"]
                      if name != "UNDEFINED"}
    return found


def published_by_logs(recording):
    """The same by the logs of the programs: publications within a callback on the same thread."""
    found = set()
    for path in (recording / "ground-truth").glob("*.csv"):
        with open(path, encoding="utf-8") as file:
            next(file)
            rows = list(csv.DictReader(file))
        callbacks = {}
        for row in rows:
            if row["kind"] in ("callback", "timer") and row["t_end_ns"]:
                callbacks.setdefault((row["node"], row["tid"]), []).append(row)
        for row in rows:
            for callback in callbacks.get((row["node"], row["tid"]), []) if row["kind"] == "publish" else []:
                if int(callback["t_start_ns"]) <= int(row["t_start_ns"]) <= int(callback["t_end_ns"]):
                    # several subscriptions of a topic are told apart in brackets
                    name = callback["name"].split("(")[0] if callback["name"].startswith("/") else "timer"
                    found.add(("/" + row["node"], name, row["name"]))
    return {item for item in found if item[2] not in LEFT_OUT}


class EveryRecording(unittest.TestCase):
    def test_our_reader_takes_it_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "architecture.yaml"
            for recording in RECORDINGS:
                with self.subTest(recording=recording):
                    got = run(recording)
                    self.assertEqual(got.returncode, 0, got.stderr)
                    self.assertEqual(run(recording).stdout, got.stdout)
                    file.write_text(got.stdout, encoding="utf-8")
                    read = latency.run(READ, file)
                    if read.returncode == WITHOUT_LIBYAML:
                        self.skipTest(read.stderr)
                    self.assertEqual((read.returncode, read.stderr), (0, ""))
                    self.assertEqual(read.stdout, got.stdout)

    def test_names_in_it_are_those_of_objects_in_it(self):
        """caret_analyze leaves out a node in which one is not."""
        for recording in RECORDINGS:
            with self.subTest(recording=recording):
                architecture = architecture_of(recording)
                groups = set()
                for node in architecture["nodes"]:
                    names = {callback["callback_name"] for callback in node.get("callbacks", [])}
                    grouped = [name for group in node["callback_groups"] for name in group["callback_names"]]
                    groups |= {group["callback_group_name"] for group in node["callback_groups"]}
                    self.assertEqual(sorted(grouped), sorted(names))
                    self.assertLessEqual({subscription["callback_name"] for subscription in node.get("subscribes", [])}, names)
                    for publisher in node.get("publishes", []):
                        self.assertLessEqual(set(publisher["callback_names"]), names | {"UNDEFINED"})
                    for context in node.get("message_contexts", []):
                        self.assertLessEqual(set(context.get("callbacks", [])), names)
                for executor in architecture["executors"]:
                    self.assertLessEqual(set(executor["callback_group_names"]), groups)

    def test_callbacks_of_publishers_are_those_of_the_logs(self):
        compared = 0
        for recording in RECORDINGS:
            with self.subTest(recording=recording):
                logged = published_by_logs(recording)
                found = {item for item in publishing(architecture_of(recording)) if item[0] in {node for node, _, _ in logged}}
                if "clients" in recording.parts or "/".join(recording.parts[-2:]) in LACKING:
                    self.assertLessEqual(found, logged)
                else:
                    self.assertEqual(found, logged)
                compared += len(found)
        self.assertGreater(compared, 10)


class Names(unittest.TestCase):
    HOSTILE = ('a: b #c', "- 'a'", 'a"b\\c', "line\nbreak\ttab", "\x01\x1b[31m\x7f", "null", "Ünïcödé 日本 🤖\u2028", "cut \udce6\udc97 short",
               " ", "UNDEFINED", "@", "{}", "x" * 3000)

    def test_any_name_is_read_back(self):
        for name in self.HOSTILE:
            trace = RosTrace()
            events = [*trace.node(10, TALKER, 0x100, name), *trace.publisher(20, TALKER, 0x100, CHATTER, name),
                      *trace.timer(30, TALKER, 0x100, TICK, symbol=name),
                      *trace.subscription(50, TALKER, 0x100, HEARD, name, symbol=name),
                      *trace.execution(100, TALKER, TICK, 20, trace.publish(110, TALKER, CHATTER, 0x9000, 110))]
            with tempfile.TemporaryDirectory() as folder, self.subTest(name=name):
                trace.write(folder, {"stream": [trace.packet(events, 0, 500)]})
                file = pathlib.Path(folder) / "architecture.yaml"
                got = run(folder)
                self.assertEqual((got.returncode, got.stderr), (0, ""))
                self.assertIn("period_ns: 100", got.stdout)
                file.write_text(got.stdout, encoding="utf-8")
                read = latency.run(READ, file)
                if read.returncode == WITHOUT_LIBYAML:
                    self.skipTest(read.stderr)
                self.assertEqual((read.returncode, read.stdout, read.stderr), (0, got.stdout, ""))


class AsCaret(unittest.TestCase):
    def test_nodes_callbacks_publishers_and_subscriptions_are_those_of_its_export(self):
        compared = 0
        for recording in RECORDINGS:
            name = EXPORTS.get("/".join(recording.parts[-2:]))
            export = recording.parents[1] / "caret-golden" / str(name) / "architecture.yaml"
            if not name or not export.exists():
                continue
            with self.subTest(recording=recording):
                ours, theirs = nodes_of(architecture_of(recording)), nodes_of(parse(export.read_text(encoding="utf-8")))
                self.assertEqual(set(ours), set(theirs))
                for node, known in theirs.items():
                    # of a node without CARET's events it knows no callbacks
                    if "callbacks" in known:
                        self.assertEqual(ours[node]["callbacks"], known["callbacks"])
                        self.assertEqual(ours[node].get("subscribes"), known.get("subscribes"))
                        self.assertEqual(ours[node]["callback_groups"], known["callback_groups"])
                    self.assertEqual([(item["topic_name"], item.get("construction_order")) for item in ours[node].get("publishes", [])],
                                     [(item["topic_name"], item.get("construction_order")) for item in known.get("publishes", [])])
                compared += 1
        if not compared:
            self.skipTest("no export of caret_analyze beside the recordings")


class Searches(unittest.TestCase):
    TRACE = DATA / "jazzy/twohosts/trace"

    def search(self, *options):
        got = run(*options, self.TRACE)
        return got, [[(element["node_name"], element["subscribe_topic_name"], element["publish_topic_name"])
                      for element in path["node_chain"]] for path in parse(got.stdout)["named_paths"]] if got.stdout else None

    def test_a_path(self):
        got, paths = self.search("--search=/source > /sink")
        self.assertEqual((got.returncode, got.stderr), (0, ""))
        self.assertEqual(paths, [[("/source", "UNDEFINED", "/a"), ("/echo", "/a", "/b"), ("/ret", "/b", "/c"),
                                  ("/sink", "/c", "UNDEFINED")]])

    def test_several_searches(self):
        _, paths = self.search("--search=/source>/ret", "--search", "/s* > /echo > /sink")
        self.assertEqual([len(path) for path in paths], [3, 4])

    def test_nothing_is_written_where_nothing_is_found(self):
        for search, words in (("/nobody > /sink", "no node matches '/nobody'"), ("/sink > /source", "no path leads there")):
            got, paths = self.search("--search=" + search)
            self.assertEqual((got.returncode, paths), (NOTHING, None))
            self.assertIn(words, got.stderr)
        for options, words in ((["--without=/echo"], "no path leads there"), (["--without=/b"], "no path leads there"),
                               (["--hops=2"], "no path of so few --hops leads there")):
            got, paths = self.search("--search=/source > /sink", *options)
            self.assertEqual((got.returncode, paths), (NOTHING, None), options)
            self.assertIn(words, got.stderr)

    def test_more_paths_than_the_limit(self):
        got, paths = self.search("--search=* > *", "--limit=2")
        self.assertEqual((got.returncode, len(paths)), (0, 2))
        self.assertIn("has more than 2 paths", got.stderr)

    def test_contexts_that_the_recording_does_not_show(self):
        trace = DATA / "jazzy/edge-noaslr/trace"
        got = run("--search=/same1 > /same2", trace)
        self.assertIn("does not show how messages go through /same3: /t1 -> /t3", got.stderr)
        self.assertEqual(got.returncode, 0)
        self.assertEqual(run("--search=/same1 > /same2", "--use-latest", trace).stderr, "")

    def test_a_path_that_would_go_in_a_circle(self):
        got = run("--search=/same1 > /same2 > /same3", DATA / "jazzy/edge-noaslr/trace")
        self.assertEqual(got.returncode, NOTHING)
        self.assertIn("no path leads there", got.stderr)


class CommandLine(unittest.TestCase):
    def test_what_is_wrong_is_named(self):
        for options, words in ((["--search=/a"], "search"), (["--search=/a > "], "search"), (["--search=" + ">".join(["/a"] * 20)], "search"),
                               (["--hops=0"], "hops"), (["--hops=x"], "hops"), (["--limit=-1"], "limit"), (["--nothing"], "--nothing")):
            got = run(*options, Searches.TRACE)
            self.assertEqual((got.returncode, got.stdout), (USAGE, ""), options)
            self.assertIn(words, got.stderr)
        self.assertEqual(run().returncode, USAGE)
        self.assertEqual(run("--help").returncode, 0)

    def test_a_trace_that_cannot_be_read(self):
        got = run("/nowhere")
        self.assertEqual((got.returncode, got.stdout), (READ_ONLY_PARTLY, ""))
        self.assertIn("/nowhere", got.stderr)

    def test_a_trace_of_something_else(self):
        """A trace with nothing of ROS 2 in it."""
        with tempfile.TemporaryDirectory() as folder:
            trace = RosTrace()
            trace.write(folder, {"stream": [trace.packet([], 0, 500)]})
            got = run(folder)
            self.assertEqual((got.returncode, got.stdout), (NOTHING, ""))
            self.assertIn("no ROS 2 runtime events", got.stderr)

    def test_a_closed_pipe_is_no_error(self):
        read, write = os.pipe()
        os.close(read)
        got = subprocess.run([COMMAND, "architecture", Searches.TRACE], stdout=write, stderr=subprocess.PIPE, check=False)
        os.close(write)
        self.assertEqual((got.returncode, got.stderr), (0, b""))

    def test_a_full_disk_is_one(self):
        with open("/dev/full", "wb") as full:
            got = subprocess.run([COMMAND, "architecture", Searches.TRACE], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(got.returncode, READ_ONLY_PARTLY)
        self.assertIn("standard output", got.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
