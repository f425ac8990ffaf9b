#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_version.py ROS2_LATENCY PLUGIN_DIRECTORY: the version of package.xml is that of the command, of the plugin, and of
every other file that declares one (packaging/release.py)."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
from release import declared_versions, first  # noqa: E402


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def main():
    command, plugins = sys.argv[1:]
    versions = declared_versions()
    versions["ros2-latency"] = first(r"^ros2-latency (\S+)$", output(command, "--version"))
    versions["plugin"] = first(r"^ros2:$(?:\n  .*)*?\n  Version: (\S+)$", output("babeltrace2", f"--plugin-path={plugins}", "list-plugins"))
    print(versions)
    return 0 if len(set(versions.values())) == 1 and None not in versions.values() else 1


if __name__ == "__main__":
    sys.exit(main())
