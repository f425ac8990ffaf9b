#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_truth.py PLUGIN_DIRECTORY DIRECTORY...: compares reports of recordings with truth/ (see tests/recorder) with what happened.

They are read through the CTF 1.8 metadata that they have beside those in CTF 2, so babeltrace2 2.0 does. Of those that recorded
everything all rows must be there; those that did not must not hold anything lost that was received.
"""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "recorder"))

import test_recording  # noqa: E402

# recorded from before the processes to their end, without a loss, with the context of each event
WHOLE = {"humble-pause", "jazzy-contexts", "jazzy-live", "jazzy-perchannel", "jazzy-perpid", "jazzy-rotated",
         "jazzy-snapshot", "jazzy-tracefiles", "jazzy-uid", "odd"}


def copy(recording, folder):
    for form in "trace", "ctf18":
        for path in filter(Path.is_file, (recording / form).rglob("*")):
            target = folder / "trace" / path.relative_to(recording / form)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    (folder / "truth").symlink_to(recording.resolve() / "truth")


def lost_though_received(recording, problems):
    pairs = {row["communication_id"]: row for row in recording.table("communications")}
    found = [dict(row, pair=pairs[row["communication_id"]]) for row in recording.table("communication_instances")]
    test_recording.compare_losses(recording, found, recording.truth("receptions"), problems)


def check(name, recording, problems):
    lost_though_received(recording, problems)
    if name.removesuffix("-215") in WHOLE or name.startswith("caret-jazzy"):
        is_whole = not name.startswith("caret")
        test_recording.compare_callbacks(recording, True, problems, is_whole)
        test_recording.compare_communications(recording, is_whole and "pause" not in name, problems, is_whole)
        test_recording.compare_paths(recording, False, problems, is_whole)


def main():
    plugins, *directories = sys.argv[1:]
    test_recording.PLUGIN_PATH = plugins
    checked, failed = 0, []
    for source in sorted(path.parent for directory in directories for path in Path(directory).glob("*/truth")):
        if not (source / "ctf18").is_dir():
            continue
        with tempfile.TemporaryDirectory(prefix="ros2bt-ctf2-") as folder:
            copy(source, Path(folder))
            test_recording.report(Path(folder))
            problems = test_recording.Problems()
            check(source.name, test_recording.Recording(Path(folder)), problems)
        checked += 1
        if problems:
            failed.append(source.name)
    if checked == 0:
        print("no recordings with truth/")
        sys.exit(77)
    print(f"{checked} recordings")
    sys.exit(f"not what happened: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
