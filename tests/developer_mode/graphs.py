#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: graphs.py [--jobs=N] [--list] PLUGIN_DIRECTORY DIRECTORY…

Runs the filters and the sink in many graphs with the `babeltrace2` in the path, which should be one in developer mode: graphs by
the recordings below the DIRECTORYs, which need not exist. Prints each graph that fails with the commands that repeat it.
--list prints the commands of all graphs instead.
"""
import argparse
import concurrent.futures
import itertools
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

FILTERS = 'dedup', 'init-timestamp', 'flow', 'normalize'
MODES = 'init-timestamp:mode="window"', 'flow:mode="events"', 'normalize:mode="window"', 'normalize:intra-process="as-inter-process"'
# Of so many recordings, spread over all: what costs much, and what does not depend on the recording.
RECORDINGS_OF_PAIRS, RECORDINGS_OF_ORDERS, RECORDINGS_OF_TRIMMERS, RECORDINGS_OF_SEEKS = 4, 2, 4, 4
RECORDINGS_MAX = 12
RECORDING_BYTES_MAX = 4_000_000
HERE = Path(__file__).parent
# What babeltrace2 2.0 and 2.1 print before they abort.
VIOLATION = re.compile(r'(Babeltrace 2 library (?:pre|post)condition not satisfied|Condition ID: .*|[^\n]*Assertion [^\n]* failed[^\n]*'
                       r'|[^\n]*is in the wrong state[^\n]*|[^\n]*not monotonic[^\n]*|Error is:[^\n]*\n[^\n]*)')


def component(filter_text):
    name, _, params = filter_text.partition(':')
    return ['-c', f'filter.ros2.{name}'] + ([f'--params={params}'] if params else [])


def components(*filters):
    return [word for filter_text in filters for word in component(filter_text)]


class Graphs:
    """A graph is a list of commands, run one after another in an empty directory of its own."""

    def __init__(self, plugins):
        self.plugins = plugins
        self.graphs = []

    def babeltrace2(self, *words):
        return ['babeltrace2', '--plugin-path', self.plugins, *words]

    def add(self, *commands):
        self.graphs.append([list(map(str, command)) for command in commands])

    def convert(self, trace, *words):
        self.add(self.babeltrace2(trace, *words))

    def add_filters_and_outputs(self, trace):
        for name in FILTERS:
            filters = components(name)
            self.convert(trace, *filters, '-c', 'sink.utils.dummy')
            self.convert(trace, *filters, '-c', 'sink.text.details')
            self.convert(trace, *filters, '-c', 'sink.text.pretty')
            self.add(self.babeltrace2(trace, *filters, '-c', 'sink.ctf.fs', '--params=path="written",quiet=yes'),
                     self.babeltrace2('written', '-c', 'sink.utils.dummy'))
        for mode in MODES:
            self.convert(trace, *components(mode), '-c', 'sink.utils.dummy')

    def add_sink(self, trace):
        for params in ('', 'format="json",instances=yes', 'format="csv",output="report"'):
            self.convert(trace, '-c', 'sink.ros2.latency', *([f'--params={params}'] if params else []))
        self.convert(trace, *components(*FILTERS), '-c', 'sink.ros2.latency')
        self.convert(trace, *components(*FILTERS), '-c', 'sink.utils.counter')

    def add_pairs(self, trace):
        for one, other in itertools.product(FILTERS, repeat=2):
            self.convert(trace, *components(one, other), '-c', 'sink.text.details')

    def add_orders(self, trace):
        for order in itertools.permutations(FILTERS):
            self.convert(trace, *components(*order), '-c', 'sink.ros2.latency')

    def add_trimmers(self, trace, begin, end):
        behind_all = str(int(float(end)) + 100)
        for name in FILTERS:
            for limits in (f'begin="{begin}"', f'end="{end}"', f'begin="{begin}",end="{end}"', f'begin="{behind_all}"'):
                trimmer = ['-c', 'filter.utils.trimmer', f'--params={limits}']
                self.convert(trace, *components(name), *trimmer, '-c', 'sink.utils.dummy')
            self.convert(trace, f'--begin={begin}', f'--end={end}', *components(name), '-c', 'sink.text.details')

    def add_seeks(self, trace):
        for filters in (*FILTERS, ','.join(FILTERS)):
            self.add([sys.executable, '-B', HERE / 'seek.py', self.plugins, filters, one_trace(trace)])

    def add_ports(self, traces):
        """A muxer and a filter for each trace, and the sink with a port for each."""
        for name in FILTERS:
            words = ['-c', 'sink:sink.ros2.latency']
            connections = []
            for number, trace in enumerate(traces):
                words += ['-c', f'source{number}:source.ctf.fs', f'--params=inputs=["{one_trace(trace)}"]',
                          '-c', f'muxer{number}:filter.utils.muxer', '-c', f'filter{number}:filter.ros2.{name}']
                connections += [f'--connect=source{number}:muxer{number}', f'--connect=muxer{number}:filter{number}',
                                f'--connect=filter{number}:sink']
            self.add(self.babeltrace2('run', *words, *connections))


def one_trace(recording):
    """The directory of a metadata file."""
    return next(path.parent for path in sorted(Path(recording).rglob('metadata')))


def size_of(recording):
    return sum(path.stat().st_size for path in Path(recording).rglob('*') if path.is_file())


def recordings(directories):
    for directory in directories:
        for path, folders, files in os.walk(directory):
            folders.sort()
            if 'metadata' in files or 'ust' in folders or 'trace' in folders:
                yield Path(path, 'trace').resolve() if 'trace' in folders else Path(path).resolve()
                folders.clear()


def is_read(trace):
    return subprocess.run(['babeltrace2', trace, '-c', 'sink.utils.dummy'], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def spread(rows, count):
    """So many of the rows, from the first to the last."""
    return rows if len(rows) <= count else [rows[i * (len(rows) - 1) // (count - 1)] for i in range(count)]


def times(trace):
    """The times at a third and at two thirds of the events, in seconds since the Unix epoch."""
    lines = subprocess.run(['babeltrace2', trace, '--clock-seconds', '--no-delta'], stdout=subprocess.PIPE, check=True,
                           encoding='utf-8', errors='replace').stdout.splitlines()
    return [re.match(r'\[(\d+\.\d+)\]', lines[len(lines) * third // 3]).group(1) for third in (1, 2)]


def make_graphs(plugins, traces):
    graphs = Graphs(plugins)
    for trace in traces:
        graphs.add_filters_and_outputs(trace)
        graphs.add_sink(trace)
    for trace in spread(traces, RECORDINGS_OF_PAIRS):
        graphs.add_pairs(trace)
    for trace in spread(traces, RECORDINGS_OF_ORDERS):
        graphs.add_orders(trace)
    for trace in spread(traces, RECORDINGS_OF_TRIMMERS):
        graphs.add_trimmers(trace, *times(trace))
    for trace in spread(traces, RECORDINGS_OF_SEEKS):
        graphs.add_seeks(trace)
    graphs.add_ports(spread(traces, 3))
    return graphs.graphs


def run(graph):
    """None, or what went wrong."""
    with tempfile.TemporaryDirectory(prefix='ros2bt-graph-') as directory:
        for command in graph:
            result = subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
            if result.returncode:
                text = result.stderr.decode(errors='replace')
                causes = VIOLATION.findall(text) or text.splitlines()[-4:]
                how = signal.Signals(-result.returncode).name if result.returncode < 0 else f'exit {result.returncode}'
                return f'{how}: ' + '\n  '.join(causes[:6])
    return None


def check_developer_mode(plugins, trace):
    """A rule that is broken on purpose must be noticed."""
    broken = run([[sys.executable, '-B', str(HERE / 'seek.py'), plugins, 'past-the-end', str(one_trace(trace))]])
    if not broken or not broken.startswith('SIGABRT'):
        sys.exit(f'not in developer mode: this babeltrace2 does not notice an iterator used past its end: {broken}')


def choose_recordings(directories):
    small = [trace for trace in recordings(directories) if size_of(trace) <= RECORDING_BYTES_MAX]
    readable = [trace for trace in small if is_read(trace)]
    print(f'{len(small) - len(readable)} of {len(small)} recordings left out: this babeltrace2 does not read them', flush=True)
    return spread(readable, RECORDINGS_MAX)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--list', action='store_true')
    parser.add_argument('plugins', type=os.path.realpath)
    parser.add_argument('directories', nargs='+')
    options = parser.parse_args()
    traces = choose_recordings(options.directories)
    if not traces:
        sys.exit('no recordings')
    graphs = make_graphs(options.plugins, traces)
    if options.list:
        for graph in graphs:
            print(' && '.join(map(shlex.join, graph)))
        return
    check_developer_mode(options.plugins, traces[0])
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for graph, what in zip(graphs, pool.map(run, graphs)):
            if what:
                failures += 1
                print(f'FAILED: {" && ".join(map(shlex.join, graph))}\n  {what}', flush=True)
    print(f'{len(graphs)} graphs of {len(traces)} recordings, {failures} failed')
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
