#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is written behind the filters has no packet without events, but a stream's first one: Trace Compass takes such a
packet for the end of its stream. The stream files are read here, byte by byte, not by babeltrace2, whose reader passes
over such packets.

usage: check_packets.py BABELTRACE2 PLUGIN_DIR TRACE...
"""
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

CHAINS = {
	'dedup': ['filter.ros2.dedup'],
	'init-timestamp': ['filter.ros2.init-timestamp'],
	'flow': ['filter.ros2.flow'],
	'flow, events': ['filter.ros2.flow mode="events"'],
	'normalize': ['filter.ros2.normalize'],
	'all for Trace Compass': [
		'filter.ros2.dedup', 'filter.ros2.init-timestamp', 'filter.ros2.normalize drop-empty-takes=yes,drop-rosout=yes,complete=yes'],
	'all, normalize first': [
		'filter.ros2.normalize drop-empty-takes=yes,drop-rosout=yes', 'filter.ros2.flow', 'filter.ros2.init-timestamp',
		'filter.ros2.dedup'],
}
MAGIC = 0xC1FC1FC1
HEADER_BITS = 32 + 16 * 8 + 64 + 64  # magic, uuid, stream_id, stream_instance_id, as sink.ctf.fs writes it
MEMBER = re.compile(r'integer \{ size = (\d+); align = (\d+);[^}]*\} (\w+);')


def packet_contexts(metadata):
	"""By stream id: the size of the packet context in bits, and the byte at which its member begins by name."""
	contexts = {}
	for stream_id, body in re.findall(r'stream \{\n\tid = (\d+);.*?packet\.context := struct \{\n(.*?)\n\t\}', metadata, re.S):
		at, places = HEADER_BITS, {}
		for line in body.splitlines():
			size, align, name = MEMBER.search(line).groups()
			at += -at % int(align)
			places[name] = at // 8
			at += int(size)
		contexts[int(stream_id)] = at, places
	return contexts


def packets(path, contexts, order):
	"""For each packet of a stream file: whether it has content behind its context, and its count of lost events.

	order: of bytes, '<' or '>': sink.ctf.fs writes that of the machine.
	"""
	data = path.read_bytes()
	at = 0
	while at < len(data):
		magic, stream_id = struct.unpack_from(order + 'I16xQ', data, at)
		if magic != MAGIC:
			raise SystemExit('%s: no packet at byte %d' % (path, at))
		context_end, places = contexts[stream_id]
		packet_bits, content_bits = (
			struct.unpack_from(order + 'Q', data, at + places[name])[0] for name in ('packet_size', 'content_size'))
		lost_at = places.get('events_discarded')
		yield content_bits > context_end, 0 if lost_at is None else struct.unpack_from(order + 'Q', data, at + lost_at)[0]
		at += packet_bits // 8


def count_packets(directory):
	total = empty = lost = 0
	for metadata in Path(directory).rglob('metadata'):
		text = metadata.read_text()
		contexts = packet_contexts(text)
		order = '<' if re.search(r'\bbyte_order = le;', text) else '>'
		for path in sorted(metadata.parent.iterdir()):
			if path == metadata or not path.is_file():
				continue
			lost_in_stream = 0  # a running total
			for number, (has_events, lost_in_stream) in enumerate(packets(path, contexts, order)):
				total += 1
				if not has_events and number > 0:
					empty += 1
					print('  %s: packet %d has no events' % (path.name, number))
			lost += lost_in_stream
	return total, empty, lost


def write(babeltrace2, plugins, trace, chain, directory):
	command = [babeltrace2, '--plugin-path', plugins]
	params = 'path="%s",quiet=yes' % directory
	version = subprocess.run([*command, '--version'], stdout=subprocess.PIPE, encoding='utf-8', check=True).stdout
	if not version.startswith('Babeltrace 2.0'):  # which knows no other
		params += ',ctf-version="1"'
	arguments = [trace]
	for component in chain:
		name, _, values = component.partition(' ')
		arguments += ['-c', name, *(['--params', values] if values else [])]
	subprocess.run([*command, *arguments, '-c', 'sink.ctf.fs', '--params', params], check=True)


def readable(trace, directory):
	"""The trace itself, or a copy of it in `directory` with its metadata in CTF 1.8."""
	if not (Path(trace) / 'ctf18').is_dir():
		return trace
	copy = Path(directory) / 'trace'
	shutil.copytree(Path(trace) / 'trace', copy, copy_function=shutil.copyfile)
	shutil.copytree(Path(trace) / 'ctf18', copy, copy_function=shutil.copyfile, dirs_exist_ok=True)
	return str(copy)


def main():
	babeltrace2, plugins, *traces = sys.argv[1:]
	failures = 0
	for trace in traces:
		losses = set()
		for name, chain in CHAINS.items():
			with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryDirectory() as copy:
				write(babeltrace2, plugins, readable(trace, copy), chain, directory)
				total, empty, lost = count_packets(directory)
			print('%s, %s: %d packets, %d of them behind the first of their stream without events; %d events lost' % (
				trace, name, total, empty, lost))
			failures += empty > 0 or total == 0
			losses.add(lost)
		failures += len(losses) > 1
	return 1 if failures else 0


if __name__ == '__main__':
	sys.exit(main())
