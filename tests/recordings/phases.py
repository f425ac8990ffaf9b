# SPDX-License-Identifier: MIT
"""When the callbacks of a process were recorded at all, from the plain text of the trace."""

import collections
import re
import subprocess

from report import source_arguments

PAUSE_NS = 1000000000
LINE = re.compile(r"\[(\d+)\].*? ros2:callback_(?:start|end): .*?vpid = (\d+)")


def recorded(recording):
    """vpid: list of (first, last) event of a callback, in time of the trace's clock; a pause of a second ends a phase."""
    command = ["babeltrace2", "--clock-cycles", "--no-delta"] + source_arguments(recording)
    phases = collections.defaultdict(list)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        for line in process.stdout:
            match = LINE.search(line)
            if not match:
                continue
            time_ns, of_vpid = int(match.group(1)), phases[int(match.group(2))]
            if of_vpid and time_ns - of_vpid[-1][1] < PAUSE_NS:
                of_vpid[-1] = (of_vpid[-1][0], time_ns)
            else:
                of_vpid.append((time_ns, time_ns))
    return phases


def is_recorded(phases, logged):
    return any(first < logged.start_ns and logged.end_ns < last for first, last in phases.get(logged.vpid, ()))
