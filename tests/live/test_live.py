#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_live.py whole|caret|interrupted|periods, or command|command-interrupted|command-hung|command-silent|killed|check COMMAND: a recording in progress is read through a relay daemon (source.ctf.lttng-live).

whole        the report is that of the trace the relay daemon kept, byte by byte, and agrees with what really happened
caret        the same behind dedup, init-timestamp and normalize, with processes under CARET
interrupted  SIGINT in the midst: what was read so far is reported, and all of it did happen
periods      the same with period=300ms: each report is whole and tells its lag, nothing is lost that is not lost at the end,
             and the last one is that of the trace the relay daemon kept, byte by byte
command      the same with ros2-latency --live
command-interrupted  SIGINT when there is a report of executions: the last one says so, and the command has succeeded
command-hung  the same while the relay daemon does not answer
command-silent  the same when it does not send a packet that it has told of; before that, SIGINT while it gives no first answer to
             each command of a reader; a connection that was there before stays
killed       the same while three programs begin, are killed (SIGKILL) and begin again: 20 reports or more, none of which says that
             anything was lost, since nothing is
check        ros2-latency check --live: a budget that nothing keeps breaks in each window, with a line and a command, and
             the outcome at the end is that of the trace the relay daemon kept

test_live.py interrupt FOLDER COMMAND...: runs the command, sends it SIGINT when it has written to a file in the folder, and
fails unless it then ends as babeltrace2 does. The recording goes on until then, however long that takes.

test_live.py keep|keep-enough|keep-interrupted|keep-hung|keep-silent FOLDER COMMAND...: runs the command and keeps each report.json
that appears in the folder; the recording ends when there are enough, or the command is interrupted.

test_live.py play-killed OPTION...: stands in for ros2-recorder; four times, three of it run and are killed, when each has shown
messages and reports were kept meanwhile.

