#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A run that is killed while it writes a database leaves a whole one or none, and nothing else but, in rare cases, the
empty file that was about to lose its name.
"""

import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

KILLS = 50
TRACE = pathlib.Path(__file__).resolve().parents[1] / "data/jazzy/pubsub/trace"


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    command = os.environ["ROS2_LATENCY"]
    randomness = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        run = [command, "--format=sqlite", "--output=" + folder, TRACE]
        path = os.path.join(folder, "report.sqlite")
        begin = time.monotonic()
        result = subprocess.run(run, stderr=subprocess.PIPE, check=False)
        if b"not part of this build" in result.stderr:
            print("skipped: built without libsqlite3")
            sys.exit(77)
        assert result.returncode == 0, result.stderr.decode()
        lasts = time.monotonic() - begin
        whole = contents(path)
        left = 0
        for number in range(KILLS):
            if os.path.exists(path):
                os.remove(path)
            process = subprocess.Popen(run)
            time.sleep(randomness.uniform(0, 1.1) * lasts)
            process.send_signal(signal.SIGKILL)
            process.wait()
            names = os.listdir(folder)
            for name in [name for name in names if name.startswith(".ros2bt-sqlite-")]:
                assert os.path.getsize(os.path.join(folder, name)) == 0, f"kill {number} leaves {name}"
                os.remove(os.path.join(folder, name))
                names.remove(name)
            assert names in ([], ["report.sqlite"]), f"kill {number} leaves {names}"
            if names:
                left += 1
                assert contents(path) == whole, f"kill {number} leaves half a database"
                sqlite3.connect(path).execute("SELECT count(*) FROM callbacks").fetchone()
        assert left < KILLS, "no run was killed before its end"
    print(f"{KILLS} runs killed, {left} of them after their end")


if __name__ == "__main__":
    main()
