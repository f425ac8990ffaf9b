#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_profile.py BUILD 1|0: what scripts/profile leaves in a build folder, and what becomes of sources that change
afterwards, if the build has a profile; and when it fails."""
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD, HAS_PROFILE = pathlib.Path(sys.argv[1]), sys.argv[2] == "1"


class Profile(unittest.TestCase):
    @unittest.skipUnless(HAS_PROFILE, "this build has none: ROS2BT_PROFILE")
    def test_counts_lie_beside_the_objects(self):
        for name in ("core/CMakeFiles/ros2bt-core.dir/flow/linker.c", "core/CMakeFiles/ros2bt-core.dir/ctf/usual_events.c",
                     "plugin/CMakeFiles/ros2bt-components.dir/__/sinks/latency/latency.c", "command/CMakeFiles/ros2-latency.dir/run.c"):
            self.assertTrue((BUILD / f"{name}.o").exists(), name)
            self.assertTrue((BUILD / f"{name}.gcda").exists(), name)
        self.assertFalse((BUILD / "profile").exists(), "the copy is still there")

    @unittest.skipUnless(HAS_PROFILE, "this build has none: ROS2BT_PROFILE")
    def test_a_source_may_change_afterwards(self):
        source = ROOT / "core/flow/settle.c"
        command, = (shlex.split(entry["command"]) for entry in json.loads((BUILD / "compile_commands.json").read_text())
                    if pathlib.Path(entry["file"]) == source)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(BUILD / "core/CMakeFiles/ros2bt-core.dir/flow/settle.c.gcda", folder)
            # every second function is another one, and one is new
            parts = source.read_text(encoding="utf-8").split("\n{\n")
            changed = "".join(part + ("\n{\n" if i % 2 else "\n{\n\tif (is_new(7)) {\n\t\tg_usleep(1);\n\t}\n")
                              for i, part in enumerate(parts[:-1])) + parts[-1]
            changed = changed.replace(
                "\n\n", "\n\nstatic G_GNUC_NO_INLINE bool is_new(int number)\n{\n\treturn number < 3;\n}\n\n", 1)
            pathlib.Path(folder, "settle.c").write_text(changed, encoding="utf-8")
            command[command.index("-o") + 1] = "settle.c.o"
            command[command.index("-c") + 1] = "settle.c"

            def build(*more):
                return subprocess.run([*command, "-Werror", *more], cwd=folder, check=False, capture_output=True, text=True)

            self.assertEqual((build().returncode, build().stderr), (0, ""))
            self.assertIn("is_new", build("-Wmissing-profile").stderr, "the profile is not read")

    def test_a_failure_is_told_and_the_build_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            old = pathlib.Path(folder, "core/old.gcda")
            old.parent.mkdir()
            old.touch()
            done = subprocess.run([ROOT / "scripts/profile", folder, sys.executable, "-DCMAKE_C_COMPILER=/no/compiler"], check=False,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("CMake Error", done.stderr)
            self.assertIn("the build goes on without a profile", done.stderr)
            self.assertEqual([path.name for path in pathlib.Path(folder).rglob("*") if path.is_file()], ["profile.log"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
