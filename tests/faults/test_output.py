#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Output that cannot be written: a full disk, a closed pipe, no permission, no descriptors. A report is whole, or there is none;
where the trace could not be read to its end, it is the whole report of the part, and says so.

(`/dev/full` and pipes of ros2-latency itself: tests/command/test_command.py; an output that is a file: tests/cli.)
"""
import json
import os
import pwd
import resource
import subprocess
import unittest
from pathlib import Path

from faults import COMMAND, PARTIAL, PLUGINS, FaultsTest, Result, command_line, environment
from ros_trace import RosTrace, definitions, talk

FORMATS = {"csv": "callback_instances.csv", "json": "report.json", "text": "report.txt"}
READERS = ["sink", "fast"]  # `auto` writes as `fast` does


def is_partial(result, format):
    return not json.loads(result.files["report.json"])["trace"]["is_complete"] if format == "json" else result.is_partial()


def limit(what, value):
    return lambda: resource.setrlimit(what, (value, value))


def starts(program, descriptors):
    return subprocess.run(
        [program, "--version"], preexec_fn=limit(resource.RLIMIT_NOFILE, descriptors), stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env=environment(), check=False).returncode == 0


class Output(FaultsTest):
    @classmethod
    def setUpClass(cls):
        trace = RosTrace()
        events = definitions(trace)
        for moment in range(200, 100_000, 100):
            events += talk(trace, moment)
        cls.trace, cls.packets = trace, [trace.packet(events, 0, 200_000)]

    def setUp(self):
        super().setUp()
        self.path = self.write(self.trace, self.packets)

    def report(self, reader, format, directory=None, **options):
        """A report with instances, hundreds of KiB of it."""
        directory = directory or self.new_path("report")
        words = command_line(reader, [self.path], format=format, output=str(directory), instances=True)
        result = Result(reader, self.run_reader(reader, words, **options), directory)
        self.assertFalse([name for name in result.files if name.startswith(".")], (reader, result.errors))
        return result

    def assert_nothing_written(self, result, *texts):
        self.assertEqual(result.status, 1, result.errors)
        self.assertEqual(result.files, {}, result.errors)
        self.assert_one_cause(result, *texts)

    def test_files_of_limited_size_are_no_report(self):
        """RLIMIT_FSIZE, which also raises a signal."""
        for reader in READERS:
            for format in FORMATS:
                for size in 0, 100, 4096, 50_000:
                    result = self.report(reader, format, preexec_fn=limit(resource.RLIMIT_FSIZE, size))
                    self.assert_nothing_written(result, "File too large", "cannot write")

    def test_an_older_report_stays_when_the_new_one_cannot_be_written(self):
        for reader in READERS:
            for format, name in FORMATS.items():
                directory = self.new_path("report")
                directory.mkdir()
                (directory / name).write_text("old")
                result = self.report(reader, format, directory, preexec_fn=limit(resource.RLIMIT_FSIZE, 20_000))
                self.assertEqual((result.status, result.files), (1, {name: b"old"}))

    def test_a_full_disk_is_no_report(self):
        """A file system of 64 KiB, where mounting is permitted."""
        disk = self.new_path("disk")
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True, check=False).returncode:
            self.skipTest("a file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        for reader in READERS:
            for format in FORMATS:
                self.assert_nothing_written(self.report(reader, format, disk / "report"), "No space left on device")
                (disk / "report").rmdir()

    def test_a_full_standard_output_is_told(self):
        for reader in READERS:
            for format, parameters in ("text", {}), ("json", {"instances": True}), ("csv", {"tables": ["callbacks"]}):
                with open("/dev/full", "wb") as full:
                    words = command_line(reader, [self.path], format=format, **parameters)
                    result = Result(reader, self.run_reader(reader, words, stdout=full))
                self.assert_one_cause(result, "standard output", "No space left on device")

    def test_a_full_directory_for_temporary_files_is_told(self):
        """Instances wait in a temporary file when they go to standard output."""
        for reader in READERS:
            words = command_line(reader, [self.path], format="json", instances=True)
            result = Result(reader, self.run_reader(reader, words, env={**environment(), "TMPDIR": "/nonexistent"}))
            self.assert_one_cause(result, "temporary file in /nonexistent", "No such file or directory")
            self.assertEqual(result.output, b"")

    def test_a_reader_that_has_seen_enough_is_no_error(self):
        for reader in READERS:
            for format in "text", "json":
                words = command_line(reader, [self.path], format=format, instances=True)
                with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
                    self.assertTrue(process.stdout.read(10))
                    process.stdout.close()
                    errors = process.stderr.read()
                self.assertEqual((process.returncode, errors), (0, b""), reader)

    def test_a_reader_that_was_never_there_is_no_error(self):
        for reader in READERS:
            for format in "text", "json":
                reading, writing = os.pipe()
                os.close(reading)
                done = self.run_reader(reader, command_line(reader, [self.path], format=format), stdout=writing)
                os.close(writing)
                self.assertEqual((done.returncode, done.stderr), (0, b""), reader)

    def test_a_closed_standard_output_is_told(self):
        for reader in READERS:
            words = command_line(reader, [self.path], format="text")
            result = Result(reader, self.run_reader(reader, ["sh", "-c", '"$@" >&-', "sh", *words]))
            self.assert_one_cause(result, "standard output")

    def test_without_descriptors_there_is_a_cause(self):
        for reader in READERS:
            if not starts(command_line(reader, [self.path])[0], 4):
                self.skipTest("what runs a program of another machine needs more descriptors than a report")
            for format in "csv", "json":
                statuses = set()
                for count in range(4, 24):
                    result = self.report(reader, format, preexec_fn=limit(resource.RLIMIT_NOFILE, count))
                    statuses.add(result.status)
                    self.assertIn(result.status, (0, 1), (count, result.errors))
                    self.assertEqual(bool(result.files), result.status == 0 or PARTIAL in result.errors, (count, result.errors))
                    if result.files:
                        self.assertEqual(is_partial(result, format), result.status == 1, (count, result.errors))
                    self.assertTrue(result.status == 0 or result.errors)
                self.assertEqual(statuses, {0, 1})

    def as_nobody(self):
        if os.getuid() != 0:
            self.skipTest("permissions of root itself cannot be taken, and there is no other user")
        for file in COMMAND, PLUGINS:
            if any(not parent.stat().st_mode & 0o001 for parent in Path(file).resolve().parents):
                self.skipTest("another user cannot reach the build directory")
        os.chmod(self.folder, 0o755)
        return pwd.getpwnam("nobody").pw_uid

    def test_a_directory_that_one_must_not_write_to_is_told(self):
        user = self.as_nobody()
        for reader in READERS:
            for format in FORMATS:
                directory = self.new_path("report")
                directory.mkdir(mode=0o755)
                result = self.report(reader, format, directory, user=user)
                self.assert_nothing_written(result, str(directory), "Permission denied")

    def test_files_of_a_trace_that_one_must_not_read_are_told(self):
        user = self.as_nobody()
        output = self.new_path("output")
        output.mkdir()
        os.chmod(output, 0o777)
        for name in "stream", "metadata":
            (self.path / name).chmod(0o600)
            for reader in [*READERS, "auto"]:
                result = self.report(reader, "csv", output / f"{reader}-{name}", user=user)
                self.assertEqual((result.status, result.files), (1, {}), result.errors)
                self.assertIn("Permission denied" if reader != "sink" else "", result.errors)  # babeltrace2 finds no trace
            (self.path / name).chmod(0o644)


if __name__ == "__main__":
    unittest.main()
