#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random ROS 2 systems with random faults: whatever ros2-latency says about them must be true.

The environment sets ROS2_LATENCY (the command). README.md describes the simulation.
"""
import argparse
import filecmp
import os
import random
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

from check import Check
from recorder import Recorder, Writer
from systems import System

COMMAND = os.environ.get("ROS2_LATENCY", "build/command/ros2-latency")


def report(trace, folder, *options):
    done = subprocess.run([COMMAND, "--format=csv", "--instances", f"--output={folder}", *options, trace], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stderr.decode("utf-8", "replace")


def record(seed, trace):
    """Writes the trace of a system; → the system, what happened, its recorder."""
    system = System(seed)
    world = system.run()
    recorder = Recorder(random.Random(seed + 1), world)
    Writer(world.era).write(trace, recorder.streams)
    return system, world, recorder


def simulate(seed, keep, readers=2):
    """Runs one system; → (seed, what is wrong, counts)."""
    folder = Path(keep) / f"seed-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        system, world, recorder = record(seed, folder / "trace")
        wrong = []
        status, errors = report(folder / "trace", folder / "fast", "--reader=fast")
        if status not in (0, 3) or status == 0 and errors:
            wrong.append(("command", f"status {status}: {errors}"))
        count = Counter()
        if status == 0:
            check = Check(world, recorder, folder / "fast")
            check.prepare()
            wrong += check.all()
            count = check.count
        if status == 0:
            period = f"--period={random.Random(seed + 2).randint(10_000, 100_000)}us"
            subprocess.run([COMMAND, "--format=csv", f"--output={folder}/periods", period, folder / "trace"], check=True,
                           capture_output=True)
            names = [path.name for path in (folder / "periods").iterdir()]
            same, _, _ = filecmp.cmpfiles(folder / "fast", folder / "periods", names, shallow=False)
            if len(same) != len(names):
                wrong.append(("periods", f"{period} changes the last report in {sorted(set(names) - set(same))}"))
        if readers > 1:
            other, _ = report(folder / "trace", folder / "babeltrace2", "--reader=babeltrace2")
            if other != status:
                wrong.append(("readers", f"status {status} and {other}"))
            elif status == 0:
                here, there = folder / "fast", folder / "babeltrace2"
                names = sorted({path.name for path in list(here.iterdir()) + list(there.iterdir())})
                same, _, _ = filecmp.cmpfiles(here, there, names, shallow=False)
                if len(same) != len(names):
                    wrong.append(("readers", f"differ in {sorted(set(names) - set(same))}"))
    except Exception:  # pylint: disable=broad-except
        wrong, count = [("simulator", traceback.format_exc(limit=-4))], Counter()
        return seed, wrong, count, ""
    count["events"] = len(world.events)
    about = " ".join([system.era, *sorted(system.features), *sorted(recorder.faults.kinds)])
    count["_has"] = system.describe() | {f"fault {kind}" for kind in recorder.faults.kinds} | {f"fault {len(recorder.faults.kinds)}"} \
        | ({"buffers per process"} if recorder.is_per_process else set())
    if not wrong:
        shutil.rmtree(folder)
    return seed, wrong, count, about


def run(arguments):
    return simulate(*arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, help="how many systems: 1000, or 1 with --seed")
    parser.add_argument("--seed", type=int, help="the first seed, or the only one")
    parser.add_argument("--seeds", help="these, separated by commas")
    parser.add_argument("--suite", action="store_true", help="those of seeds.txt")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--readers", type=int, default=2, help="1: only the fast reader")
    parser.add_argument("--only-record", metavar="FOLDER", type=Path, help="write the traces there, report nothing")
    parser.add_argument("--keep", help="where the traces of what failed go")
    parser.add_argument("--cover", action="store_true", help="also print seeds that together show everything there is")
    parser.add_argument("--show", type=int, default=3, help="how much of each kind to print of a system")
    options = parser.parse_args()
    count = options.count or (1 if options.seed is not None else 1000)
    first = options.seed or 0
    keep = options.keep or tempfile.mkdtemp(prefix="ros2bt-simulation-")
    seeds = [int(seed) for seed in options.seeds.split(",")] if options.seeds else range(first, first + count)
    if options.suite:
        lines = (Path(__file__).resolve().parent / "seeds.txt").read_text(encoding="utf-8").splitlines()
        seeds = [int(line) for line in lines if not line.startswith("#")]
    if options.only_record:
        for seed in seeds:
            record(seed, options.only_record / f"seed-{seed}")
        return 0
    total, kinds, failed, shown_so_far, chosen = Counter(), Counter(), [], set(), []
    work = [(seed, keep, options.readers) for seed in seeds]
    with Pool(options.jobs) as pool:
        for seed, wrong, counts, about in (pool.imap(run, work, chunksize=1) if options.jobs > 1 else map(run, work)):
            has = counts.pop("_has", set())
            total.update(counts)
            if not wrong and counts["events"] < 5000 and has - shown_so_far and options.cover:
                shown_so_far |= has
                chosen.append(seed)
            if not wrong:
                continue
            failed.append(seed)
            found = Counter(kind for kind, _ in wrong)
            kinds.update(found)
            print(f"{about}: {dict(found)}; scripts/simulate --seed {seed} reproduces it, its trace is {keep}/seed-{seed}/trace")
            shown = Counter()
            for kind, sentence in wrong:
                shown[kind] += 1
                if shown[kind] <= options.show:
                    print(f"    {kind} {sentence}")
            sys.stdout.flush()
    print(f"{len(work)} systems: {dict(total)}; {len(failed)} with something wrong {dict(kinds)}")
    if options.cover:
        print(f"{len(chosen)} seeds for seeds.txt:", *chosen, "\nwhich show:", ", ".join(sorted(shown_so_far)))
    if not failed:
        shutil.rmtree(keep, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
