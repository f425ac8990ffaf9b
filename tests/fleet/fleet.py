# SPDX-License-Identifier: MIT
"""A fleet made of the recordings of the repository, what `ros2-latency merge` makes of it, and the examples of docs/fleet.md."""
import csv
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

COMMAND, PROJECT = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve()
FLEET = PROJECT / "fleet"
KINDS = "jazzy/pubsub", "jazzy/caret-both", "jazzy/edge-noaslr", "jazzy/edge-late-start", "humble/pubsub"
ATTRIBUTES = "robot", "version", "day"
VERSIONS = "1.9", "1.10"
BROKEN = 5

sys.path.insert(0, str(FLEET))


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def run(*arguments, status=0, **options):
    result = subprocess.run([str(argument) for argument in arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            check=False, **options)
    assert result.returncode == status, f"{arguments}: status {result.returncode}\n{result.stdout[-3000:]}\n{result.stderr[-6000:]}"
    return result


def trace(kind):
    return PROJECT / "tests/data" / kind / "trace"


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def make_broken(root):
    """Recordings that cannot be read, each in a way of its own."""
    (root / "empty").mkdir()
    (root / "garbage").mkdir()
    (root / "garbage" / "metadata").write_bytes(b"\x75\xd1\x1d\xc1" + bytes(200))
    with tarfile.open(root / "cut.tar.gz", "w:gz") as archive:
        archive.add(trace(KINDS[1]), "trace")
    whole = (root / "cut.tar.gz").read_bytes()
    (root / "cut.tar.gz").write_bytes(whole[:len(whole) // 2])
    (root / "text.tar").write_text("not an archive\n", encoding="utf-8")
    return ["missing", "empty", "garbage", "cut.tar.gz", "text.tar"]


def make_fleet(root, count):
    """`count` recordings, BROKEN of which cannot be read, some in archives; their manifest."""
    with tarfile.open(root / "archive.tar.gz", "w:gz") as archive:
        archive.add(trace(KINDS[0]), "trace")
    rows = [("recording", *ATTRIBUTES)]
    for index in range(count - BROKEN):
        name = f"r{index:03}"
        if index % 20 == 0:  # of KINDS[0], too
            name += ".tar.gz"
            os.link(root / "archive.tar.gz", root / name)
        else:
            os.symlink(trace(KINDS[index % len(KINDS)]), root / name)
        rows.append((name, f"robot-{index % 20}", VERSIONS[index // 10 % 2], f"2026-11-{20 + index % 2}"))
    rows += [(name, "robot-broken", VERSIONS[0], "2026-11-20") for name in make_broken(root)]
    write_csv(root / "manifest.csv", rows)
    return root / "manifest.csv"


def merge_one_by_one(root, count):
    """What ros2-latency merge makes of the recordings that can be read: its report."""
    reports = {}
    for kind in KINDS:
        reports[kind] = root / "reports" / kind.replace("/", "_")
        run(COMMAND, "--format=csv", "--histograms", f"--output={reports[kind]}", trace(kind))
    rows = [("report", *ATTRIBUTES)]
    for index in range(count - BROKEN):
        link = root / "reports" / f"r{index}"
        os.symlink(reports[KINDS[index % len(KINDS)]], link)
        rows.append((link, f"robot-{index % 20}", VERSIONS[index // 10 % 2], ""))
    write_csv(root / "reports.csv", rows)
    run(COMMAND, "merge", f"--manifest={root / 'reports.csv'}", "--by=version", "--format=csv", f"--output={root / 'merged'}")
    return root / "merged"


def expected_series(merged):
    """By version, table, series and statistic: recordings, sum, extremes and quantiles."""
    import analyse

    found = {}
    for table, columns in analyse.read_columns(COMMAND).items():
        names = [name for name, merge in columns if merge == "name"]
        path = merged / f"{table}.csv"
        if not path.exists():
            continue
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                series = analyse.SEPARATOR.join(row[name] for name in names)
                for statistic in (name for name, merge in columns if merge == "statistic"):
                    cells = [row[f"{statistic}_{function}_ns"] for function in ("sum", "min", "p50", "p90", "p99", "max")]
                    if cells[0]:
                        found[row["version"], table, series, statistic] = [int(cell) for cell in cells]
    return found


def found_series(rows):
    """The same of rows of the table `series`, as dictionaries."""
    return {(row["version"], row["tab"], row["series"], row["statistic"]):
            [int(row[name]) for name in ("sum_ns", "min_ns", "p50_ns", "p90_ns", "p99_ns", "max_ns")] for row in rows}


def check_changes(rows, series):
    """Each series of the later version against the earlier one: 1.10 comes after 1.9."""
    expected = {key[1:] for key in series if key[0] == VERSIONS[1]} & {key[1:] for key in series if key[0] == VERSIONS[0]}
    assert expected and {(row["tab"], row["series"], row["statistic"]) for row in rows} == expected
    for row in rows:
        key = row["tab"], row["series"], row["statistic"]
        assert (row["version"], row["previous_version"]) == (VERSIONS[1], VERSIONS[0])
        before, after = series[VERSIONS[0], *key][4], series[VERSIONS[1], *key][4]
        assert (row["previous_p99_ns"], row["p99_ns"]) == (before, after)
        assert before == 0 or abs(row["p99_change_percent"] - (after / before - 1) * 100) < 1e-6


def example(name):
    """The block of docs/fleet.md that is fenced with the name."""
    text = (PROJECT / "docs/fleet.md").read_text(encoding="utf-8")
    return re.search(rf"^```sh {name}\n(.*?)^```", text, re.M | re.S).group(1)


def run_example(name, root, **environment):
    """As a user would, in the folder of the manifest, with the program in PATH and fleet/ beside it."""
    if not (root / "fleet").exists():
        os.symlink(FLEET, root / "fleet")
    programs = root / "programs"
    programs.mkdir(exist_ok=True)
    if not (programs / "ros2-latency").exists():
        os.symlink(COMMAND, programs / "ros2-latency")
        # not a link, by which Python does not find the modules beside it
        (programs / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
        (programs / "python3").chmod(0o755)
    path = os.pathsep.join((str(programs), os.path.dirname(shutil.which("sh")), os.environ["PATH"]))
    return run("bash", "-euc", example(name), cwd=root, env=dict(os.environ, PATH=path, **environment))
