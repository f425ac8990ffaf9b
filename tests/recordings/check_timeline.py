#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The timeline of a recording against its tables of instances: slices are executions, arrows are messages received.

usage: check_timeline.py COMMAND RECORDING
"""

import bisect
import collections
import itertools
import json
import os
import sys
import tempfile

import perfetto_trace
import report

ID_LIMIT = 1 << 22  # ids that several threads had are told apart by multiples of it
RATE, MEMORY = "executions a second", "allocated bytes"
PIECE_NS = 100_000_000  # of rates, in recordings that are not long
OTHER_COUNTERS = (RATE, MEMORY)  # than those of messages that wait


def run(command, recording):
    trace = report.source_arguments(recording)
    with tempfile.TemporaryDirectory() as folder:
        report.output(command, "--format=perfetto", "--hidden", "--output=" + folder, *trace)
        timeline = perfetto_trace.read(os.path.join(folder, "timeline.pftrace"))
        report.output(command, "--format=perfetto", "--output=" + folder, *trace)
        check_hidden(timeline, perfetto_trace.read(os.path.join(folder, "timeline.pftrace")))
    about = json.loads(report.output(command, "--format=json", "--table=lifecycle", *trace))
    return timeline, report.of(command, recording, "--instances"), about["trace"]["begin_ns"]


def has_hidden_name(event):
    names = (event.name + " " + str(event.properties.get("node", ""))).replace(",", " ").split()
    return any(name in ("/rosout", "/parameter_events") or "/_" in name for name in names)


def check_hidden(all_of_it, shown):
    """What has a hidden name is drawn with --hidden only, and nothing else is missing then."""
    of_hidden = [event for event in shown.events if has_hidden_name(event)]
    assert not of_hidden, f"{of_hidden[0].name} is drawn"
    others, drawn = (
        sum(not has_hidden_name(event) and not has_helper_name(event) and not is_part(event) for event in trace.events)
        for trace in (all_of_it, shown)
    )
    assert others == drawn, f"{drawn} events are drawn, {others} have no hidden name"


def is_part(event):
    """Of a traversal of a path, whose other parts may have the hidden name; or of a counter, which has none."""
    return event.categories in (["path callback"], ["path message"]) or event.type == perfetto_trace.COUNTER


def has_helper_name(event):
    return "/caret" in event.name or "/caret" in str(event.properties.get("node", ""))


def in_category(timeline, *categories):
    return [event for event in timeline.events if set(event.categories) & set(categories)]


def node_of(callback):
    return callback["node"] or None


def check_executions(timeline, tables):
    drawn = collections.Counter(
        (event.properties.get("node"), event.begin_ns, event.end_ns)
        for event in in_category(timeline, "callback")
        if event.type == perfetto_trace.BEGIN
    )
    wanted = collections.Counter(
        (node_of(execution.callback), execution.start_ns, execution.end_ns) for execution in tables.executions()
    )
    instants = [event for event in in_category(timeline, "callback") if event.type == perfetto_trace.INSTANT]
    incomplete = [row for row in tables.rows("callback_instances") if not row["duration_ns"]]
    assert drawn == wanted, f"executions: {len(drawn)} drawn, {len(wanted)} expected: {list((drawn - wanted) or (wanted - drawn))[:5]}"
    assert len(instants) == len(incomplete), f"{len(instants)} instants of {len(incomplete)} incomplete executions"
    return sum(drawn.values())


def check_threads(timeline, tables):
    vtids = {row["vtid"] for row in tables.rows("callback_instances") if row["vtid"]}
    drawn = {
        str(event.track["thread"][0]["tid"][0] % ID_LIMIT)
        for event in in_category(timeline, "callback")
        if "thread" in event.track
    }
    assert drawn <= vtids, f"threads {drawn - vtids}"
    names = {event.track["name"][0] for event in in_category(timeline, "callback") if "name" in event.track}
    assert drawn == vtids or any("thread" in name for name in names), f"threads {vtids - drawn}"


def check_messages(timeline, tables):
    """The arrows from publications to callbacks; to takes, of nodes that record no callbacks."""
    drawn = collections.Counter()
    for first, second in timeline.arrows():
        for origin, handler in ((first, second), (second, first)):
            if set(origin.categories) & {"publication", "lost"} and handler.categories == ["callback"]:
                for value in "latency_ns", "transport_ns":
                    # the other arrows lead from the callback around the publication
                    if handler.properties.get(value) == handler.begin_ns - origin.begin_ns:
                        drawn[value, origin.begin_ns, handler.begin_ns] += 1
    rows = tables.rows("communication_instances")
    wanted = collections.Counter(
        ("latency_ns", int(row["publish_ns"]), int(row["callback_start_ns"])) for row in rows if row["callback_start_ns"]
    )
    takes = collections.Counter(
        ("transport_ns", int(row["publish_ns"]), int(row["take_ns"]))
        for row in rows
        if row["take_ns"] and not row["callback_start_ns"]
    )
    assert not wanted - drawn, f"{sum((wanted - drawn).values())} messages without an arrow, as {list(wanted - drawn)[:3]}"
    assert not drawn - wanted - takes, f"arrows without a message, as {list(drawn - wanted - takes)[:3]}"
    return sum(drawn.values())


def check_insides(timeline):
    """What a callback publishes is drawn within it."""
    count = 0
    for first, second in timeline.arrows():
        if first.categories == ["callback"] and second.categories != ["callback"] and first.track is second.track:
            if "latency_ns" in first.properties and first.properties["latency_ns"] < 0:
                continue
            assert first.begin_ns <= second.begin_ns, first.name
            assert first.end_ns is None or second.begin_ns <= first.end_ns, f"{second.name} is not in {first.name}"
            count += 1
    return count


def lengths(steps):
    """How many wait at each time at which that changes; nothing if there is never more than one."""
    values, length = {}, 0
    for time_ns, change in sorted(steps):
        length += change
        values[time_ns] = length
    return collections.Counter(values.items()) if max(values.values(), default=0) > 1 else collections.Counter()


def check_rates(timeline):
    """Executions a second: over all processes and pieces of time, as many executions as are drawn."""
    steps = collections.defaultdict(list)
    for event in timeline.events:
        if event.type == perfetto_trace.COUNTER and event.track["name"][0] == RATE:
            steps[id(event.track)].append((event.begin_ns, event.value))
    earliest = min(event.begin_ns for event in timeline.events if event.type != perfetto_trace.COUNTER)
    assert all(values[0][0] >= earliest for values in steps.values()), "a rate begins before anything is drawn"
    for values in steps.values():  # the first piece begins earlier
        values[0] = values[0][0] - values[0][0] % PIECE_NS, values[0][1]
    counted = sum(value * (after - at) / 1e9 for values in steps.values() for (at, value), (after, _) in itertools.pairwise(values))
    begun = [event for event in in_category(timeline, "callback") if event.properties.get("execution") != "its start was not recorded"]
    longest = max((values[-1][0] - values[0][0] for values in steps.values()), default=0)
    assert all(values[-1][1] == 0 for values in steps.values())
    # a rate is a whole number: in pieces longer than a tenth of a second it is rounded
    room = 0.01 if longest < 100e9 else 0.5 * longest / 1e9 * len(steps)
    assert abs(counted - len(begun)) <= room, f"{counted} executions by their rates, {len(begun)} drawn"


def check_memory(timeline, tables):
    """What processes have allocated at the end, and never more than their peak."""
    drawn = collections.defaultdict(list)
    for event in timeline.events:
        if event.type == perfetto_trace.COUNTER and event.track["name"][0] == MEMORY:
            drawn[id(event.track)].append(event.value)
    rows = [row for row in tables.rows("memory") if row["scope"] == "process"] if "memory.csv" in tables.files else []
    rows = [row for row in rows if int(row["allocations"]) + int(row["frees"]) > 0]
    assert sorted(values[-1] for values in drawn.values()) == sorted(int(row["live_bytes"]) for row in rows)
    assert sum(max(values) for values in drawn.values()) <= sum(int(row["peak_bytes"]) for row in rows)


def check_queues(timeline, tables):
    """Counters of messages that wait, by the messages and the callbacks that handle them."""
    names = {row["communication_id"]: row for row in tables.rows("communications")}
    waiting = collections.defaultdict(list)
    for row in tables.rows("communication_instances"):
        of = names[row["communication_id"]]
        if row["callback_start_ns"] and int(row["callback_start_ns"]) > int(row["publish_ns"]):
            key = of["topic"], of["subscription_node"], of["subscription_vpid"], of.get("subscription_which")
            waiting[key] += [(int(row["publish_ns"]), 1), (int(row["callback_start_ns"]), -1)]
    drawn, expected = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for event in timeline.events:
        if event.type == perfetto_trace.COUNTER and event.track["name"][0] not in OTHER_COUNTERS:
            drawn[event.track["name"][0]][event.begin_ns, event.value] += 1
    for (topic, node, _, _), steps in waiting.items():
        expected[f"{topic or 'messages'} waiting" + (f" for {node}" if node.startswith("/") else "")] += lengths(steps)
    for name in drawn.keys() | expected.keys():
        assert drawn[name] == expected[name], f"{name}: {sum(drawn[name].values())} values, not {sum(expected[name].values())}"
    return sum(sum(values.values()) for values in drawn.values())


def check_paths(timeline, tables):
    drawn = collections.Counter((event.name, event.begin_ns, event.end_ns) for event in in_category(timeline, "path"))
    names = {row["path_id"]: row["path"] for row in tables.rows("paths")}
    wanted = collections.Counter(
        (names[row["path_id"]], int(row["origin_start_ns"]), int(row["last_callback_end_ns"] or row["last_callback_start_ns"]))
        for row in tables.rows("path_instances")
        if int(row["latency_ns"]) >= 0
    )
    assert drawn == wanted, f"paths: {list((drawn - wanted) or (wanted - drawn))[:3]}"
    parts = in_category(timeline, "path callback", "path message")
    assert all(
        any(event.begin_ns <= part.begin_ns and part.end_ns <= event.end_ns for event in open_at)
        for part, open_at in parts_in(timeline, parts)
    ), "a part is outside its path"
    return sum(drawn.values())


def parts_in(timeline, parts):
    """Each part of a path with the paths on its track."""
    paths = {}
    for event in in_category(timeline, "path"):
        paths.setdefault(id(event.track), []).append(event)
    for events in paths.values():
        assert all(first.end_ns <= second.begin_ns for first, second in zip(events, events[1:])), "lanes overlap"
    begins = {track: [event.begin_ns for event in events] for track, events in paths.items()}
    for part in parts:
        at = bisect.bisect_right(begins[id(part.track)], part.begin_ns)
        yield part, paths[id(part.track)][max(at - 1, 0) : at]


def check_lifecycle(timeline, tables, begin_ns):
    """Stays in states, from the begin of the recording on; the last one of each node lasts until the end."""
    drawn = collections.Counter(
        (event.track["name"][0], event.name, event.begin_ns) for event in in_category(timeline, "lifecycle")
    )
    stays = tables.rows("lifecycle_state_instances") if "lifecycle_state_instances.csv" in tables.files else []
    stays = [row for row in stays if not row["end_ns"] or int(row["end_ns"]) > begin_ns]
    wanted = collections.Counter(
        ((row["node"] or "?") + " lifecycle", row["state"], max(int(row["start_ns"]), begin_ns)) for row in stays
    )
    assert drawn == wanted, f"stays: {list((drawn - wanted) or (wanted - drawn))[:3]}"
    ends = {(event.track["name"][0], event.begin_ns): event.end_ns for event in in_category(timeline, "lifecycle")}
    for row in stays:
        assert row["end_ns"] in ("", str(ends[(row["node"] or "?") + " lifecycle", max(int(row["start_ns"]), begin_ns)])), row
    return sum(drawn.values())


def main():
    timeline, tables, begin_ns = run(sys.argv[1], sys.argv[2])
    executions = check_executions(timeline, tables)
    check_threads(timeline, tables)
    messages = check_messages(timeline, tables)
    insides = check_insides(timeline)
    queues = check_queues(timeline, tables)
    check_rates(timeline)
    check_memory(timeline, tables)
    paths = check_paths(timeline, tables)
    stays = check_lifecycle(timeline, tables, begin_ns)
    print(f"{executions} executions, {messages} messages, {insides} publications in callbacks, {paths} paths, {stays} stays, {queues} lengths of queues")


if __name__ == "__main__":
    main()
