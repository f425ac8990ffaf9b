#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_live.py whole|caret|interrupted: a recording in progress is read through a relay daemon (source.ctf.lttng-live).

whole        the report is that of the trace the relay daemon kept, byte by byte, and agrees with what really happened
caret        the same behind dedup, init-timestamp and normalize, with processes under CARET
interrupted  SIGINT in the midst: what was read so far is reported, and all of it did happen

test_live.py interrupt FOLDER COMMAND...: runs the command, sends it SIGINT when it has written to a file in the folder, and
fails unless it then ends as babeltrace2 does. The recording goes on until then, however long that takes.
"""

import filecmp
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "recorder"))

import test_recording  # noqa: E402

SYSTEM = ["--layout=jazzy", "--services", "--branches", "--threads=2", "--nodes=2"]
CHAIN = ["filter.ros2.dedup", "filter.ros2.init-timestamp", "filter.ros2.normalize"]
HOLDING_BACK = ["filter.ros2.init-timestamp", "filter.ros2.normalize"]
INTERRUPTED = 2  # exit status of babeltrace2 after SIGINT


def graph(report, filters, window=None):
    """The words of babeltrace2 behind the source."""
    words = []
    for name in filters:
        words += ["-c", name]
        if window and name in HOLDING_BACK:
            words += ["-p", f"""'window="{window}"'"""]
    return [*words, "-c", "sink.ros2.latency", "-p", f"""'format="csv",output="{report}",instances=yes'"""]


def record_live(output, command, options, *until):
    result = subprocess.run([sys.executable, HERE.parent / "recorder/record", "--output", output, "--truth", "--live", command,
                             *until, "--", *SYSTEM, *options], check=False)
    if result.returncode != 0:
        sys.exit(result.returncode)


def live_command(report, filters, window=None):
    return " ".join(["babeltrace2", f"--plugin-path={test_recording.PLUGIN_PATH}", "-i", "lttng-live", "{url}",
                     *graph(report, filters, window)])


def has_written(process, folder):
    """Whether the process has content in a file of the folder, which may have no name yet."""
    try:
        return any(os.readlink(link).startswith(str(folder)) and link.stat().st_size > 0
                   for link in Path(f"/proc/{process.pid}/fd").iterdir())
    except OSError:
        return False  # one that was closed meanwhile


def interrupt(folder, command):
    process = subprocess.Popen(command)
    while process.poll() is None and not has_written(process, folder):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    status = process.wait()
    if status != INTERRUPTED:
        sys.exit(f"interrupted, babeltrace2 ended with {status}")


def compare_with_kept_trace(output, filters, problems):
    kept = output / "kept-report"
    subprocess.run(" ".join(["babeltrace2", f"--plugin-path={test_recording.PLUGIN_PATH}", str(output / "trace"),
                             *graph(kept, filters)]), shell=True, check=True)
    names = sorted(file.name for file in kept.iterdir())
    if names != sorted(file.name for file in (output / "report").iterdir()):
        problems.add(f"the live report has other files than {names}")
    for name in names:
        if not filecmp.cmp(kept / name, output / "report" / name, shallow=False):
            problems.add(f"{name} of the live report differs from that of the trace")


def compare_with_truth(output, is_whole, problems):
    recording = test_recording.Recording(output)
    found = [test_recording.compare_callbacks(recording, True, problems, is_whole),
            test_recording.compare_communications(recording, False, problems, is_whole),
            test_recording.compare_paths(recording, False, problems, is_whole)]
    if any(text.startswith("0 of") for text in found):
        problems.add("nothing was read")
    return found


def main():
    scenario = sys.argv[1]
    if scenario == "interrupt":
        interrupt(Path(sys.argv[2]), sys.argv[3:])
        return
    problems = test_recording.Problems()
    with tempfile.TemporaryDirectory(prefix="ros2bt-live-") as folder:
        output = Path(folder) / "recording"
        report = output / "report"
        if scenario == "whole":
            record_live(output, live_command(report, []), ["--seconds=1.5"])
            compare_with_kept_trace(output, [], problems)
        elif scenario == "caret":
            record_live(output, live_command(report, CHAIN),
                        ["--seconds=2", "--caret-processes=3", "--caret-gap"])
            compare_with_kept_trace(output, CHAIN, problems)
        else:
            reader = live_command(report, CHAIN, window="300ms")
            record_live(output, shlex.join([sys.executable, __file__, "interrupt", str(report)]) + " " + reader, [],
                        "--until-read")
        found = compare_with_truth(output, scenario != "interrupted", problems)
    print(f"found {', '.join(found)}; {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
