#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_demo.py ROS2_LATENCY PROJECT: what scripts/demo prints. The tools that build are replaced, for they take minutes."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

COMMAND, PROJECT = map(pathlib.Path, sys.argv[1:3])

# "builds" a link to the command, until that is done; as with the real one, -n does not know whether that is so
NINJA = f"""#!/bin/sh
for directory; do [ "$directory" = -n ] || [ "$directory" = -C ] || build=$directory; done
echo "[0/2] Re-checking globbed directories..."
case $* in *-n*) echo "[1/2] Re-running CMake..."; exit 0 ;; esac
[ ! -e "$build/command/ros2-latency" ] || {{ echo "ninja: no work to do."; exit 0; }}
echo "[1/2] Linking C executable" && mkdir -p "$build/command" && ln -s {COMMAND} "$build/command/ros2-latency"
"""
CMAKE = """#!/bin/sh
while [ "$1" != -B ]; do shift; done
touch "$2/build.ninja"
echo configuring
"""


class Demo(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.top = pathlib.Path(directory.name)
        (self.top / "scripts").mkdir()
        shutil.copy(PROJECT / "scripts/demo", self.top / "scripts")
        (self.top / "tests").symlink_to(PROJECT / "tests")
        self.add_tool("scripts/install-packages", f"#!/bin/sh\necho \"$@\" >{self.top}/packages\n")
        self.add_tool("bin/cmake", CMAKE)
        self.add_tool("bin/ninja", NINJA)

    def add_tool(self, path, script):
        (self.top / path).parent.mkdir(exist_ok=True)
        (self.top / path).write_text(script)
        (self.top / path).chmod(0o755)

    def demo(self, *arguments):
        return subprocess.run([self.top / "scripts/demo", *arguments], capture_output=True, text=True, check=False,
                              env=dict(os.environ, PATH=f"{self.top}/bin:{os.environ['PATH']}"))

    def test_it_announces_the_build_only(self):
        first, second = self.demo(), self.demo()
        (self.top / "build-demo/command/ros2-latency").unlink()  # as if sources were changed
        third = self.demo()
        announcement = f"building in {self.top}/build-demo (minutes the first time) ...\n"
        self.assertEqual([got.stderr for got in (first, second, third)], [announcement, "", announcement])
        for got in first, second, third:
            self.assertEqual(got.returncode, 0)
            self.assertTrue(got.stdout.startswith("ROS 2 latency  2 processes  on vm  13.0 s"), got.stdout)

    def test_it_can_do_what_the_installed_command_can(self):
        self.demo()
        asked = set((self.top / "packages").read_text().split())
        installed = re.search(r"sudo apt install (gcc .*)", (PROJECT / "README.md").read_text(encoding="utf-8"))[1]
        libraries = {package for package in installed.split() if re.fullmatch("(lib|zlib).*-dev", package)}
        self.assertTrue("libarchive-dev" in libraries and libraries <= asked, libraries - asked)

    def test_mistakes_are_named_in_a_line(self):
        self.demo()
        missing, misspelt = self.demo("/nowhere/trace"), self.demo("--lnik=x", ".")
        self.assertEqual((missing.returncode, len(missing.stderr.splitlines())), (1, 1), missing.stderr)
        self.assertIn("/nowhere/trace", missing.stderr)
        self.assertEqual(misspelt.returncode, 2)
        self.assertIn("unknown option --lnik; did you mean --link?", misspelt.stderr)

    def test_a_build_that_fails_says_why(self):
        self.add_tool("bin/cmake", "#!/bin/sh\necho 'CMake Error: no compiler'\nexit 1\n")
        got = self.demo()
        self.assertEqual((got.returncode, got.stdout), (1, ""))
        self.assertIn("CMake Error: no compiler", got.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
