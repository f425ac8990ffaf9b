#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stream files that another program cuts while the fast reader reads them: one cause, no crash, no report.

Few streams are viewed without a copy (core/ctf/file_view.h), many are copied.
source.ctf.fs of babeltrace2 maps files and dies of SIGBUS; nothing that a plugin could do about it.
"""
import os
import pty
import random
import signal
import subprocess
import threading
import time
import unittest
from pathlib import Path

from faults import COMMAND, PATIENCE_S, FaultsTest, Result, command_line, environment
from ros_trace import RosTrace, definitions, talk

OPEN_S = 30


class ShrinkingFiles(FaultsTest):
    STREAMS = 6
    PACKETS = 20

    def setUp(self):
        """A trace whose reading takes some ms: the same packets in several streams."""
        super().setUp()
        trace = RosTrace()
        packets = [trace.packet(definitions(trace), 0, 100)]
        for number in range(1, self.PACKETS):
            begin = 1_000_000 * number
            events = [event for i in range(100) for event in talk(trace, begin + 100 * i)]
            packets.append(trace.packet(events, begin, begin + 10_000, sequence=number))
        one = b"".join(packets)
        headers = [sum(map(len, packets[:number])) for number in range(len(packets))]
        self.contents = {}
        for instance in range(self.STREAMS):
            content = bytearray(one)
            for header in headers:
                content[header + 24:header + 32] = instance.to_bytes(8, "little")
            self.contents[f"stream_{instance}"] = bytes(content)
        self.path = self.write(trace, {name: [content] for name, content in self.contents.items()})

    def restore(self):
        for name, content in self.contents.items():
            (self.path / name).write_bytes(content)

    def has_opened_all(self, process):
        last = str(self.path / max(self.contents))
        try:
            return any(os.readlink(link) == last for link in Path(f"/proc/{process.pid}/fd").iterdir())
        except OSError:
            return False

    def change_while(self, process, change, delay):
        """The change comes too late if a busy machine lets the moment pass, in which the files are open."""
        deadline = time.monotonic() + OPEN_S
        while process.poll() is None and not self.has_opened_all(process) and time.monotonic() < deadline:
            pass
        for _ in range(delay):
            pass
        process.send_signal(signal.SIGSTOP)
        change()
        process.send_signal(signal.SIGCONT)

    def read_while(self, change, delay):
        """The result of a reader that was stopped some time after it had opened the files, and `change` done then."""
        directory = self.new_path("report")
        words = command_line("fast", [self.path], format="csv", output=str(directory), instances=True)
        process = subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.change_while(process, change, delay)
        output, errors = process.communicate(timeout=PATIENCE_S)
        result = Result("fast", subprocess.CompletedProcess(words, process.returncode, output, errors), directory)
        self.assert_orderly(result)
        return result

    def test_a_cut_anywhere_at_any_time_is_one_cause_and_no_report(self):
        chosen = random.Random(1)
        reported = 0
        for number in range(200):
            if number >= 12 and reported:
                break  # on a busy machine the reader may have read all before each change
            name = chosen.choice(list(self.contents))
            size = chosen.choice([0, 100, 4096, chosen.randrange(len(self.contents[name]))])
            result = self.read_while(lambda: os.truncate(self.path / name, size), chosen.randrange(200_000))
            self.restore()
            if result.status == 0:
                continue  # it had been done already
            self.assertFalse(result.files)
            if "refuses" not in result.errors:  # cut while the packets were looked for
                self.assert_one_cause(result, name, "became shorter", "no report is written")
                reported += 1
        self.assertGreater(reported, 0)

    def test_top_goes_on_until_q(self):
        """It has a handler of crashes, which gives the terminal back."""
        folder = self.new_path("followed")
        (folder / "archives").mkdir(parents=True)
        self.path = self.path.rename(folder / "archives" / "chunk")

        def cut():
            for name in self.contents:
                os.truncate(self.path / name, 0)

        for number in range(10):
            ours, terminal = pty.openpty()
            process = subprocess.Popen([COMMAND, "top", f"--follow={folder}"], env={**environment(), "TERM": "xterm"}, stdin=terminal,
                                       stdout=terminal, stderr=terminal)
            self.addCleanup(process.kill)
            shown = threading.Thread(target=self.read_all, args=(ours,), daemon=True)
            shown.start()
            self.change_while(process, cut, 10_000 * number)
            os.write(ours, b"q")
            status = process.wait(PATIENCE_S)
            os.close(terminal)
            shown.join()
            os.close(ours)
            self.assertIn(status, range(4))
            self.restore()

    @staticmethod
    def read_all(terminal):
        try:
            while os.read(terminal, 4096):
                pass
        except OSError:  # its other end is closed
            pass

    def test_files_that_grow_or_are_removed_do_no_harm(self):
        def grow():
            with open(self.path / "stream_0", "ab") as stream:
                stream.write(bytes(10_000))

        for change in grow, (self.path / "stream_1").unlink:
            result = self.read_while(change, 1000)
            self.assertEqual(result.status, 0, result.errors)
            self.restore()

    def test_the_next_reading_tells_what_is_left(self):
        os.truncate(self.path / "stream_0", len(self.contents["stream_0"]) - 100)
        result = self.read("fast", self.path)
        self.assert_one_cause(result, "its file ends within a packet", "the report covers what was read")
        self.assertTrue(result.executions())


class ManyShrinkingFiles(ShrinkingFiles):
    STREAMS = 70
    PACKETS = 5


if __name__ == "__main__":
    unittest.main()
