#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_profile.py BUILD yes|no: what scripts/profile leaves in a build folder, if the build has a profile; and when it
fails."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD, HAS_PROFILE = pathlib.Path(sys.argv[1]), sys.argv[2] == "yes"


class Profile(unittest.TestCase):
    @unittest.skipUnless(HAS_PROFILE, "this build has none: ROS2BT_PROFILE")
    def test_counts_lie_beside_the_objects(self):
        for source in "core/{}/ros2bt-core.dir/flow/linker.c", "core/{}/ros2bt-core.dir/ctf/usual_events.c", "command/{}/ros2-latency.dir/run.c":
            name = BUILD / source.format("CMakeFiles")
            self.assertTrue(name.with_name(name.name + ".o").exists(), name)
            self.assertTrue(name.with_name(name.name + ".gcda").exists(), name)
        self.assertFalse((BUILD / "profile").exists(), "the copy is still there")

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
