#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test_points.py ROS2_LATENCY PLUGINS DATA

Files of points: what is proposed loads and finds what is there; what is wrong is named; budgets hold; events of ROS 2 give
what their own tables have. On traces of every shape both readers give the same, which is what was written.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

COMMAND, PLUGINS, DATA = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
sys.path[:0] = [str(DATA.parent / folder) for folder in ("readers", "support")]
import latency  # noqa: E402
from ctf_writer import Array, Enum, Float, Int, Sequence, Text, Trace  # noqa: E402

RECORDING = DATA / "jazzy/user-points"
TRACE, POINTS = RECORDING / "trace", RECORDING / "points.yaml"
NOTHING, USAGE, BROKEN = 3, 2, 4
NS = 1_000_000_000
EPOCH_NS = 1_700_000_000 * NS


def run(*arguments):
    return latency.run(COMMAND, *arguments)


class Folder(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.directory)

    def write(self, text):
        file = self.directory / "points.yaml"
        file.write_text(text, encoding="utf-8")
        return file

    def tables(self, trace, points, *options):
        """By name: its rows"""
        output = self.directory / "report"
        shutil.rmtree(output, ignore_errors=True)
        got = run(f"--points={points}", "--format=csv", "--instances", f"--output={output}", *options, trace)
        self.assertEqual(got.returncode, 0, got.stderr)
        return latency.Report(output).tables()

    def both(self, trace, points, *options):
        fast = self.tables(trace, points, "--reader=fast", *options)
        self.assertEqual(self.tables(trace, points, "--reader=babeltrace2", *options), fast)
        return fast


class Proposal(Folder):
    def test_what_is_proposed_works_as_it_is(self):
        got = run("points", "--propose", TRACE)
        self.assertEqual((got.returncode, got.stderr), (0, ""))
        proposed = self.tables(TRACE, self.write(got.stdout))
        written = self.tables(TRACE, POINTS)
        self.assertEqual(proposed["points"], written["points"])
        self.assertEqual(proposed["point_callbacks"], written["point_callbacks"])
        series = {(row["name"], row["value"]): row for row in proposed["point_series"]}
        for row in written["point_series"]:
            self.assertEqual(series[row["name"], row["value"]], row)

    def test_a_trace_without_events_of_an_application_gives_none(self):
        got = run("points", "--propose", DATA / "jazzy/pubsub/trace")
        self.assertEqual((got.returncode, got.stdout), (NOTHING, ""))
        self.assertIn("no events of an application", got.stderr)

    def test_a_command_line_is_checked(self):
        for arguments, message in ((["--propose"], "no TRACE given"), ([TRACE], "expected --propose"),
                                   (["--propose", "--top=3", TRACE], "unknown option --top")):
            got = run("points", *arguments)
            self.assertEqual(got.returncode, USAGE, got.stderr)
            self.assertIn(message, got.stderr)


class Files(Folder):
    def test_a_wrong_file_is_refused_with_its_line(self):
        file = self.write("stages:\n- name: a\n  start: app:a\n  stop: app:b\n")
        expected = f"{file}:4: stages: `stop` is unknown (did you mean \"scope\"?): expected name, name_field, start, end, key, scope"
        got = run(f"--points={file}", TRACE)
        self.assertEqual(got.returncode, USAGE)
        self.assertIn("--points: " + expected, got.stderr)
        sink = subprocess.run(["babeltrace2", "--plugin-path", PLUGINS, str(TRACE), "-c", "sink.ros2.latency",
                               "-p", f'points="{file}"'], capture_output=True, text=True, check=False)
        self.assertNotEqual(sink.returncode, 0)
        self.assertIn('parameter "points": ' + expected, " ".join(sink.stderr.split()))

    def test_a_file_that_is_not_there_is_refused(self):
        got = run("--points=/nowhere/points.yaml", TRACE)
        self.assertEqual(got.returncode, USAGE)
        self.assertIn("/nowhere/points.yaml", got.stderr)

    def test_events_and_fields_that_are_not_there_are_named(self):
        file = self.write("stages:\n- {name: a, start: my_app:stage_start, end: my_app:stage_ende, key: frame}\n")
        found = {row["what"]: row for row in self.tables(TRACE, file)["diagnostics"]}
        self.assertEqual(found["point not recorded"]["detail"], "my_app:stage_ende")
        self.assertEqual(found["point without field"]["detail"], "my_app:stage_start: frame")
        self.assertEqual(found["point without field"]["count"], "992")

    def test_budgets_are_held_against_stages(self):
        row = next(row for row in self.tables(TRACE, POINTS)["points"] if row["stage"] == "detect")
        budgets = self.directory / "budgets.yaml"
        for limit_ns, status in ((int(row["duration_max_ns"]), 0), (int(row["duration_max_ns"]) - 1, BROKEN)):
            budgets.write_text(f"budgets:\n- stage: detect\n  duration: {{max: {limit_ns} ns}}\n", encoding="utf-8")
            self.assertEqual(run("check", f"--points={POINTS}", budgets, TRACE).returncode, status)

    def test_a_change_of_a_stage_is_compared(self):
        got = run("compare", f"--points={POINTS}", TRACE, "--", TRACE)
        self.assertEqual(got.returncode, 0, got.stderr)


