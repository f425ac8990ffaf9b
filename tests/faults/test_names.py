#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names with everything that CSV, JSON and terminals find special: files stay valid and names whole."""
import csv
import io
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import unittest

from faults import READERS, STATUS_OF_NOTHING, FaultsTest, Result, command_line
from ros_trace import CHATTER, HEARD, LISTENER, MESSAGE, OFFSET_NS, TALKER, TICK, RosTrace, conversation, definitions

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "recordings"))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import dot_graph  # pylint: disable=wrong-import-position
import perfetto_trace  # pylint: disable=wrong-import-position
import prometheus_text  # pylint: disable=wrong-import-position

# name → how the report shows it
NAMES = {
    'quote"comma,semicolon;': 'quote"comma,semicolon;',
    "line\nbreak\r\nand\ttab": "line\nbreak\r\nand\ttab",
    "back\\slash / and 'apostrophe'": "back\\slash / and 'apostrophe'",
    "control\x01\x1b[31mred\x7f": "control\x01\x1b[31mred\x7f",
    "=1+1": "=1+1",
    "Ünïcödé 日本 🤖": "Ünïcödé 日本 🤖",
    "line\u2028separator\u0085": "line\u2028separator\u0085",
    "cut \udce6\udc97 short": "cut \ufffd\ufffd short",        # bytes that are not UTF-8, as surrogates
    "overlong \udcc0\udcaf": "overlong \ufffd\ufffd",
    "surrogate \udced\udca0\udc80": "surrogate \ufffd\ufffd\ufffd",
    "": "",
}
TEXTS_OF_TABLES = {"callbacks": ["node", "source", "symbol", "procname", "hostname"], "communications": ["topic"],
                   "paths": ["path"], "diagnostics": ["detail"]}


def trace_with(name):
    """The name is that of a node, a topic, a callback and a process."""
    talker, listener = TALKER._replace(procname=name), LISTENER._replace(procname=name)
    trace = RosTrace()
    events = [*trace.node(10, talker, 0x100, name), *trace.publisher(20, talker, 0x100, CHATTER, name),
              *trace.timer(30, talker, 0x100, TICK, symbol=name), *trace.node(40, listener, 0x200, name, name),
              *trace.subscription(50, listener, 0x200, HEARD, name, symbol=name)]
    stamp = OFFSET_NS + 110
    events += trace.execution(100, talker, TICK, 20, trace.publish(110, talker, CHATTER, MESSAGE, stamp))
    events += trace.take(140, listener, HEARD, MESSAGE, stamp)
    events += trace.execution(150, listener, HEARD, 30)
    events += [trace.start(300, talker, TICK)]
    return trace, [trace.packet(events, 0, 500)]


