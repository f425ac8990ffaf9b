#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_command.py ROS2_LATENCY PLUGIN_DIRECTORY SOURCE_DIRECTORY [DIRECTORY…]

ros2-latency: its options, and the same bytes as sink.ros2.latency from both readers for every recording below the directories.
"""
import collections
import csv
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / 'support'))
from terminal import Terminal  # noqa: E402

COMMAND, PLUGINS, SOURCE = sys.argv[1], sys.argv[2], Path(sys.argv[3])
FORMATS = {
    'text': ([], ''),
    'json': (['--format=json', '--instances', '--quantile=0.25', '--quantile', '0.75'],
             'format="json",instances=yes,quantiles=[0.25, 0.75]'),
    'csv': (['--format=csv', '--table=callbacks'], 'format="csv",tables=["callbacks"]'),
    'links': (['--table=paths,diagnostics', '--link=/a: /b -> /c: partial_sync', '--begin=1500000000.0', '--end=1900000000000000000'],
              'tables=["paths", "diagnostics"],links=["/a: /b -> /c: partial_sync"],begin="1500000000.0",end=1900000000000000000'),
}
failures = []


def run(*arguments, stderr=subprocess.PIPE, env=None):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=stderr, env=env, check=False)


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f'FAILED: {what}')


def recordings(directories):
    for directory in directories:
        for path, folders, files in os.walk(directory):
            folders.sort()
            if 'metadata' in files or 'ust' in folders or 'trace' in folders:
                yield path
                folders.clear()


def sink(trace, parameters):
    arguments = ['-c', 'sink.ros2.latency'] + (['--params', parameters] if parameters else [])
    return run('babeltrace2', '--plugin-path', PLUGINS, trace, *arguments)


def with_parameters(text):
    """The text of the command as the sink writes it: what it advises are parameters."""
    return text.replace(b': --hidden lists', b': hidden=yes lists').replace(b': --top=0 lists', b': top=0 lists')


def test_same_bytes_as_the_sink(traces):
    for trace in traces:
        for name, (options, parameters) in FORMATS.items():
            expected = sink(trace, parameters)
            expect(expected.returncode == 0, f'{trace}: the sink itself: {expected.stderr.decode()[-300:]}')
            for reader in 'fast', 'babeltrace2':
                got = run(COMMAND, f'--reader={reader}', *options, trace)
                expect(got.returncode == 0 and with_parameters(got.stdout) == expected.stdout and not got.stderr,
                       f'{trace}, {name}, {reader}: {got.returncode} {got.stderr.decode()} '
                       f'{len(got.stdout)} bytes, the sink {len(expected.stdout)}')


def test_files(trace):
    with tempfile.TemporaryDirectory() as folder:
        one, other = os.path.join(folder, 'one'), os.path.join(folder, 'other')
        expect(run(COMMAND, '--format', 'csv', '--output', one, '--instances', trace).returncode == 0, 'csv files')
        sink(trace, f'format="csv",output="{other}",instances=yes')
        expect(sorted(os.listdir(one)) == sorted(os.listdir(other)), 'the same files')
        for name in os.listdir(one):
            expect(Path(one, name).read_bytes() == Path(other, name).read_bytes(), f'{name} of both')


def test_output_that_fails(trace):
    with open('/dev/full', 'wb') as full:
        result = subprocess.run([COMMAND, trace], stdout=full, stderr=subprocess.PIPE, check=False)
    expect(result.returncode == 1 and b'No space' in result.stderr, f'full disk: {result}')
    reading, writing = os.pipe()
    os.close(reading)
    result = subprocess.run([COMMAND, trace], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    expect(result.returncode == 0 and not result.stderr, f'closed pipe: {result}')


def test_auto_falls_back(trace):
    """A trace that the fast reader does not know: metadata with a declaration that LTTng-UST never writes."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, 'trace')
        run('cp', '-rL', '--no-preserve=mode', trace, copy)
        for metadata in Path(copy).rglob('metadata'):
            text = run('babeltrace2', 'convert', '-o', 'ctf-metadata', str(metadata.parent)).stdout
            metadata.write_bytes(text + b'\ntypedef uint8_t octet_t;\n')
        fast = run(COMMAND, '--reader=fast', copy)
        expect(fast.returncode == 1 and not fast.stdout and b'cannot read this trace' in fast.stderr, f'fast refuses: {fast.stderr}')
        auto = run(COMMAND, copy)
        expect(auto.returncode == 0 and not auto.stderr and auto.stdout == run(COMMAND, trace).stdout, f'auto: {auto.stderr}')
        verbose = run(COMMAND, '--verbose', copy)
        expect(re.fullmatch(rb'ros2-latency: the fast reader cannot read this trace: [^\n]*\nros2-latency: reading with babeltrace2\n', verbose.stderr),
               f'verbose: {verbose.stderr}')


