#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test_record.py whole|snapshot|losses|interrupted|killed|calls COMMAND

ros2-latency record, with a session daemon of its own (see record):

whole        what a played system does is recorded and reported, and LTTng has no session afterwards
snapshot     the same as a flight recorder: names are there although later events were overwritten
losses       events that are lost are told while it records, and reported (root only)
interrupted  SIGINT at 20 moments: no session is left, and there is a report or a cause
killed       SIGKILL leaves a session, which the next recording removes, but none that is in use
calls        what LTTng 2.15 is told, and what happens if it refuses something
"""

import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
loader = importlib.machinery.SourceFileLoader("record_script", str(HERE / "record"))
sys.dont_write_bytecode = True
record = importlib.util.module_from_spec(importlib.util.spec_from_loader("record_script", loader))
loader.exec_module(record)

RECORDER = os.environ.get("ROS2BT_RECORDER", str(record.BUILT_RECORDER))
SYSTEM = ["--layout=jazzy", "--seconds=1", "--nodes=2", "--rate=200"]
MORE_THAN_FITS = 100_000  # events, into the buffers of a flight recorder with 16 MiB of shared memory


class Recording:
    """ros2-latency record, started."""

    def __init__(self, daemon, command, directory, *options):
        self.process = subprocess.Popen([command, "record", *options, str(directory)], env=daemon.environment, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)

    def wait_until_it_records(self):
        """The lines before that."""
        lines = []
        while True:
            line = self.process.stderr.readline()
            assert line, f"it ended: {lines}"
            if ": records to" in line:
                return lines
            lines.append(line)

    def finish(self, number=signal.SIGINT):
        if number:
            os.killpg(self.process.pid, number)  # as a terminal does
        output, errors = self.process.communicate(timeout=record.PATIENCE_S)
        return self.process.returncode, output, errors


def play(daemon, *options):
    subprocess.run([RECORDER, *SYSTEM, *options], env=daemon.environment, check=True, stdout=subprocess.DEVNULL)


def sessions(daemon):
    text = daemon.lttng("list")
    return [line.split()[1] for line in text.split("\n") if "ros2-latency-" in line]


def check_report(output, at_least):
    report = json.loads(output)
    ran = [row for row in report["callbacks"] if row["count"] > 0]
    assert len(ran) >= 2 and sum(row["count"] for row in ran) >= at_least, ran
    assert all(row["node"] and row["kind"] != "unknown" for row in ran), ran
    assert sum(row["received"] for row in report["communications"]) > 0
    return report


def whole(daemon, command, folder):
    recording = Recording(daemon, command, folder / "trace", "--format=json")
    assert recording.wait_until_it_records() == []
    assert len(sessions(daemon)) == 1
    play(daemon)
    status, output, errors = recording.finish()
    assert (status, errors) == (0, ""), (status, errors)
    check_report(output, 100)
    assert sessions(daemon) == []
    again = subprocess.run([command, "--format=json", str(folder / "trace")], check=True, capture_output=True, text=True)
    assert again.stdout == output
    # a directory with something in it is left alone; a duration ends by itself, with nothing to report
    refused = Recording(daemon, command, folder / "trace").finish(None)
    assert refused[0] == 2 and "not an empty directory" in refused[2], refused
    status, output, errors = Recording(daemon, command, folder / "short", "--duration=0.2").finish(None)
    assert errors and (status == 3 or status == 1 and "nothing was recorded" in errors), (status, errors)
    assert sessions(daemon) == []
    # the kernel cannot be recorded here
    status, output, errors = Recording(daemon, command, folder / "kernel", "--kernel").finish(None)
    assert status == 1 and "kernel" in errors.lower(), (status, errors)
    assert sessions(daemon) == [] and not (folder / "kernel").exists()


def events_of(trace):
    counter = subprocess.run(["babeltrace2", trace, "-c", "sink.utils.counter", "-p", "step=+0"], check=True, capture_output=True, text=True)
    return int(re.search(r"(\d+) Event messages?", counter.stdout)[1])


def snapshot(daemon, command, folder):
    if os.geteuid() == 0:  # small buffers: /dev/shm is our own
        subprocess.run(["mount", "-o", "remount,size=16M", "/dev/shm"], check=True)
    recording = Recording(daemon, command, folder / "trace", "--snapshot", "--format=json")
    recording.wait_until_it_records()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # each CPU has a buffer, and all have to be overwritten
    play(daemon, "--rate=0", "--seconds=0", f"--events={MORE_THAN_FITS}")
    status, output, errors = recording.finish()
    assert status == 0, (status, errors)
    check_report(output, 50)
    if os.geteuid() == 0:
        kept = events_of(folder / "trace")
        assert kept < MORE_THAN_FITS, f"nothing was overwritten: {kept} events are left"
    assert sessions(daemon) == []


def wait_for_packets(directory):
    deadline = time.monotonic() + record.PATIENCE_S
    while not any(path.stat().st_size for path in directory.rglob("*_[0-9]*") if path.is_file() and path.suffix != ".idx"):
        assert time.monotonic() < deadline, list(directory.rglob("*"))
        time.sleep(0.02)


def processes_called(prefix):
    found = []
    for comm in Path("/proc").glob("[0-9]*/comm"):
        try:
            if comm.read_text().startswith(prefix):
                found.append(int(comm.parent.name))
        except OSError:
            pass  # it has ended
    return found


def losses(daemon, command, folder):
    if os.geteuid() != 0:
        record.not_possible("needs a small /dev/shm")
    subprocess.run(["mount", "-o", "remount,size=3M", "/dev/shm"], check=True)
    recording = Recording(daemon, command, folder / "trace", "--format=json")
    recording.wait_until_it_records()
    is_told = threading.Event()

    def play_on():
        while not is_told.is_set():
            play(daemon, "--rate=0", "--seconds=6", "--processes=3", "--chains=4", "--threads=3")

    player = threading.Thread(target=play_on)
    player.start()
    wait_for_packets(folder / "trace")  # a program that begins waits for the consumer
    consumers = processes_called("lttng-consumer")
    assert consumers

    def starve():  # else it may be fast enough; once more where the player has had too little time meanwhile
        while not is_told.wait(2):
            for pid in consumers:
                os.kill(pid, signal.SIGSTOP)
            time.sleep(2)
            for pid in consumers:
                os.kill(pid, signal.SIGCONT)

    starver = threading.Thread(target=starve)
    starver.start()
    told = recording.process.stderr.readline()
    is_told.set()
    starver.join()
    player.join()
    status, output, errors = recording.finish()
    errors = told + errors
    assert status == 0, (status, errors)
    lost = [int(line.split()[4]) for line in errors.splitlines() if " lost " in line]
    assert lost and lost == sorted(set(lost)), errors
    reported = sum(row["count"] for row in json.loads(output)["diagnostics"] if row["what"] == "discarded events")
    assert reported >= lost[-1], (reported, errors)


def interrupted(daemon, command, folder):
    begin = time.monotonic()
    recording = Recording(daemon, command, folder / "trace")
    recording.wait_until_it_records()
    start_s = time.monotonic() - begin
    recording.finish()
    with subprocess.Popen([RECORDER, *SYSTEM, "--seconds=60"], env=daemon.environment, stdout=subprocess.DEVNULL) as program:
        outcomes = {}
        for moment in range(20):
            recording = Recording(daemon, command, folder / f"trace{moment}", "--format=json")
            time.sleep(start_s * moment / 10)
            status, output, errors = recording.finish()
            assert status in (0, 1, 3, -signal.SIGINT), (moment, status, errors)
            assert status == -signal.SIGINT or output or errors, (moment, status)
            assert sessions(daemon) == [], (moment, sessions(daemon))
            outcomes[status] = outcomes.get(status, 0) + 1
        program.kill()
    print("exit status → how often:", outcomes)


def killed(daemon, command, folder):
    first = Recording(daemon, command, folder / "first")
    first.wait_until_it_records()
    in_use = Recording(daemon, command, folder / "second")
    in_use.wait_until_it_records()
    first.finish(signal.SIGKILL)
    assert len(sessions(daemon)) == 2
    third = Recording(daemon, command, folder / "third")
    lines = third.wait_until_it_records()
    assert len(lines) == 1 and "of a recording that was killed" in lines[0], lines
    assert len(sessions(daemon)) == 2
    for recording in in_use, third:
        recording.finish()
    assert sessions(daemon) == []


def calls(command):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "lttng").write_text(f"""#!/bin/sh
echo "$*" >> {folder}/log
case "$*" in
"$SLOW "*) while [ ! -e {folder}/go ] && [ -d {folder} ]; do sleep 0.2; done ;;
--version) echo "lttng (LTTng Trace Control) 2.15.1 - Codename" ;;
*$REFUSED*) echo "Error: no such thing" >&2; exit 1 ;;
esac
""")
        (folder / "lttng").chmod(0o755)
        for options, refused in ([], "nothing"), (["--kernel"], "enable-channel --kernel"), ([], "stop"), ([], "create"):
            (folder / "log").unlink(missing_ok=True)
            done = subprocess.run([command, "record", "--duration=0.01", *options, "trace"], cwd=folder, check=False, text=True,
                                  env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "REFUSED": refused},
                                  capture_output=True)
            log = (folder / "log").read_text().splitlines()
            create = next(line for line in log if line.startswith("create"))
            assert create.endswith(f"--output={folder}/trace --trace-format=ctf-1.8"), create
            session = create.split()[1]
            assert done.returncode == 1, done
            destroyed = [line for line in log if line.startswith("destroy") and session in line]
            assert len(destroyed) == (refused != "create"), log
            assert refused == "nothing" or "no such thing" in done.stderr, done.stderr
        # what the report cannot be is told before anything is recorded
        (folder / "log").unlink()
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "REFUSED": "nothing"}
        done = subprocess.run([command, "record", "--format=csv", "other"], cwd=folder, check=False, env=environment,
                              capture_output=True, text=True, timeout=record.PATIENCE_S)
        assert done.returncode == 2 and not (folder / "log").exists(), done
        # the session daemon has ended
        done = subprocess.run([command, "record", "other"], cwd=folder, check=False, env={**environment, "REFUSED": "list ros2"},
                              capture_output=True, text=True, timeout=record.PATIENCE_S)
        assert done.returncode == 1 and "does not know the recording session" in done.stderr, done
        # LTTng does not answer, and Ctrl+C is pressed again
        process = subprocess.Popen([command, "record", "third"], cwd=folder, env={**environment, "SLOW": "stop"}, text=True,
                                   stderr=subprocess.PIPE, start_new_session=True)
        while ": records to" not in process.stderr.readline():
            pass
        os.kill(process.pid, signal.SIGSTOP)  # so that it gets both signals at one moment: the same Ctrl+C, passed on by another process
        os.kill(process.pid, signal.SIGINT)
        os.kill(process.pid, signal.SIGTERM)
        os.kill(process.pid, signal.SIGCONT)
        deadline = time.monotonic() + record.PATIENCE_S
        while "\nstop " not in (folder / "log").read_text():
            assert process.poll() is None and time.monotonic() < deadline, process.poll()
            time.sleep(0.05)
        time.sleep(2.5)  # from then on it is another one
        assert process.poll() is None
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(timeout=record.PATIENCE_S) == -signal.SIGINT
        (folder / "go").touch()
    done = subprocess.run([command, "record", "trace"], env={"PATH": "/nowhere"}, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "lttng-tools" in done.stderr, done


def run_with_daemon(scenario, command):
    """A scenario with a session daemon of its own, and a folder; the test is skipped where that is not possible."""
    for program in "lttng", "lttng-sessiond":
        if shutil.which(program) is None:
            record.not_possible(f"no {program}")
    if record.INSIDE not in os.environ:
        record.enter_namespaces()
    if os.geteuid() == 0:
        record.mount_private_folders()
    with tempfile.TemporaryDirectory(prefix="ros2bt-record-") as folder:
        daemon = record.Session(types.SimpleNamespace(session="none"), Path(folder))
        try:
            daemon.start_daemon()
            scenario(daemon, command, Path(folder))
        finally:
            daemon.stop_daemon()


def main():
    scenario, command = sys.argv[1:]
    if scenario == "calls":
        calls(command)
    else:
        run_with_daemon(globals()[scenario], command)


if __name__ == "__main__":
    main()
