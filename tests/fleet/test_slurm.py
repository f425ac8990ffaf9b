#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The array script of Slurm: as one task run by bash, and where a Slurm runs, by the example of docs/fleet.md.

usage: test_slurm.py ROS2_LATENCY PROJECT
"""
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import fleet

RECORDINGS = 12


def check_rows(root):
    done = list((root / "rows").glob("*.csv.gz"))
    assert len(done) == RECORDINGS, done


def run_as_one_task(root):
    """Then as the second of two tasks numbered from 5 on, of which the first has been run."""
    environment = dict(os.environ, SLURM_ARRAY_TASK_ID="0", SLURM_ARRAY_TASK_COUNT="1")
    arguments = fleet.FLEET, f"--manifest={root / 'manifest.csv'}", f"--rows={root / 'rows'}", f"--command={fleet.COMMAND}"
    fleet.run("bash", fleet.FLEET / "slurm_array", *arguments, env=environment)
    check_rows(root)
    shutil.rmtree(root / "rows")
    for task in 5, 6:
        environment.update(SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_MIN="5", SLURM_ARRAY_TASK_COUNT="2")
        fleet.run("bash", fleet.FLEET / "slurm_array", *arguments, env=environment)
        assert len(list((root / "rows").glob("*.csv.gz"))) == RECORDINGS * (task - 4) // 2
    check_rows(root)


def has_slurm():
    return shutil.which("sbatch") and subprocess.run(["sinfo"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60,
                                                     check=False).returncode == 0


def main():
    with tempfile.TemporaryDirectory(prefix="ros2bt-fleet-") as name:
        root = Path(name)
        fleet.make_fleet(root, RECORDINGS)
        run_as_one_task(root)
        if not has_slurm():
            print("one task by bash: as it should be")
            fleet.skip("no Slurm runs here, so only the script itself was run")
        shutil.rmtree(root / "rows")
        fleet.run_example("slurm", root)
        check_rows(root)


if __name__ == "__main__":
    main()
