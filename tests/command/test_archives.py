#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_archives.py ROS2_LATENCY TRACE yes|no

Traces in archives: the same reports as of directories; hostile archives write nothing anywhere else; nothing temporary is left, however
the command ends. `no`: the command was built without libarchive, and says so.
"""
import io
import json
import os
import random
import resource
import signal
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from latency import PATIENCE_S, let_run, measured  # noqa: E402

COMMAND, TRACE, HAS_ARCHIVES = sys.argv[1], Path(sys.argv[2]), sys.argv[3] == "yes"


def files_of(trace):
    return {str(path.relative_to(trace)): path.read_bytes() for path in sorted(trace.rglob("*")) if path.is_file()}


FILES = files_of(TRACE)


class Archives(unittest.TestCase):
    def setUp(self):
        if not HAS_ARCHIVES:
            self.skipTest("built without libarchive")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def run_command(self, *words, **options):
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        done = subprocess.run([COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                              env=environment, timeout=PATIENCE_S, **options)
        self.assertEqual(os.listdir(self.temporary), [], (words, done.stderr))
        return done

    def tar(self, name, entries, mode="w", **options):
        """An archive of (name or TarInfo, content)."""
        path = self.folder / name
        with tarfile.open(path, mode, **options) as archive:
            for info, content in entries:
                if isinstance(info, str):
                    info = tarfile.TarInfo(info)
                if content is not None:
                    info.size = len(content)
                archive.addfile(info, None if content is None else io.BytesIO(content))
        return path

    def trace_entries(self, root="run/trace/"):
        return [(root + name, content) for name, content in FILES.items()]

    def special(self, name, kind, link=""):
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, link
        return info, None

    def assert_report(self, done, status=0):
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn("/chatter", done.stdout)

    def assert_refused(self, done, *texts):
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertNotIn(str(self.temporary) + "/", done.stderr)

    # what it is for

    def every_kind(self):
        entries = self.trace_entries()
        yield self.tar("a.tar", entries)
        yield self.tar("a.tar.gz", entries, "w:gz")
        yield self.tar("a.tgz", entries, "w:gz", format=tarfile.GNU_FORMAT)
        yield self.tar("a.tar.xz", entries, "w:xz")
        yield self.tar("a.tar.bz2", entries, "w:bz2")
        zstd = self.folder / "a.tar.zst"
        if subprocess.run(["sh", "-c", f"zstd -q -o '{zstd}' '{self.folder}/a.tar'"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            yield zstd
        path = self.folder / "a.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in entries:
                archive.writestr(name, content)
        yield path

    def test_every_kind_gives_the_report_of_the_directory(self):
        for reader in "fast", "babeltrace2":
            options = [f"--reader={reader}", "--format=json", "--instances"]
            expected = self.run_command(*options, TRACE)
            for path in self.every_kind():
                done = self.run_command(*options, path)
                self.assertEqual((done.returncode, done.stderr), (0, ""), path)
                self.assertEqual(done.stdout, expected.stdout, path)

    def test_several_archives_are_several_traces(self):
        streams = [name for name in FILES if not name.endswith("metadata")]
        parts = []
        for number, stream in enumerate(streams):
            with_index = [name for name in FILES if Path(name).name == "metadata" or name == stream]
            parts.append(self.tar(f"part{number}.tar.gz", [(name, FILES[name]) for name in with_index], "w:gz"))
        whole = json.loads(self.run_command("--format=json", TRACE).stdout)
        done = self.run_command("--format=json", *parts)
        self.assertEqual(done.returncode, 0, done.stderr)
        for table in "callbacks", "communications", "paths":
            self.assertEqual(json.loads(done.stdout)[table], whole[table])

    def test_other_commands_read_archives(self):
        path = self.tar("a.tar.gz", self.trace_entries(), "w:gz")
        budgets = self.run_command("check", "--propose", path)
        self.assertEqual(budgets.returncode, 0, budgets.stderr)
        (self.folder / "budgets.yaml").write_text(budgets.stdout)
        self.assertEqual(self.run_command("check", self.folder / "budgets.yaml", path).returncode, 0)
        self.assertIn(self.run_command("compare", path, "--", TRACE).returncode, (0, 4))
        self.assertEqual(self.run_command("architecture", path).stdout, self.run_command("architecture", TRACE).stdout)
        self.assertEqual(self.run_command("points", "--propose", path).returncode, self.run_command("points", "--propose", TRACE).returncode)
        listed = self.run_command("--each", "--format=json", "--output=" + str(self.folder / "each"), path, TRACE)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        names = [row["recording"] for row in json.loads((self.folder / "each/report.json").read_text())["recordings"]]
        self.assertEqual(names, [str(path), str(TRACE)])

    def test_two_passes_read_it_once(self):
        path = self.tar("a.tar.gz", self.trace_entries(), "w:gz")
        options = ["--clocks=align", "--format=json"]
        self.assertEqual(self.run_command(*options, path).stdout, self.run_command(*options, TRACE).stdout)

    # messages

    def test_messages_name_files_by_the_archive(self):
        cut = {name: content[:-100] if not name.endswith("metadata") else content for name, content in FILES.items()}
        path = self.tar("cut.tar", list(cut.items()))
        done = self.run_command(path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cut.tar/", done.stderr)
        self.assertIn("cut.tar/", done.stdout)
        self.assertNotIn("ros2-latency-", done.stderr + done.stdout)

    def test_no_trace_inside(self):
        self.assert_refused(self.run_command(self.tar("a.tar", [("readme", b"x")])), "no trace found in", "a.tar")
        self.assert_refused(self.run_command(self.tar("empty.tar", [])), "no trace found in", "empty.tar")
        inner = self.tar("trace.tar.gz", self.trace_entries(), "w:gz").read_bytes()
        self.assert_refused(self.run_command(self.tar("outer.tar", [("bag/trace.tar.gz", inner)])), "bag/trace.tar.gz", "unpacked first")

    def test_what_is_no_archive(self):
        for name in "a.tar", "a.zip", "a.tar.xz":
            path = self.folder / name
            path.write_bytes(b"no archive at all" * 100)
            self.assert_refused(self.run_command(path), name, "cannot be unpacked")
        other = self.folder / "trace.txt"
        other.write_text("x")
        self.assert_refused(self.run_command(other), "is a file")
        self.assert_refused(self.run_command(self.folder / "missing.tar.gz"), "missing.tar.gz")

    # hostile archives

    def test_names_that_lead_elsewhere(self):
        outside = self.folder / "outside"
        entries = [("../../outside", b"x"), ("trace/../../../outside", b"x"), (".." , b"x"), *self.trace_entries()]
        done = self.run_command(self.tar("a.tar", entries))
        self.assert_report(done, 1)
        self.assertIn(f"3 of {len(entries)} entries are left out, first ../../outside", done.stderr)
        self.assertRegex(done.stdout, "^PARTIAL")
        self.assertFalse(outside.exists())
        path = self.folder / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in entries:
                archive.writestr(name, content)
        self.assert_report(self.run_command(path), 1)
        self.assertFalse(outside.exists())

    def test_absolute_names_are_below(self):
        entries = [(f"{self.folder}/absolute/{name}", content) for name, content in FILES.items()]
        self.assert_report(self.run_command(self.tar("a.tar", entries)))
        self.assertFalse((self.folder / "absolute").exists())

    def test_links_and_devices(self):
        outside = self.folder / "outside"
        outside.mkdir()
        entries = [self.special("link", tarfile.SYMTYPE, str(outside)), ("link/file", b"x"),
                   self.special("passwd", tarfile.SYMTYPE, "/etc/passwd"), self.special("hard", tarfile.LNKTYPE, "/etc/passwd"),
                   self.special("null", tarfile.CHRTYPE), self.special("disk", tarfile.BLKTYPE), self.special("pipe", tarfile.FIFOTYPE),
                   *self.trace_entries()]
        done = self.run_command(self.tar("a.tar", entries))
        self.assert_report(done, 1)
        self.assertIn(f"6 of {len(entries)} entries are left out, first link (a link)", done.stderr)
        self.assertEqual(list(outside.iterdir()), [])

    def test_names_that_contradict_each_other(self):
        entries = [("a", b"x"), ("a/b", b"x"), ("d/e", b"x"), ("d", b"x"), ("n" * 300, b"x"), ("\x1b[31mred\n", b"x"), *self.trace_entries()]
        done = self.run_command(self.tar("a.tar", entries))
        self.assert_report(done, 1)
        self.assertIn(f"3 of {len(entries)} entries are left out, first a/b", done.stderr)
        self.assert_refused(self.run_command(self.tar("deep.tar", [("deep/" * 2000 + "file", b"x"), *self.trace_entries()])), "deep.tar")
        colored = self.run_command(self.tar("b.tar", [("../\x1b[31mred\n", b"x"), *self.trace_entries()]))
        self.assertNotIn("\x1b", colored.stderr)

    def test_a_file_twice_is_the_later_one(self):
        metadata = next(name for name in FILES if name.endswith("metadata"))
        self.assert_report(self.run_command(self.tar("a.tar", [(metadata, b"garbage" * 10000), *FILES.items()])))

    def test_permissions_of_the_archive_are_not_taken(self):
        entries = []
        for name, content in self.trace_entries():
            info = tarfile.TarInfo(name)
            info.mode = stat.S_ISUID
            entries.append((info, content))
        directory = tarfile.TarInfo("run")
        directory.type, directory.mode = tarfile.DIRTYPE, 0
        self.assert_report(self.run_command(self.tar("a.tar", [(directory, None), *entries])))

    def test_cut_archives_are_no_report(self):
        """A stream that is missing would make messages look lost."""
        whole = {path.name: path.read_bytes() for path in self.every_kind()}
        for name, content in whole.items():
            path = self.folder / ("cut-" + name)
            # of a tar also where one entry ends and the next begins: nothing but the end of the archive is missing there
            for size in 0, 10, len(content) // 3, len(content) // 2 // 512 * 512, len(content) - 11000 if name == "a.tar" else len(content) - 30:
                path.write_bytes(content[:size])
                done = self.run_command(path)
                self.assertEqual((done.returncode, done.stdout), (1, ""), (name, size, len(content), done.stderr))
                self.assertIn("no report is written" if "no trace" not in done.stderr else "no trace", done.stderr)

    def test_a_tar_that_ends_between_two_entries(self):
        with tarfile.open(self.tar("a.tar", self.trace_entries())) as archive:
            members = archive.getmembers()
            content = (self.folder / "a.tar").read_bytes()
        for member in members[1:]:
            (self.folder / "cut.tar").write_bytes(content[:member.offset])
            self.assert_refused(self.run_command(self.folder / "cut.tar"), "cut")

    def test_flipped_bytes_are_no_crash(self):
        """Of the fast reader only: source.ctf.fs leaks what it refuses (tests/faults/leaks_of_babeltrace2.txt)."""
        for path in list(self.every_kind()):
            content = bytearray(path.read_bytes())
            for place in range(7, len(content), len(content) // 12):
                content[place] ^= 0xff
                path.write_bytes(content)
                self.assertIn(self.run_command("--reader=fast", path).returncode, (0, 1), (path, place))
                content[place] ^= 0xff

    # size

    def disk(self, size):
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", self.temporary], capture_output=True, check=False).returncode:
            self.skipTest("a file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", self.temporary], check=True)

    def test_what_is_too_large_is_told_before_the_disk_is_full(self):
        self.disk("1m")
        zeros = [("trace/zeros", bytes(5_000_000))]
        self.assert_refused(self.run_command(self.tar("a.tar.gz", zeros, "w:gz")), "needs more than", "TMPDIR")
        skipped = [("../zeros", bytes(5_000_000))]
        self.assert_refused(self.run_command(self.tar("b.tar.gz", skipped, "w:gz")), "needs more than")

    def test_holes_count_as_what_they_are_read_as(self):
        self.disk("1m")
        sparse = self.folder / "trace"
        with open(sparse, "wb") as file:
            file.truncate(1 << 40)
        path = self.folder / "sparse.tar"
        if subprocess.run(["tar", "--sparse", "-C", self.folder, "-cf", path, "trace"], check=False).returncode != 0:
            self.skipTest("no GNU tar")
        self.assert_refused(self.run_command(path))

    def test_a_full_disk_is_told(self):
        """Where the space runs out although it was there: a limit of the size of files stands for another program that takes it."""
        path = self.tar("a.tar.gz", self.trace_entries(), "w:gz")
        done = self.run_command(path, preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                                          resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))))
        self.assert_refused(done, "cannot unpack", "File too large")

    def test_no_space_for_directories_is_told(self):
        """A stream that is left out would make messages look lost."""
        self.disk("1m,nr_inodes=12")
        directories = [self.special(f"directory{number}", tarfile.DIRTYPE) for number in range(30)]
        self.assert_refused(self.run_command(self.tar("a.tar", [*directories, *self.trace_entries()])), "cannot unpack", "No space left")
        parents = [(f"parent{number}/file", b"x") for number in range(30)]
        self.assert_refused(self.run_command(self.tar("b.tar", [*parents, *self.trace_entries()])), "cannot unpack", "No space left")

    def test_no_temporary_directory(self):
        path = self.tar("a.tar.gz", self.trace_entries(), "w:gz")
        done = subprocess.run([COMMAND, path], capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": "/nonexistent"})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("temporary directory in /nonexistent", done.stderr)

    # signals

    def test_signals_leave_nothing(self):
        """At any moment; with the work of ten copies, so that most of them come in the midst. What waits for the end of the command
        removes the files: after SIGKILL somewhat later than the command ends."""
        entries = [entry for number in range(10) for entry in self.trace_entries(f"copy{number}/")]
        path = self.tar("a.tar.xz", entries, "w:xz")
        words = [COMMAND, path]
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        whole_s = measured(words, env=environment, capture_output=True)[1]
        found = 0
        for numbers in [signal.SIGINT], [signal.SIGTERM], [signal.SIGKILL], [signal.SIGINT, signal.SIGINT], [signal.SIGHUP]:
            for after_s in [share * whole_s for share in (0, 0.2, 0.4, 0.6, 0.8, 1.1)]:
                process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                let_run(process, after_s)
                found += os.listdir(self.temporary) != []
                for number in numbers:
                    process.send_signal(number)
                _, errors = process.communicate(timeout=PATIENCE_S)
                until = time.monotonic() + PATIENCE_S
                while (left := os.listdir(self.temporary)) and time.monotonic() < until:
                    time.sleep(0.005)
                self.assertEqual(left, [], (numbers, after_s, errors))
                self.assertIn(process.returncode, (0, 1, *[-number for number in numbers]))
        self.assertGreater(found, 0, "no signal came while there was something")

    def test_ctrl_c_while_it_is_unpacked_is_told(self):
        """Tried until the signal comes in the midst."""
        entries = [entry for number in range(10) for entry in self.trace_entries(f"copy{number}/")]
        path = self.tar("a.tar.xz", entries, "w:xz")
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        chosen = random.Random(1)
        whole_s = measured([COMMAND, path], env=environment, capture_output=True)[1]
        for _ in range(300):
            process = subprocess.Popen([COMMAND, path], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            let_run(process, chosen.uniform(0, whole_s))
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=PATIENCE_S)
            self.assertIn(process.returncode, (0, 1, -signal.SIGINT))
            if b"while it was unpacked" in errors:
                self.assertEqual((process.returncode, output), (1, b""))
                return
        self.fail("no signal came while it was unpacked")


class WithoutLibrary(unittest.TestCase):
    def test_it_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.tar.gz")
            with tarfile.open(path, "w:gz") as archive:
                archive.add(TRACE, "trace")
            environment = dict(os.environ)
            if HAS_ARCHIVES:  # found before the library of the system, and cannot be loaded
                Path(folder, "libarchive.so.13").write_text("text")
                environment["LD_LIBRARY_PATH"] = folder
            done = subprocess.run([COMMAND, path], capture_output=True, text=True, check=False, env=environment)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
            self.assertIn(f"{path}: ", done.stderr)
            self.assertIn("the package libarchive13 of Debian 12" if HAS_ARCHIVES else "libarchive", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
