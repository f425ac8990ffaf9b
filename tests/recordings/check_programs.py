#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every callback that the programs logged has its row and its execution, which lasts as long as the log says.

usage: check_programs.py PLUGINS RECORDING all|recorded|unnamed
  all       every logged callback
  recorded  those in between the first and the last event of a phase in which its process was recorded
  unnamed   the same, for recordings without initialization events
"""

import sys

import phases
import programs
import report


def main():
    plugins, recording, mode = sys.argv[1:]
    executions = report.run(plugins, recording).executions()
    logged = programs.read(recording)
    if mode != "all":
        of_processes = phases.recorded(recording)
        logged = [one for one in logged if phases.is_recorded(of_processes, one)]
    matches = programs.Matches(executions, logged, report.clock_offset_ns(recording), mode != "unnamed")
    complaints = ["no execution: %s" % one for one in matches.missing[:5]]
    complaints += matches.check()
    if not matches.pairs:
        complaints.append("nothing to compare")
    user_executions = [
        execution for execution in executions
        if mode == "unnamed" or any(one.is_of(execution.callback) for one in logged[:500])
    ]
    if len(user_executions) - len(matches.pairs) > len(executions) * 0.01 + 3:
        complaints.append("%d executions, %d of them logged" % (len(user_executions), len(matches.pairs)))
    print("%s: %d executions, %d logged callbacks, %d met" % (recording, len(executions), len(logged), len(matches.pairs)))
    report.finish(complaints)


main()
