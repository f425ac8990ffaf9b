#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Messages and end-to-end latency of real recordings against the truth that was logged beside them.

usage: check_flow.py CHECK PLUGIN_DIR RECORDING [EXPECTED]

CHECK is the name of a function below that starts with check_, EXPECTED the number that it compares with. Beside its trace a
recording has the programs' own logs (ground-truth/*.csv), which record, in the trace's clock, when a callback began and
ended, when its message was published (msg_pub_ns) and when the timer at the head of the chain began (origin_ns).
"""

import csv
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from bisect import bisect_left
from collections import defaultdict

MICROSECOND = 1000
# callback_start comes 0.1 to 5 µs before the log's t_start (measured, see the README of the recordings), a
# preempted program logs later.
START_BEFORE_LOG_NS = 2_000_000
# From the log's msg_pub_ns to the first publish event, 2 to 11 µs (median) go by in the program and in rclcpp, before any
# tracepoint: copying and allocating the message. So logged latencies are that much longer than those of the events.
MEDIAN_DIFFERENCE_NS = 15 * MICROSECOND


def fail(text):
    sys.exit(f"FAILED: {text}")


class Report:
    """The CSV report of a trace."""

    def __init__(self, plugin_dir, trace, *parameters):
        with tempfile.TemporaryDirectory() as directory:
            command = ["babeltrace2", "--plugin-path", str(plugin_dir), str(trace), "-c", "sink.ros2.latency",
                       "--params", f'format=csv,output="{directory}",instances=yes']
            for parameter in parameters:
                command += ["--params", parameter]
            subprocess.run(command, check=True)
            self.files = {path.name: path.read_bytes() for path in pathlib.Path(directory).iterdir()}

    def rows(self, table):
        return list(csv.DictReader(self.files[f"{table}.csv"].decode().splitlines()))

    def messages(self):
        """The rows of communication_instances with those of communications."""
        communications = {row["communication_id"]: row for row in self.rows("communications")}
        return [communications[row["communication_id"]] | row for row in self.rows("communication_instances")]

    def traversals(self, path):
        ids = {row["path_id"] for row in self.rows("paths") if row["path"] == path}
        return [row for row in self.rows("path_instances") if row["path_id"] in ids]


def clock_offset(recording):
    """What the trace adds to its clock's value (ns since boot) to get ns since the Unix epoch."""
    metadata = next(recording.rglob("metadata")).read_bytes().decode("latin-1")
    return int(re.search(r"^\s*offset = (\d+);", metadata, re.M).group(1))


def log_rows(recording, kind):
    for path in sorted((recording / "ground-truth").glob("*.csv")):
        lines = path.read_text().splitlines()
        for row in csv.DictReader(line for line in lines if not line.startswith("#")):
            if row["kind"] == kind:
                row["extra"] = dict(item.split("=", 1) for item in row["extra"].split(";") if "=" in item)
                yield row


def renamed(recording, directory, replacements):
    """A copy of the trace with names in its metadata replaced by others of the same length."""
    target = pathlib.Path(directory) / "trace"
    shutil.copytree(recording / "trace", target)
    for path in target.rglob("metadata"):
        path.chmod(0o644)
        data = path.read_bytes()
        for old, new in replacements:
            assert len(old) == len(new) and old in data
            data = data.replace(old, new)
        path.write_bytes(data)
    return target


# --- comparisons ---


