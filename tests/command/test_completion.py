#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_completion.py ROS2_LATENCY SOURCE_DIRECTORY

What bash, zsh and fish complete: commands, options and values, as the help of the commands has them.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

COMMAND, SOURCE = sys.argv[1], Path(sys.argv[2])
failures = []


def run(*arguments):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f'FAILED: {what}')


def complete(*words, directory=None):
    """What the completion offers for the last word, as bash splits them: --option, =, value."""
    code = f'source {SOURCE}/command/ros2-latency.bash-completion; COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; ' \
           '_ros2_latency; printf "%s\\n" "${COMPREPLY[@]}"'
    return subprocess.run(['bash', '-c', code], stdout=subprocess.PIPE, check=False, cwd=directory).stdout.decode().split()


def test_completion():
    expect(complete(COMMAND, '--rea') == ['--reader='], 'completes an option')
    expect(complete(COMMAND, '--verb') == ['--verbose'], 'completes an option with a letter')
    expect(complete(COMMAND, '--reader', '=', 'f') == ['fast'], 'completes a value')
    formats = re.search(r'^  --format=([a-z|]+)$', run(COMMAND, '--help').stdout.decode(), re.M).group(1).split('|')
    expect(complete(COMMAND, '--format', '""') == formats and 'text' in formats, 'lists values')
    expect(complete(COMMAND, 'merg') == ['merge'], 'completes a command')
    expect(complete(COMMAND, 'merge', '--mani') == ['--manifest='], 'completes an option of a command')
    expect(complete(COMMAND, 'merge', '--inst') == [], 'completes no option that the command does not have')


def allowed_tables():
    return re.search(r'expected (.*)', run(COMMAND, '--table=?', '.').stderr.decode()).group(1).split('|')


def test_completion_of_tables():
    tables = allowed_tables()
    expect('named_paths' in tables and len(tables) > 10, f'{tables}')
    for command in [], ['merge']:
        words = [COMMAND, *command, '--table']
        expect(complete(*words, '=') == tables, f'{command}: all tables: {complete(*words, "=")}')
        expect(complete(*words, '""') == tables, f'{command}: all tables, as the next word')
        expect(complete(*words, '=', 'p') == [name for name in tables if name[0] == 'p'], f'{command}: some tables')
        expect(complete(*words, '=', 'named_') == ['named_paths'], f'{command}: an underline')
        expect(complete(*words, '=', 'paths,ti') == ['paths,timers', 'paths,timeline'], f'{command}: a second table')
        expect(complete(*words, '=', 'paths,') == [f'paths,{name}' for name in tables], f'{command}: any second table')
    of = complete(COMMAND, 'compare', '--of', '=')
    expect('callbacks' in of and 'point_callbacks' in of and 'diagnostics' not in of, f'tables to compare: {of}')
    for name in of:
        expect(b'--of' not in run(COMMAND, 'compare', f'--of={name}').stderr, f'--of={name} is accepted')


def complete_in_zsh(text, current):
    """What zsh is offered: the words that follow from the help of a command."""
    code = f'source {SOURCE}/command/_ros2-latency; _ros2_latency_words "$1" "$2"'
    result = subprocess.run(['zsh', '-f', '-c', code, 'zsh', text, current], stdout=subprocess.PIPE, check=False)
    return [word for word in result.stdout.decode().split() if word.startswith(current.split(',')[0])]


def complete_in_fish(line, directory):
    code = f'set -gx PATH {shlex.quote(os.path.dirname(COMMAND))} $PATH; source {SOURCE}/command/ros2-latency.fish; complete -C {shlex.quote(line)}'
    result = subprocess.run(['fish', '--no-config', '-c', code], stdout=subprocess.PIPE, check=False, cwd=directory)
    return [line.split('\t')[0] for line in result.stdout.decode().splitlines()]


def test_completion_in_other_shells():
    """The same words as in bash. Not tested where these shells are not installed."""
    cases = [([], '--rea'), ([], '--format='), ([], '--table=p'), ([], '--table=paths,ti'), (['merge'], '--mani'), (['merge'], '--inst'),
             (['compare'], '--of=')]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, 'a.yaml').touch()
        for command, word in cases:
            option, is_value, value = word.partition('=')
            in_bash = complete(COMMAND, *command, option, '=', value or '""') if is_value else complete(COMMAND, *command, word)
            expected = sorted(f'{option}={found}' if is_value else found for found in in_bash)
            if shutil.which('zsh'):
                got = sorted(found for found in complete_in_zsh(run(COMMAND, *command, '--help').stdout.decode(), word) if found.startswith(word))
                expect(got == expected, f'zsh: {command} {word}: {got}, not {expected}')
            if shutil.which('fish'):
                got = sorted(complete_in_fish(' '.join(['ros2-latency', *command, word]), folder))
                expect(got == expected, f'fish: {command} {word}: {got}, not {expected}')
        if shutil.which('fish'):
            expect(complete_in_fish('ros2-latency merg', folder) == ['merge'], 'fish: a command')
            expect(complete_in_fish('ros2-latency --points=a', folder) == ['--points=a.yaml'], 'fish: a file')


def test_completion_of_each_option():
    """Options with a fixed set of values or a file; and no other has values."""
    commands = re.findall(r'^  ([a-z]+)$', run(COMMAND, '--help').stdout.decode().split('Options:')[0], re.M)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, 'a.yaml').touch()
        Path(folder, 'directory').mkdir()
        for command in [], *([name] for name in commands):
            text = run(COMMAND, *command, '--help').stdout.decode()
            for option, value in re.findall(r'^  (--[a-z-]+)=(.*)$', text, re.M):
                got = sorted(complete(COMMAND, *command, option, '=', directory=folder))
                expected = {'FILE': ['a.yaml', 'directory'], 'DIRECTORY': ['directory']}.get(value, [])
                if '|' in value:
                    expected = sorted(value.split('|'))
                expect(value == 'TABLE' or got == expected, f'{command} {option}={value}: {got}')
        for option in '--architecture', '--points':
            expect(complete(COMMAND, option, '=', 'a', directory=folder) == ['a.yaml'], f'{option} is a file')
        expect(complete(COMMAND, 'merge', '--manifest', '=', 'a', directory=folder) == ['a.yaml'], '--manifest is a file')
        test_completion_of_arguments(folder)


def test_completion_of_arguments(folder):
    both, directory = ['a.yaml', 'directory'], ['directory']
    archives = ['b.tar', 'b.tar.gz', 'b.tar.xz', 'b.tar.zst', 'b.tgz', 'b.zip']
    for name in archives:
        Path(folder, name).touch()
    for words in [], ['check', 'a.yaml'], ['compare'], ['compare', 'directory', '--'], ['points']:
        expect(sorted(complete(COMMAND, *words, 'b', directory=folder)) == archives, f'{words}: archives are completed')
    for words, expected in (([], directory), (['check'], both), (['check', '--begin', '=', '+5s'], both),
                            (['check', 'a.yaml'], directory), (['check', '--propose'], directory), (['merge'], directory)):
        got = sorted(complete(COMMAND, *words, '""', directory=folder))
        expect([name for name in got if name in both] == expected, f'{words}: {got}')


def main():
    test_completion()
    test_completion_in_other_shells()
    test_completion_of_tables()
    test_completion_of_each_option()
    print(f'{len(failures)} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
