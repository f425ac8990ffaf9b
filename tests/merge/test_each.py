#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ros2-latency --each: the rows of every recording as in a report of its own, and what changes over them.

usage: test_each.py ROS2_LATENCY DATA
"""
import json
import tempfile
import unittest
from pathlib import Path

from reports import DATA, RECORDINGS, report, rows, run

NAMES = {
    "callback": ("node", "kind", "source", "symbol"),
    "communication": ("topic", "publisher_node", "subscription_node", "kind"),
    "path": ("path", "hops"),
}
TRACES = [str(DATA / recording / "trace") for recording in RECORDINGS]


class Each(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="ros2bt-each-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        run("--each", "--format=csv", f"--output={cls.root / 'each'}", *TRACES)

    def rows(self, table):
        return rows(self.root / "each", table)

    def test_each_recording_has_the_rows_of_a_merge_of_itself_alone(self):
        for recording, trace in zip(RECORDINGS, TRACES):
            alone = report(self.root / recording.replace("/", "_"), recording, "--buckets=512")
            run("merge", "--format=csv", f"--output={alone}-merged", alone)
            for singular, names in NAMES.items():
                merged = rows(f"{alone}-merged", singular + "s")
                found = [row for row in self.rows(singular + "s") if row["recording"] == trace]
                self.assertEqual(len(found), len(merged), singular)
                for one, other in zip(found, merged):
                    for key in names + ("recordings",):
                        self.assertEqual(one[key], other[key])
                    for key in one:
                        if key.endswith(("_sum_ns", "_min_ns", "_max_ns", "_max_at_ns")):
                            self.assertEqual(one[key], other[key], key)

    def test_the_list_has_a_row_for_each(self):
        listed = self.rows("recordings")
        self.assertEqual([row["recording"] for row in listed], TRACES)
        for row, trace in zip(listed, TRACES):
            head = json.loads(run("--format=json", "--table=diagnostics", trace).stdout)["trace"]
            self.assertEqual(int(row["begin_ns"]), head["begin_ns"])
            self.assertEqual(int(row["span_ns"]), head["end_ns"] - head["begin_ns"])
            self.assertEqual(int(row["processes"]), head["processes"])
            executions = sum(int(callback["count"]) for callback in self.rows("callbacks") if callback["recording"] == trace)
            self.assertEqual(int(row["executions"]), executions)
            self.assertEqual(row["problem"], "")

    def test_trends_are_those_of_the_recordings(self):
        """Of both recordings of /talker, by their begin."""
        begins = {row["recording"]: int(row["begin_ns"]) for row in self.rows("recordings")}
        found = [row for row in self.rows("callbacks") if row["node"] == "/talker" and row["kind"] == "timer"]
        first, last = sorted(found, key=lambda row: begins[row["recording"]])
        trend = next(row for row in self.rows("callback_trends") if row["node"] == "/talker" and row["statistic"] == "duration")
        self.assertEqual((trend["recordings"], trend["p50_trend"], trend["p99_trend"]), ("2", "unknown", "unknown"))
        self.assertEqual((trend["early_p50_ns"], trend["late_p50_ns"]), (first["duration_p50_ns"], last["duration_p50_ns"]))
        self.assertEqual((trend["early_p99_ns"], trend["late_p99_ns"]), (first["duration_p99_ns"], last["duration_p99_ns"]))
        change = (int(last["duration_p99_ns"]) / int(first["duration_p99_ns"]) - 1) * 100
        self.assertAlmostEqual(float(trend["p99_change_percent"]), change, places=2)

    def test_five_times_the_same_has_no_trend(self):
        folder = self.root / "same"
        run("--each", "--format=csv", f"--output={folder}", *TRACES[:1] * 5)
        trends = rows(folder, "callback_trends")
        self.assertTrue(trends)
        self.assertEqual({(row["p50_trend"], row["recordings"]) for row in trends}, {("none", "5")})

    def test_what_cannot_be_read_has_a_row_that_says_so(self):
        folder = self.root / "broken"
        result = run("--each", "--format=csv", f"--output={folder}", TRACES[0], self.root / "nothing", TRACES[1], status=1)
        self.assertIn("nothing", result.stderr)
        listed = rows(folder, "recordings")
        self.assertEqual([row["problem"] != "" for row in listed], [False, True, False])
        self.assertEqual(listed[1]["executions"], "")
        self.assertEqual({row["recording"] for row in rows(folder, "callbacks")}, set(TRACES[:2]))

    def test_one_recording_has_no_trends(self):
        one = run("--each", TRACES[0])
        self.assertNotIn("change over the recordings", one.stdout)
        self.assertEqual(one.stderr, "ros2-latency: no trends: they need at least two recordings with 10 samples of a row each\n")
        chosen = run("--each", "--table=paths", TRACES[0])
        self.assertRegex(chosen.stdout, r"change over the\s+recordings\n  nothing\n")
        self.assertEqual(chosen.stderr, one.stderr)
        self.assertEqual(json.loads(run("--each", "--format=json", TRACES[0]).stdout)["callback_trends"], [])

    def test_text_has_no_sections_for_what_the_system_lacks(self):
        two = run("--each", TRACES[0], TRACES[0])
        self.assertEqual(two.stderr, "")
        self.assertIn("\nCallbacks: change over the recordings, by change\n", two.stdout)
        self.assertNotIn("nothing", two.stdout)
        self.assertNotIn("Lifecycle", two.stdout)

    def test_text_lists_recordings_and_trends_and_tables_that_were_chosen(self):
        text = run("--each", *TRACES).stdout
        self.assertIn("5 of 5 recordings", text)
        self.assertIn("change over the recordings", text)
        self.assertNotIn("last callback's end, by", text)  # the table itself
        chosen = run("--each", "--table=paths", *TRACES).stdout
        self.assertIn("End-to-end latency: from the first callback's start to the last callback's end, by", chosen)
        self.assertIn("Recordings", chosen)
        self.assertNotIn("Callbacks", chosen)

    def test_what_cannot_be_is_refused(self):
        for options, message in ((["--instances"], "--each"), (["--worst=3"], "--each"),
                                 (["--format=csv", "--table=paths"], "--each with --format=csv writes several tables"),
                                 (["--format=html"], "--format=html cannot show several recordings: choose one of text, markdown, csv, json, sqlite\n"),
                                 (["--format=perfetto"], "choose one of text, markdown, csv"), (["--format=dot"], "choose one of text, markdown, csv")):
            self.assertIn(message, run("--each", *options, *TRACES, status=2).stderr)


if __name__ == "__main__":
    unittest.main(argv=["test_each"])
