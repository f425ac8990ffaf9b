#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The database of a recording holds the numbers of the CSV files, is sound, and its views give what the tables say.

usage: check_sqlite.py COMMAND RECORDING
"""

import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

import report

VIEWS = pathlib.Path(__file__).resolve().parents[2] / "core/output/sqlite/sqlite_views.sql"


def is_same(text, value):
    """A cell of CSV and of the database."""
    if value is None:
        return text == ""
    if isinstance(value, float):
        return text != "" and abs(float(text) - value) <= 0.0005 + abs(value) * 1e-12
    if isinstance(value, int):
        return text != "" and float(text) == value if "." in text else text == str(value)
    return text == value


def stored_tables(database):
    return {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def check_tables(tables, database):
    names = {name[:-4] for name in tables.files if name.endswith(".csv")}
    stored = stored_tables(database)
    packed = {name for name in names if name + "_stored" in stored}
    assert stored == names - packed | {name + "_stored" for name in packed} | {"trace"}, f"tables {stored}"
    for name in sorted(names):
        rows = tables.rows(name)
        cursor = database.execute(f'SELECT * FROM "{name}"')
        columns = [column[0] for column in cursor.description]
        header = tables.files[name + ".csv"].decode().split("\n", 1)[0].split(",")
        assert columns == header, f"columns of {name}"
        stored_rows = cursor.fetchall()
        keys = [column for _, column, _, _, _, key in database.execute(f'PRAGMA table_info("{name}")') if key]
        assert keys in ([], columns[:1]), f"keys of {name}: {keys}"
        assert len(stored_rows) == len(rows), f"{len(stored_rows)} rows of {name}, {len(rows)} in CSV"
        for row, stored_row in zip(rows, stored_rows):
            for column, value in zip(columns, stored_row):
                assert is_same(row[column], value), f"{name}.{column} is {value!r}, {row[column]!r} in CSV"
    check_packed(database, packed)
    return len(names)


def check_packed(database, packed):
    """Times of instances are stored as differences, in few bytes, and only lookups of a question have an index."""
    assert {"callback_instances", "communication_instances", "path_instances", "path_hop_instances"} <= packed, packed
    duration, = database.execute("SELECT end_ns - begin_ns FROM trace").fetchone()
    for name in packed:
        columns = [column for _, column, kind, *_ in database.execute(f'PRAGMA table_info("{name}_stored")') if kind == "INTEGER" and column.endswith("_ns")]
        for column in columns:
            largest, = database.execute(f'SELECT max(abs("{column}")) FROM "{name}_stored"').fetchone()
            assert (largest or 0) <= 2 * duration, f"{name}_stored.{column} is up to {largest} ns in a recording of {duration} ns"
        for _, index, *_ in database.execute(f'PRAGMA index_list("{name}_stored")').fetchall():
            first = database.execute(f'PRAGMA index_info("{index}")').fetchone()[2]
            assert first.endswith("_id"), f"the index {index} begins with {first}"


def check_types(database):
    """Each column has the type of its values, which tools such as DuckDB rely on; REAL is what SQLite makes of larger integers."""
    fitting = {"INT": "integer", "INTEGER": "integer", "REAL": "real", "TEXT": "text"}
    for table in sorted(stored_tables(database)):
        for _, column, kind, *_ in database.execute(f'PRAGMA table_info("{table}")').fetchall():
            assert kind in fitting, f"{table}.{column} has the type {kind!r}"
            wrong = database.execute(f'SELECT "{column}" FROM "{table}" WHERE typeof("{column}") NOT IN (?, \'null\') '
                                     f'AND NOT (? = \'integer\' AND typeof("{column}") = \'real\' AND "{column}" >= 9223372036854775808.0)',
                                     (fitting[kind], fitting[kind])).fetchone()
            assert not wrong, f"{table}.{column}: {wrong[0]!r} is not {kind}"


def check_keys(database):
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert not database.execute("PRAGMA foreign_key_check").fetchall(), "a row refers to none"
    keys = [name for name, sql in database.execute("SELECT name, sql FROM sqlite_master") if sql and "PRIMARY KEY" in sql]
    assert {"callbacks", "communications", "paths"} <= set(keys), f"keys of {keys}"
    plan = str(database.execute("EXPLAIN QUERY PLAN SELECT * FROM callback_instances WHERE callback_id = 1 AND start_ns > 5").fetchall())
    assert "USING INDEX" in plan, plan


def node_of(callback):
    return callback["node"] or f"[{callback['procname']}]"


def overlap(tables):
    """What ran on the thread of each message while it waited, computed the long way."""
    callbacks = tables.callbacks()
    communications = {row["communication_id"]: row for row in tables.rows("communications")}
    executions = [
        (callbacks[row["callback_id"]], row["vtid"], int(row["start_ns"]), int(row["end_ns"] or 0))
        for row in tables.rows("callback_instances")
        if row["start_ns"]
    ]
    by_start = {}
    for execution in executions:
        by_start.setdefault(execution[2], []).append(execution)
    count = total = 0
    for message in tables.rows("communication_instances"):
        if not message["callback_start_ns"]:
            continue
        pair = communications[message["communication_id"]]
        begin, start = int(message["publish_ns"]), int(message["callback_start_ns"])
        for handler in by_start.get(start, ()):
            if node_of(handler[0]) != pair["subscription_node"] or handler[0]["vpid"] != pair["subscription_vpid"]:
                continue
            for callback, vtid, since, until in executions:
                if vtid == handler[1] and vtid and callback["vpid"] == handler[0]["vpid"] and since < start and until > begin:
                    count += 1
                    total += min(until, start) - max(since, begin)
    return count, total


def check_nodes(tables, database):
    """Nodes of one name in several processes are several, as in the tables of CSV, and so are processes without nodes."""
    busiest = {(hostname, vpid, node): busy_ns for hostname, vpid, node, busy_ns in
               database.execute("SELECT ifnull(hostname, ''), ifnull(vpid, ''), node, busy_ns FROM busiest_nodes WHERE busy_ns IS NOT NULL")}
    used, callbacks, topics = {}, {}, {}
    for row in tables.rows("usage"):
        if row["scope"] == "node" and row["name"]:
            key = row["hostname"], int(row["vpid"]) if row["vpid"] else "", row["name"]
            used[key] = used.get(key, 0) + int(row["busy_ns"])
    for row in tables.rows("callbacks"):
        if row["duration_sum_ns"]:
            key = row["hostname"], int(row["vpid"]) if row["vpid"] else "", node_of(row)
            callbacks[key] = callbacks.get(key, 0) + int(row["duration_sum_ns"])
    assert busiest == callbacks, f"busiest_nodes {busiest}, callbacks {callbacks}"
    wrong = {key: (busiest.get(key), busy_ns) for key, busy_ns in used.items() if busiest.get(key, 0) != busy_ns}
    assert not wrong, f"busiest_nodes and usage differ: {wrong}"
    names = {(row["hostname"], int(row["vpid"]), node_of(row)) for row in tables.rows("callbacks") if row["vpid"]}
    lost_names = [row for row in database.execute("SELECT subscription_hostname, subscription_vpid, subscription_node FROM node_graph")
                  if row[1] is not None and row not in names]
    assert not lost_names, f"node_graph: {lost_names} are in no row of callbacks"
    wrong = database.execute("SELECT * FROM handled_messages WHERE publisher_node IS NULL OR subscription_node IS NULL").fetchone()
    assert not wrong, f"a message from or to nobody: {wrong}"
    for row in tables.rows("communications"):
        ends = topics.setdefault(row["topic"] or None, (set(), set()))
        for end, side in zip(ends, ("publisher", "subscription")):
            if any(row[f"{side}_{name}"] for name in ("hostname", "vpid", "node")):
                end.add(tuple(row[f"{side}_{name}"] for name in ("hostname", "vpid", "node")))
    told = {topic: counts for topic, *counts in database.execute("SELECT topic, publishers, subscriptions FROM topics")}
    assert told == {topic: [len(end) for end in ends] for topic, ends in topics.items()}, f"topics {told}, {topics}"


def check_views(tables, database):
    wanted = set(re.findall(r"^CREATE VIEW (\w+)", VIEWS.read_text(), re.M))
    views = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'view'")}
    views = {view for view in views if view + "_stored" not in stored_tables(database)}
    assert views == wanted, f"views {wanted ^ views} are left out or more"
    for view in sorted(views):
        database.execute(f"SELECT * FROM {view}").fetchall()
    one = lambda query: database.execute(query).fetchone()
    assert one("SELECT max(duration_ns) FROM longest_executions WHERE rank = 1") == one("SELECT max(duration_max_ns) FROM callbacks")
    assert one("SELECT max(latency_ns) FROM slowest_traversals WHERE rank = 1") == one("SELECT max(latency_max_ns) FROM paths")
    assert one("SELECT sum(count) FROM path_latency_per_minute") == one("SELECT nullif(sum(count), 0) FROM paths")
    assert one("SELECT count(*) FROM losses") == one("SELECT sum(lost) FROM communications") or one("SELECT count(*) FROM communications") == (0,)
    # from a message to the one execution that handled it: callback_id and start name an execution
    handled = "SELECT communication_id, publish_ns, callback_start_ns FROM handled_messages"
    repeated = one(f"SELECT *, count(*) FROM ({handled}) GROUP BY 1, 2, 3 HAVING count(*) > 1 LIMIT 1")
    assert not repeated, f"a message with several executions: {repeated}"
    lacking = one(f"""SELECT communication_id, publish_ns, callback_start_ns FROM communication_instances
                      WHERE callback_start_ns IN (SELECT start_ns FROM callback_instances WHERE end_ns IS NOT NULL) EXCEPT {handled}""")
    assert not lacking, f"a message without its execution: {lacking}"
    check_nodes(tables, database)
    assert one("SELECT sum(executions) FROM busiest_nodes") == one("SELECT sum(count) FROM callbacks")
    assert one("SELECT sum(received) FROM topics") == one("SELECT sum(received) FROM node_graph") or one("SELECT count(*) FROM node_graph") == (0,)
    if len(tables.rows("callback_instances")) < 1500:
        found = one("SELECT count(*), ifnull(sum(running_ns), 0) FROM executions_while_waiting")
        assert found == overlap(tables), f"executions while waiting: {found}, {overlap(tables)} expected"
    # the hops of a traversal add up to its latency, where no message was kept
    for path_id, instance, latency in database.execute("SELECT path_id, instance, latency_ns FROM slowest_traversals WHERE rank = 1").fetchall():
        hops = database.execute("SELECT publish_ns, callback_start_ns, callback_ns FROM traversal_hops WHERE path_id = ? AND instance = ? ORDER BY hop", (path_id, instance)).fetchall()
        first = hops[0][1] if hops[0][1] is not None else hops[1][0]
        assert hops[-1][1] + (hops[-1][2] or 0) - first == latency, f"traversal {instance} of path {path_id}"


def main():
    command, recording = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        trace = report.source_arguments(recording)
        tables = report.of(command, recording, "--instances")
        path = os.path.join(folder, "report.sqlite")
        subprocess.run([command, "--format=sqlite", "--output=" + folder] + trace, check=True)
        with open(path, "rb") as first, open(os.path.join(folder, "second"), "w+b") as second:
            subprocess.run([command, "--format=sqlite"] + trace, check=True, stdout=second)
            second.seek(0)
            assert first.read() == second.read(), "two runs give the same bytes"
        database = sqlite3.connect(path)
        count = check_tables(tables, database)
        check_types(database)
        check_keys(database)
        check_views(tables, database)
        database.close()
    print(f"{count} tables")


if __name__ == "__main__":
    main()
