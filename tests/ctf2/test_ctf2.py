#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_ctf2.py BABELTRACE2 PLUGIN_DIRECTORY ROS2_LATENCY DUMP_RECORDS TEST DIRECTORY…

What is made of recordings in CTF 2 must be what is made of the same recordings in CTF 1.8. A recording is a directory in one of
the DIRECTORYs with trace/ (CTF 2) and ctf18/, whose metadata describe the same data files in CTF 1.8.

TEST: refusal   babeltrace2 2.0 reads no CTF 2, and the command says so in a sentence
      fast      records and reports of the fast reader, with any babeltrace2
      command   reports of ros2-latency that reads through babeltrace2
      sink      reports of sink.ros2.latency
      filters   the same behind each filter
      convert   what `ros2-latency convert` writes, with any babeltrace2: records, reports, and babeltrace2's text
      written   the same of what sink.ctf.fs has written behind all filters, in CTF 2; where it can without filters

Exits with 77, and says why, where babeltrace2 reads no CTF 2 or nothing of the recordings could be checked.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BABELTRACE2, PLUGINS, COMMAND, DUMP, TEST = sys.argv[1:6]
REFUSAL = ('the trace is in CTF 2 (Common Trace Format 2, the default of LTTng 2.15 and later), '
           'which babeltrace2 2.1 or later reads')
FILTERS = ('dedup', 'init-timestamp', 'init-timestamp --params=mode="window"', 'flow', 'flow --params=mode="events"',
           'normalize', 'normalize --params=intra-process="as-inter-process"')
failures = []


def run(*arguments):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding='utf-8',
                          errors='surrogateescape', check=False)


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f'FAILED: {what}')


def reads_ctf2():
    major, minor = re.search(r'(\d+)\.(\d+)', run(BABELTRACE2, '--version').stdout).groups()
    return (int(major), int(minor)) >= (2, 1)


def recordings(directories):
    for directory in directories:
        yield from sorted(path.parent for path in Path(directory).glob('*/ctf18'))


def make_ctf18(recording, directory):
    """The recording with its other metadata."""
    for form in 'trace', 'ctf18':
        for path in filter(Path.is_file, (recording / form).rglob('*')):
            copy = directory / path.relative_to(recording / form)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def tables(result, directory):
    """What a report of all tables says, by file; a word where there is none."""
    if result.returncode != 0 or result.stderr:
        return f'{result.returncode}: {result.stderr[-500:]}'
    return {path.name: path.read_bytes() for path in Path(directory).iterdir()}


def report_of_command(trace, *options):
    with tempfile.TemporaryDirectory() as directory:
        return tables(run(COMMAND, '--format=csv', '--instances', f'--output={directory}', *options, str(trace)), directory)


def babeltrace2(trace, *components):
    return run(BABELTRACE2, '--plugin-path', PLUGINS, str(trace), *components)


def report_of_sink(trace, *filters):
    with tempfile.TemporaryDirectory() as directory:
        return tables(babeltrace2(trace, *filters, '--component=sink.ros2.latency',
                                  f'--params=format="csv",instances=yes,output="{directory}"'), directory)


def report_of_written(trace):
    filters = [f'--component=filter.ros2.{name}' for name in ('dedup', 'init-timestamp', 'normalize', 'flow')]
    with tempfile.TemporaryDirectory() as directory:
        written = babeltrace2(trace, *filters, '--component=sink.ctf.fs', f'--params=path="{directory}",quiet=yes')
        first = next((path.read_bytes()[:1] for path in Path(directory).rglob('metadata')), None)
        if written.returncode or first != b'\x1e':
            return f'not written: {written.returncode} {written.stderr[-500:]} {first}'
        return report_of_sink(directory)


def expect_equal(what, got, expected):
    if isinstance(got, str) or isinstance(expected, str):
        expect(False, f'{what}: {got if isinstance(got, str) else expected}')
        return
    different = [name for name in sorted(got.keys() | expected.keys()) if got.get(name) != expected.get(name)]
    expect(not different, f'{what}: {", ".join(different)} are others than in CTF 1.8')
    expect(expected['callbacks.csv'].count(b'\n') > 2, f'{what}: a report without callbacks')


