#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The report of a trace is the same behind the filters, in every order and also with one of them twice.

usage: check_orders.py [--some] [--written] BABELTRACE2 PLUGIN_DIR TRACE...

All 24 orders of the four filters and 12 repetitions are tried on each trace; --some: two orders in which normalize is
not the last one, and two repetitions. The whole report is compared, with its instances and diagnostics. --written: also
the report of what sink.ctf.fs writes behind the filters, read again by babeltrace2.
TRACE is a folder in which there are traces.
"""
import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

FILTERS = {'d': 'dedup', 'i': 'init-timestamp', 'n': 'normalize', 'f': 'flow'}
ORDERS = [''.join(order) for order in itertools.permutations('dinf')]
REPETITIONS = ['dd', 'ii', 'nn', 'ff', 'ndn', 'nin', 'nfn', 'dnd', 'ini', 'fnf', 'nnnn', 'dinfdinf']
SOME = ['ndif', 'fndi', 'nfn', 'ndnd']
SINK = ['-c', 'sink.ros2.latency', '--params=format="json",instances=yes']
WITH_CTF_1 = ['ctf-version="1"']


class Check:
	def __init__(self, babeltrace2, plugins):
		self.command = [babeltrace2, '--plugin-path', plugins]
		self.failures = 0

	def run(self, *arguments):
		run = subprocess.run([*self.command, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
		if run.returncode != 0:
			raise RuntimeError(run.stderr.decode(errors='replace').strip()[-2000:])
		return run.stdout

	def report(self, trace, order=''):
		return json.loads(self.run(trace, *filters(order), *SINK))

	def compare(self, what, got, expected):
		if got == expected:
			return
		self.failures += 1
		for table in sorted(set(got) | set(expected)):
			rows, others = got.get(table), expected.get(table)
			if rows == others:
				continue
			print('%s: %s differs' % (what, table))
			if isinstance(rows, list) and isinstance(others, list):
				print('  %d rows, %d without filters' % (len(rows), len(others)))
				for text, row in first_difference(rows, others):
					print('  %s %s' % (text, json.dumps(row)[:300]))

	def check(self, trace, orders, is_written):
		expected = self.report(trace)
		for order in orders:
			self.compare('%s behind %s' % (trace, names(order)), self.report(trace, order), expected)
			if is_written:
				self.check_written(trace, order, expected)

	def check_written(self, trace, order, expected):
		with tempfile.TemporaryDirectory() as directory:
			params = ['path="%s"' % directory, 'quiet=yes']
			if b'ctf-version' in self.run('help', 'sink.ctf.fs'):
				params += WITH_CTF_1
			self.run(trace, *filters(order), '-c', 'sink.ctf.fs', '--params=' + ','.join(params))
			self.compare('%s written behind %s' % (trace, names(order)), self.report(directory), expected)


def filters(order):
	return [argument for letter in order for argument in ('-c', 'filter.ros2.' + FILTERS[letter])]


def names(order):
	return ', '.join(FILTERS[letter] for letter in order)


def first_difference(rows, others):
	for row, other in itertools.zip_longest(rows, others):
		if row != other:
			return [('got     ', row), ('expected', other)]
	return []


def folders_of(trace):
	return sorted({metadata.parent for metadata in Path(trace).rglob('metadata') if metadata.stat().st_size > 0})


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument('--some', action='store_true')
	parser.add_argument('--written', action='store_true')
	parser.add_argument('babeltrace2')
	parser.add_argument('plugins')
	parser.add_argument('traces', nargs='+')
	arguments = parser.parse_args()
	check = Check(arguments.babeltrace2, arguments.plugins)
	orders = SOME if arguments.some else ORDERS + REPETITIONS
	for trace in arguments.traces:
		if not folders_of(trace):
			raise SystemExit('%s: no trace' % trace)
		check.check(trace, orders, arguments.written)
	return 1 if check.failures else 0


if __name__ == '__main__':
	sys.exit(main())
