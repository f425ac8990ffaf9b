#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test_compare.py ROS2_LATENCY DATA

ros2-latency compare: figures against those of the reports, a recording against itself, limits on changes, wrong command lines.
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("faults", "support")]

import latency  # noqa: E402
from ros_trace import RosTrace, Thread  # noqa: E402

COMMAND, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
OLD, NEW = DATA / "humble/pubsub/trace", DATA / "jazzy/pubsub/trace"


def run(*arguments):
    return latency.run(COMMAND, *arguments)


def compare(base, new, *options):
    return run("compare", *options, *base, "--", *new)


def tables(base, new, *options):
    got = compare(base, new, "--format=json", *options)
    return got, json.loads(got.stdout)


def report(trace):
    return json.loads(run(trace, "--format=json").stdout)


def write_timers(folder, timers, seconds=4):
    """A recording of nodes with timers that take 1 ms: (node, symbol, period in ms[, s after which it stops])."""
    trace = RosTrace()
    definitions, events = [], []
    for number, (node, symbol, period, *stops) in enumerate(timers):
        thread, callback, period_ns = Thread(10 + number, 10 + number), 0x1000 * (number + 1), period * 1_000_000
        definitions += trace.node(10 * number, thread, callback + 0x100, node)
        definitions += trace.timer(10 * number + 5, thread, callback + 0x100, callback, period_ns, symbol)
        for i in range(min([seconds, *stops]) * 1000 // period):
            events += trace.execution(1000 + number * 1000 + i * period_ns, thread, callback, 1_000_000)
    events.sort(key=lambda event: event[1])
    trace.write(folder, {"stream_0": [trace.packet(definitions + events, 0, events[-1][1])]})
    return folder


class Compare(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.directory)

    def test_a_recording_and_itself(self):
        for trace in DATA / "jazzy/twohosts/trace", OLD, NEW:
            got, result = tables([trace], [trace], "--least=0")
            self.assertEqual(got.returncode, 0)
            self.assertEqual((result["changes"], result["rows_of_one_side"]), ([], []))
            self.assertEqual({figure["base"] == figure["new"] for figure in result["figures"]}, {True})

    def test_figures_are_those_of_the_reports(self):
        _, result = tables([OLD], [NEW])
        figures = {(figure["table"], figure["row"], figure["figure"]): figure for figure in result["figures"]}
        for trace, side in (OLD, "base"), (NEW, "new"):
            row = next(row for row in report(trace)["callbacks"] if row["source"] == "/chatter")
            for name, column, tolerance in (("duration mean", "duration_mean_ns", 1e-6), ("duration p50", "duration_p50_ns", 0.01)):
                figure = figures["callbacks", "/listener  subscription  /chatter", name]
                self.assertAlmostEqual(figure[side] / row[column], 1, delta=tolerance)
                self.assertEqual(figure[side + "_samples"], row["count"])
            rate = figures["callbacks", "/listener  subscription  /chatter", "rate"][side]
            self.assertAlmostEqual(rate / row["rate_hz"], 1, delta=0.01)

    def test_a_change_is_large_and_its_interval_has_one_sign(self):
        got = compare([OLD], [NEW], "--format=json")
        result = json.loads(got.stdout)
        changed = [figure for figure in result["figures"] if figure["verdict"] == "changed"]
        self.assertEqual(len(changed), len(result["changes"]))
        for figure in changed:
            self.assertGreaterEqual(abs(figure["change_percent"]), 5)
            self.assertGreater(figure["low_percent"] * figure["high_percent"], 0, figure)

    def test_the_order_of_recordings_does_not_matter(self):
        one = compare([OLD, NEW], [NEW], "--format=json")
        other = compare([NEW, OLD], [NEW], "--format=json")
        first, second = json.loads(one.stdout), json.loads(other.stdout)
        for left, right in zip(first["figures"], second["figures"]):
            self.assertEqual((left["row"], left["figure"]), (right["row"], right["figure"]))
            self.assertEqual(left["base_samples"], right["base_samples"])
        self.assertEqual(one.returncode, other.returncode)

    def test_limits(self):
        trace = DATA / "jazzy/twohosts/trace"
        got = compare([trace], [trace], "--fail-on=paths.latency_p50 > +10 %")
        self.assertEqual((got.returncode, got.stderr), (0, ""))
        got = compare([trace], [trace], "--fail-on=paths.latency_p99 > +10 %", "--fail-on", "timers.rate < -5 %")
        self.assertEqual(got.returncode, 5)
        self.assertEqual(got.stderr, "ros2-latency compare: no figure with enough samples for paths.latency p99\n")
        self.assertEqual(compare([trace], [trace], "--fail-on", "timers.rate < -5 %").returncode, 0)
        _, result = tables([OLD], [NEW])
        change = next((change for change in result["changes"] if change["table"] == "callbacks" and change["change"]), None)
        if change:
            percent = float(re.match(r"([+-][0-9.]+) %", change["change"])[1])
            limit = f"callbacks.{change['figure'].replace(' ', '_')} {'>' if percent > 0 else '<'} {percent / 2} %"
            self.assertEqual(compare([OLD], [NEW], f"--fail-on={limit}").returncode, 4)

    def gate(self, before, after, limit="callbacks.rate < -5 %"):
        base = write_timers(self.directory / "before", before)
        new = write_timers(self.directory / "after", after)
        return compare([base], [new], f"--fail-on={limit}", "--format=json")

    def test_a_changed_period_is_the_same_timer(self):
        other = ("other", "tick", 20)
        got = self.gate([("control", "step", 20), other], [("control", "step", 40), other])
        self.assertEqual(got.returncode, 4, got.stderr)
        self.assertIn("1 of 2 figures changed by more than callbacks.rate < -5 %", got.stderr)
        result = json.loads(got.stdout)
        self.assertEqual(result["rows_of_one_side"], [])
        rate = next(change for change in result["changes"] if change["figure"] == "rate")
        self.assertEqual((rate["row"], rate["change"]),
                         ("/control  timer  20.0 ms → /control  timer  40.0 ms", "-50.0 %"))
        self.assertEqual(self.gate([("control", "step", 20), other], [("control", "step", 20), other]).returncode, 0)

    def test_a_limit_may_be_smaller_than_the_changes_that_are_shown_otherwise(self):
        base = write_timers(self.directory / "before", [("control", "step", 25)], seconds=60)
        new = write_timers(self.directory / "after", [("control", "step", 26)], seconds=60)
        self.assertEqual(compare([base], [new], "--fail-on=callbacks.period_mean > +5 %").returncode, 0)
        got = compare([base], [new], "--fail-on=callbacks.period_mean > +2 %", "--format=json")
        self.assertEqual(got.returncode, 4, got.stderr)
        self.assertIn(("period mean", "+4.0 %"), {(change["figure"], change["change"]) for change in json.loads(got.stdout)["changes"]})

    def test_a_limit_names_a_rise_or_a_fall(self):
        """`rate > -5 %` would pass whatever rate was halved."""
        for limit in "callbacks.rate > -5 %", "callbacks.rate < 5 %":
            got = compare([NEW], [NEW], f"--fail-on={limit}")
            self.assertEqual(got.returncode, 2)
            self.assertIn("expected a rise, > +PERCENT %, or a fall, < -PERCENT %", got.stderr)

    def test_timers_that_could_be_either_do_not_correspond(self):
        got = self.gate([("control", "step", 20), ("control", "step", 50)], [("control", "step", 40), ("control", "step", 100)])
        self.assertEqual(got.returncode, 5, got.stderr)
        self.assertEqual(len(json.loads(got.stdout)["rows_of_one_side"]), 4)
        got = self.gate([("control", "step", 20), ("control", "look", 50)], [("control", "step", 40), ("control", "look", 50)])
        self.assertEqual(got.returncode, 4, got.stderr)

    def test_what_is_gone_or_new_passes_no_limit_on_its_table(self):
        both = [("control", "step", 20), ("other", "tick", 20)]
        for before, after, side in (both, both[1:], "before"), (both[1:], both, "after"):
            for limit in "callbacks.rate < -5 %", "callbacks.duration_mean > +5 %":
                got = self.gate(before, after, limit)
                self.assertEqual(got.returncode, 5, got.stderr)
                self.assertIn(f"1 of the rows is missing on one side, such as /control  timer  20.0 ms ({side})\n", got.stderr)
        self.assertEqual(self.gate(both, both[1:], "paths.rate < -5 %").returncode, 5)  # there is no path

    def test_what_stops_passes_no_limit_on_its_rate(self):
        """Until it stops it is as frequent as before."""
        both = [("control", "step", 20), ("other", "tick", 20)]
        for limit in "callbacks.rate < -5 %", "timers.rate < -5 %":
            got = self.gate(both, [("control", "step", 20, 2), both[1]], limit)
            self.assertIn(got.returncode, (4, 5), got.stderr)
            self.assertEqual(self.gate([("control", "step", 20, 2), both[1]], [("control", "step", 20, 2), both[1]], limit).returncode, 0)

    def gate_several(self, limit, count, *last, before=(("control", "step", 20), ("other", "tick", 20))):
        """`count` recordings on each side, of which the last one of those after has `last` instead."""
        for number in range(2 * count):
            write_timers(self.directory / str(number), last if number == 2 * count - 1 else before)
        sides = [[self.directory / str(number) for number in range(first, first + count)] for first in (0, count)]
        return compare(*sides, f"--fail-on={limit}", "--format=json")

    def test_what_is_gone_in_one_of_several_recordings_passes_no_limit(self):
        for count in 3, 6:
            for limit in "callbacks.rate < -5 %", "callbacks.duration_mean > +5 %", "timers.rate < -5 %":
                got = self.gate_several(limit, count, ("other", "tick", 20))
                self.assertEqual(got.returncode, 5, got.stderr)
                self.assertRegex(got.stderr, "1 of the rows is missing on one side, such as /control .* "
                                             rf"\(before in {count} of {count}, after in {count - 1} of {count}\)\n")
                rows = json.loads(got.stdout)["rows_of_one_side"]
                self.assertEqual({row["side"] for row in rows}, {f"before in {count} of {count}, after in {count - 1} of {count}"})
            got = self.gate_several("callbacks.rate < -5 %", count, ("control", "step", 20), ("other", "tick", 20))
            self.assertEqual((got.returncode, json.loads(got.stdout)["rows_of_one_side"]), (0, []), got.stderr)

    def test_a_rate_that_is_lower_in_one_of_several_recordings_passes_no_limit(self):
        """It stops half-way in one; the mean of all varies too much to tell."""
        for limit in "callbacks.rate < -5 %", "timers.rate < -5 %":
            got = self.gate_several(limit, 6, ("control", "step", 20, 2), ("other", "tick", 20))
            self.assertEqual(got.returncode, 5, got.stderr)
            self.assertRegex(got.stderr, "1 of 2 figures changed by more in one of the recordings after, such as that of /control ")
        got = self.gate_several("callbacks.rate < -60 %", 6, ("control", "step", 20, 2), ("other", "tick", 20))
        self.assertEqual(got.returncode, 0, got.stderr)
        got = self.gate_several("callbacks.rate > +5 %", 6, ("control", "step", 20), ("other", "tick", 20),
                                before=(("control", "step", 20, 2), ("other", "tick", 20)))
        self.assertEqual(got.returncode, 5, got.stderr)

    def test_a_misspelt_column_is_refused(self):
        for column in "nonsense", "duration", "duration_p999", "count":
            got = compare([NEW], [NEW], f"--fail-on=callbacks.{column} > 1 %")
            self.assertEqual((got.returncode, got.stdout), (2, ""), column)
            self.assertIn("expected one of the figures of callbacks that are compared, rate|duration_mean|duration_p50|", got.stderr)
        self.assertIn('(did you mean "duration_p99"?)', compare([NEW], [NEW], "--fail-on=callbacks.duration_p999 > 1 %").stderr)
        self.assertIn('(did you mean "callbacks"?)', compare([NEW], [NEW], "--fail-on=callback.rate > 1 %").stderr)

    def test_a_recording_that_is_cut_is_compared_as_far_as_it_was_read(self):
        cut = self.directory / "cut"
        shutil.copytree(NEW, cut)
        stream = max((path for path in cut.rglob("ros2_*") if path.suffix != ".idx"), key=lambda path: path.stat().st_size)
        shutil.rmtree(stream.parent / "index")
        with open(stream, "rb+") as file:
            file.truncate(stream.stat().st_size * 3 // 4)
        for base, new in (cut, NEW), (NEW, cut):
            got, result = tables([base], [new], "--fail-on=callbacks.rate > +1000 %")
            self.assertEqual(got.returncode, 1)
            self.assertEqual((result["trace"]["is_complete"], result["trace"]["hosts"]), (False, ["vm"]))
            self.assertGreater(len(result["figures"]), 10)
            text = compare([base], [new]).stdout
            self.assertRegex(text, rf"^PARTIAL: .*{stream.name}.*\nROS 2 latency  1 recording before, 1 after")

    def test_text_and_files(self):
        text = compare([OLD], [NEW]).stdout
        self.assertRegex(text, r"^ROS 2 latency  1 recording before, 1 after: of \d+ figures \d+ changed, \d+ did not, \d+ have "
                               r"too few\s+samples(, \d+ too few independent ones)?  on vm\n")
        self.assertNotIn("All figures", text)
        with tempfile.TemporaryDirectory() as directory:
            self.assertEqual(compare([OLD], [NEW], "--format=csv", f"--output={directory}/out").returncode, 0)
            self.assertGreater(len(latency.Report(f"{directory}/out").rows("figures")), 10)

    def test_tables_are_those_of_a_comparison(self):
        _, result = tables([OLD], [NEW], "--table=figures,changes")
        self.assertEqual(sorted(result), ["changes", "figures", "schema_version", "trace"])
        _, result = tables([OLD], [NEW], "--table=figures", "--table=rows_of_one_side")
        self.assertEqual(sorted(result), ["figures", "rows_of_one_side", "schema_version", "trace"])
        self.assertIn("\nAll figures\n", compare([OLD], [NEW], "--table=figures").stdout)
        rows = latency.rows_of(compare([OLD], [NEW], "--format=csv", "--table=figures").stdout)
        self.assertGreater(len(rows), 10)
        for value in "callbacks", "paths", "figures,callbacks", "figures,":
            got = compare([OLD], [NEW], f"--table={value}")
            self.assertEqual((got.returncode, got.stdout), (2, ""))
            self.assertIn("expected changes|rows_of_one_side|figures\n", got.stderr)
        self.assertIn("  --table=changes|rows_of_one_side|figures\n", run("compare", "--help").stdout)
        got = compare([OLD], [NEW], "--format=csv")
        self.assertEqual(got.returncode, 2)
        self.assertIn("choose one with --table, or name a directory with --output", got.stderr)

    def test_formats_that_show_recordings_are_refused(self):
        for name in "dot", "perfetto", "prometheus":
            got = compare([OLD], [NEW], f"--format={name}")
            self.assertEqual((got.returncode, got.stdout), (2, ""))
            self.assertIn(f"--format={name} cannot show a comparison: choose one of text, markdown, csv, json, html, sqlite\n", got.stderr)

    def test_nothing_in_common(self):
        other = DATA / "jazzy/memory/trace"
        got = compare([OLD], [other], "--of=timers")
        self.assertEqual(got.returncode, 0)
        self.assertIn("1 recording before, 1 after: nothing in common, no row is on both sides  on vm\n", got.stdout)
        _, result = tables([OLD], [other], "--of=timers")
        self.assertEqual(sorted(result), ["changes", "figures", "rows_of_one_side", "schema_version", "trace"])
        self.assertEqual((result["figures"], result["trace"]["is_complete"], result["trace"]["traces"]), ([], True, 2))
        periods = {row["period_ns"] for row in latency.table_of(COMMAND, other, "timers")}
        self.assertIn("200000000", periods)
        self.assertRegex(got.stdout, r"timers  /allocator  200 ms +new only +\d+\n")

    def test_the_command_line(self):
        for arguments in [], [NEW], [NEW, "--"], ["--", NEW], ["--least=x", NEW, "--", NEW], ["--fail-on=x", NEW, "--", NEW]:
            self.assertEqual(run("compare", *arguments).returncode, 2, arguments)
        for wrong in "--of=rows", "--of=diagnostics", "--fail-on=rows.count > +5 %":
            got = run("compare", wrong, NEW, "--", NEW)
            self.assertEqual(got.returncode, 2, wrong)
            self.assertIn("expected callbacks|communications|publications|paths|", got.stderr)
        self.assertEqual(run("compare", "--help").returncode, 0)
        self.assertEqual(compare(["/none/such"], [NEW]).returncode, 1)
        empty = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, empty)
        self.assertEqual(compare([NEW], [empty]).returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
