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

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import latency  # noqa: E402

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
        result, whole_s = latency.measured(run, stderr=subprocess.PIPE)
        if b"not part of this build" in result.stderr:
            latency.skip("built without libsqlite3")
        assert result.returncode == 0, result.stderr.decode()
        whole = contents(path)
        left = 0
        for number in range(KILLS):
            if os.path.exists(path):
                os.remove(path)
            process = subprocess.Popen(run)
            latency.let_run(process, randomness.uniform(0, 1.1) * whole_s)
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
