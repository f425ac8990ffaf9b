#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: make_seeds.py OUTPUT DATA MAKE_RECORD_SEEDS: what the fuzz targets begin with, in a directory each: OUTPUT/fuzz_X.

From the recordings below DATA: their records (by the program MAKE_RECORD_SEEDS) for fuzz_records, fuzz_architecture and
fuzz_messages, and their metadata with the first packets of their streams for fuzz_readers, beside synthetic traces; metadata of
CTF 2 for fuzz_json and fuzz_readers. For the others a few typical inputs. The same bytes each time.
"""
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests' / 'readers'))
sys.path.insert(0, str(ROOT / 'tests' / 'fuzz'))
import ctf2_seed  # noqa: E402
from test_synthetic import KernelMaker, Maker  # noqa: E402

POINTS = [
    'stages:\n- {name_field: s, start: {event: a:b, when: {s: [x, 1]}}, end: a:c, key: [k, l], scope: host}\n',
    'series: [{event: a:b, field: f, by: g, name: n}]\n', 'stages: &s [{name: a, start: b, end: c}]\npaths: [{stages: a}]\n',
]

LINKS = [
    '/planner: /fused -> /path: periodic_async', 'planner:fused->path:partial_sync', ' a : b -> c : d ', '1ms', '0.5 us', '1h',
    '1700000000.123456789', '2024-02-29 23:59:60.5Z', '2024-05-01 12:34', '/a: /b -> /c: periodic_async\n/d: /e -> /f: partial_sync',
]


def text(characters):
    return bytes([255, len(characters)]) + characters.encode()


# See fuzz_params.c: 0, then a map of keys and values; 1, then the words of a command line.
PARAMS = [
    bytes([0, 4, 0, 6, 2, 1, 6, 9, 2, 7, 2, 6, 3, 6, 5, 3, 0, 1]),
    bytes([0, 3, 4, 7, 2, 4]) + struct.pack('<d', 0.5) + bytes([4]) + struct.pack('<d', 0.999) + bytes([5, 2, 1, 0, 0, 0, 0, 0, 0, 0, 7, 7, 1, 6, 11]),
    bytes([0, 5, 8, 0, 1, 9, 1, 7, 10, 4]) + struct.pack('<d', -0.25) + bytes([11, 6, 8, 12, 6, 9]),
    bytes([1, 64, 2, 66, 3, 3, 200]) + b'\xff' + b'trace',
    bytes([1, 69, 10, 71, 11, 68]) + text('0.5'),
]

# See fuzz_outputs.c: the host, how many tables, per table bits, title, columns, rows.
OUTPUTS = [
    b'\x04host\x01' + b'\x04\x02T\xe4' + b'\x00\x01a\x00' + b'\x08\x03"b,\x00' + b'\x02' + b'\x06\x07x,"\n\xff\xc3y' + b'\x01' + b'\xff' * 8,
    b'\x00\x02' + b'\x09\x01t' + b'\x00\x01a\x01l' * 3 + b'\x03' + (b'\x05\x07' + b'\x03' + struct.pack('<d', 1.5) + b'\x06\x02/a') * 3,
]


def pack(metadata, streams):
    return b''.join(struct.pack('<I', len(part)) + part for part in [metadata, *streams][:4])


def first_packets(stream, content_max=6000):
    """The whole packets that a stream begins with, until they are long."""
    data, at = b'', 0
    while at + 96 <= len(stream) and len(data) < content_max:
        _, size = struct.unpack_from('<QQ', stream, at + 48)
        if size % 8 or size == 0 or size // 8 > 16384:
            break
        data += stream[at:at + size // 8]
        at += size // 8
    return data or stream[:content_max]  # not in the layout of LTTng


def reader_seeds(traces):
    for seed in range(120):
        maker = (Maker if seed < 80 else KernelMaker)(seed)
        streams = [b''.join(maker.packets(i)) for i in range(2)]
        tsdl = maker.trace.tsdl().encode()
        yield pack(maker.trace.packetize(tsdl) if seed % 4 == 0 else tsdl, streams)
    for trace in traces:
        streams = [first_packets(f.read_bytes()) for f in sorted(trace.iterdir()) if f.is_file() and f.name != 'metadata']
        yield pack((trace / 'metadata').read_bytes(), [s for s in streams if s])
    yield pack(ctf2_seed.metadata(), [ctf2_seed.stream()])
    yield pack(ctf2_seed.metadata(), [ctf2_seed.stream(), ctf2_seed.stream()])


def json_seeds(metadata):
    """The metadata of CTF 2 as a whole, and each text of it."""
    yield metadata
    yield ctf2_seed.metadata()
    yield from metadata.split(b'\x1e')[1:]


def message_seeds(records):
    """The same records through each graph, in traces laid out in several ways (see fuzz_messages.c)."""
    streams = [0x25, 0x00, 0x2d, 0x85, 0x46]
    sources = [0, 1, 2, 6, 16]
    layouts = [bytes([9, 7, 4, 5, 8]), bytes([0x19, 0x2a, 0x0b, 0x86, 0x43]), bytes([8] * 5)]
    for number, script in enumerate(records):
        if len(script) < 4000:
            yield bytes([number % 11, streams[number % 5], sources[number // 5 % 5]]) + layouts[number % 3] + script[8:]


def write(directory, inputs):
    directory.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(inputs):
        (directory / f'seed-{number}').write_bytes(content)


def main():
    output, data, make_record_seeds = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    traces = [m.parent for m in sorted(data.rglob('metadata'))]
    write(output / 'fuzz_links', [line.encode() for line in LINKS])
    write(output / 'fuzz_points', [(data / 'jazzy/user-points/points.yaml').read_bytes()] + [text.encode() for text in POINTS])
    write(output / 'fuzz_params', PARAMS)
    write(output / 'fuzz_outputs', OUTPUTS)
    write(output / 'fuzz_json', json_seeds((ROOT / 'tests/ctf2/odd/trace/metadata').read_bytes()))
    ctf2 = [m.parent for m in sorted((ROOT / 'tests/ctf2').rglob('metadata'))]
    write(output / 'fuzz_readers', reader_seeds(traces + ctf2))
    records = output / 'fuzz_records'
    write(records, [])
    for number, trace in enumerate(traces):
        subprocess.run([make_record_seeds, records, f'recording-{number}', trace], check=True)
    write(output / 'fuzz_architecture', [f.read_bytes() for f in sorted(records.iterdir())])
    write(output / 'fuzz_messages', message_seeds([f.read_bytes() for f in sorted(records.iterdir())]))


if __name__ == '__main__':
    main()
