#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Filters on a recording, through babeltrace2's command line: what must come out is worked out here from the text of the
recording alone.

usage: check_recording.py BABELTRACE2 PLUGIN_DIR TRACE [COPIES]

COPIES: how many copies of initialization events the recording has. Without it, it must have none and nothing to move,
and both filters must leave the text as it is, byte by byte.
"""
import re
import subprocess
import sys
import tempfile

LINE = re.compile(r'\[(\d+)\] (\S+ )?(\S+:\S+): (.*)$')
CONTEXT_AND_PAYLOAD = re.compile(r'(.*)\{ (.*) \}$')
DEDUP = ['-c', 'filter.ros2.dedup']
INIT_TIMESTAMP = ['-c', 'filter.ros2.init-timestamp']
CYCLES = ['--clock-cycles', '--no-delta']


class Event:
	def __init__(self, line):
		match = LINE.match(line)
		self.text = line[line.index(']') + 2:]
		self.time = int(match.group(1))
		self.name = match.group(3)
		context, payload = CONTEXT_AND_PAYLOAD.match(match.group(4)).groups()
		init = re.search(r'(?:^|, )init_timestamp = (-?\d+)$', payload)
		self.init = int(init.group(1)) if init and self.name.startswith('ros2_caret:') else None
		vpid = re.search(r'vpid = (\d+)', context)
		self.identity = (vpid and vpid.group(1), self.name, payload)

	def line(self):
		return '[%020d] %s' % (self.time, self.text)


class Check:
	def __init__(self, babeltrace2, plugins, trace):
		self.command = [babeltrace2, '--plugin-path', plugins]
		self.trace = trace
		self.failures = 0

	def text(self, *arguments, trace=None):
		run = subprocess.run([*self.command, trace or self.trace, *arguments], stdout=subprocess.PIPE, check=True)
		return run.stdout.decode().splitlines()

	def equal(self, what, got, expected):
		if got == expected:
			return
		self.failures += 1
		at = next((i for i, (a, b) in enumerate(zip(got, expected)) if a != b), min(len(got), len(expected)))
		print('%s: %d lines, expected %d; first difference in line %d' % (what, len(got), len(expected), at + 1))
		print('  got      ' + (got[at] if at < len(got) else '-'))
		print('  expected ' + (expected[at] if at < len(expected) else '-'))


def without_copies(events):
	seen = set()
	kept = []
	for event in events:
		if event.init is not None and event.identity in seen:
			continue
		seen.add(event.identity)
		kept.append(event)
	return kept


def moved(events):
	"""In order of time, moved ones first at equal times, otherwise as they were."""
	keyed = []
	for index, event in enumerate(events):
		is_moved = event.init is not None and event.init < event.time
		keyed.append((event.init if is_moved else event.time, not is_moved, index))
	result = []
	for time, _, index in sorted(keyed):
		result.append('[%020d] %s' % (time, events[index].text))
	return result


def check_caret(check, copies):
	events = [Event(line) for line in check.text(*CYCLES)]
	unique = without_copies(events)
	check.equal('number of copies', [str(len(events) - len(unique))], [str(copies)])
	check.equal('dedup', check.text(*DEDUP, *CYCLES), [event.line() for event in unique])
	check.equal('dedup of the deduplicated', check.text(*DEDUP, *DEDUP, *CYCLES), [event.line() for event in unique])
	check.equal('init-timestamp', check.text(*INIT_TIMESTAMP, *CYCLES), moved(events))
	check.equal('dedup, init-timestamp', check.text(*DEDUP, *INIT_TIMESTAMP, *CYCLES), moved(unique))
	check.equal('init-timestamp twice', check.text(*INIT_TIMESTAMP, *INIT_TIMESTAMP, *CYCLES), moved(events))

	window = check.text(*INIT_TIMESTAMP, '--params=mode="window",window="100ms"', *CYCLES)
	check.equal('one pass, contents', sorted(Event(line).text for line in window), sorted(event.text for event in events))
	check.equal('one pass, order', window, sorted(window, key=lambda line: Event(line).time))
	all_of_it = check.text(*INIT_TIMESTAMP, '--params=mode="window",window="10h"', *CYCLES)
	check.equal('one pass, wide window', all_of_it, moved(events))

	middle = len(events) // 2
	begin = events[middle].time
	trimmed = check.text(*INIT_TIMESTAMP, '-c', 'filter.utils.trimmer', '--params=begin="%s"' % ns_from_epoch(check, middle), *CYCLES)
	check.equal('trimmed after', trimmed, [line for line in moved(events) if Event(line).time >= begin])

	with tempfile.TemporaryDirectory() as directory:
		path = directory + '/trace'
		check.text(*DEDUP, *INIT_TIMESTAMP, '-c', 'sink.ctf.fs', '--params=path="%s",quiet=yes' % path)
		check.equal('through sink.ctf.fs and back', check.text(*CYCLES, trace=path), moved(unique))


def ns_from_epoch(check, index):
	"""The time of an event of the recording as seconds.ns since the epoch."""
	lines = check.text('--clock-seconds', '--no-delta')
	return re.match(r'\[(\d+\.\d+)\]', lines[index]).group(1)


def main():
	check = Check(*sys.argv[1:4])
	if len(sys.argv) > 4:
		check_caret(check, int(sys.argv[4]))
	else:
		plain = check.text()
		check.equal('dedup', check.text(*DEDUP), plain)
		check.equal('init-timestamp', check.text(*INIT_TIMESTAMP), plain)
		check.equal('init-timestamp in one pass', check.text(*INIT_TIMESTAMP, '--params=mode="window"'), plain)
		check.equal('both', check.text(*DEDUP, *INIT_TIMESTAMP), plain)
	return 1 if check.failures else 0


if __name__ == '__main__':
	sys.exit(main())