class Names(FaultsTest):
    def report(self, reader, path, status=0, **parameters):
        result = Result(reader, self.run_reader(reader, command_line(reader, [path], **parameters)))
        self.assertEqual(result.status, status, (reader, result.errors))
        return result.output

    def test_csv_keeps_every_name(self):
        for name, shown in NAMES.items():
            trace, packets = trace_with(name)
            path = self.write(trace, packets)
            for reader in READERS:
                result = self.read(reader, path)
                self.assertEqual(result.status, 0, (reader, result.errors))
                self.assert_no_wrong_pair(result, trace.executions)
                for file, content in result.files.items():
                    rows = list(csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True))
                    self.assertEqual({len(row) for row in rows}, {len(rows[0])}, f"{reader}: {file} with {name!r}")
                self.assertEqual({row["topic"] for row in result.table("communications")}, {shown})
                self.assertEqual({row["symbol"] for row in result.table("callbacks")}, {shown})

    def test_json_keeps_every_name(self):
        for name, shown in NAMES.items():
            path = self.write(*trace_with(name))
            for reader in READERS:
                report = json.loads(self.report(reader, path, format="json", instances=True).decode("utf-8"))
                self.assertEqual({row["topic"] for row in report["communications"]}, {shown})
                self.assertEqual({row["symbol"] for row in report["callbacks"]}, {shown})
                self.assertEqual(len(report["callback_instances"]), 3)

    def test_a_database_keeps_every_name(self):
        for name, shown in NAMES.items():
            path = self.write(*trace_with(name))
            database = self.database("fast", path)
            self.assertEqual(database.execute("SELECT DISTINCT topic FROM communications").fetchall(), [(shown,)])
            self.assertEqual(database.execute("SELECT DISTINCT symbol FROM callbacks").fetchall(), [(shown,)])

    def database(self, reader, path):
        output = os.path.join(self.folder, "report.sqlite")
        try:
            pathlib.Path(output).write_bytes(self.report(reader, path, format="sqlite"))
        except AssertionError as error:
            if "not part of this build" in str(error):
                self.skipTest("built without libsqlite3")
            raise
        return sqlite3.connect(output)

    def test_a_timeline_keeps_every_name(self):
        for name, shown in NAMES.items():
            path = self.write(*trace_with(name))
            timeline = perfetto_trace.Trace(self.report("fast", path, format="perfetto"))
            topics = {event.properties["topic"] for event in timeline.events if "topic" in event.properties}
            self.assertEqual(topics, {shown})
            self.assertTrue(any(event.name == f"{shown} > {event.properties.get('node')}" for event in timeline.events))

    def test_a_graph_keeps_to_its_form(self):
        for name in NAMES:
            path = self.write(*trace_with(name))
            data = self.report("fast", path, format="dot")
            graph = dot_graph.Graph(data)
            self.assertEqual((len(graph.edges), len(graph.vertices) in (2, 3)), (2, True), name)  # nodes may have one name
            dot_graph.lay_out(data)

    def test_metrics_keep_every_name(self):
        promtool = shutil.which("promtool")
        for name, shown in NAMES.items():
            path = self.write(*trace_with(name))
            for reader in READERS:
                data = self.report(reader, path, format="prometheus")
                labels = dict(next(iter(prometheus_text.read(data)["ros2_messages_received_total"].samples))[1])
                self.assertEqual((labels["topic"], labels["kind"]), (shown, "inter_process"))
            if promtool:
                done = subprocess.run([promtool, "check", "metrics"], input=data, capture_output=True, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""), name)

    def test_text_has_no_control_character_of_a_name(self):
        """A name neither breaks lines nor speaks to the terminal."""
        path = self.write(*trace_with("control\x01\x1b[31mred\x7f\u0085 line\nbreak\r\ttab"))
        plain = self.write(*trace_with("control??[31mred?? line?break??tab"))  # as wide, so that it wraps alike
        for reader in READERS:
            text = self.report(reader, path, format="text").decode("utf-8")
            self.assertFalse([character for character in text if character != "\n" and not character.isprintable()])
            lines = self.report(reader, plain, format="text").count(b"\n")
            self.assertEqual(text.count("\n"), lines)

    def test_hostnames_are_kept(self):
        """As LTTng escapes them in the metadata."""
        for name in 'quo"te,', "back\\slash", "new\nline", "ö":
            escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            trace = RosTrace(env={"hostname": f'"{escaped}"'})
            path = self.write(trace, conversation(trace, packets=1))
            for reader in READERS:
                result = self.read(reader, path)
                self.assertEqual({row["hostname"] for row in result.table("callbacks")}, {name}, result.reader)

    def test_link_rules_with_such_names_are_taken(self):
        trace = RosTrace()
        path = self.write(trace, [trace.packet(definitions(trace), 0, 100)])  # and no runtime event
        for reader in READERS:
            rule = '/no"de: /in,put -> /out: partial_sync'
            parameters = {"links": [rule]} if reader == "sink" else {"link": rule}
            report = json.loads(self.report(reader, path, STATUS_OF_NOTHING[reader], format="json", **parameters))
            self.assertEqual([row["detail"] for row in report["diagnostics"] if row["what"] == "link matches no node or topic"], [rule])


if __name__ == "__main__":
    unittest.main()