def test_usage():
    wrong = [[], ['--nonsense', '.'], ['--format=xml', '.'], ['--reader=magic', '.'], ['--quantile=2', '.'], ['--quantile=x', '.'],
             ['--begin=yesterday', '.'], ['--table=rows', '.'], ['--link=nonsense', '.'], ['--output'],
             ['--begin=99999999999999999999', '.'], ['--format=csv', '.'], ['--begin=-5', '.'], ['--begin=+5', '.'],
             ['--live=net://localhost/host/a/b', '.'], ['--live=net://localhost/host/a/b', '--each'],
             ['--live=net://localhost/host/a/b', '--clocks=align'], ['--period=1ms', '.'], ['--period=1s', '--instances', '.'],
             ['--begin=+6s', '--end=+5s', '.'], ['--table=', '.'], ['--quantile=', '.']]
    for arguments in wrong:
        result = run(COMMAND, *arguments)
        expect(result.returncode == 2 and not result.stdout and result.stderr, f'{arguments}: {result}')
        option = arguments[0].split('=')[0].encode() if arguments else b'TRACE'
        expect(arguments == ['--format=csv', '.'] or option in result.stderr, f'{option} is not named: {result}')
        expect(b'parameter' not in result.stderr, f'{arguments}: {result}')
    wrong_item = run(COMMAND, '--table=paths,rows', '.').stderr
    expect(wrong_item.startswith(b'ros2-latency: --table cannot be "rows": expected callbacks|'), f'{wrong_item}')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'nothing')
        missing = run(COMMAND, path)
        expect(missing.returncode == 1 and not missing.stdout and path.encode() in missing.stderr, f'missing: {missing}')
        other = os.path.join(folder, 'other')
        os.mkdir(other)
        for reader in 'fast', 'babeltrace2':
            empty = run(COMMAND, f'--reader={reader}', folder, other)
            expect(empty.returncode == 1 and f'no trace found in {folder}, {other}'.encode() in empty.stderr,
                   f'empty folders, {reader}: {empty}')
    expect(run(COMMAND, '--version').stdout.startswith(b'ros2-latency '), 'version')


def test_sessions_by_name(trace):
    with tempfile.TemporaryDirectory() as home:
        places = {'ROS_TRACE_DIR': os.path.join(home, 'traces'), 'ROS_HOME': os.path.join(home, 'ros', 'tracing'),
                  'HOME': os.path.join(home, '.ros', 'tracing')}
        for place in places.values():
            os.makedirs(place)
            os.symlink(os.path.realpath(trace), os.path.join(place, 'session-' + os.path.basename(os.path.dirname(place))))
        os.mkdir(os.path.join(home, 'session-empty'))
        os.mkdir(os.path.join(places['ROS_TRACE_DIR'], 'session-empty'))
        base = {'PATH': os.environ['PATH'], 'HOME': home}
        variables = {'ROS_TRACE_DIR': places['ROS_TRACE_DIR'], 'ROS_HOME': os.path.join(home, 'ros')}

        def status(name, given, *command):
            return subprocess.run([COMMAND, *command, name], cwd=home, env=base | given, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  check=False).returncode
        for variable, session in (('ROS_TRACE_DIR', 'session-' + os.path.basename(home)), ('ROS_HOME', 'session-ros'), ('HOME', 'session-.ros')):
            given = {variable: variables[variable]} if variable in variables else {'ROS_TRACE_DIR': '', 'ROS_HOME': ''}
            expect(status(session, given) == 0, f'{session} by {variable}')
            expect(status(session, given, 'check', '--propose') == 0, f'check {session} by {variable}')
            expect(status('./' + session, given) == 1, f'a path is no name: {session}')
        expect(status('session-ros', variables) == 1, 'ROS_TRACE_DIR goes before ROS_HOME')
        for command in [], ['check', '--propose'], ['points', '--propose'], ['convert', '--output=other']:
            absent = subprocess.run([COMMAND, *command, 'session-absent'], cwd=home, env=base | variables, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, check=False)
            expect(absent.returncode == 1 and b'cannot open session-absent' in absent.stderr and
                   places['ROS_TRACE_DIR'].encode() in absent.stderr, f'where sessions were looked for: {absent}')
        expect(status('session-empty', variables) == 1, 'what is in the current directory goes before a session')