test_live.py note FILE COMMAND...: runs the command until it has told of enough windows that broke a budget, and keeps in the file
what it printed, and its exit status.
"""

import filecmp
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "recorder"))

import test_recording  # noqa: E402
from test_periods import time_of  # noqa: E402
from test_top import signal_relay_daemon  # noqa: E402

sys.path.insert(0, str(HERE.parent / "support"))
from silent_relay import COMMANDS, GET_PACKET, SilentRelay  # noqa: E402

SYSTEM = ["--layout=jazzy", "--services", "--branches", "--threads=2", "--nodes=2"]
CHAIN = ["filter.ros2.dedup", "filter.ros2.init-timestamp", "filter.ros2.normalize"]
HOLDING_BACK = ["filter.ros2.init-timestamp", "filter.ros2.normalize"]
TICK_NS = 100_000_000  # more than the clock of files may be behind
INTERRUPTED = 2  # exit status of babeltrace2 after SIGINT
NOTHING = 3  # exit status of ros2-latency
ENOUGH_REPORTS = 8  # with executions
ENOUGH_WINDOWS = 5
PATIENCE_S = 300
LONG_QUEUES = "--queue-depth=1000"  # of seconds: nothing is lost in them while a process waits for a CPU


def graph(report, filters, window=None):
    """The words of babeltrace2 behind the source."""
    words = []
    for name in filters:
        words += ["-c", name]
        if window and name in HOLDING_BACK:
            words += ["-p", f"""'window="{window}"'"""]
    return [*words, "-c", "sink.ros2.latency", "-p", f"""'format="csv",output="{report}",instances=yes'"""]


def record_live(output, command, options, *until, has_truth=True):
    result = subprocess.run([sys.executable, HERE.parent / "recorder/record", "--output", output, *(["--truth"] if has_truth else []),
                             "--live", command, *until, "--", *SYSTEM, *options], check=False)
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


def enough():
    """Ends the recording."""
    Path(os.environ["ROS2BT_ENOUGH"]).touch()


def wait_for_reports(kept, more):
    count, deadline = len(list(kept.glob("*.json"))) + more, time.monotonic() + PATIENCE_S
    while len(list(kept.glob("*.json"))) < count:
        assert time.monotonic() < deadline, f"fewer than {count} reports"
        time.sleep(0.02)


def play_killed(options):
    recorder, kept = os.environ["ROS2BT_KILLED_RECORDER"], Path(os.environ["ROS2BT_KEPT"])
    for generation in range(4):
        programs = [subprocess.Popen([recorder, *options, "--asked", "--rate=50", f"--seed={generation * 3 + number}", LONG_QUEUES],
                                     text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
                    for number in range(3)]
        for program in programs:
            assert program.stdout.readline() == "shown\n"
        for program in programs:
            wait_for_reports(kept, 2)
            os.killpg(program.pid, signal.SIGKILL)
            program.wait()
    print("events 0")


def has_executions(report):
    return any(row["count"] for row in report["callbacks"])


def keep_report(report, kept, before):
    """Keeps the file of this moment, though another takes its name; None: it is that of before, or there is none yet."""
    try:
        os.link(report, kept)
    except FileNotFoundError:
        return None
    if before and before.samefile(kept):
        kept.unlink()
        return None
    return kept


def keep(folder, command, act=None):
    """Keeps all reports; returns the exit status. `act` is called with each one until it returns True."""
    log = tempfile.TemporaryFile("w+")
    kept, files = folder.parent / "kept", []
    kept.mkdir()
    process = subprocess.Popen(command, stderr=log)
    is_over = False
    while not is_over:
        is_over = process.poll() is not None
        file = keep_report(folder / "report.json", kept / f"{len(files):04}.json", files[-1] if files else None)
        if file:
            files.append(file)
            if act and not is_over and act(process, files):
                act = None
        time.sleep(0.02)
    log.seek(0)
    print(log.read(), end="", file=sys.stderr)
    return process.returncode


def read_kept(output):
    """When each was written, and the report."""
    return [(file.stat().st_mtime_ns, json.loads(file.read_text())) for file in sorted((output / "kept").iterdir())]


def keep_enough(folder, command):
    def act(_, files):
        if len(files) < ENOUGH_REPORTS or not has_executions(json.loads(files[-ENOUGH_REPORTS].read_text())):
            return False
        enough()
        return True

    return keep(folder, command, act)


def keep_interrupted(folder, command, before=lambda: True):
    def act(process, files):
        if len(files) < 2 or not has_executions(json.loads(files[-1].read_text())):
            return False
        assert before()
        process.send_signal(signal.SIGINT)
        return True

    return keep(folder, command, act)


def keep_hung(folder, command):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        return keep_interrupted(folder, command, lambda: signal_relay_daemon(signal.SIGSTOP))
    finally:
        signal_relay_daemon(signal.SIGCONT)


def through_silent_relay(command):
    """A relay daemon that can fall silent, and the command that reads from it."""
    url = next(word.partition("=")[2] for word in command if word.startswith("--live="))
    relay = SilentRelay(url)
    return relay, [word.replace(url, relay.url) for word in command]


def end_silent(folder, command, number, inherited):
    """Ends a command that waits for the first answer of a kind: nothing has been read."""
    relay, words = through_silent_relay(command)
    relay.silent_at = number
    process = subprocess.Popen([*words, f"--output={folder}"], stderr=subprocess.PIPE, text=True, pass_fds=[inherited.fileno()])
    try:
        while not relay.is_silent.wait(0.05) and process.poll() is None:
            pass
        process.send_signal(signal.SIGINT)
        messages = process.communicate(timeout=PATIENCE_S)[1]
    finally:
        process.kill()
    assert process.returncode == NOTHING, f"silent at {number}: status {process.returncode}: {messages}"
    relay.close()


def keep_silent(folder, command):
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as connection:
        for number in COMMANDS:
            end_silent(folder.parent / "nothing", command, number, connection)
        connection.sendall(b"still there")
    relay, words = through_silent_relay(command)

    def fall_silent():
        relay.silent_at = GET_PACKET
        return relay.is_silent.wait(PATIENCE_S)

    return keep_interrupted(folder, words, fall_silent)


KEEPERS = {"keep": keep, "keep-enough": keep_enough, "keep-interrupted": keep_interrupted, "keep-hung": keep_hung,
           "keep-silent": keep_silent}


def windows_of(lines):
    return [line for line in lines if " UTC: broken: never kept: duration max " in line]


def note(file, command):
    lines = []
    with tempfile.TemporaryFile("w+") as printed:
        process = subprocess.Popen(command, stdout=printed, stderr=subprocess.PIPE, text=True)
        for line in process.stderr:
            print(line, end="", file=sys.stderr, flush=True)
            lines.append(line)
            if len(windows_of(lines)) >= ENOUGH_WINDOWS:
                enough()
        status = process.wait()
        printed.seek(0)
        file.write_text(json.dumps({"stdout": printed.read(), "stderr": "".join(lines), "status": status}))


BUDGETS = """budgets:
- {name: never kept, callback: "*", duration: 1 ns}
- {name: always kept, callback: "*", duration: 1 h}
"""


def check_alarms(output, command, live, log, problems):
    budgets = output.parent / "budgets.yaml"
    kept = subprocess.run([command, "check", "--format=json", budgets, output / "trace"], capture_output=True, text=True)
    if (live["status"], json.loads(live["stdout"])["budgets"]) != (kept.returncode, json.loads(kept.stdout)["budgets"]):
        problems.add(f"the outcome differs from that of the trace: {live}")
    lines = live["stderr"].splitlines()
    windows = windows_of(lines)
    if len(windows) < ENOUGH_WINDOWS or len(set(line[:29] for line in windows)) != len(windows):
        problems.add(f"windows that broke the budget: {lines}")
    if any("always kept" in line for line in lines):
        problems.add(f"a window broke a budget that all keep: {lines}")
    runs = log.read_text().count("broken: never kept") if log.exists() else 0
    if not 1 <= runs <= len(windows):
        problems.add(f"the command ran {runs} times in {len(windows)} windows")


def lost_of(report):
    return {tuple(row[name] for name in ("topic", "publisher_vpid", "subscription_vpid", "kind")): row["lost"] or 0
            for row in report["communications"]}


def check_interrupted(output, problems):
    report = json.loads((output / "report/report.json").read_text())
    whats = {row["what"] for row in report["diagnostics"]}
    if report["trace"]["is_complete"] or "interrupted" not in whats or "under way" in whats:
        problems.add(f"interrupted, the last report says {whats}")
    if not has_executions(report) or "lag_ns" in report["trace"]:
        problems.add("the last report is empty, or one of a period")


def check_lags(reports, problems):
    """Each lag is that of a moment between the writing of the report before and that of its own, however long that takes."""
    before_ns = 0
    for mtime_ns, report in reports:
        told_ns = time_of(report) + report["trace"]["lag_ns"]
        if not before_ns - TICK_NS <= told_ns <= mtime_ns + TICK_NS:
            problems.add(f"a lag of {report['trace']['lag_ns']} ns told at {told_ns}, between reports written at {before_ns} and {mtime_ns}")
        before_ns = mtime_ns


def check_periods(output, problems):
    kept = output / "kept-report"
    subprocess.run(["babeltrace2", f"--plugin-path={test_recording.PLUGIN_PATH}", str(output / "trace"), "-c",
                    "sink.ros2.latency", "-p", f'format="json",output="{kept}"'], check=True)
    if not filecmp.cmp(kept / "report.json", output / "report/report.json", shallow=False):
        problems.add("the last live report differs from that of the trace")
    reports = read_kept(output)
    final = lost_of(reports.pop()[1])
    if len(reports) < 3:
        problems.add(f"only {len(reports)} reports of periods")
    check_lags(reports, problems)
    for _, report in reports:
        detail, = [row["detail"] for row in report["diagnostics"] if row["what"] == "under way"]
        for pair, count in lost_of(report).items():
            if count > final.get(pair, 0):
                problems.add(f"{pair}: {count} lost as of {detail}, {final.get(pair)} at the end")
    return [f"{len(reports)} reports"]


def check_killed(output, problems):
    check_periods(output, problems)
    reports = [report for _, report in read_kept(output)]
    if len(reports) < 20:
        problems.add(f"only {len(reports)} reports")
    final = reports[-1]
    if len({row["publisher_vpid"] for row in final["communications"] if row["received"]}) < 12:
        problems.add("not all programs of all generations received messages")
    for report in reports:
        lost = {pair: count for pair, count in lost_of(report).items() if count}
        if lost:
            problems.add(f"lost as of {report['trace']['end_ns']}: {lost}")


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
    if scenario in KEEPERS:
        sys.exit(KEEPERS[scenario](Path(sys.argv[2]), sys.argv[3:]))
    if scenario == "play-killed":
        play_killed(sys.argv[2:])
        return
    if scenario == "note":
        note(Path(sys.argv[2]), sys.argv[3:])
        return
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
        elif scenario == "periods":
            sink = ["-c", "sink.ros2.latency", "-p", f"""'format="json",output="{report}",period="300ms"'"""]
            reader = " ".join(["babeltrace2", f"--plugin-path={test_recording.PLUGIN_PATH}", "-i", "lttng-live", "{url}", *sink])
            record_live(output, shlex.join([sys.executable, __file__, "keep-enough", str(report)]) + " " + reader, [], "--until-read")
            found = check_periods(output, problems)
            print(f"found {', '.join(found)}; {len(problems)} problems")
            sys.exit(1 if problems else 0)
        elif scenario == "check":
            noted, log, budgets = (Path(folder) / name for name in ("noted.json", "log", "budgets.yaml"))
            budgets.write_text(BUDGETS)
            reader = [sys.executable, __file__, "note", str(noted), sys.argv[2], "check", "--live={url}", "--window=300ms",
                      f'--on-break=echo "$ROS2_LATENCY_BROKEN" >> {log}', "--format=json", str(budgets)]
            record_live(output, shlex.join(reader), [], "--until-read")
            check_alarms(output, sys.argv[2], json.loads(noted.read_text()), log, problems)
            print(f"{len(problems)} problems")
            sys.exit(1 if problems else 0)
        elif scenario == "killed":
            player = Path(folder) / "player"
            player.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -B {__file__} play-killed "$@"\n')
            player.chmod(0o755)
            os.environ["ROS2BT_KILLED_RECORDER"] = os.environ["ROS2BT_RECORDER"]
            os.environ["ROS2BT_RECORDER"] = str(player)
            os.environ["ROS2BT_KEPT"] = str(output / "kept")
            reader = [sys.executable, __file__, "keep", str(report), sys.argv[2], "--live={url}", "--period=300ms", "--format=json",
                      f"--output={report}"]
            record_live(output, shlex.join(reader), [], has_truth=False)
            check_killed(output, problems)
            print(f"{len(problems)} problems")
            sys.exit(1 if problems else 0)
        elif scenario.startswith("command"):
            keeper = {"command": "keep-enough"}.get(scenario, scenario.replace("command", "keep"))
            reader = [sys.executable, __file__, keeper, str(report), sys.argv[2],
                      "--live={url}", "--period=300ms", "--format=json", f"--output={report}"]
            record_live(output, shlex.join(reader), [], "--until-read")
            if scenario == "command":
                check_periods(output, problems)
            else:
                check_interrupted(output, problems)
            print(f"{len(problems)} problems")
            sys.exit(1 if problems else 0)
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
