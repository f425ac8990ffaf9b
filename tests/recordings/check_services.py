#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of services and goals of actions are those that the programs logged.

usage: check_services.py PLUGINS RECORDING calls|executions
  calls       requests and responses are recorded (tracetools 8.5): each logged one is an instance, at its time
  executions  they are not: the executions of the services are known, nothing else, and a diagnostic says so
"""

import collections
import sys

import logs
import report

MARK_NS = 21000  # between an event and the line that the program logged before or after it
GOAL_NS = 35000  # of a goal's duration, of which the program logs both ends
DEFERRED = "service callback with deferred response"


class Calls:
    """The instances of each client: the calls of a service by their times."""

    def __init__(self, result):
        self.services = {row["service_id"]: row for row in result.rows("services")}
        self.of = collections.defaultdict(list)
        for row in result.rows("service_instances"):
            service = self.services[row["service_id"]]
            self.of[service["client_vpid"], service["service"]].append(row)


def check_requests(calls, lines, complaints):
    """Each logged request is sent while the program calls; gives its instance."""
    instances = {}
    for (vpid, name), rows in calls.of.items():
        sent = sorted((row for row in rows if row["send_ns"]), key=lambda row: int(row["send_ns"]))
        logged = [line for line in lines if line.kind == "request" and str(line.vpid) == vpid and line.name == name]
        if "/_action/" in name:
            continue
        if len(logged) != len(sent):
            complaints.append("%s of %s: %d sent, %d logged" % (name, vpid, len(sent), len(logged)))
            continue
        for line, row in zip(logged, sent):
            late_ns = int(row["send_ns"]) - line.start_ns
            if not 0 <= late_ns or int(row["send_ns"]) > line.end_ns:
                complaints.append("sent %d ns after its line: %s" % (late_ns, line))
            instances[line.vpid, name, line.sequence] = row
    return instances


def check_responses(instances, lines, complaints):
    """Each logged response was taken shortly before; what was not logged was not taken."""
    sends, takes, logged = [], [], set()
    starts = {(line.vpid, line.name, line.sequence): line.start_ns for line in lines if line.kind == "request"}
    for line in lines:
        if line.kind != "response":
            continue
        key = line.vpid, line.name, line.sequence
        row = instances.get(key)
        logged.add(key)
        if row is None or not row["receive_ns"]:
            complaints.append("no response: %s" % line)
            continue
        sends.append(int(row["send_ns"]) - starts[key])
        takes.append(line.start_ns - int(row["receive_ns"]))
    for key, row in instances.items():
        if key not in logged and row["outcome"] == "received":
            complaints.append("a response that was not logged: %s %s %d" % key)
    for what, values in ("sent after its line", sends), ("logged after the response", takes):
        if values and (min(values) < 0 or max(values) > MARK_NS):
            complaints.append("%s: %d to %d ns" % (what, min(values), max(values)))
    return len(takes), max(sends + [0]), max(takes + [0])


def check_takes(calls, instances, lines, complaints):
    """A logged request that a service logged, too, was taken, and the others were not."""
    taken = {(int(line.extra["client"]), line.name, line.sequence) for line in lines if line.kind == "service"}
    clients = {line.vpid: int(line.extra["client"]) for line in lines if line.kind == "request"}
    for (vpid, name, sequence), row in instances.items():
        if bool(row["take_ns"]) != ((clients[vpid], name, sequence) in taken):
            complaints.append("taken: %r, %s %d of client %d" % (row["take_ns"], name, sequence, clients[vpid]))
    for row in calls.services.values():
        if row["service"] == "/nobody" and (row["taken"] != "0" or row["unanswered"] != row["sent"]):
            complaints.append("/nobody: %s taken, %s unanswered of %s" % (row["taken"], row["unanswered"], row["sent"]))


def check_sums(calls, complaints):
    """The rows say what their instances are."""
    steps = (("sent", "send_ns"), ("taken", "take_ns"), ("answered", "answer_ns"), ("received", "receive_ns"))
    for service_id, row in calls.services.items():
        instances = [one for rows in calls.of.values() for one in rows if one["service_id"] == service_id]
        for column, time in steps:
            if int(row[column]) != sum(one[time] != "" for one in instances):
                complaints.append("%s: %s %s, other instances" % (row["service"], column, row[column]))
        for column, begin, end in (("round_trip", 0, 3), ("request", 0, 1), ("service", 1, 2), ("response", 2, 3)):
            times = [[one[time] for _, time in steps] for one in instances]
            total = sum(int(time[end]) - int(time[begin]) for time in times if time[begin] and time[end])
            if int(row[column + "_sum_ns"] or 0) != total:
                complaints.append("%s: %s takes %s ns, not %d" % (row["service"], column, row[column + "_sum_ns"], total))


def check_goals(result, lines, complaints):
    goals = [line for line in lines if line.kind == "send_goal"]
    results = {line.sequence: line for line in lines if line.kind == "result"}
    responses = {line.sequence: line for line in lines if line.kind == "goal_response"}
    instances = sorted(result.rows("action_instances"), key=lambda row: int(row["send_ns"]))
    if len(instances) != len(goals):
        complaints.append("%d goals, %d logged" % (len(instances), len(goals)))
        return 0
    errors = []
    for line, row in zip(goals, instances):
        response = responses[line.sequence]
        if row["accepted"] != response.extra["accepted"]:
            complaints.append("accepted: %r: %s" % (row["accepted"], response))
        if bool(row["result_ns"]) != (line.sequence in results) or row["ambiguous"] != "0":
            complaints.append("result %r, ambiguous %s: %s" % (row["result_ns"], row["ambiguous"], line))
        elif row["result_ns"]:
            logged = results[line.sequence]
            errors.append(abs(logged.end_ns - line.start_ns - int(row["result_ns"]) + int(row["send_ns"])))
    if errors and max(errors) > GOAL_NS:
        complaints.append("a goal lasts %d ns less or more than logged" % max(errors))
    canceled = sum(line.extra["status"] == "canceled" for line in results.values())
    accepted = sum(line.extra["accepted"] == "1" for line in responses.values())
    row = result.rows("actions")[0]
    for column, expected in (("goals", len(goals)), ("accepted", accepted), ("rejected", len(responses) - accepted),
                             ("canceled", canceled), ("results", len(results)), ("ambiguous", 0),
                             ("cancel_requests", sum(line.kind == "send_cancel" for line in lines))):
        if int(row[column]) != expected:
            complaints.append("%s %s, %d logged" % (column, row[column], expected))
    return max(errors + [0])


def check_feedback(result, lines, complaints):
    row = result.rows("actions")[0]
    for column, kind in (("feedback", "feedback_sent"),):
        logged = sum(line.kind == kind for line in lines)
        if int(row[column]) != logged:
            complaints.append("%s %s, %d logged" % (column, row[column], logged))
    if int(row["feedback_received"]) < sum(line.kind == "feedback" for line in lines):
        complaints.append("less feedback received than logged: " + row["feedback_received"])


def check_executions(result, lines, complaints):
    """What there is of services in any release."""
    logged = collections.Counter(line.name for line in lines if line.kind == "service")
    deferred = collections.Counter(line.name for line in lines if line.kind == "deferred_reply")
    counted, counted_deferred = collections.Counter(), collections.Counter()
    for row in result.rows("services"):
        counted[row["service"]] += int(row["executions"])
        counted_deferred[row["service"]] += int(row["deferred"])
    for name, count in logged.items():
        if counted[name] != count:
            complaints.append("%s: %d executions, %d logged" % (name, counted[name], count))
    expected = sum(count for name, count in logged.items() if name in deferred)
    if sum(counted_deferred.values()) != expected:
        complaints.append("%d deferred, %d logged" % (sum(counted_deferred.values()), expected))
    if sum(int(row["deferred"]) for row in result.rows("callbacks")) != expected:
        complaints.append("callbacks: other deferred ones than logged")
    if result.diagnostics().get(DEFERRED) != expected or "callback start without end" in result.diagnostics():
        complaints.append("deferred responses taken for losses: %s" % result.diagnostics())


def check_unknown(result, complaints):
    for row in result.rows("services"):
        if any(row[column] for column in ("client_node", "sent", "taken", "answered", "received", "round_trip_sum_ns")):
            complaints.append("%s: more than the trace can say" % row["service"])
    missing = [row["detail"] for row in result.rows("diagnostics") if row["what"] == "events not recorded"]
    if not any("tracetools 8.5" in detail for detail in missing):
        complaints.append("no word of the missing events")


def main():
    plugins, recording, mode = sys.argv[1:]
    result = report.run(plugins, recording)
    lines = logs.read(recording, report.clock_offset_ns(recording))
    complaints = []
    check_executions(result, lines, complaints)
    check_feedback(result, lines, complaints)
    if mode == "calls":
        calls = Calls(result)
        instances = check_requests(calls, lines, complaints)
        count, sent_ns, taken_ns = check_responses(instances, lines, complaints)
        check_takes(calls, instances, lines, complaints)
        check_sums(calls, complaints)
        goal_ns = check_goals(result, lines, complaints)
        print("%s: %d responses, sent up to %d ns after their lines, logged up to %d ns after the take; goals up to %d ns off"
              % (recording, count, sent_ns, taken_ns, goal_ns))
        if count == 0:
            complaints.append("nothing to compare")
    else:
        check_unknown(result, complaints)
    report.finish(complaints)


main()