def test_misspelt_names():
    """The message names the fault and the nearest name; the status is that of a wrong command line."""
    for arguments, expected in (
            (['--tabel=paths', '.'], 'unknown option --tabel; did you mean --table?'),
            (['--xyzzyxyzzy', '.'], 'unknown option --xyzzyxyzzy'),
            (['--re=fast', '--in', '.', '--top'], '--top requires a value'),
            (['--hi', '.'], '--hi is ambiguous: --histograms, --hidden'),
            (['--hidden=yes', '.'], '--hidden takes no value'),
            (['-x', '.'], 'unknown option -x'),
            (['--table=pahts', '.'], '--table cannot be "pahts" (did you mean "paths"?): expected callbacks|'),
            (['--format=jsn', '.'], '--format cannot be "jsn" (did you mean "json"?): expected text|'),
            (['--reader=quick', '.'], '--reader cannot be "quick": expected auto|fast|babeltrace2'),
            (['--reader=fats', '.'], '--reader cannot be "fats" (did you mean "fast"?): expected auto|fast|babeltrace2')):
        got = run(COMMAND, *arguments)
        lines = got.stderr.decode().splitlines()
        expect(got.returncode == 2 and not got.stdout and len(lines) == 2 and lines[0].startswith(f'ros2-latency: {expected}') and
               lines[1] == "Try 'ros2-latency --help'.", f'{arguments}: {got}')
    for arguments, expected in (
            (['chek', 'budgets.yaml', 'trace'], '"chek" is neither a trace nor a command; did you mean "check"?'),
            (['--table=paths', 'merge', 'report'], 'there is no trace "merge", and a command must be the first argument: ros2-latency merge ...')):
        got = run(COMMAND, *arguments)
        expect(got.returncode == 2 and got.stderr.decode().startswith(f'ros2-latency: {expected}\n'), f'{arguments}: {got}')
    got = run(COMMAND, 'check', '.', 'budgets.yaml')
    expect(got.returncode == 2 and got.stderr.startswith(b'ros2-latency check: . is a directory: expected the file of budgets first'),
           f'swapped: {got}')
    got = run(COMMAND, 'compare', '--of=path', '.', '--', '.').stderr.decode()
    expect(got.startswith('ros2-latency compare: --of cannot be "path" (did you mean "paths"?): expected callbacks|'), got)


def test_sort_by_no_column(trace):
    result = run(COMMAND, '--sort=nothing', trace)
    expect(result.returncode != 0 and not result.stdout and result.stderr.startswith(
        b'ros2-latency: --sort cannot be "nothing": expected the name of a column'), f'sort: {result}')
    for wrong, meant in ('p99', 'duration_p99'), ('duration_p98', 'duration_p99'), ('cuont', 'count'):
        result = run(COMMAND, f'--sort={wrong}', '--table=callbacks', '--quantile=0.25,0.99', trace)
        lines = result.stderr.decode().splitlines()
        expect(lines[0] == f'ros2-latency: --sort cannot be "{wrong}" (did you mean "{meant}"?): '
               'expected the name of a column, as in CSV, of a table of the report:', f'sort: {lines}')
        expect(lines[1].startswith('  callbacks: callback_id, hostname,') and ', count, incomplete, duration_*, period_*,' in lines[1] and
               lines[2] == '  *: sum, min, mean, stddev, p25, p99, max, max_at' and len(lines) == 4, f'columns: {lines}')