def compare_messages(recording, report):
    """Every message that a program logged is in communication_instances, with the latency that it logged."""
    offset = clock_offset(recording)
    starts = defaultdict(list)
    for row in report.messages():
        if row["callback_start_ns"]:
            starts[row["subscription_node"], row["topic"]].append(
                (int(row["callback_start_ns"]), int(row["latency_ns"]), int(row["publish_ns"])))
    for rows in starts.values():
        rows.sort()
    published = {(log["name"], log["t_start_ns"]): int(log["t_end_ns"]) + offset for log in log_rows(recording, "publish")}
    differences, missing, used = [], [], set()
    for log in log_rows(recording, "callback"):
        if "comm_ns" not in log["extra"]:
            continue
        key = "/" + log["node"].lstrip("/"), log["name"]
        start = int(log["t_start_ns"]) + offset
        logged = int(log["extra"]["comm_ns"])
        rows = starts[key]
        near = [i for i in range(bisect_left(rows, (start - START_BEFORE_LOG_NS,)), bisect_left(rows, (start + 1,)))
                if (key, i) not in used]
        if not near:
            missing.append((key, log["seq"], start))
            continue
        # Callbacks that run on several threads at once may begin close together: the one that fits the latency.
        best = min(near, key=lambda i: abs(rows[i][1] - logged) + abs(start - rows[i][0]))
        used.add((key, best))
        # The right message: its first publish event lies within the publish() call that the publisher logged.
        end = published[log["name"], log["msg_pub_ns"]]
        if not int(log["msg_pub_ns"]) + offset <= rows[best][2] <= end:
            fail(f"{key} {log['seq']}: linked to the publication at {rows[best][2]}, published before {end}")
        differences.append(abs(rows[best][1] - logged))
    if missing or not differences:
        fail(f"{recording}: {len(missing)} of {len(missing) + len(differences)} logged messages not found: {missing[:3]}")
    median = statistics.median(differences)
    print(f"{recording.name}: {len(differences)} logged messages found, median difference {median} ns")
    if median >= MEDIAN_DIFFERENCE_NS:
        fail("the latencies differ from the logs")


def expect_received(recording, report, expected):
    received = sum(int(row["received"]) for row in report.rows("communications"))
    print(f"{recording.name}: {received} takes linked, expected {expected}")
    if received != expected:
        fail("takes are not linked")
    publications = defaultdict(set)
    for row in report.messages():
        if row["source_timestamp"]:
            publications[row["topic"], row["source_timestamp"]].add(row["publish_ns"])
    if any(len(times) != 1 for times in publications.values()):
        fail("a key belongs to two publications")
    for row in report.rows("communications"):
        if int(row["published"]) != sum(int(row[part]) for part in ("received", "lost", "overwritten", "unknown")):
            fail(f"published is not received + lost + overwritten + unknown: {row}")


CHAIN = "/lidar > /lidar > /filter > /lidar_f > /fusion > /fused > /planner >> /path > /control > /cmd > /actuator"


def compare_chain(recording, report, expected):
    """The traversals of lidar's timer to actuator's /cmd, as the actuator logged them."""
    offset = clock_offset(recording)
    traversals = sorted(report.traversals(CHAIN), key=lambda row: int(row["last_callback_start_ns"]))
    logs = sorted((row for row in log_rows(recording, "callback")
                   if row["node"] == "actuator" and row["name"] == "/cmd"), key=lambda row: int(row["t_start_ns"]))
    if len(traversals) != expected or len(logs) != expected:
        fail(f"{len(traversals)} traversals, {len(logs)} logged, expected {expected}")
    for row, log in zip(traversals, logs):
        origin = int(log["origin_ns"]) + offset - int(row["origin_start_ns"])
        end = int(row["last_callback_end_ns"]) - int(log["t_end_ns"]) - offset
        latency = int(row["latency_ns"]) - int(log["extra"]["e2e_end_ns"])
        if not (0 <= origin < START_BEFORE_LOG_NS and 0 <= end < START_BEFORE_LOG_NS and latency == origin + end):
            fail(f"origin {origin} ns, end {end} ns, latency {latency} ns off: {row} {log}")
    print(f"{recording.name}: {expected} traversals with the logged origins and latencies")


# --- checks ---


def check_takes(plugin_dir, recording, expected):
    expect_received(recording, Report(plugin_dir, recording / "trace"), int(expected))


def check_messages(plugin_dir, recording):
    compare_messages(recording, Report(plugin_dir, recording / "trace"))


def check_chain(plugin_dir, recording, expected):
    compare_chain(recording, Report(plugin_dir, recording / "trace"), int(expected))


