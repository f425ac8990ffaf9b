#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Metadata that is cut, empty or missing, and traces without metadata: one clear cause, never a report that is wrong."""
import os
import unittest

from faults import READERS, STRICT_READERS, FaultsTest
from ros_trace import RosTrace, conversation


class BrokenMetadata(FaultsTest):
    def setUp(self):
        super().setUp()
        self.trace = RosTrace()
        self.packets = conversation(self.trace, packets=1, talks=1)

    def assert_fails(self, path, *texts, readers=READERS):
        """No report, but the reason for it; the wording of babeltrace2 is its own."""
        for reader in readers:
            result = self.read(reader, path)
            self.assertEqual(result.status, 1, (result.reader, result.errors))
            self.assertFalse(result.files)
            if reader != "sink":
                self.assert_one_cause(result, *texts)

    def test_metadata_cut_anywhere_is_refused_with_its_place(self):
        text = self.trace.tsdl().encode()
        ends_of_events = {end for end in range(len(text)) if text[:end].rstrip().endswith(b"};")}
        for packetized in False, True:
            path = self.write(self.trace, self.packets)
            for end in range(0, len(text), 31):
                cut = text[:end]
                (path / "metadata").write_bytes(self.trace.packetize(cut) if packetized and cut else cut)
                result = self.read("fast", path)
                self.assertEqual(result.status, 1, f"{end} bytes of metadata")
                self.assert_one_cause(result, "metadata" if end not in ends_of_events else "")

    def test_packets_of_metadata_may_be_cut_themselves(self):
        path = self.write(self.trace, self.packets)
        whole = self.trace.packetize(self.trace.tsdl().encode())
        for end in [*range(0, 40), 36 + 500, 4095, 4097, 4096 + 37, len(whole) - 1]:
            (path / "metadata").write_bytes(whole[:end])
            result = self.read("fast", path)
            self.assert_one_cause(result, "metadata")

    def test_packets_that_are_cut_do_not_reach_babeltrace2(self):
        """It reads the file again and again, for ever."""
        path = self.write(self.trace, self.packets)
        whole = self.trace.packetize(self.trace.tsdl().encode())
        for end in 36, 36 + 500, 4096 + 30, len(whole) - 1:
            (path / "metadata").write_bytes(whole[:end])
            self.assert_fails(path, str(path), "metadata: cut", "copy it again", readers=["auto", "babeltrace2"])

    def test_what_babeltrace2_refuses_without_a_reason_has_that_of_the_fast_reader(self):
        path = self.write(self.trace, self.packets)
        good = self.write(self.trace, self.packets)
        (path / "metadata").write_text("something else")
        self.assert_fails(path, f"{path}: metadata: not the metadata of a trace", readers=["auto"])
        result = self.read("auto", path, good)
        self.assert_one_cause(result, "not the metadata of a trace", "the report covers the rest")
        self.assertNotIn("babeltrace2", result.errors)

    def test_cut_metadata_is_told_with_every_reader(self):
        """But babeltrace2 2.1 aborts."""
        path = self.write(self.trace, self.packets)
        text = self.trace.tsdl().encode()
        for end in 0, 5, 200, len(text) // 2, len(text) - 8:
            (path / "metadata").write_bytes(text[:end])
            self.assert_fails(path, "metadata", readers=STRICT_READERS)

    def test_an_event_whose_declaration_is_cut_off_ends_the_report(self):
        """Metadata that ends between two declarations is valid; the first unknown event is not."""
        path = self.write(self.trace, self.packets)
        text = self.trace.tsdl()
        (path / "metadata").write_text(text[:text.index('event { name = "ros2:rcl_timer_init"')])
        for reader in READERS:
            result = self.read(reader, path)
            self.assert_one_cause(result, "the report covers what was read")
            self.assertEqual(result.executions(), [])

    def test_a_trace_beside_another_that_cannot_be_read_is_reported(self):
        """And the report names the one that is not in it."""
        good = self.write(self.trace, self.packets)
        bad = self.new_path("bad")
        bad.mkdir()
        (bad / "metadata").touch()
        result = self.read("auto", bad, good)
        self.assert_one_cause(result, str(bad), "the report covers the rest")
        self.assertEqual(len(result.executions()), len(self.trace.executions))
        details = [row["detail"] for row in result.table("diagnostics") if row["what"] == "trace read in part"]
        self.assertEqual(len(details), 1)
        self.assertTrue(details[0].startswith(f"{bad}: "), details)

    @unittest.skipIf(os.geteuid() == 0, "root may read every directory")
    def test_a_directory_that_may_not_be_searched_is_named(self):
        good = self.write(self.trace, self.packets)
        session = self.new_path("session")
        (session / "kernel").mkdir(parents=True)
        good.rename(session / "ust")
        (session / "kernel").chmod(0)
        for reader in "fast", "auto":
            result = self.read(reader, session)
            self.assert_one_cause(result, str(session / "kernel"), "ermission denied")
            self.assertTrue(result.executions())

    def test_a_directory_without_metadata_is_no_trace(self):
        path = self.write(self.trace, self.packets)
        (path / "metadata").unlink()
        self.assert_fails(path, f"no trace found in {path}")

    def test_an_empty_directory_is_no_trace(self):
        path = self.new_path("empty")
        path.mkdir()
        self.assert_fails(path, f"no trace found in {path}")

    def test_a_directory_that_does_not_exist_is_named(self):
        self.assert_fails(self.folder / "nothing", "cannot open", "nothing", "No such file")

    def test_a_file_is_no_trace(self):
        path = self.new_path("file")
        path.write_bytes(b"something")
        self.assert_fails(path, f"{path} is a file", "name the directory")

    def test_a_file_of_a_trace_names_its_directory(self):
        path = self.write(self.trace, self.packets)
        for name in "metadata", next(file.name for file in path.iterdir() if file.name != "metadata"):
            self.assert_fails(path / name, f"name its directory, {path}")

    def test_an_empty_path_is_named_as_such(self):
        for reader in "auto", "fast", "babeltrace2":
            result = self.read(reader, "")
            self.assertEqual(result.status, 1, result.errors)
            self.assert_one_cause(result, "the path of a trace is empty")

    def test_a_stream_that_the_metadata_does_not_declare_is_refused(self):
        path = self.write(self.trace, self.packets)
        text = self.trace.tsdl().replace("stream { id = 0", "stream { id = 5").replace("stream_id = 0", "stream_id = 5")
        (path / "metadata").write_text(text)
        self.assert_fails(path, "a stream that the metadata does not declare")


if __name__ == "__main__":
    unittest.main()
