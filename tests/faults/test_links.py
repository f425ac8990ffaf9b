#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Symbolic links among the directories of a trace: the search for traces ends, finds all, and can be interrupted."""
import os
import signal
import subprocess
import unittest

from faults import PATIENCE_S, FaultsTest, command_line, environment
from latency import let_run, measured
from ros_trace import RosTrace, conversation

OURS = "fast", "babeltrace2"  # the sink gets what the command babeltrace2 finds
DIRECTORIES = 4000


class Links(FaultsTest):
    def test_links_that_lead_back_change_nothing(self):
        trace = RosTrace()
        path = self.write(trace, conversation(trace))
        place = self.folder / "place"
        (place / "ust").mkdir(parents=True)
        path.rename(place / "ust" / "trace")
        for name, target in ("first", "."), ("second", "."), ("ust/up", ".."), ("ust/zero", "../ust"):
            (place / name).symlink_to(target)
        for reader in OURS:
            result = self.read(reader, place)
            self.assertEqual(result.status, 0, (reader, result.errors))
            self.assertEqual(set(result.executions()), trace.executions, reader)

    def test_the_search_can_be_interrupted(self):
        """Tried until the signal comes in the midst of it, which is nearly all that these runs do."""
        place = self.folder / "wide"
        for number in range(DIRECTORIES):
            os.makedirs(place / str(number))
        for reader in OURS:
            words = command_line(reader, [place], format="csv", output=str(self.folder / "report"))
            whole, whole_s = measured(words, env=environment(), stderr=subprocess.PIPE)
            self.assertIn(b"no trace found", whole.stderr)
            for _ in range(100):
                process = subprocess.Popen(words, env=environment(), stderr=subprocess.PIPE)
                let_run(process, whole_s / 2)
                process.send_signal(signal.SIGINT)
                errors = process.communicate(timeout=PATIENCE_S)[1]
                if b"interrupted in the search for traces" in errors:
                    break
            self.assertIn(b"interrupted in the search for traces", errors, reader)
            self.assertEqual((process.returncode, errors.count(b"\n")), (1, 1), (reader, errors))
            self.assertEqual(os.listdir(self.folder / "report"), [], reader)


if __name__ == "__main__":
    unittest.main()
