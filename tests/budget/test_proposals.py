#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test_proposals.py ROS2_LATENCY TRACES...

ros2-latency check --propose, on all recordings below TRACES: each keeps the budgets that are proposed from it, each budget
appears once, and no budget applies to a hidden name.
"""
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import latency  # noqa: E402

COMMAND, TRACES = sys.argv[1], [pathlib.Path(path) for path in sys.argv[2:]]
KEPT, NOTHING = 0, 3
SAMPLES = 20  # that a budget is proposed from


def run(*arguments):
    return latency.run(COMMAND, *arguments)


class Proposals(unittest.TestCase):
    def check(self, trace, proposal):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
            file.write(proposal)
            file.flush()
            got = run("check", file.name, trace, "--format=json")
            return got.returncode, json.loads(got.stdout)

    def check_recording(self, trace):
        """Whether something was proposed."""
        got = run("check", "--propose", trace)
        if got.returncode == NOTHING:
            self.assertEqual(got.stdout, "")
            return False
        self.assertEqual((got.returncode, got.stderr), (0, ""))
        status, checked = self.check(trace, got.stdout)
        names = [budget["budget"] for budget in checked["budgets"]]
        for budget in checked["budgets"]:
            if not checked["losses"]:
                self.assertEqual(budget["verdict"], "kept", budget)
            self.assertNotEqual(budget["verdict"], "broken", budget)
            self.assertGreater(len(budget["rows"]), 0)
            self.assertNotRegex(budget["budget"], r"(^| )(/parameter_events|/rosout|\S*/_)")
        self.assertEqual(len(names), len(set(names)))
        if not checked["losses"]:
            self.assertEqual(status, KEPT)
        return True

    def test_each_recording_keeps_what_is_proposed_from_it(self):
        proposed = 0
        for trace in latency.recordings(TRACES):
            with self.subTest(trace=trace):
                proposed += self.check_recording(trace)
        self.assertGreater(proposed, 8)

    def test_nothing_is_proposed_if_nothing_ran_often_enough(self):
        got = run("check", "--propose", TRACES[0] / "jazzy/counters/trace")
        self.assertEqual((got.returncode, got.stdout), (NOTHING, ""))
        self.assertEqual(got.stderr, f"ros2-latency check: nothing ran {SAMPLES} times or more; no budget is proposed\n")

    def test_timers_of_one_node_get_a_budget_each(self):
        trace = TRACES[0] / "jazzy/timers/trace"
        report = json.loads(run(trace, "--format=json", "--table=callbacks").stdout)
        periods = {row["source"] for row in report["callbacks"]
                   if row["node"] == "/periodic" and row["kind"] == "timer" and row["count"] >= SAMPLES}
        _, checked = self.check(trace, run("check", "--propose", trace).stdout)
        budgets = [budget for budget in checked["budgets"] if budget["budget"].startswith("/periodic, timer, ")]
        self.assertGreater(len(periods), 2)
        # one of them may vary too slowly for any limit
        self.assertIn(len(budgets), (len(periods) - 1, len(periods)))
        self.assertEqual(len({budget["budget"] for budget in budgets}), len(budgets))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