def test_ranges(trace):
    """Of tests/data/jazzy/pubsub: 13.0 s, a message each 50 ms."""
    def counts(*options):
        result = run(COMMAND, '--format=csv', '--table=communications', *options, trace)
        expect(result.returncode == 0 and not result.stderr, f'{options}: {result}')
        return result.stdout

    for reader in 'fast', 'babeltrace2':
        last = counts(f'--reader={reader}', '--begin=-5s')
        # the recording lasts 13.01386852 s
        expect(last == counts(f'--reader={reader}', '--begin=+8.01386852s'), f'{reader}: the last five seconds')
        expect(last == counts(f'--reader={reader}', '--begin=2026-11-21 01:53:51.308186668 UTC'), f'{reader}: as a date')
    expect(b',59,59,0,' in last, 'the messages of the last five seconds')
    expect(run(COMMAND, '--begin=+2s', '--end=+5s', trace).stdout.splitlines()[0].endswith(
        b'  3.00 s from 2026-11-21 01:53:45 UTC, of 13.0 s recorded'), 'the headline names the range')
    expect(counts('--end=-5s') != last, 'all but the last five seconds')
    for options in (['--begin=+14s'], ['--end=01:53'], ['--begin=2027-01-01'], ['--begin=-20s', '--end=-14s']):
        result = run(COMMAND, *options, trace)
        expect(result.returncode == 3 and not result.stdout and
               b'from 2026-11-21 01:53:43.294318148 UTC to 2026-11-21 01:53:56.308186668 UTC' in result.stderr and
               len(result.stderr.splitlines()) == 1, f'{options} misses the trace: {result}')


def test_globs_that_match_nothing(trace):
    """Of tests/data/jazzy/pubsub: /talker, /listener. The report is the same, standard error says why it is empty, and so does the status."""
    for options, expected in (
            (['--node=talker'], ['--node: no node matches "talker"; did you mean "/talker"?']),
            (['--node=/nosuch*'], ['--node: no node matches "/nosuch*"; there are "/listener", "/talker"']),
            (['--topic=/chat'], ['--topic: no topic or service matches "/chat"; did you mean "/chatter"?']),
            (['--path=/x > *', '--table=paths'], ['--path: no path matches "/x > *"; there are "/listener > /parameter_events > /listener", ']),
            (['--node=/talker', '--node=/lisner'], ['--node: no node matches "/lisner"; did you mean "/listener"?']),
            (['--node=/talker', '--topic=!/nothing', '--path=*'], []),
            (['--node=/nosuch', '--each'], ['--node: no node matches "/nosuch"; there are "/listener", "/talker"'])):
        got = run(COMMAND, *options, trace)
        lines = [line for line in got.stderr.decode().splitlines() if ' matches ' in line]  # not that --each has no trends
        expect(got.returncode == (3 if expected else 0) and len(lines) == len(expected) and
               all(line.startswith(f'ros2-latency: {text}') for line, text in zip(lines, expected)), f'{options}: {got.returncode} {lines}')
    got = sink(trace, 'nodes=["talker"]')
    expect(got.returncode == 0 and b'parameter "nodes": no node matches "talker"; did you mean "/talker"?' in got.stderr and
           with_parameters(run(COMMAND, '--node=talker', trace).stdout) == got.stdout, f'the sink: {got.stderr}')


def test_named_paths_with_names_that_are_not_there(trace):
    """The report is written; standard error and the status tell that it lacks what was asked for."""
    got = run(COMMAND, '--named-path=e2e: /talker > /chater > /listener', '--table=named_paths', '--format=csv', trace)
    expect(got.returncode == 3 and b'the recording lacks a name of a named path' in got.stderr and
           b'/talker has no publisher of /chater (did you mean /chatter?)' in got.stdout, f'{got}')
    got = run(COMMAND, '--named-path=e2e: /talker > /chatter > /listener', '--table=named_paths', trace)
    expect(got.returncode == 0 and not got.stderr, f'{got}')


