#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_convert.py ROS2_LATENCY TRACE_OF_CTF_2 TRACE_OF_CTF_1.8 yes|no

`ros2-latency convert`: what it says and leaves where there is nothing to convert, or something that cannot be.
test_ctf2.py compares what it writes. `no`: the command was built without libarchive.
"""
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

COMMAND = sys.argv[1]
CTF2, CTF18 = map(pathlib.Path, sys.argv[2:4])
HAS_ARCHIVES = sys.argv[4] == "yes"


def files_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Convert(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="ros2bt-convert-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.output = self.folder / "output"
        self.trace = self.folder / "trace"
        shutil.copytree(CTF2, self.trace)

    def convert(self, status, *words):
        done = subprocess.run([COMMAND, "convert", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              encoding="utf-8")
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        return done.stderr

    def metadata(self):
        return next(self.trace.rglob("metadata"))

    def test_only_metadata_changes(self):
        self.convert(0, f"--output={self.output}", self.trace)
        before, after = files_of(self.trace), files_of(self.output)
        self.assertEqual(set(before), set(after))
        changed = [path.name for path in before if before[path] != after[path]]
        self.assertEqual(changed, ["metadata"])
        self.assertTrue(after[self.metadata().relative_to(self.trace)].startswith(b"/* CTF 1.8 */"))

    def test_what_is_in_ctf_18_stays(self):
        errors = self.convert(3, f"--output={self.output}", CTF18)
        self.assertIn("is not in CTF 2", errors)
        self.assertEqual(files_of(CTF18), files_of(self.output))

    def test_both_forms_below_one_directory(self):
        shutil.copytree(CTF18, self.trace / "other")
        self.convert(0, f"--output={self.output}", self.trace)
        self.assertEqual(files_of(CTF18), files_of(self.output / "other"))

    def test_a_command_line_that_is_wrong(self):
        self.assertIn("expected --output", self.convert(2, self.trace))
        self.assertIn("expected one TRACE", self.convert(2, f"--output={self.output}"))
        self.assertIn("exists already", self.convert(2, f"--output={self.folder}", self.trace))
        self.assertIn("within TRACE", self.convert(2, f"--output={self.trace / 'new'}", self.trace))
        self.assertFalse(self.output.exists())

    def test_a_link_into_the_trace(self):
        """What is written would be copied anew, and the recording is to stay as it is."""
        before = files_of(self.trace)
        inside = self.metadata().parent
        (self.folder / "link").symlink_to(inside)
        for name in "new", "new/newer", "./new/":
            self.assertIn("within TRACE", self.convert(2, f"--output={self.folder}/link/{name}", inside))
        self.assertIn("within TRACE", self.convert(2, f"--output={inside}/new", self.folder / "link"))
        self.assertEqual(files_of(self.trace), before)

    def archive(self, *links):
        """Of a trace; the name says so when it is there."""
        path = self.folder / "trace.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            archive.add(self.trace, "run/trace")
            for name in links:
                info = tarfile.TarInfo(name)
                info.type, info.linkname = tarfile.SYMTYPE, "elsewhere"
                archive.addfile(info)
        return path

    @unittest.skipUnless(HAS_ARCHIVES, "built without libarchive")
    def test_an_archive(self):
        self.convert(0, f"--output={self.folder / 'of_directory'}", self.trace)
        self.convert(0, f"--output={self.output}", self.archive())
        self.assertEqual(files_of(self.folder / "of_directory"), files_of(self.output / "run/trace"))

    @unittest.skipUnless(HAS_ARCHIVES, "built without libarchive")
    def test_an_archive_that_is_not_whole(self):
        self.assertIn("1 of", self.convert(1, f"--output={self.output}", self.archive("link")))
        path = self.metadata()
        path.write_bytes(path.read_bytes()[:-20])
        errors = self.convert(1, f"--output={self.folder / 'broken'}", self.archive())
        self.assertIn("trace.tar.gz/run/trace/", errors)
        self.assertNotIn("ros2-latency-", errors)
        cut = self.folder / "cut.tar.gz"
        cut.write_bytes((self.folder / "trace.tar.gz").read_bytes()[:1000])
        self.assertIn("cut.tar.gz", self.convert(1, f"--output={self.folder / 'cut'}", cut))
        self.assertFalse((self.folder / "cut").exists())

    def test_no_trace(self):
        (self.folder / "empty").mkdir()
        self.assertIn("no trace found", self.convert(3, f"--output={self.output}", self.folder / "empty"))
        self.assertIn("No such file", self.convert(1, f"--output={self.output}", self.folder / "missing"))

    def test_what_cannot_be_converted_is_no_trace_afterwards(self):
        """A label of another range for an option: CTF 2 needs none, CTF 1.8 does."""
        path = self.metadata()
        text = path.read_bytes()
        label = b'"compact"'
        self.assertEqual(text.count(label), 2)
        start = text.index(b"[", text.index(label))
        path.write_bytes(text[:start] + text[start:].replace(b"65534", b"65533", 1))
        self.assertIn("an option of a variant has no label", self.convert(1, f"--output={self.output}", self.trace))
        self.assertFalse(list(self.output.rglob("metadata")))

    def test_broken_metadata(self):
        path = self.metadata()
        path.write_bytes(path.read_bytes()[:-20])
        errors = self.convert(1, f"--output={self.output}", self.trace)
        self.assertRegex(errors, f"^ros2-latency convert: {path}: line [0-9]+: ")
        self.assertFalse(list(self.output.rglob("metadata")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