class EventsOfRos(Folder):
    """An event that the table of events has, too: as a stage, callbacks last as long as in their own table."""

    def test_callbacks_are_stages(self):
        trace = DATA / "jazzy/executors/trace"
        file = self.write("stages:\n- {name: execution, start: ros2:callback_start, end: ros2:callback_end, "
                          "key: callback, scope: thread}\nseries:\n"
                          "- {event: ros2:callback_start, field: is_intra_process}\n")
        tables = self.both(trace, file)
        stage, = tables["points"]
        callbacks = [row for row in tables["callbacks"] if row["count"] != "0"]
        self.assertEqual(int(stage["count"]), sum(int(row["count"]) for row in callbacks))
        self.assertEqual(int(stage["duration_sum_ns"]), sum(int(row["duration_sum_ns"]) for row in callbacks))
        self.assertEqual({row["callback_id"]: row["duration_sum_ns"] for row in tables["point_callbacks"]},
                         {row["callback_id"]: row["duration_sum_ns"] for row in callbacks})
        report = self.tables(trace, POINTS)
        for name, rows in report.items():
            if name != "diagnostics" and not name.startswith("point"):
                self.assertEqual(tables[name], rows, name)

    def test_clocks_are_aligned_for_points_too(self):
        trace = DATA / "jazzy/twohosts/trace"
        file = self.write("stages:\n- {name: a, start: ros2:rclcpp_publish, end: ros2:rmw_publish, key: message}\n"
                          "- {name: b, start: ros2:rcl_publish, end: ros2:rmw_take, scope: all}\n")
        tables = self.both(trace, file, "--clocks=align")
        self.assertGreater(int(tables["points"][0]["count"]), 100)
        self.assertGreater(int(tables["points"][1]["count"]), 10)
        instances = [row for row in tables["point_instances"] if row["stage"] == "b" and row["end_ns"]]
        ends = [int(row["end_ns"]) for row in instances]
        self.assertEqual(ends, sorted(ends))


