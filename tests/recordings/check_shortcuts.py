#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is only added up is what would be listed: with instances, for which the analyses of callbacks, communications and paths
leave out their shortcuts, the other tables of a report are the same, byte by byte.

usage: check_shortcuts.py COMMAND RECORDING
"""
import sys

import report


def main():
    command, recording = sys.argv[1:]
    added_up = report.of(command, recording).files
    listed = report.of(command, recording, "--instances").files
    wrong = [name for name, content in added_up.items() if listed.get(name) != content]
    instances = [name for name in listed if name not in added_up]
    print(f"{len(added_up) - len(wrong)} tables are the same beside {len(instances)} of instances")
    report.finish([f"{name} differs with instances" for name in wrong] if added_up and instances else ["nothing was compared"])


if __name__ == "__main__":
    main()
