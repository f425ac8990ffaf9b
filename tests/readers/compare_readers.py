#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: compare_readers.py DUMP_FAST DUMP_BABELTRACE2 DIRECTORY…

Each directory and every recording below it is read by both readers: both must give the same records in the same order.
"""
import os
import subprocess
import sys


def traces(directory):
    """The directory as a whole, and each recording in it."""
    yield directory
    for path, folders, files in os.walk(directory):
        folders.sort()
        if 'metadata' in files or 'ust' in folders or 'trace' in folders:
            yield path
            folders.clear()


def read(command, trace):
    result = subprocess.run([*command, trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return result.returncode, result.stdout, result.stderr.decode(errors='replace').strip()


def first_difference(left, right):
    for number, (one, other) in enumerate(zip(left.splitlines(), right.splitlines()), 1):
        if one != other:
            return f'line {number}:\n  fast        {one!r}\n  babeltrace2 {other!r}'
    return 'one has more lines'


def main():
    fast, babeltrace2, directories = sys.argv[1], sys.argv[2], sys.argv[3:]
    failures = count = records = 0
    for directory in directories:
        for trace in traces(directory):
            count += 1
            fast_code, fast_text, fast_error = read([fast], trace)
            other_code, other_text, other_error = read([babeltrace2], trace)
            records += fast_text.count(b'\n')
            if fast_code or other_code:
                failures += 1
                print(f'{trace}: fast {fast_code} ({fast_error}), babeltrace2 {other_code} ({other_error})')
            elif fast_text != other_text:
                failures += 1
                print(f'{trace}: {first_difference(fast_text, other_text)}')
    print(f'{count} traces, {records} lines, {failures} differ')
    return 1 if failures or not count else 0


if __name__ == '__main__':
    sys.exit(main())
