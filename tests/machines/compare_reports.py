#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_reports.py OURS THEIRS BABELTRACE2 FOLDER...: the reports of two builds on every recording below the folders have
the same bytes and the same status.

OURS and THEIRS are folders of builds, theirs for another machine; BABELTRACE2 is the command of that machine. A recording is
read by the fast reader, by babeltrace2 and by the sink, into text, CSV and JSON. What another machine leaves out although
ours has it is a difference, too. Recordings in archives (.tar.xz) are unpacked in a temporary folder.
"""
import pathlib
import subprocess
import sys
import tempfile

# By both readers and the sink; csv and json with all tables that there are.
FORMATS = ("text", "csv", "json")
# By the fast reader besides. A database is left out: the version of the library is written into it.
OTHER_FORMATS = ("markdown", "html", "perfetto", "dot", "prometheus")
PATIENCE_S = 3600


def traces_of(folder):
    """The folders of traces below a folder, each with a name: those that have a folder `trace`, as a whole, and all others."""
    found = {}
    for metadata in sorted(folder.rglob("metadata")):
        parts = metadata.parent.relative_to(folder).parts
        if "trace" in parts:
            parts = parts[:parts.index("trace") + 1]
        found.setdefault(folder.joinpath(*parts), None)
    return list(found)


def command(build, _, reader, form, trace):
    more = ["--instances", "--histograms"] if form in ("csv", "json") else []
    return [str(build / "command/ros2-latency"), f"--reader={reader}", f"--format={form}", *more, "--output=out", str(trace)]


def sink(build, babeltrace2, _, form, trace):
    more = "instances=yes,histograms=yes," if form in ("csv", "json") else ""
    return [str(babeltrace2), f"--plugin-path={build / 'plugin'}", str(trace), "-c", "sink.ros2.latency",
            f"--params={more}format=\"{form}\",output=\"out\""]


def run(words):
    """The files that a command wrote, its status and its messages."""
    with tempfile.TemporaryDirectory(prefix="ros2bt-machines-") as folder:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=PATIENCE_S, cwd=folder,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": "160"})
        files = {path.name: path.read_bytes() for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()}
    return files, done.returncode, done.stderr.decode("utf-8", "replace")


def difference(expected, actual):
    """Where two reports differ, or None. Messages are not compared: those of babeltrace2 have times in them."""
    if expected[1] != actual[1]:
        return f"status {expected[1]} here, {actual[1]} there: {actual[2][-600:]}"
    if list(expected[0]) != list(actual[0]):
        return f"files {list(expected[0])} here, {list(actual[0])} there"
    for name, here in expected[0].items():
        lines = [text.decode("utf-8", "replace").split("\n") for text in (here, actual[0][name])]
        for number, (one, other) in enumerate(zip(*lines), 1):
            if one != other:
                return f"{name}, line {number}\n  here:  {one[:300]}\n  there: {other[:300]}"
        if here != actual[0][name]:
            return f"{name}: {len(here)} bytes here, {len(actual[0][name])} there"
    return None


def unpacked(folder, work):
    """The folder itself, or one with what its archives contain."""
    archives = sorted(folder.glob("*.tar.xz")) if folder.is_dir() else []
    if archives:
        work.mkdir()
    for archive in archives:
        subprocess.run(["tar", "-xf", archive, "-C", work], check=True)
    return work if archives else folder


def main(ours, theirs, babeltrace2, *folders):
    ours, theirs = pathlib.Path(ours).resolve(), pathlib.Path(theirs).resolve()
    ways = [(command, "fast", form) for form in FORMATS + OTHER_FORMATS]
    ways += [(command, "babeltrace2", form) for form in FORMATS] + [(sink, "sink", form) for form in FORMATS]
    recordings = files = unread = 0
    wrong = []
    with tempfile.TemporaryDirectory(prefix="ros2bt-machines-") as work:
        for number, folder in enumerate(map(pathlib.Path, folders)):
            for trace in traces_of(unpacked(folder.resolve(), pathlib.Path(work) / str(number))):
                recordings += 1
                for way, reader, form in ways:
                    here = run(way(ours, "babeltrace2", reader, form, trace))
                    problem = difference(here, run(way(theirs, babeltrace2, reader, form, trace)))
                    if problem:
                        wrong.append(f"{trace}, {reader}, {form}: {problem}")
                        print(wrong[-1], flush=True)
                    elif here[0]:
                        files += len(here[0])
                    else:
                        unread += 1
    print(f"{recordings} recordings, {files} files of reports the same, {len(wrong)} reports differ; "
          f"{unread} that neither machine could write (babeltrace2 2.0 cannot read CTF 2)")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
