#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_follow_late.py recording|end|order|between|bytes|clock|grown|loss|unrotated|check COMMAND DATA: what appears in a directory that is followed, and is late or
broken; none of it is recorded here.

recording  an earlier recording appears when a later one was read: its events are left out, which is told once, and the report
           is that of the later one
end        the same in the last look: the program is stopped then, and told to end before it goes on
order      the first chunk of a session appears when the second one was read: it is left out, and told
between    the same for a chunk between two that were read
bytes      behind the packets of the second chunk are bytes that are none: told, as in a recording
clock      the second chunk declares that the trace's clock is 5 s ahead, and more events or nothing else: told once, and the clock
           of the first one is kept, also for a stream that begins in the second
grown      the second chunk declares an event whose id is far from all others, while an event of the first one is next
loss       a stream that paused lost events meanwhile, as its next packet says, when others have been read beyond: told as in a
           recording, also if that packet is cut
unrotated  a session without chunks, in which nothing changes for an hour: read at the end, when more is there
check      ros2-latency check --follow: a line for a budget that breaks in a window, and the status at the end
"""

import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "faults"))

from ros_trace import (CHATTER, HEARD, LISTENER, MESSAGE, OFFSET_NS, TALKER, TICK, RosTrace,  # noqa: E402
                       conversation, definitions, talk)

LATER, EARLIER = "services", "pubsub"
SPLIT, CHUNK = "caret-both", "ust/uid/0/64-bit"
PATIENCE_S = 300


def wait_until(process, condition):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert process.poll() is None and time.monotonic() < deadline, process.poll()
        time.sleep(0.05)


def follow(command, first, second, folder, is_at_end):
    """The exit status, what was told, and the last report, when `second` appears after `first` was read."""
    chunks, report, errors = folder / "session/archives", folder / "report/report.json", folder / "errors"
    chunks.mkdir(parents=True)
    shutil.copytree(first, chunks / "0")
    shutil.copytree(second, folder / "second")
    with open(errors, "w") as file:
        process = subprocess.Popen([command, f"--follow={chunks.parent}", "--period=500ms", "--format=json",
                                    f"--output={report.parent}"], stderr=file)
    try:
        wait_until(process, report.exists)
        if is_at_end:
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        (folder / "second").rename(chunks / "1")
        if is_at_end:
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGCONT)
        else:
            wait_until(process, errors.read_text)
            process.send_signal(signal.SIGINT)
        status = process.wait(timeout=PATIENCE_S)
    finally:
        process.kill()
        process.wait()
    return status, errors.read_text(), json.loads(report.read_text())


def report_of(command, trace):
    return json.loads(subprocess.run([command, "--format=json", trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)


def split(recording, folder):
    """Makes two chunks of it: the first packet of each stream, and the others."""
    source = recording / "trace" / CHUNK
    for chunk in "first", "second":
        (folder / chunk / "index").mkdir(parents=True)
        shutil.copy(source / "metadata", folder / chunk)
    for stream in source.glob("ros2_*"):
        index, packets = (source / "index" / f"{stream.name}.idx").read_bytes(), stream.read_bytes()
        header, row = index[:16], struct.unpack(">I", index[12:16])[0]
        assert len(index) >= 16 + 2 * row, stream
        size = struct.unpack(">Q", index[24:32])[0] // 8
        rest = b"".join(struct.pack(">Q", struct.unpack(">Q", index[at:at + 8])[0] - size) + index[at + 8:at + row]
                        for at in range(16 + row, len(index), row))
        for chunk, rows, content in ("first", index[16:16 + row], packets[:size]), ("second", rest, packets[size:]):
            (folder / chunk / "index" / f"{stream.name}.idx").write_bytes(header + rows)
            (folder / chunk / stream.name).write_bytes(content)


def check_order(command, data):
    with tempfile.TemporaryDirectory(prefix="ros2bt-late-") as name:
        folder = Path(name)
        split(data / SPLIT, folder / "chunks")
        status, errors, found = follow(command, folder / "chunks/second", folder / "chunks/first", folder / "run", False)
        alone = report_of(command, folder / "chunks/second")
    assert status == 1 and errors.count("\n") == 1, (status, errors)
    assert "archives/1: 2 packets are older than what was read before" in errors, errors
    assert not found["trace"]["is_complete"]
    assert found["callbacks"] == alone["callbacks"] != []


def number(chunk, sequence_number):
    """Gives this number to the first packet of each stream. It is the fifth of its context, behind 32 bytes."""
    streams = list(chunk.glob("ros2_*"))
    for path, at in [(stream, 64) for stream in streams] + [(chunk / "index" / f"{stream.name}.idx", 80) for stream in streams]:
        order = "<Q" if at == 64 else ">Q"
        content = bytearray(path.read_bytes())
        assert struct.unpack_from(order, content, at)[0] == 1, path
        struct.pack_into(order, content, at, sequence_number)
        path.write_bytes(content)
    return len(streams)


def check_between(command, data):
    with tempfile.TemporaryDirectory(prefix="ros2bt-late-") as name:
        folder = Path(name)
        split(data / SPLIT, folder / "chunks")
        shutil.copytree(folder / "chunks/second", folder / "late")
        count = number(folder / "chunks/second", 2)
        alone = report_of(command, folder / "chunks")
        status, errors, found = follow(command, folder / "chunks", folder / "late", folder / "run", False)
    assert status == 1 and errors.count("\n") == 1, (status, errors)
    assert f"archives/1: {count} packets are older than what was read before" in errors, (count, errors)
    assert not found["trace"]["is_complete"]
    for table in "callbacks", "communications":
        assert found[table] == alone[table] != [], table


def check_bytes(command, data):
    with tempfile.TemporaryDirectory(prefix="ros2bt-late-") as name:
        folder = Path(name)
        split(data / SPLIT, folder / "chunks")
        for stream in (folder / "chunks/second").glob("ros2_*"):
            with open(stream, "ab") as file:
                file.write(b"bytes, but no packet")
        status, errors, found = follow(command, folder / "chunks/first", folder / "chunks/second", folder / "run", True)
        kept = report_of(command, folder / "run/session/archives")
    assert status == 1 and "no packet begins here" in errors, (status, errors)
    assert not found["trace"]["is_complete"]
    for table in "callbacks", "communications":
        assert found[table] == kept[table] and found[table], table


def write_clock_chunks(folder, clock, is_grown):
    """A conversation; in the second chunk the listener has a stream of its own, with the same metadata in a folder of its own."""
    trace, second = RosTrace(), 1_000_000_000
    late = [trace.packet(talk(trace, 4 * second), 4 * second, 4 * second + 100, sequence=1)]
    trace.write(folder / "0", {"stream_0": conversation(trace, packets=1) + late})
    grown = RosTrace(clock=clock)
    if is_grown:
        grown.add_event(len(grown.numbers), "other:event", {"value": grown.int(64)})
    talker, listener = [], []
    for moment in range(5 * second, 5 * second + 400, 100):
        stamp = OFFSET_NS + moment + 10
        talker += grown.execution(moment, TALKER, TICK, 20, grown.publish(moment + 10, TALKER, CHATTER, MESSAGE, stamp))
        listener += grown.take(moment + 40, LISTENER, HEARD, MESSAGE, stamp) + grown.execution(moment + 50, LISTENER, HEARD, 30)
    grown.write(folder / "1/0", {"stream_0": [grown.packet(talker, 5 * second, 5 * second + 500, sequence=2)]})
    grown.write(folder / "1/1", {"stream_1": [grown.packet(listener, 5 * second, 5 * second + 500, instance=1)]})


def check_clock(command, data):
    for is_grown in True, False:
        with tempfile.TemporaryDirectory(prefix="ros2bt-late-") as name:
            folder = Path(name)
            write_clock_chunks(folder / "ahead", "freq = 1000000000; offset = 1700000005000000000;", is_grown)
            write_clock_chunks(folder / "kept", f"freq = 1000000000; offset = {OFFSET_NS};", is_grown)
            status, errors, found = follow(command, folder / "ahead/0", folder / "ahead/1", folder / "run", False)
            kept = report_of(command, folder / "kept")
        assert status == 1 and errors.count("\n") == 1, (is_grown, status, errors)
        assert "archives/1/0: its metadata sets the clock 5 s ahead, which is left out" in errors, errors
        for table in "callbacks", "communications":
            assert found[table] == kept[table] != [], (is_grown, table, found[table], kept[table])
        assert found["communications"][0]["received"] == 9, found["communications"]
        for key in "begin_ns", "end_ns":
            assert found["trace"][key] == kept["trace"][key], (is_grown, key)


def renumber(trace):
    """Gives even ids to the events: the place of the event of the talker's publication has another one, of the same size."""
    first = ["ros2:rclcpp_take", "ros2:rcl_take", "ros2:rclcpp_publish", "ros2:rmw_take", "ros2:callback_end"]
    names = first + [name for name in trace.numbers if name not in first]
    events = {name: trace.events[number] for name, number in trace.numbers.items()}
    trace.numbers = {name: 2 * place for place, name in enumerate(names)}
    trace.events = {trace.numbers[name]: events[name] for name in names}