class Shapes(Folder):
    """Fields of every type, in every byte order and alignment"""

    def trace(self, big_endian, natural, header):
        trace = Trace(big_endian, natural, header=header, context={
            "_vpid": Int(32, 8, True), "_vtid": Int(32, 8, True), "_procname": Array(Int(8, 8, True, encoding="UTF8"), 17)})
        i = trace.int
        trace.add_event(0, "app:start", {
            "_id": i(16, True), "_state": Enum(i(8, True), '"run" = -2 ... -1, "idle" = 0, "run" = 5, "odd" = 6'),
            "_load": Float(trace.align(64)), "_text": Text(), "_name": Array(Int(8, 8, True, encoding="UTF8"), 8),
            "_reals": Array(Float(trace.align(64)), 2), "_bits": Int(3, 1), "_list": Sequence(i(32, True), i(8), "__list_length"),
            "_other": Int(32, 8, order="le" if big_endian else "be")})
        trace.add_event(1, "app:end", {"_list": Sequence(Text(), i(16), "__list_length"), "_id": i(64)})
        trace.add_event(2, "app:empty", {})
        context = [7, 8, [ord(c) for c in "app".ljust(17, "\0")]]
        events = []
        for key in range(100):
            state = (-2, -1, 0, 5, 6, 9)[key % 6]
            name = [ord(c) for c in ("n%d" % (key % 3)).ljust(8, "\0")]
            events.append((0, 1000 + 100 * key, context, [
                key, state, key / 4, "t%d" % (key % 2), name, [0.5, -key], key % 8, [-key] * (key % 5), key * 65537]))
            events.append((2, 1010 + 100 * key, context, []))
            events.append((1, 1050 + 100 * key, context, [["x"] * (key % 3), key]))
        folder = self.directory / f"trace-{big_endian}-{natural}-{header}"
        half = len(events) // 2
        trace.write(folder, {"stream_0": [trace.packet(events[:half], 900, events[half - 1][1]),
                                          trace.packet(events[half:], events[half - 1][1] + 1, 1000 + 10100, sequence=1)]})
        return folder

    def check(self, tables):
        series = {(row["name"].replace("app:start.", ""), row["value"]): row for row in tables["point_series"]}

        def expect(name, value, **cells):
            row = series[name, value]
            for column, expected in cells.items():
                self.assertEqual(float(row[column]), expected, (name, value, column))

        keys = range(100)
        expect("load", "", count=100, sum=sum(keys) / 4, max=99 / 4)
        expect("reals", "", count=200, min=-99, max=0.5)
        expect("bits", "", count=100, sum=sum(key % 8 for key in keys))
        expect("list", "", count=sum(key % 5 for key in keys), sum=sum(-key * (key % 5) for key in keys))
        expect("length of list", "", count=100, sum=sum(key % 5 for key in keys))
        expect("other", "", max=99 * 65537, sum=sum(keys) * 65537)
        expect("state", "run", count=17 + 17 + 17)
        expect("state", "idle", count=17)
        expect("state", "odd", count=16)
        expect("state", "", count=16, max=9)
        expect("text", "t1", count=50)
        expect("name", "n0", count=34)
        expect("length of app:end.list", "", count=100, sum=sum(key % 3 for key in keys))
        rows = {row["stage"]: row for row in tables["points"]}
        self.assertEqual((rows["all"]["count"], rows["all"]["duration_max_ns"]), ("100", "50"))
        self.assertEqual((rows["run"]["count"], rows["run"]["without_start"]), ("51", "49"))
        self.assertEqual(rows["loop"]["count"], "99")
        self.assertEqual(tables["point_instances"][0]["start_ns"], str(EPOCH_NS + 1000))

    def test_every_shape_is_read(self):
        file = self.write(
            "stages:\n- {name: all, start: app:start, end: app:end, key: id}\n"
            "- {name: run, start: {event: app:start, when: {state: run}}, end: app:end, key: id}\n"
            "- {name: loop, start: app:empty, end: app:empty}\n"
            "series:\n- {event: app:start, fields: [load, reals, bits, list, state, text, name, other]}\n"
            "- {event: app:end, field: list}\n")
        for big_endian in (False, True):
            for natural in (False, True):
                for header in ("compact", "large"):
                    with self.subTest(big_endian=big_endian, natural=natural, header=header):
                        self.check(self.both(self.trace(big_endian, natural, header), file))

    def test_a_recording_of_an_application_alone_is_reported(self):
        file = self.write("stages:\n- {name: all, start: app:start, end: app:end, key: id}\n")
        trace = self.trace(False, False, "large")
        got = run(f"--points={file}", trace)
        self.assertEqual((got.returncode, got.stderr), (0, ""))
        self.assertIn("9.95 µs from 2023-11-14 22:13:20 UTC", got.stdout.splitlines()[0])
        self.assertRegex(got.stdout, r"Slowest in the application\n.*\n  all +100 +50 ns +50 ns +50 ns +\+0.000 s\n")
        self.assertEqual(run(trace).returncode, NOTHING)

    def test_both_readers_propose_the_same(self):
        texts = []
        for options in ([], ["--reader=babeltrace2"]):
            got = run("points", "--propose", *options, self.trace(False, False, "large"))
            self.assertEqual(got.returncode, 0, got.stderr)
            texts.append(got.stdout)
        self.assertEqual(*texts)
        tables = self.tables(self.trace(False, False, "large"), self.write(texts[0]))
        self.assertEqual([row["count"] for row in tables["points"] if row["count"] != "0"], ["100"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
