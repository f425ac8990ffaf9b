#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: compare_polls.py DUMP_RECORDS DIRECTORY…

Each recording below the directories is read with and without polls joined: the polls of each thread must be the same, in
the order of time, and all other records must be, in their order; of polls that are joined none comes before its time.
"""
import re
import sys

from compare_readers import first_difference, read, traces

POLLS = ('rclcpp_executor_get_next_ready', 'rclcpp_executor_wait_for_work')


def kind_of(words):
    if words[7] == POLLS[0]:
        return 'find'
    return 'look_up' if words[8] == '0=0' else 'wait'


def split(text):
    """The polls by thread, all other lines, how many polls were joined to others, and records that came too late."""
    polls, others, joined, late, now = {}, [], 0, 0, -1 << 63
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
            joined += len(pairs) - 1
            polls.setdefault(words[4], []).extend((int(time), kind) for kind, time in pairs)
        elif words[7] in POLLS:
            polls.setdefault(words[4], []).append((now, kind_of(words)))
        else:
            others.append(line)
    return {thread: sorted(events) for thread, events in polls.items()}, '\n'.join(others), joined, late


def main():
    dump, directories = sys.argv[1], sys.argv[2:]
    failures = count = all_polls = all_joined = 0
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
    print(f'{count} traces, {all_polls} polls, {all_joined} joined to others, {failures} differ')
    return 1 if failures or not all_joined else 0


if __name__ == '__main__':
    sys.exit(main())