def check_grown(command, data):
    second, trace, grown = 1_000_000_000, RosTrace(), RosTrace()
    renumber(trace)
    renumber(grown)
    grown.add_event(5000, "other:event", {"value": grown.int(64)})
    first = [*definitions(trace), *[event for moment in range(second, 6 * second, second // 10) for event in talk(trace, moment)]]
    with tempfile.TemporaryDirectory(prefix="ros2bt-late-") as name:
        folder = Path(name)
        trace.write(folder / "chunks/0", {"stream_0": [trace.packet(first, 0, 6 * second)]})
        grown.write(folder / "chunks/1", {"stream_0": [grown.packet(talk(grown, 7 * second), 7 * second, 8 * second, sequence=1)]})
        status, errors, found = follow(command, folder / "chunks/0", folder / "chunks/1", folder / "run", True)
        kept = report_of(command, folder / "chunks")
    assert status == 0 and not errors, (status, errors)
    for table in "callbacks", "communications":
        assert found[table] == kept[table] != [], (table, found[table], kept[table])


def check_loss(command, data):
    trace, second = RosTrace(), 1_000_000_000
    heard = [event for moment in range(1, 7) for event in trace.execution(moment * second, LISTENER, HEARD, 30)]
    answer = [event for moment in range(7 * second, 7 * second + 400, 100) for event in talk(trace, moment)]
    packet = trace.packet(answer, 7 * second, 7 * second + 500, sequence=1, discarded=5)
    for cut in 0, 40:
        with tempfile.TemporaryDirectory(prefix="ros2bt-late-") as name:
            folder = Path(name)
            trace.write(folder / "chunks/0", {"stream_0": conversation(trace, packets=1),
                                              "stream_1": [trace.packet(heard, 0, 6 * second + 100, instance=1)]})
            trace.write(folder / "chunks/1", {"stream_0": [packet[:len(packet) - cut]]})
            status, errors, found = follow(command, folder / "chunks/0", folder / "chunks/1", folder / "run", True)
            kept = report_of(command, folder / "chunks")
        assert status == (1 if cut else 0), (status, errors)
        losses, others = ([row for row in report["diagnostics"] if row["what"] == "discarded events"] for report in (found, kept))
        assert losses == others and losses[0]["count"] == 5, (cut, losses, others)
        assert found["communications"] == kept["communications"] != [], (cut, found["communications"])


def check_unrotated(command, data):
    """Beside it is a directory that cannot be read: when it is told, it and what comes before it by name were looked at."""
    with tempfile.TemporaryDirectory(prefix="ros2bt-late-") as name:
        folder = Path(name)
        session, report, errors = folder / "session", folder / "report/report.json", folder / "errors"
        split(data / SPLIT, folder / "chunks")
        shutil.copytree(folder / "chunks/first", session / "ust")
        (session / "zz-broken").mkdir()
        (session / "zz-broken/metadata").write_text("no metadata")
        an_hour_ago = time.time() - 3600
        for path in [*session.rglob("*")]:
            os.utime(path, (an_hour_ago, an_hour_ago))
        shutil.copytree(data / SPLIT / "trace" / CHUNK, folder / "grown")
        with open(errors, "w") as file:
            process = subprocess.Popen([command, f"--follow={session}", "--format=json", f"--output={report.parent}"], stderr=file)
        try:
            wait_until(process, errors.read_text)
            (session / "ust").rename(folder / "before")
            (folder / "grown").rename(session / "ust")
            process.send_signal(signal.SIGINT)
            status = process.wait(timeout=PATIENCE_S)
        finally:
            process.kill()
            process.wait()
        found, kept = json.loads(report.read_text()), report_of(command, session)
    assert status == 1, (status, errors)
    for table in "callbacks", "communications":
        assert found[table] == kept[table] != [], table


def check_budgets(command, data):
    broken = 4
    with tempfile.TemporaryDirectory(prefix="ros2bt-late-") as name:
        folder = Path(name)
        (folder / "budgets.yaml").write_text("budgets: [{callback: /svc_client_1, source: 67 ms, duration: 1 ns}]")
        (folder / "chunks/archives").mkdir(parents=True)
        shutil.copytree(data / LATER / "trace", folder / "chunks/archives/0")
        with subprocess.Popen([command, "check", f"--follow={folder / 'chunks'}", "--window=1s", folder / "budgets.yaml"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            line = process.stderr.readline()
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=PATIENCE_S)
    assert " UTC: broken: " in line, line + errors
    assert process.returncode == broken and output, (process.returncode, errors)


def check_recording(command, data, is_at_end=False):
    with tempfile.TemporaryDirectory(prefix="ros2bt-late-") as name:
        status, errors, found = follow(command, data / LATER / "trace", data / EARLIER / "trace", Path(name), is_at_end)
    alone = report_of(command, data / LATER / "trace")
    late = re.findall(r"(\d+) events came after later ones were read", errors)
    lines = (data / EARLIER / "event-counts.txt").read_text().splitlines()
    counts = {name: int(count) for count, name in map(str.split, lines)}
    # at least those that every report reads, at most all
    least = sum(counts[f"ros2:{event}"] for event in ("callback_start", "callback_end", "rmw_take"))
    assert status == 1 and len(late) == 1, (status, errors)
    assert least <= int(late[0]) <= counts["TOTAL"], (late, counts)
    assert errors.count("\n") == 1, errors
    for key in "begin_ns", "end_ns":
        assert found["trace"][key] == alone["trace"][key], key
    for table in "callbacks", "communications", "services":
        assert found[table] == alone[table] != [], table


def main():
    scenario, command, data = sys.argv[1:]
    checks = {"recording": check_recording, "order": check_order, "between": check_between,
              "bytes": check_bytes, "clock": check_clock, "grown": check_grown, "loss": check_loss, "unrotated": check_unrotated,
              "check": check_budgets, "end": lambda *arguments: check_recording(*arguments, is_at_end=True)}
    checks[scenario](command, Path(data))


if __name__ == "__main__":
    main()
