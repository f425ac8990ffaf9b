#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: compare_polls.py DUMP_RECORDS DIRECTORY…

Each recording below the directories is read with and without polls and system calls of a kernel joined: the polls of each
thread must be the same, in the order of time, and all other records must be, in their order, including each call that is
joined to others; of polls that are joined none comes before its time.
"""
import re
import sys
from collections import Counter

from compare_readers import first_difference, read, traces

KERNEL = '(sched|irq|kmem|lttng_statedump)_'
NO_IDS = 0xffffffff
POLLS = ('rclcpp_executor_get_next_ready', 'rclcpp_executor_wait_for_work')


def kind_of(words):
    if words[7] == POLLS[0]:
        return 'find'
    return 'look_up' if words[8] == '0=0' else 'wait'


def calls_of(words):
    """The lines of the beginnings and ends of system calls in a record: without ids and returned values, as they are joined."""
    pairs = [word.rsplit('=', 1) for word in words[8:]]
    if words[7] != 'calls':
        pairs = [(words[8].split('"')[1] if words[7].startswith('syscall_entry') else '-', words[0])]
    return [f'{time} {words[1]} {words[2]} call {name}' for name, time in pairs]


def without_ids(line, words, ids):
    """The ids of threads of a kernel are numbered as they come, those of joined calls not at all."""
    if re.match(KERNEL, words[7]) and int(words[4]) < NO_IDS:
        words[4] = str(ids.setdefault(words[4], len(ids)))
        return ' '.join(words)
    return line


def split(text):
    """The polls by thread, all other lines, how many polls and calls were joined, and records that came too late."""
    polls, others, joined, late, now, ids = {}, [], Counter(), 0, -1 << 63, {}
    for line in text.splitlines():
        words = line.split()
        if not re.match(r'-?\d+ stream ', line):
            others.append(line)
            continue
        late += int(words[0]) < now
        now = int(words[0])
        if words[7] == 'polls':
            pairs = [word.split('=') for word in words[8:]]
            assert int(words[0]) == int(pairs[0][1]), line
            joined['polls'] += len(pairs) - 1
            polls.setdefault(words[4], []).extend((int(time), kind) for kind, time in pairs)
        elif words[7] in POLLS:
            polls.setdefault(words[4], []).append((now, kind_of(words)))
        elif words[7] == 'calls' or words[7].startswith('syscall_'):
            others += calls_of(words)
            joined['calls'] += len(words) - 9 if words[7] == 'calls' else 0
        else:
            others.append(without_ids(line, words, ids))
    return {thread: sorted(events) for thread, events in polls.items()}, '\n'.join(others), joined, late


def main():
    dump, directories = sys.argv[1], sys.argv[2:]
    failures = count = all_polls = 0
    all_joined = Counter()
    for directory in directories:
        for trace in traces(directory):
            (plain, joined) = (read([dump], trace)[1].decode(), read([dump, '--join-polls'], trace)[1].decode())
            plain_polls, plain_others, _, _ = split(plain)
            polls, others, joined_count, late = split(joined)
            count += 1
            all_joined += joined_count
            all_polls += sum(len(events) for events in polls.values())
            if plain_polls != polls or plain_others != others or late:
                failures += 1
                print(f'{trace}: {late} late; {first_difference(plain_others.encode(), others.encode())}')
    print(f"{count} traces, {all_polls} polls, {all_joined['polls']} joined to others, {all_joined['calls']} calls joined, "
          f'{failures} differ')
    return 1 if failures or not all_joined['polls'] or not all_joined['calls'] else 0


if __name__ == '__main__':
    sys.exit(main())