def test_refusal(recording):
    trace = next(path.parent for path in sorted((recording / 'trace').rglob('metadata')))
    result = run(COMMAND, '--reader=babeltrace2', str(trace))
    expect(result.returncode == 1 and not result.stdout and result.stderr == f'ros2-latency: {trace}: {REFUSAL}\n',
           f'{trace}: {result}')


def records(trace):
    """Of a trace called `trace`: its path is part of what the records say."""
    return subprocess.run([DUMP, 'trace'], cwd=trace.parent, capture_output=True, check=True).stdout


def test_fast(recording, ctf18):
    expect(records(recording / 'trace') == records(ctf18), f'{recording}: other records than in CTF 1.8')
    expect_equal(f'{recording}', report_of_command(recording / 'trace', '--reader=fast'),
                 report_of_command(ctf18, '--reader=fast'))


def text_of(trace):
    """What babeltrace2 prints; the path of the trace is part of it."""
    return subprocess.run([BABELTRACE2, 'trace'], cwd=trace.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


def test_convert(recording, ctf18):
    converted = ctf18.parent / 'converted/trace'
    result = run(COMMAND, 'convert', f'--output={converted}', str(recording / 'trace'))
    expect(result.returncode == 0 and not result.stdout + result.stderr, f'{recording}: {result}')
    texts = text_of(converted), text_of(ctf18)
    expect(texts[0] == texts[1] and texts[0].count(b'\n') > 100, f'{recording}: another text than of CTF 1.8 by LTTng')
    expect(records(converted) == records(ctf18), f'{recording}: other records than of CTF 1.8 by LTTng')
    expect_equal(f'{recording}, converted', report_of_command(converted, '--reader=babeltrace2'),
                 report_of_command(recording / 'trace', '--reader=fast'))


def test_command(recording, ctf18):
    expected = report_of_command(ctf18, '--reader=fast')
    expect_equal(f'{recording}', report_of_command(recording / 'trace', '--reader=babeltrace2'), expected)
    expect_equal(f'{recording}, CTF 1.8 by babeltrace2', report_of_command(ctf18, '--reader=babeltrace2'), expected)


def test_sink(recording, ctf18):
    expect_equal(f'{recording}', report_of_sink(recording / 'trace'), report_of_sink(ctf18))


def test_filters(recording, ctf18):
    for words in FILTERS:
        filters = f'--component=filter.ros2.{words}'.split()
        expect_equal(f'{recording}, {words}', report_of_sink(recording / 'trace', *filters), report_of_sink(ctf18, *filters))


def is_written_by_babeltrace2_alone(recording):
    """That of 2.1.1 aborts on some BLOBs, and of a trace with two stream classes it writes the clock twice and then refuses it."""
    with tempfile.TemporaryDirectory() as directory:
        written = babeltrace2(recording / 'trace', '--component=sink.ctf.fs', f'--params=path="{directory}",quiet=yes')
        return written.returncode == 0 and babeltrace2(directory, '--component=sink.utils.dummy').returncode == 0


def test_written(recording, ctf18):
    if not is_written_by_babeltrace2_alone(recording):
        print(f'{recording}: left out, babeltrace2 alone does not write it so that it can read it')
        return False
    expect_equal(f'{recording}', report_of_written(recording / 'trace'), report_of_written(ctf18))
    return True


def main():
    found = list(recordings(sys.argv[6:]))
    expect(found, 'no recordings')
    if TEST == 'refusal':
        if reads_ctf2():
            print('skipped: this babeltrace2 reads CTF 2')
            return 77
        for recording in found:
            test_refusal(recording)
        return 1 if failures else 0
    if TEST not in ('fast', 'convert') and not reads_ctf2():
        print('skipped: this babeltrace2 reads no CTF 2')
        return 77
    checked = 0
    for recording in found:
        with tempfile.TemporaryDirectory() as directory:
            ctf18 = Path(directory, 'trace')
            make_ctf18(recording, ctf18)
            checked += globals()[f'test_{TEST}'](recording, ctf18) is not False
    print(f'{checked} of {len(found)} recordings checked, {len(failures)} failures')
    if checked == 0:
        print('skipped: none of the recordings at hand could be checked')
        return 77
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