def test_numbers_that_are_no_times(trace):
    """A number that would be long before ROS is a mistake; as a date, or as a parameter of the sink, it is not."""
    for number, meaning in (('5', '1970-01-01 00:00:00.000000005 UTC (ns'), ('5.5', '1970-01-01 00:00:05.500000000 UTC (seconds'),
                            ('1795226026', '1970-01-01 00:00:01.795226026 UTC (ns')):
        for option in '--begin', '--end':
            got = run(COMMAND, f'{option}={number}', trace)
            expect(got.returncode == 2 and not got.stdout and got.stderr.decode().startswith(
                f'ros2-latency: {option} cannot be "{number}", which is {meaning} since the Unix epoch): expected +5s'), f'{option}: {got}')
    for time in '1970-01-01 00:00:05', '1795226026.0', '1795226026000000000':
        got = run(COMMAND, f'--begin={time}', trace)
        expect(got.returncode == 0 and not got.stderr, f'--begin={time}: {got.stderr}')
    expect(sink(trace, 'begin=5').returncode == 0, 'the sink takes any integer')


def test_ranges_without_ros_events(kernel):
    """A range counts from the first event then; two ranges that meet share the time of each thread."""
    def on_cpu(*options):
        result = run(COMMAND, '--format=csv', '--table=threads', *options, kernel)
        expect(result.returncode == 3 and b'no ROS 2 runtime events' in result.stderr, f'{options}: {result}')
        rows = csv.DictReader(io.StringIO(result.stdout.decode()))
        return collections.Counter({row['vtid']: int(row['on_cpu_ns']) for row in rows})

    for reader in 'fast', 'babeltrace2':
        whole = on_cpu(f'--reader={reader}')
        for moment in '+1s', '-50ms':
            before, after = on_cpu(f'--reader={reader}', f'--end={moment}'), on_cpu(f'--reader={reader}', f'--begin={moment}')
            expect(before and after and before + after == whole, f'{moment}, {reader}: {len(before)} and {len(after)} rows of {len(whole)}')
    late = run('babeltrace2', '--plugin-path', PLUGINS, kernel, '-c', 'sink.ros2.latency', '--params', 'begin="+1s"')
    expect(late.returncode != 0 and b'counts from the first ROS 2 runtime event' in late.stderr, f'the sink: {late}')


