#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernel's events as both readers give them, against the text of babeltrace2 and the lists of counts beside a recording.

usage: check_kernel.py DUMP_RECORDS DUMP_BABELTRACE2 PLUGINS RECORDING

RECORDING is a folder, or one as .tar.xz. Of each trace below it, the events that the table has must be there, as often as
babeltrace2 prints them, under their names of today; of sched_switch, sched_wakeup and the ends of system calls the words
must be those that it prints, too. The fast reader may refuse a trace (LTTng up to 2.5): then the other one reads it. Where
babeltrace2 stops because the time of a stream goes backwards, they may have more. The filters must pass all of a small trace untouched.
"""
import collections
import functools
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

OLDER = {"softirq_raise": "irq_softirq_raise", "softirq_entry": "irq_softirq_entry", "softirq_exit": "irq_softirq_exit",
         "mm_page_alloc": "kmem_mm_page_alloc", "mm_page_free": "kmem_mm_page_free", "exit_syscall": "syscall_exit_"}
KNOWN = re.compile(r"sched_(switch|waking|wakeup|wakeup_new|migrate_task|process_fork|process_exec|process_exit)$|"
                   r"irq_(handler|softirq)_(entry|exit|raise)$|kmem_mm_page_(alloc|free)$|syscall_(entry|exit)_|"
                   r"lttng_statedump_process_(state|pid_ns)$")
# words of a record by the fields that babeltrace2 prints
WORDS = {"sched_switch": ("prev_tid", "prev_state", "next_tid", "next_comm", "prev_comm", "next_prio"),
         "sched_wakeup": ("tid", "target_cpu", "comm", "prio", "success")}
PRINTED = re.compile(r"\[[\d:.]+\] \(.*?\) (?:\S+ )?(\w+): ")
FIELD = re.compile(r"(\w+) = (\"(?:[^\"\\]|\\.)*\"|[^,{} ]+)")
RECORD = re.compile(r"-?\d+ stream \d+ thread \d+ flags \d+ (\w+)(.*)")
CALL = re.compile(r"syscall_e\w+_$")
SLOT = re.compile(r" (\d)=(?:\"(.*?)\"(?= \d=|$)|([0-9a-f]+))")
FILTERED_MAX = 50_000  # events: each filter takes as long as all the rest
FILTERS = ("dedup", "init-timestamp", "flow", "normalize")


@functools.cache
def is_known(name):
    return KNOWN.match(name) is not None


@functools.cache
def name_of_today(name):
    name = OLDER.get(name, name).removeprefix("compat_")
    return "syscall_entry_" + name[4:] if name.startswith("sys_") else name


def text_of(trace, plugins, *arguments):
    """What babeltrace2 prints of it, and whether it gets to the end."""
    command = ["babeltrace2", f"--plugin-path={plugins}", str(trace), *arguments]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return result.stdout.decode(errors="replace"), result.returncode == 0


def fields_of(line):
    return {name: value.strip('"') for name, value in FIELD.findall(line)}


def printed(text):
    """Events of the table that the text has: their counts by name, and the words of some."""
    counts, words = collections.Counter(), collections.Counter()
    for line in text.splitlines():
        match = PRINTED.match(line)
        if not match:
            continue
        name = name_of_today(match[1])
        if not is_known(name):
            continue
        counts[name] += 1
        if name in WORDS:
            fields = fields_of(line.split(": ", 1)[1])
            words[(name, *(fields.get(field) for field in WORDS[name]))] += 1
        elif name.startswith("syscall_exit_"):
            words[("ret", fields_of(line)["ret"])] += 1
    return counts, words


def signed(word):
    value = int(word, 16)
    return str(value - (1 << 64) if value >> 63 else value)


def recorded(program, trace):
    """The same of the records of a reader; None where it refuses the trace."""
    result = subprocess.run([program, str(trace)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode == 2:
        return None
    counts, words = collections.Counter(), collections.Counter()
    for line in result.stdout.decode(errors="replace").splitlines():
        match = RECORD.match(line)
        if not match or not is_known(match[1]):
            continue
        name, is_call = match[1], CALL.match(match[1])
        slots = {int(slot): text or signed(number) for slot, text, number in SLOT.findall(match[2])} if is_call or name in WORDS else {}
        name += slots.get(0, "") if is_call else ""
        counts[name] += 1
        if name in WORDS:
            words[(name, *(slots.get(slot) for slot in range(len(WORDS[name]))))] += 1
        elif match[1] == "syscall_exit_":
            words[("ret", slots[1])] += 1
    return counts, words


def difference(one, other):
    return dict(sorted(((one - other) + (other - one)).items(), key=str)[:5])


def listed(path):
    """name → count, of a list beside a recording; its names have no provider."""
    lines = (line.split() for line in path.read_text().splitlines())
    return {words[1]: int(words[0]) for words in lines if len(words) == 2}


def is_same_line(plain, filtered):
    """libbabeltrace2 2.0.4 prints the text before in place of an empty one; a copy of the event has it right."""
    strings = re.compile(r'"(?:[^"\\]|\\.)*"')
    pairs = zip(strings.findall(plain), strings.findall(filtered))
    return strings.sub("", plain) == strings.sub("", filtered) and all(two in (one, '""') for one, two in pairs)


def check_filters(trace, plugins, plain):
    for name in FILTERS:
        text, is_whole = text_of(trace, plugins, f"--component=filter.ros2.{name}")
        lines, filtered = plain.splitlines(), text.splitlines()
        if not is_whole or len(lines) != len(filtered) or not all(map(is_same_line, lines, filtered)):
            yield f"filter.ros2.{name} changes events that are not its own"


def check(trace, fast, babeltrace2, plugins):
    text, is_whole = text_of(trace, plugins)
    counts, words = printed(text)
    if not counts:
        return
    readers = {"babeltrace2": recorded(babeltrace2, trace)}
    readers["fast"] = recorded(fast, trace) or readers["babeltrace2"]
    for reader, (its_counts, its_words) in readers.items():
        if is_whole and its_counts != counts:
            yield f"{reader} reader: other counts than babeltrace2 prints: {difference(its_counts, counts)}"
        if is_whole and its_words != words:
            yield f"{reader} reader: other words than babeltrace2 prints: {difference(its_words, words)}"
        if counts - its_counts or words - its_words:
            yield f"{reader} reader: lacks events that babeltrace2 prints: {difference(its_counts, counts)}"
    if is_whole and sum(counts.values()) < FILTERED_MAX:
        yield from check_filters(trace, plugins, text)
    listing = trace.parent.parent / "kernel-event-counts.txt"
    if listing.exists() and listed(listing) != counts:
        yield f"other counts than {listing.name}"
    print(f"{trace.name}: {sum(counts.values())} events of {len(counts)} kinds{'' if is_whole else ', not to its end'}")


def main():
    fast, babeltrace2, plugins, recording = *sys.argv[1:4], Path(sys.argv[4])
    with tempfile.TemporaryDirectory() as temporary:
        if recording.name.endswith(".tar.xz"):
            with tarfile.open(recording) as archive:
                archive.extractall(temporary)
            recording = Path(temporary)
        problems, count = [], 0
        for metadata in sorted(recording.rglob("metadata")):
            problems += [f"{metadata.parent}: {problem}" for problem in check(metadata.parent, fast, babeltrace2, plugins)]
            count += 1
    print("\n".join(problems) or f"{count} traces agree")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
