# SPDX-License-Identifier: MIT
"""A small trace in CTF 2, in the layout of LTTng-UST, with a field class of each kind: an input from which the fuzz target of
the readers comes further than from recordings, whose metadata are a hundred times as long."""
import json
import struct

UUID = bytes(range(16))
COMPACT, EXTENDED = [[0, 65534]], [[65535, 65535]]


def integer(length, **more):
    return {'alignment': 8, 'byte-order': 'little-endian', 'length': length, 'type': 'fixed-length-unsigned-integer', **more}


def signed(length, **more):
    return integer(length, type='fixed-length-signed-integer', **more)


def structure(**members):
    classes = [{'field-class': member, 'name': name} for name, member in members.items()]
    return {'member-classes': classes, 'type': 'structure'}


def located(kind, name, origin='event-record-payload', **more):
    return {'length-field-location': {'origin': origin, 'path': [name]}, 'type': kind, **more}


def option(name, ranges, member):
    return {'field-class': member, 'name': name, 'selector-field-ranges': ranges}


def variant(origin, name, *options):
    return {'options': list(options), 'selector-field-location': {'origin': origin, 'path': [name]}, 'type': 'variant'}


STRING = {'type': 'null-terminated-string'}
NAME = {'length': 16, 'type': 'static-length-string'}
GID = {'element-field-class': integer(8), 'length': 24, 'type': 'static-length-array'}
REAL = {**integer(64), 'type': 'fixed-length-floating-point-number'}
HEADER = structure(
    id=integer(16, mappings={'compact': COMPACT, 'extended': EXTENDED}, roles=['event-record-class-id']),
    v=variant('event-record-header', 'id',
              option('compact', COMPACT, structure(timestamp=integer(32, roles=['default-clock-timestamp']))),
              option('extended', EXTENDED, structure(id=integer(32, roles=['event-record-class-id']),
                                                     timestamp=integer(64, roles=['default-clock-timestamp'])))))
PACKET_HEADER = structure(
    magic=integer(32, roles=['packet-magic-number']),
    uuid={'length': 16, 'roles': ['metadata-stream-uuid'], 'type': 'static-length-blob'},
    stream_id=integer(32, roles=['data-stream-class-id']), stream_instance_id=integer(64, roles=['data-stream-id']))
PACKET_CONTEXT = structure(
    timestamp_begin=integer(64, roles=['default-clock-timestamp']),
    timestamp_end=integer(64, roles=['packet-end-default-clock-timestamp']),
    content_size=integer(64, roles=['packet-content-length']), packet_size=integer(64, roles=['packet-total-length']),
    packet_seq_num=integer(64, roles=['packet-sequence-number']),
    events_discarded=integer(64, roles=['discarded-event-record-counter-snapshot']), cpu_id=integer(32))
CLASSES = {
    'ros2:rcl_node_init': structure(node_handle=integer(64), rmw_handle=integer(64), node_name=STRING, namespace=STRING),
    'ros2:callback_start': structure(callback=integer(64), is_intra_process=signed(32)),
    'ros2:callback_end': structure(callback=integer(64)),
    'ros2:rmw_publisher_init': structure(rmw_publisher_handle=integer(64), gid=GID),
    'ros2:message_link_partial_sync': structure(
        _subs_length=integer(32), subs=located('dynamic-length-array', '_subs_length', **{'element-field-class': integer(64)}),
        _pubs_length=integer(8), pubs=located('dynamic-length-array', '_pubs_length', **{'element-field-class': integer(64)})),
    'odd:fields': structure(
        real=REAL, color=signed(8, mappings={'RED': [[-128, -1]], 'BLUE': [[0, 5]]}), n=integer(8),
        text=located('dynamic-length-string', 'n'), blob=located('dynamic-length-blob', 'n'),
        choice=variant('event-record-payload', 'n', option('a', [[0, 3]], integer(16, **{'byte-order': 'big-endian'})),
                       option('b', [[4, 255]], STRING))),
}


def metadata():
    fragments = [
        {'type': 'preamble', 'uuid': list(UUID), 'version': 2},
        {'environment': {'hostname': 'vm', 'domain': 'ust', 'tracer_name': 'lttng-ust', 'tracer_major': 2}, 'name': '', 'namespace': 'lttng.org,2009',
         'packet-header-field-class': PACKET_HEADER, 'type': 'trace-class', 'uid': 'a6022d64'},
        {'frequency': 1000000000, 'id': 'monotonic', 'name': 'monotonic', 'origin': 'unix-epoch', 'type': 'clock-class',
         'offset-from-origin': {'cycles': 642130312, 'seconds': 1795288168}},
        {'default-clock-class-id': 'monotonic', 'id': 0, 'packet-context-field-class': PACKET_CONTEXT,
         'event-record-header-field-class': HEADER, 'type': 'data-stream-class',
         'event-record-common-context-field-class': structure(vpid=signed(32), vtid=signed(32), procname=NAME)},
    ]
    fragments += [{'data-stream-class-id': 0, 'id': number, 'name': name, 'payload-field-class': payload,
                   'type': 'event-record-class'} for number, (name, payload) in enumerate(CLASSES.items())]
    return b''.join(b'\x1e' + json.dumps(fragment, separators=(',', ':')).encode() for fragment in fragments)


def event(number, time, payload, is_extended=False):
    header = struct.pack('<HIQ', 65535, number, time) if is_extended else struct.pack('<HI', number, time)
    return header + struct.pack('<ii16s', 10, 11, b'talker') + payload


def packet(number, begin, end, events, padding=8):
    content = b''.join(events)
    bits = 8 * (84 + len(content))
    header = struct.pack('<I16sIQ', 0xC1FC1FC1, UUID, 0, 0)
    return header + struct.pack('<QQQQQQI', begin, end, bits, bits + 8 * padding, number, 0, 1) + content + bytes(padding)


def stream():
    node, callback = 0x5500001000, 0x5500002000
    first = [
        event(0, 1000, struct.pack('<QQ', node, node + 8) + b'talker\0/\0'),
        event(3, 1100, struct.pack('<Q24s', node + 16, bytes(range(24)))),
        event(1, 2000, struct.pack('<Qi', callback, 0)), event(2, 3000, struct.pack('<Q', callback)),
        event(4, 3100, struct.pack('<IQQBQ', 2, 1, 2, 1, 3)),
    ]
    second = [
        event(5, 5000, struct.pack('<dbB', 0.5, -3, 2) + b'xy' + b'\7\10' + b'\1\2'),
        event(5, 5001, struct.pack('<dbB', 1.5, 3, 5) + b'abcde' + b'12345' + b'choice\0'),
        event(1, 6_000_000_000, struct.pack('<Qi', callback, 1), is_extended=True),
        event(2, 6_000_001_000 % 2 ** 32, struct.pack('<Q', callback)),
    ]
    return packet(0, 1000, 4000, first) + packet(1, 5000, 6_000_002_000, second, 0)
