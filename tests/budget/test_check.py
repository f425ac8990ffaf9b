#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test_check.py ROS2_LATENCY DATA

ros2-latency check: what is kept, broken, and not decidable, against limits that are computed from the report; its exit
status and formats; what is wrong with a file of budgets.
"""
import json
import pathlib
import shutil
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("faults", "support")]
import latency  # noqa: E402
from ros_trace import OFFSET_NS, RosTrace, Thread  # noqa: E402

COMMAND, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
TRACE = DATA / "jazzy/twohosts/trace"
KEPT, BROKEN, UNDECIDED, USAGE = 0, 4, 5, 2


def run(*arguments):
    return latency.run(COMMAND, *arguments)


def write_talk(folder, seconds, stops_s, hosts=1):
    """
    Recordings of a host each, of a talker and a listener, 10 messages a second; the talker of the first one stops after
    `stops_s` while another timer goes on, the last host is recorded for `seconds`, the others for half of that.
    """
    for host in range(hosts):
        trace = RosTrace(number=host + 1, env={"hostname": f'"robot-{host}"'})
        length_s = seconds if host == hosts - 1 else seconds // 2
        talker, listener, other = Thread(10, 10, "talker"), Thread(20, 20, "listener"), Thread(30, 30, "other")
        events = [*trace.node(10, talker, 0x100, f"talker{host}"), *trace.publisher(20, talker, 0x100, 0x200, f"/chatter{host}"),
                  *trace.timer(30, talker, 0x100, 0x300, 100_000_000),
                  *trace.node(40, listener, 0x400, f"listener{host}"), *trace.subscription(50, listener, 0x400, 0x500, f"/chatter{host}"),
                  *trace.node(60, other, 0x600, f"other{host}"), *trace.timer(70, other, 0x600, 0x700, 100_000_000)]
        for moment in range(100_000_000, length_s * 10**9, 100_000_000):
            if moment < (stops_s if host == 0 else seconds) * 10**9:
                stamp = OFFSET_NS + moment + 10
                events += trace.execution(moment, talker, 0x300, 1000, trace.publish(moment + 10, talker, 0x200, 0x9000, stamp))
                events += trace.take(moment + 2000, listener, 0x500, 0x9000, stamp)
                events += trace.execution(moment + 3000, listener, 0x500, 1000)
            events += trace.execution(moment + 5000, other, 0x700, 1000)
        trace.write(folder / f"robot-{host}", {"stream_0": [trace.packet(events, 0, events[-1][1] + 1)]})
    return folder


def rows(table):
    return latency.table_of(COMMAND, TRACE, table)


class Check(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.directory)

    def check(self, text, *options, trace=TRACE):
        file = self.directory / "budgets.yaml"
        file.write_text(text, encoding="utf-8")
        return run("check", file, trace, *options)

    def verdicts(self, text, **more):
        got = self.check(text, "--format=json", **more)
        self.assertEqual(got.stderr, "")
        return got.returncode, [budget["verdict"] for budget in json.loads(got.stdout)["budgets"]]

    def limit_of_echo(self, figure, value_ns):
        return self.verdicts(f"budgets: [{{callback: /echo, source: /a, duration: {{{figure}: {value_ns} ns}}}}]")

    def test_a_limit_is_kept_up_to_its_value_and_broken_beyond(self):
        row = next(row for row in rows("callbacks") if row["node"] == "/echo" and row["source"] == "/a")
        for figure in "max", "p99", "min", "p50", "p999", "p99.9":
            value = int(row[f"duration_{figure.replace('.', '')}_ns"])
            self.assertEqual(self.limit_of_echo(figure, value), (KEPT, ["kept"]), figure)
            self.assertEqual(self.limit_of_echo(figure, value - 1), (BROKEN, ["broken"]), figure)
        mean = float(row["duration_mean_ns"])
        self.assertEqual(self.limit_of_echo("mean", int(mean) + 1), (KEPT, ["kept"]))
        self.assertEqual(self.limit_of_echo("mean", int(mean) - 1), (BROKEN, ["broken"]))

    def test_rates_counts_and_lower_bounds(self):
        self.assertEqual(self.verdicts("budgets: [{topic: /a, rate: {min: 18 Hz}, lost: 0}]"), (KEPT, ["kept"]))
        self.assertEqual(self.verdicts("budgets: [{topic: /a, rate: {min: 30 Hz}}]"), (BROKEN, ["broken"]))
        self.assertEqual(self.verdicts("budgets: [{topic: /a, rate: 10}]"), (BROKEN, ["broken"]))
        self.assertEqual(self.verdicts("budgets: [{path: '/source > ** > /sink', count: {min: 198, max: 198}}]"),
                         (KEPT, ["kept"]))
        self.assertEqual(self.verdicts("budgets: [{table: callbacks, node: [/echo, /ret], duration: {max: {min: 1 s}}}]"),
                         (BROKEN, ["broken"]))

    def test_what_has_stopped_keeps_no_lower_limit_on_its_rate(self):
        rates = "budgets: [" + ", ".join(f"{{{key}, rate: {{min: 9 Hz}}}}" for key in (
            "callback: /talker0", "callback: /listener0", "topic: /chatter0", "path: '/talker0 > *'", "publication: /chatter0",
            "callback: /other0")) + "]"
        whole = write_talk(self.directory / "whole", 20, 20)
        self.assertEqual(self.verdicts(rates, trace=whole), (KEPT, ["kept"] * 6))
        stopped = write_talk(self.directory / "stopped", 20, 10)
        self.assertEqual(self.verdicts(rates, trace=stopped), (BROKEN, ["broken"] * 5 + ["kept"]))
        self.assertIn("rate_hz 5 Hz with the silence at the end, at least 9 Hz", self.check(rates, trace=stopped).stdout)
        # an upper limit is about what happened
        self.assertEqual(self.verdicts("budgets: [{callback: /talker0, rate: {max: 9 Hz}}]", trace=stopped), (BROKEN, ["broken"]))
        # what is proposed for it is kept, and broken by what stops
        proposed = run("check", "--propose", whole).stdout
        self.assertIn("rate:", proposed)
        self.assertEqual(self.check(proposed, trace=whole).returncode, KEPT)
        self.assertEqual(self.check(proposed, trace=stopped).returncode, BROKEN)

    def test_a_host_whose_recording_ends_before_others_has_not_stopped(self):
        trace = write_talk(self.directory / "hosts", 20, 20, hosts=2)
        rates = "budgets: [{callback: '/*', rate: {min: 9 Hz}}, {topic: '/*', rate: {min: 9 Hz}}, {path: '/talker*', rate: {min: 9 Hz}}]"
        self.assertEqual(self.verdicts(rates, trace=trace), (KEPT, ["kept"] * 3))

    def test_a_key_chooses_the_table_whose_column_declares_it(self):
        def table_of(budget):
            got = self.check(f"budgets: [{{{budget}}}]", "--format=json")
            self.assertEqual(got.stderr, "", budget)
            return json.loads(got.stdout)["budgets"][0]["table"]

        tables = {"path": ("paths", "latency"), "topic": ("communications", "rate"), "callback": ("callbacks", "duration"),
                  "publication": ("publications", "max_gap"), "timer": ("timers", "lateness"),
                  "service": ("services", "round_trip"), "action": ("actions", "goals"),
                  "named_path": ("named_paths", "latency"), "stage": ("points", "duration")}
        for key, (table, column) in tables.items():
            limit = "1 Hz" if column == "rate" else 1 if column == "goals" else "1 s"
            self.assertEqual(table_of(f"{key}: /x, {column}: {limit}"), table, key)
        refused = self.check("budgets: [{latency: 1 s}]").stderr
        for key in [*tables, "table"]:
            self.assertIn(key, refused.split("expected ")[1].replace(",", "").split(), key)

    def test_a_budget_of_a_named_path_may_have_another_name(self):
        got = self.check("budgets: [{named_path: x, name: to the wheels, latency: 1 s}]", "--format=json")
        self.assertEqual(json.loads(got.stdout)["budgets"][0]["budget"], "to the wheels")

    def test_an_error_is_no_share(self):
        self.assertEqual(self.check("budgets: [{timer: /x, rate_error: {min: -5 %, max: 500 %}}]").stderr, "")
        self.assertIn("no possible value", self.check("budgets: [{table: usage, share: 101}]").stderr)

    def test_limits_that_some_value_keeps_are_taken(self):
        self.assertEqual(self.verdicts("budgets: [{path: '/source > ** > /sink', latency: {p99: {min: 1 us, max: 1 s}, "
                                       "p50: {min: 1 us}, max: 1 s, min: {min: 0 ns}}, count: {min: 198, max: 198}}]"),
                         (KEPT, ["kept"]))

    def test_every_row_that_matches_has_to_keep_it(self):
        one = "budgets: [{callback: /sink, kind: subscription, duration: 1 ms}]"
        both = "budgets: [{callback: ['/sink', '/echo'], kind: subscription, duration: 1 ms}]"
        self.assertEqual(self.verdicts(one), (KEPT, ["kept"]))
        self.assertEqual(self.verdicts(both), (BROKEN, ["broken"]))

    def test_what_matches_nothing_is_undecided(self):
        self.assertEqual(self.verdicts("budgets: [{path: '/sourc > *', lost: 0}]"), (UNDECIDED, ["undecided"]))
        self.assertEqual(self.verdicts("budgets: [{path: '*', lost: 0}, {topic: /none, lost: 0}]"),
                         (UNDECIDED, ["kept", "undecided"]))
        self.assertEqual(self.verdicts("budgets: [{path: '/source*', latency: 1 us}, {topic: /none, lost: 0}]"),
                         (BROKEN, ["broken", "undecided"]))

    def test_what_never_ran_is_undecided_unless_others_did(self):
        self.assertEqual(self.verdicts("budgets: [{callback: /echo/get_parameters, duration: 1 s}]"),
                         (UNDECIDED, ["undecided"]))
        self.assertEqual(self.verdicts("budgets: [{callback: /echo, duration: 1 s}]"), (KEPT, ["kept"]))

    def test_a_recording_that_is_not_whole_keeps_nothing(self):
        trace = self.directory / "trace"
        shutil.copytree(TRACE, trace)
        stream = max((path for path in trace.rglob("ros2_*") if path.suffix != ".idx"), key=lambda path: path.stat().st_size)
        shutil.rmtree(stream.parent / "index")
        with open(stream, "rb+") as file:
            file.truncate(stream.stat().st_size * 3 // 4)
        text = "budgets: [{callback: /echo, source: /a, duration: %s}]"
        got = self.check(text % "1 s", "--format=json", trace=trace)
        self.assertEqual(got.returncode, UNDECIDED)
        self.assertIn("trace read in part", json.loads(got.stdout)["losses"])
        self.assertEqual(self.check(text % "1 us", trace=trace).returncode, BROKEN)
        self.assertEqual(self.check("lost_events: ignore\n" + text % "1 s", trace=trace).returncode, KEPT)

    def test_losses_of_the_kernel_leave_budgets_of_user_space_alone(self):
        trace = self.directory / "starved"
        shutil.copytree(DATA / "jazzy/starved/trace", trace)
        text = "budgets: [{table: callbacks, duration: 1 h}, {table: scheduling, on_cpu: 1 h}]"
        self.assertEqual(self.verdicts(text, trace=trace), (KEPT, ["kept", "kept"]))
        self.lose_events(trace / "kernel/channel0_0")
        self.assertEqual(self.verdicts(text, trace=trace), (UNDECIDED, ["kept", "undecided"]))
        self.assertIn("discarded kernel events", self.check(text, trace=trace).stdout)
        self.lose_events(trace / "ust/uid/0/64-bit/ros2_0")
        self.assertEqual(self.verdicts(text, trace=trace), (UNDECIDED, ["undecided", "undecided"]))

    def test_losses_of_one_process_leave_budgets_of_others_alone(self):
        trace = self.directory / "trace"
        shutil.copytree(TRACE, trace)
        self.lose_events(trace / "robot-a/ust/uid/0/64-bit/ros2_0")
        text = ("budgets: [{callback: /source, duration: 1 h}, {callback: /echo, duration: 1 h}, {topic: /a, lost: 9}, "
                "{table: communications, topic: /parameter_events, publisher: /echo, subscription: /sink, lost: 9}, "
                "{path: '/source*', latency: 1 h}, {table: usage, scope: host, share: 100}]")
        both = ["undecided", "kept", "undecided", "kept", "undecided", "undecided"]
        self.assertEqual(self.verdicts(text, trace=trace), (UNDECIDED, both))
        self.assertEqual(self.verdicts("lost_events: ignore\n" + text, trace=trace), (KEPT, ["kept"] * len(both)))

    def test_a_count_below_its_limit_may_lack_what_was_lost(self):
        trace = self.directory / "trace"
        shutil.copytree(TRACE, trace)
        text = ("budgets: [{callback: /source, kind: timer, count: {min: 1000}}, {callback: /source, kind: timer, count: 5}, "
                "{callback: /echo, source: /a, count: {min: 1000}}]")
        self.assertEqual(self.verdicts(text, trace=trace), (BROKEN, ["broken", "broken", "broken"]))
        self.lose_events(trace / "robot-a/ust/uid/0/64-bit/ros2_0")
        self.assertEqual(self.verdicts(text, trace=trace), (BROKEN, ["undecided", "broken", "broken"]))

    @staticmethod
    def lose_events(stream):
        """The first packet counts discarded events, behind its header (32 bytes) and five words of its context."""
        content = bytearray(stream.read_bytes())
        content[72:80] = (5).to_bytes(8, "little")
        stream.write_bytes(content)

    def test_the_worst_moment_is_named(self):
        row = rows("paths")
        row = next(row for row in row if row["path"].startswith("/source > /a"))
        got = self.check("budgets: [{path: '/source > /a > *', latency: 1 ms}]", "--format=json")
        limit = json.loads(got.stdout)["budgets"][0]["rows"][0]["limits"][0]
        self.assertEqual(limit["longest_at_ns"], int(row["latency_max_at_ns"]))
        self.assertEqual(limit["value"], int(row["latency_max_ns"]))
        self.assertRegex(self.check("budgets: [{path: '/source > /a > *', latency: 1 ms}]").stdout,
                         r"broken +/source > /a > \*\n    /source > .*\n      latency max 44\.3 ms, at most 1 ms, the "
                         r"longest at \+1\.\d+ s")

    def test_junit(self):
        got = self.check("budgets: [{name: a<b>&\"c, path: '/source*', latency: 1 us}, {topic: /none, lost: 0}, "
                         "{topic: /a, lost: 0}]", "--format=junit")
        root = xml.etree.ElementTree.fromstring(got.stdout)
        suite = root.find("testsuite")
        cases = suite.findall("testcase")
        self.assertEqual(got.returncode, BROKEN)
        self.assertEqual({key: suite.get(key) for key in ("tests", "failures", "errors")},
                         {"tests": "3", "failures": "1", "errors": "1"})
        self.assertEqual([case.get("name") for case in cases], ['a<b>&"c (line 1)', "/none (line 1)", "/a (line 1)"])
        self.assertEqual([[child.tag for child in case] for case in cases], [["failure"], ["error"], []])

    def test_markdown(self):
        got = self.check("budgets: [{name: 'a|b `c` @d', path: '/source*', latency: 1 us}, {topic: /none, lost: 0}, "
                         "{topic: /a, lost: 0}]", "--format=markdown")
        title, _, labels, rule, *lines = got.stdout.splitlines()
        self.assertEqual(got.returncode, BROKEN)
        self.assertRegex(title, r"^### Budgets of `.*budgets.yaml` on `.*`: 1 broken, 1 undecided, 1 kept$")
        self.assertEqual([labels, rule], ["| verdict | budget | of | figure |", "| --- | --- | --- | --- |"])
        self.assertEqual(lines[0], "| **broken** | a&#124;b &#96;c&#96; &#64;d |  | |")
        self.assertRegex(lines[1], r"^\| \| \| `/source > /a .*` \| latency max [0-9.]+ ms, at most 1 us, the longest at .* \|$")
        self.assertEqual(lines[-2:], ["| **undecided** | /none | nothing in the recording matches \"/none\"; there are \"/a\", \"/b\", \"/c\", \"/parameter&#95;events\" | |", "| kept | /a |  | |"])
        self.assertEqual({line.count("|") for line in lines}, {5})

    def test_what_matches_nothing_may_be_misspelt(self):
        """In every format; also one of several names, and one that is there but not together with the others."""
        for selector, reason in (("topic: /aa", 'nothing in the recording matches "/aa"; did you mean "/a"?'),
                                 ("callback: /sorce", 'nothing in the recording matches "/sorce"; did you mean "/source"?'),
                                 ("topic: [/b, /zzz]", 'nothing in the recording matches "/zzz"; there are "/a", "/b", "/c", "/parameter_events"'),
                                 ("topic: /a, publisher: /sourc", 'nothing of /a matches "/sourc"; did you mean "/source"?'),
                                 ("topic: /a, publisher: /ret", 'nothing of /a matches "/ret"'),
                                 ("timer: /source, period: 41 ms", 'nothing of /source matches "41 ms"; there is only "40.0 ms"'),
                                 ('path: "/source > ** > /snk"', 'nothing in the recording matches "/source > ** > /snk"; '
                                  'did you mean "/source > /a > /echo > /b > /ret > /c > /sink"?'),
                                 ("action: /none", 'nothing in the recording matches "/none"')):
            limit = {"callback": "duration: 1 h", "timer": "missed: 1000", "action": "goals: 5"}.get(selector.split(":")[0], "lost: 1000")
            text = f"budgets: [{{{selector}, {limit}}}]"
            got = self.check(text, "--format=json")
            budget, = json.loads(got.stdout)["budgets"]
            self.assertEqual((got.returncode, budget["verdict"], budget["reason"]), (UNDECIDED, "undecided", reason), selector)
            shown = " ".join(self.check(text).stdout.split())
            self.assertIn(reason, shown)
            case = xml.etree.ElementTree.fromstring(self.check(text, "--format=junit").stdout).find("testsuite/testcase/error")
            self.assertEqual(case.get("message"), reason)
        got = self.check("budgets: [{topic: [/a, /zzz], lost: 1000}, {topic: [/a, '!/zzz'], lost: 1000}, {callback: '!/source', duration: 1 h}]", "--format=json")
        budgets = json.loads(got.stdout)["budgets"]
        self.assertEqual([(budget["verdict"], budget["reason"] is None) for budget in budgets], [("undecided", False), ("kept", True), ("kept", True)])
        self.assertFalse([row["row"] for row in budgets[2]["rows"] if row["row"].startswith("/source ")], "an excluded node")

    def test_a_misspelt_key_names_the_nearest(self):
        for text, hint in (("budgets: [{tpoic: /a, lost: 0}]", 'does not name what it limits (did you mean "topic"?)'),
                           ("budgets: [{topic: /a, lsot: 0}]", '`lsot` is no column of the table `communications` (did you mean "lost"?)'),
                           ("budgets: [{topic: /a, publishr: /b, lost: 0}]", '(did you mean "publisher"?)'),
                           ("budgets: [{topic: /a, latency: {maxi: 1 s}}]", '(did you mean "max"?)'),
                           ("budgets: [{table: comunications, lost: 0}]", '`comunications` is no table (did you mean "communications"?)'),
                           ("bugdets: [{topic: /a, lost: 0}]", '`bugdets` is unknown (did you mean "budgets"?)'),
                           ("lost_events: ignor\nbudgets: [{topic: /a, lost: 0}]", '`ignor` (did you mean "ignore"?)')):
            got = self.check(text)
            self.assertEqual(got.returncode, USAGE, text)
            self.assertIn(hint, got.stderr)

    def test_a_timer_is_selected_by_its_period(self):
        trace = DATA / "jazzy/timers/trace"
        got = run(trace, "--format=csv", "--table=callbacks")
        timers = [row for row in latency.rows_of(got.stdout) if row["kind"] == "timer" and row["node"] == "/periodic"]
        self.assertGreater(len({row["source"] for row in timers}), 2)
        for period in "100000000", "100 ms", "0.1 s", "100ms":
            got = self.check(f"budgets: [{{callback: /periodic, source: '{period}', duration: 1 h}}]", "--format=json", trace=trace)
            rows = json.loads(got.stdout)["budgets"][0]["rows"]
            self.assertEqual([row["row"] for row in rows],
                             ["/periodic  timer  100 ms" for row in timers if row["source"] == "100000000"], period)

    def test_what_is_wrong_with_a_file_is_said_with_its_line(self):
        cases = {
            "budgets: []": ":1: budgets: expected a list of them",
            "budgets:\n- path: x\n  latency: 5": ":3: `5` is no duration",
            "budgets:\n- path: x\n  latncy: 5 ms": ":3: `latncy` is no column of the table `paths` (did you mean \"latency\"?); limits may be set on count, "
                                                   "lost, latency",
            "budgets:\n- pth: x": ":2: the budget does not name what it limits",
            "budgets:\n- path: x\n  latency: {q99: 5 ms}": ":3: latency: `q99` is none of min",
            "budgets: [{topic: a, rate: {min: fast}}]": ":1: `fast` is no rate",
            "budgets: [{topic: a, lost: {mx: 3}}]": ":1: lost: `mx` is no bound",
            "budgets: [{topic: a}]": ":1: `a` has no limit",
            "budgets: [{table: none, lost: 0}]": ":1: `none` is no table: expected one such as callbacks, ",
            "budgets: [{topic: [[a]], lost: 0}]": ":1: expected a name",
            "budgets: [{topic: [], lost: 0}]": ":1: expected a name",
            "budgets: [x]": ":1: a budget is keys with values",
            "a: 1": ":1: `a` is unknown: expected budgets or lost_events",
            "": ": no budgets",
            "lost_events: no\nbudgets: [{topic: a, lost: 0}]": ":1: lost_events cannot be `no`: expected undecided or ignore",
            "more: 1\nbudgets: [{topic: a, lost: 0}]": ":1: `more` is unknown",
            "[1, 2": "did not find expected",
            "budgets:\n- path: x\n  latency: {p99: {min: 50 ms, max: 20 ms}}":
                ":3: nothing can keep both limits: latency p99 at least 50 ms, latency p99 at most 20 ms",
            "budgets:\n- path: x\n  latency: {p50: {min: 50 ms}, p99: 20 ms}":
                ":3: nothing can keep both limits: latency p50 at least 50 ms, latency p99 at most 20 ms",
            "budgets:\n- path: x\n  latency: {min: {min: 5 ms}, mean: 1 ms}":
                ":3: nothing can keep both limits: latency min at least 5 ms, latency mean at most 1 ms",
            "budgets:\n- path: x\n  latency: {mean: {min: 5 ms}, max: 1 ms}":
                ":3: nothing can keep both limits: latency mean at least 5 ms, latency max at most 1 ms",
            "budgets:\n- topic: x\n  rate: {min: 20 Hz, max: 10 Hz}": ":3: nothing can keep both limits: rate",
            "budgets:\n- topic: x\n  lost: -1": ":3: `-1` is no possible value of lost",
            "budgets:\n- topic: x\n  rate: {min: -1 Hz}": ":3: `-1 Hz` is no possible value of rate_hz",
        }
        for text, message in cases.items():
            got = self.check(text)
            self.assertEqual((got.returncode, got.stdout), (USAGE, ""), text)
            self.assertIn("budgets.yaml" + message if message[0] == ":" else message, got.stderr, text)

    def test_the_command_line(self):
        self.assertEqual(run("check").returncode, USAGE)
        self.assertEqual(run("check", "--help").returncode, 0)
        self.assertEqual(run("check", "--format=xml", "a", "b").returncode, USAGE)
        self.assertEqual(run("check", "/none.yaml", TRACE).returncode, USAGE)
        self.assertEqual(self.check("budgets: [{topic: a, lost: 0}]", trace="/none/such").returncode, 1)

    def test_a_part_of_the_recording(self):
        got = self.check("budgets: [{topic: /a, received: {max: 60}}]", "--begin=+1s", "--end=+3s", "--format=json")
        self.assertEqual(got.returncode, KEPT)
        self.assertEqual(self.check("budgets: [{topic: /a, received: {max: 60}}]").returncode, BROKEN)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