def check_proposed_links(plugin_dir, recording, expected):
    """The annotations taken out of the trace: what is proposed instead is what the planner does, as the actuator logged."""
    with tempfile.TemporaryDirectory() as directory:
        bare = renamed(recording, directory, ((b"ros2:message_link_", b"none:message_link_"),))
        proposed = Report(plugin_dir, bare, 'links=["proposed"]')
    compare_chain(recording, proposed, int(expected))
    links = [row["detail"] for row in proposed.rows("diagnostics") if row["what"] == "link that is proposed"]
    if links != ["/planner: /fused -> /path: periodic_async"]:
        fail(f"proposed: {links}")


def check_links_by_parameter(plugin_dir, recording):
    """The annotations taken out of the trace and given by `links`: the same report but for what names them."""
    links = ["/planner: /fused -> /path: periodic_async", "/planner: /goal -> /path: periodic_async",
             "/fusion: /lidar_f -> /fused: partial_sync", "/fusion: /imu -> /fused: partial_sync"]
    with tempfile.TemporaryDirectory() as directory:
        bare = renamed(recording, directory, ((b"ros2:message_link_", b"none:message_link_"),))
        annotated = Report(plugin_dir, recording / "trace")
        given = Report(plugin_dir, bare, "links=[" + ",".join(f'"{link}"' for link in links) + "]")
        without = Report(plugin_dir, bare)
    for name, content in annotated.files.items():
        if given.files[name] != content:
            fail(f"{name} differs")
    if without.files["paths.csv"] == annotated.files["paths.csv"]:
        fail("the links make no difference: nothing was tested")
    compare_chain(recording, given, 125)


def check_inference(plugin_dir, recording):
    """The stamps of a Jazzy trace hidden: at least 99.99 % of the inferred links are the exact ones."""
    exact = Report(plugin_dir, recording / "trace").messages()
    with tempfile.TemporaryDirectory() as directory:
        # Only rmw_publish has a field of this name here.
        hidden = renamed(recording, directory, ((b" _timestamp;", b" _timestxmp;"),))
        inferred = Report(plugin_dir, hidden).messages()
    links = [{(row["topic"], row["subscription_vpid"], row["take_ns"], row["publish_ns"])
              for row in rows if row["take_ns"]} for rows in (exact, inferred)]
    if not links[0] or not all(row["inferred"] == "1" for row in inferred if row["take_ns"]):
        fail("links are not inferred: nothing was tested")
    equal, wrong = len(links[0] & links[1]), len(links[1] - links[0])
    print(f"{recording.name}: {equal} of {len(links[0])} links, {wrong} wrong")
    if equal < len(links[0]) * 0.9999:
        fail(f"{equal} of {len(links[0])} links")


def check_generated_chains(plugin_dir, recording, expected):
    """Each completed chain of the generator has its traversal, with its latency."""
    report = Report(plugin_dir, recording / "trace")
    offset = clock_offset(recording)
    paths = {row["path_id"]: row["path"] for row in report.rows("paths")}
    traversals = defaultdict(list)
    for row in report.rows("path_instances"):
        # The topics of chain N are /chain_N/topic_*.
        chain = re.search(r"/chain_(\d+)/", paths[row["path_id"]]).group(1)
        traversals[chain].append((int(row["origin_start_ns"]), int(row["latency_ns"])))
    completed = list(csv.DictReader((recording / "truth.e2e.csv").read_text().splitlines()))
    worst = 0
    for row in completed:
        begin, latency = int(row["t0_mono_ns"]) + offset, int(row["latency_ns"])
        # The generator reads its clock before the first tracepoint and after the last one: it may be preempted there.
        near = [abs(begin - origin) + abs(latency - ours) for origin, ours in traversals[row["chain"]]
                if abs(begin - origin) < 200 * MICROSECOND and abs(latency - ours) < 200 * MICROSECOND]
        if not near:
            fail(f"no traversal for {row}")
        worst = max(worst, min(near))
    print(f"{len(completed)} completed chains, times at most {worst} ns off")
    if len(completed) != int(expected):
        fail(f"{expected} chains expected")