def test_nothing_to_report(trace):
    """A trace without ROS 2 events: no empty tables for people, and status 3."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, 'trace')
        run('cp', '-rL', '--no-preserve=mode', trace, copy)
        for stream in Path(copy).rglob('ros2_[0-9]'):
            stream.unlink()
        for reader in 'fast', 'babeltrace2':
            result = run(COMMAND, f'--reader={reader}', copy)
            expect(result.returncode == 3 and not result.stdout and b'no ROS 2 runtime events' in result.stderr and
                   len(result.stderr.splitlines()) == 1, f'{reader}: nothing to report: {result}')
            result = run(COMMAND, f'--reader={reader}', '--table=diagnostics', copy)
            expect(result.returncode == 3 and b'no ROS 2 events' in result.stdout, f'{reader}: the table chosen: {result}')


def help_of(*command):
    return run(COMMAND, *command, '--help').stdout.decode()


def test_help():
    """Sentences in lines of at most 80 characters, after what is written by hand."""
    for command in [], ['check'], ['compare'], ['convert'], ['merge'], ['points'], ['architecture']:
        text = help_of(*command).split('Options:\n')[1].split('\n\n')[0]
        for option in re.split(r'^  -', text, flags=re.M)[1:]:
            sentences = re.sub(r'^ {10}.*\n', '', option.partition('\n')[2], flags=re.M).strip()
            expect(re.match(r"[A-Z].*[.:]\Z", sentences, re.S), f'{command}: sentences: {option}')
        expect(max(map(len, text.splitlines())) <= 80, f'{command}: lines of at most 80 characters')
    tables = re.search(r'^  --table=TABLE\n.*?^  --', help_of(), re.M | re.S).group()
    expect(re.findall(r'^ {10}([a-z_]+)  ', tables, re.M) == allowed_tables(), f'a line for each table: {tables}')
    expect('Default: all except timeline.' in tables, 'the default of --table')
    expect('ros2-latency only' not in help_of(), 'its own help excludes nothing')


def test_brief_help():
    """-h fits a screen, and names only options that --help explains."""
    for command in [], ['check'], ['compare'], ['convert'], ['merge'], ['points'], ['architecture'], ['record']:
        brief = run(COMMAND, *command, '-h')
        text = brief.stdout.decode()
        expect(brief.returncode == 0 and len(text.splitlines()) <= 30, f'{command}: -h fits a screen: {text}')
        expect(max(map(len, text.splitlines())) <= 120, f'{command}: -h: lines fit a terminal')
        named, explained = (set(re.findall(r'--[a-z-]+', of)) for of in (text, help_of(*command)))
        expect('--help' in named and named <= explained, f'{command}: -h: {named - explained}')
        expect(text != help_of(*command), f'{command}: --help is longer')
    text = run(COMMAND, '-h').stdout.decode()
    names = re.findall(r'^  ([a-z]+)$', help_of().split('Options:')[0], re.M)
    expect(all(re.search(rf'\b{name}\b', text) for name in names), f'-h names the commands: {text}')
    expect(run(COMMAND, '-h', '--no-such-option').returncode == 0, '-h ends reading')


def allowed_tables():
    return re.search(r'expected (.*)', run(COMMAND, '--table=?', '.').stderr.decode()).group(1).split('|')


def test_progress_on_a_terminal(directory):
    """The report is that of a pipe; whatever line showed the progress is cleared."""
    for reader in 'fast', 'babeltrace2':
        expected = run(COMMAND, f'--reader={reader}', directory)
        terminal = Terminal()
        got = run(COMMAND, f'--reader={reader}', directory, stderr=terminal.descriptor, env=dict(os.environ, TERM='xterm'))
        shown = terminal.close()
        expect(got.returncode == expected.returncode and got.stdout == expected.stdout,
               f'{reader}: another report beside a terminal')
        expect(b'MB/s' not in shown.rpartition(b'\r\x1b[K')[2], f'{reader}: the line of the progress stays: {shown!r}')


def test_whole_numbers(trace):
    got, all_rows = run(COMMAND, '--top=1', trace), run(COMMAND, '--top=0', trace)
    expect(got.returncode == 0 and got.stdout.count(b'\n') <= all_rows.stdout.count(b'\n'), '--top=1 gives more than --top=0')
    for wrong in 'x', '1.5', '', '99999999999999999999':
        got = run(COMMAND, f'--top={wrong}', trace)
        expect(got.returncode == 2 and b'--top' in got.stderr, f'--top={wrong}: {got.returncode} {got.stderr.decode()}')


def main():
    traces = list(recordings(sys.argv[4:]))
    test_usage()
    test_misspelt_names()
    test_help()
    test_brief_help()
    if traces:
        test_sessions_by_name(str(SOURCE / 'tests/data/jazzy/pubsub/trace'))
        test_ranges(str(SOURCE / 'tests/data/jazzy/pubsub/trace'))
        test_globs_that_match_nothing(str(SOURCE / 'tests/data/jazzy/pubsub/trace'))
        test_named_paths_with_names_that_are_not_there(str(SOURCE / 'tests/data/jazzy/pubsub/trace'))
        test_numbers_that_are_no_times(str(SOURCE / 'tests/data/jazzy/pubsub/trace'))
        test_nothing_to_report(str(SOURCE / 'tests/data/jazzy/pubsub/trace'))
        test_ranges_without_ros_events(str(SOURCE / 'tests/data/jazzy/starved/trace/kernel'))
        test_sort_by_no_column(traces[0])
        test_files(traces[0])
        test_auto_falls_back(traces[0])
        test_output_that_fails(traces[0])
        test_whole_numbers(traces[0])
        test_progress_on_a_terminal(str(SOURCE / 'tests/data'))
        test_same_bytes_as_the_sink(traces)
    print(f'{len(traces)} recordings, {len(failures)} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
