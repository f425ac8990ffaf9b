# SPDX-License-Identifier: MIT
"""check_alike.py COMMAND TRACE...: no two rows of a table look the same.

In JSON, rows are compared by their names, hosts, processes and numbers, without ids; in text, of two widths, by what a
reader sees before the first figure. Rows of tables of detail belong to the row above them, and are not compared.
"""
import collections
import json
import os
import re
import subprocess
import sys

def run(command, trace, *options, width="120"):
    environment = dict(os.environ, COLUMNS=width, LC_ALL="C.UTF-8")
    result = subprocess.run([command, *options, trace], capture_output=True, text=True, env=environment, check=False)
    return result.stdout


def names_of(row, columns):
    return tuple(row.get(column) for column in columns)


IDENTITIES = {
    "callbacks": ("hostname", "vpid", "node", "kind", "source", "symbol", "which"),
    "communications": ("topic", "publisher_hostname", "publisher_vpid", "publisher_node", "publisher_which",
                       "subscription_hostname", "subscription_vpid", "subscription_node", "subscription_which", "kind"),
    "paths": ("path", "hostnames", "vpids", "begins", "which"),
    "services": ("service", "client_hostname", "client_vpid", "client_node", "client_which", "server_hostname",
                 "server_vpid", "server_node", "server_which"),
}


def check_columns(command, trace):
    """The columns of CSV and JSON suffice to tell rows apart, without ids."""
    report = json.loads(run(command, trace, "--format=json") or "{}")
    wrong = []
    for table, columns in IDENTITIES.items():
        counts = collections.Counter(names_of(row, columns) for row in report.get(table, []))
        wrong += [f"{table}: {count} rows {names}" for names, count in counts.items() if count > 1]
    return wrong


FIGURE = re.compile(r"^[*<]*-?\d")
FIGURES = (" count", " published", " sent", " calls", " executions", " rate ", " duration ", " lost")


def look_of(line, header):
    """The cells of a line under the labels before the first that is a figure's."""
    end = min((header.find(label) for label in FIGURES if header.find(label) > 0), default=len(line))
    return line[:end].rstrip()


def check_text(command, trace, width):
    """Under each header of labels of the text report, no two lines have the same names."""
    wrong = []
    text = run(command, trace, "--top=0", "--hidden", "--table=callbacks,communications,paths,services", width=width)
    group, header, seen = "", None, set()
    for line in text.split("\n"):
        if not line.startswith("  "):
            group = line
            if not line.startswith("/") and not line.startswith("["):
                header, seen = None, set()
        elif line.startswith("      ") or "─" in line or re.match(r" +\d+ (more|never|without)", line):
            continue
        elif header is None:
            header = line
        else:
            look = (group if header.startswith("  kind") else "", look_of(line, header))
            if look in seen and FIGURE.match(line[len(look[1]):].strip()):
                wrong.append(f"width {width}: {look}")
            seen.add(look)
    return wrong


def main(command, *traces):
    wrong = []
    for trace in traces:
        for problem in check_columns(command, trace) + check_text(command, trace, "160") + check_text(command, trace, "250"):
            wrong.append(f"{os.path.basename(trace)}: {problem}")
    print("\n".join(wrong) or f"{len(traces)} recordings: no two rows look the same")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
