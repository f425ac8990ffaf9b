#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: make_seeds.py OUTPUT [DIRECTORY…]: inputs for fuzz_readers, from synthetic traces and from the recordings below the directories.

Of a recording come its metadata and the beginning of its streams, cut to whole packets of small size.
"""
import struct
import sys
from pathlib import Path

from test_synthetic import Maker


def pack(metadata, streams):
    return b''.join(struct.pack('<I', len(part)) + part for part in [metadata, *streams][:4])


def first_packets(stream, content_max=6000):
    """The packets of a stream until they are long; the last one is cut after some whole events by lying about nothing but its end."""
    data, at = b'', 0
    while at + 96 <= len(stream) and len(data) < content_max:
        content, size = struct.unpack_from('<QQ', stream, at + 48)
        if size % 8 or size == 0 or size // 8 > 16384:
            break
        data += stream[at:at + size // 8]
        at += size // 8
    return data


def main():
    output = Path(sys.argv[1])
    output.mkdir(parents=True, exist_ok=True)
    for seed in range(80):
        maker = Maker(seed)
        streams = [b''.join(maker.packets(i)) for i in range(2)]
        text = maker.trace.tsdl().encode()
        metadata = maker.trace.packetize(text) if seed % 4 == 0 else text
        (output / f'synthetic-{seed}').write_bytes(pack(metadata, streams))
    for directory in sys.argv[2:]:
        for number, metadata in enumerate(sorted(Path(directory).rglob('metadata'))):
            streams = [first_packets(f.read_bytes()) for f in sorted(metadata.parent.iterdir()) if f.is_file() and f != metadata]
            (output / f'recording-{number}').write_bytes(pack(metadata.read_bytes(), [s for s in streams if s]))


if __name__ == '__main__':
    main()