def check_determinism(plugin_dir, recording):
    first, second = (Report(plugin_dir, recording / "trace").files for _ in range(2))
    if first != second:
        fail("two runs differ")


def check_header_stamps(plugin_dir, recording, expected):
    """The age of each message with a stamp in its header, as the events of CARET's fork of rclcpp have it."""
    events = subprocess.run(["babeltrace2", "--clock-cycles", str(recording)], check=True, capture_output=True, text=True).stdout
    offset = clock_offset(recording)
    topics, ages = {}, defaultdict(list)
    for line in events.splitlines():
        handle = re.search(r"publisher_handle = (0x\w+)", line)
        if "ros2:rcl_publisher_init:" in line:
            topics[handle.group(1)] = re.search(r'topic_name = "([^"]+)"', line).group(1)
        elif "ros2:rclcpp_publish:" in line and "message_timestamp = 0 " not in line:
            stamp = int(re.search(r"message_timestamp = (\d+)", line).group(1))
            ages[topics[handle.group(1)]].append(int(re.match(r"\[(\d+)\]", line).group(1)) + offset - stamp)
    rows = {row["topic"]: row for row in Report(plugin_dir, recording).rows("publications")}
    found = {topic: [round(float(row["stamp_age_sum_ns"]) / float(row["stamp_age_mean_ns"])),
                     *(int(row[f"stamp_age_{name}_ns"]) for name in ("sum", "min", "max"))]
             for topic, row in rows.items() if row["stamp_age_sum_ns"]}
    if found != {topic: [len(values), sum(values), min(values), max(values)] for topic, values in ages.items()}:
        fail(f"{found}, events: { {topic: (len(values), sum(values)) for topic, values in ages.items()} }")
    if sum(map(len, ages.values())) != int(expected) or any(int(row["stamp_unknown"]) for row in rows.values()):
        fail("not all stamps are there")


def check_sensor_latency(plugin_dir, recording, expected):
    """The latency of a named path from the stamp of its first message, as the events of CARET's fork of rclcpp have it."""
    events = subprocess.run(["babeltrace2", "--clock-cycles", str(recording)], check=True, capture_output=True, text=True).stdout
    offset = clock_offset(recording)
    topic_of, stamps = {}, {}
    for line in events.splitlines():
        handle = re.search(r"publisher_handle = (0x\w+)", line)
        if "ros2:rcl_publisher_init:" in line:
            topic_of[handle.group(1)] = re.search(r'topic_name = "([^"]+)"', line).group(1)
        elif "ros2:rclcpp_publish:" in line and topic_of[handle.group(1)] == "/topic2":
            stamps[int(re.match(r"\[(\d+)\]", line).group(1)) + offset] = int(re.search(r"message_timestamp = (\d+)", line).group(1))
    report = Report(plugin_dir, recording, 'named-paths=["from the filter: /filter_node > /topic2 > /message_driven_node"]')
    flows = [row for row in report.rows("named_path_instances") if row["outcome"] == "complete"]
    if any(int(row["header_stamp_ns"]) != stamps[int(row["origin_start_ns"])] for row in flows):
        fail("not the stamps of the messages")
    latencies = [int(row["last_callback_start_ns"]) - int(row["header_stamp_ns"]) for row in flows]
    path, = report.rows("named_paths")
    found = [int(path[f"stamp_latency_{name}_ns"]) for name in ("sum", "min", "max")]
    if len(flows) != int(expected) or found != [sum(latencies), min(latencies), max(latencies)]:
        fail(f"{len(flows)} flows, stamp_latency {found}, events: {sum(latencies), min(latencies), max(latencies)}")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    check, plugin_dir, recording, *expected = sys.argv[1:]
    globals()["check_" + check](pathlib.Path(plugin_dir).resolve(), pathlib.Path(recording).resolve(), *expected)


if __name__ == "__main__":
    main()
