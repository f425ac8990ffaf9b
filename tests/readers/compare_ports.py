#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: compare_ports.py GRAPH PLUGIN_DIRECTORY DIRECTORY…

Each directory and every recording below it is read twice by babeltrace2: through filter.utils.muxer, and with a port for
each stream by the command that ros2-latency-graph (GRAPH) prints. All messages must come in the same order.
"""
import os
import subprocess
import sys

from compare_readers import traces

SINK = '--component=sink.dump.messages'


def output(*command, **more):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **more)
    if result.returncode != 0:
        raise RuntimeError(f'{result.returncode}: {result.stderr.decode(errors="replace")[-500:]}')
    return result.stdout


def first_difference(muxed, merged):
    for number, (one, other) in enumerate(zip(muxed.splitlines(), merged.splitlines()), 1):
        if one != other:
            return f'line {number}:\n  muxer {one!r}\n  ports {other!r}'
    return f'{muxed.count(10)} and {merged.count(10)} messages'


def difference(babeltrace2, graph, trace):
    try:
        muxed = output(*babeltrace2, trace, SINK)
        merged = output('sh', input=output(graph, trace, SINK))
    except RuntimeError as error:
        return str(error)
    if not muxed:
        return 'no message'
    return None if muxed == merged else first_difference(muxed, merged)


def main():
    graph, plugins, directories = sys.argv[1], sys.argv[2], sys.argv[3:]
    babeltrace2 = ['babeltrace2', f'--plugin-path={plugins}']
    os.environ['BABELTRACE2'] = ' '.join(babeltrace2)
    problems = count = 0
    for directory in directories:
        for trace in traces(directory):
            problem = difference(babeltrace2, graph, trace)
            count += 1
            if problem:
                problems += 1
                print(f'{trace}: {problem}')
    print(f'{count} traces, {problems} differ')
    return 1 if problems or not count else 0


if __name__ == '__main__':
    sys.exit(main())
