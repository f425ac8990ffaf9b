# SPDX-License-Identifier: MIT
"""Writes CTF 1.8 traces as LTTng-UST does, in every shape: byte orders, alignments, headers, contexts, losses.

A type knows its TSDL and how to write a value; a trace is metadata and stream files of packets of events.
"""
import struct
import uuid as uuids
from pathlib import Path


class Bits:
    """A packet being written."""

    def __init__(self, big_endian):
        self.bytes = bytearray()
        self.at = 0
        self.big_endian = big_endian

    def align(self, alignment):
        self.at = -(-self.at // alignment) * alignment
        self._grow(self.at)

    def _grow(self, bits):
        self.bytes.extend(bytes(-(-bits // 8) - len(self.bytes)))

    def integer(self, value, size):
        value &= (1 << size) - 1
        if self.at % 8 == 0 and size % 8 == 0:
            self.raw(value.to_bytes(size // 8, 'big' if self.big_endian else 'little'))
            return
        self._grow(self.at + size)
        for bit in range(size):
            at = self.at + bit
            if self.big_endian:
                self.bytes[at // 8] |= (value >> (size - 1 - bit) & 1) << (7 - at % 8)
            else:
                self.bytes[at // 8] |= (value >> bit & 1) << at % 8
        self.at += size

    def raw(self, data):
        assert self.at % 8 == 0
        self._grow(self.at + 8 * len(data))
        self.bytes[self.at // 8:self.at // 8 + len(data)] = data
        self.at += 8 * len(data)


class Int:
    def __init__(self, size, align, signed=False, clock=False, encoding='none', order=None, base=10):
        self.size, self.alignment, self.signed, self.clock = size, align, signed, clock
        self.encoding, self.order, self.base = encoding, order, base

    def tsdl(self):
        order = f' byte_order = {self.order};' if self.order else ''
        clock = ' map = clock.monotonic.value;' if self.clock else ''
        return (f'integer {{ size = {self.size}; align = {self.alignment}; signed = {int(self.signed)}; '
                f'encoding = {self.encoding}; base = {self.base};{order}{clock} }}')

    def write(self, bits, value):
        bits.align(self.alignment)
        if self.order:
            bits.raw((value & (1 << self.size) - 1).to_bytes(self.size // 8, 'big' if self.order == 'be' else 'little'))
        else:
            bits.integer(value, self.size)


class Enum(Int):
    def __init__(self, container, labels):
        super().__init__(container.size, container.alignment, container.signed)
        self.container, self.labels = container, labels

    def tsdl(self):
        return f'enum : {self.container.tsdl()} {{ {self.labels} }}'


class Float:
    def __init__(self, align):
        self.alignment = align

    def tsdl(self):
        return f'floating_point {{ exp_dig = 11; mant_dig = 53; align = {self.alignment}; }}'

    def write(self, bits, value):
        bits.align(self.alignment)
        bits.raw(struct.pack('>d' if bits.big_endian else '<d', value))


class Text:
    alignment = 8

    def tsdl(self):
        return 'string'

    def write(self, bits, value):
        bits.align(8)
        bits.raw(value.encode('utf-8', 'surrogateescape') + b'\0')


class Array:
    def __init__(self, element, length):
        self.element, self.length, self.alignment = element, length, element.alignment

    def declare(self, name):
        return f'{self.element.tsdl()} {name}[{self.length}];'

    def write(self, bits, values):
        assert len(values) == self.length
        bits.align(self.alignment)
        for value in values:
            self.element.write(bits, value)


class Sequence:
    def __init__(self, element, length_type, length_name):
        self.element, self.length_type, self.length_name = element, length_type, length_name
        self.alignment = max(element.alignment, length_type.alignment)

    def declare(self, name):
        return f'{self.length_type.tsdl()} {self.length_name}; {self.element.tsdl()} {name}[ {self.length_name} ];'

    def write(self, bits, values):
        self.length_type.write(bits, len(values))
        bits.align(self.element.alignment)
        for value in values:
            self.element.write(bits, value)


class Variant:
    """Of structures; a value is (tag, value)."""

    alignment = 1

    def __init__(self, tag_name, tag, options):
        self.tag_name, self.tag, self.options = tag_name, tag, options

    def declare(self, name):
        options = ' '.join(f'{option.tsdl()} {label};' for label, (_, option) in self.options.items())
        return f'{self.tag.tsdl()} {self.tag_name}; variant <{self.tag_name}> {{ {options} }} {name};'

    def write(self, bits, value):
        label, content = value
        tag, option = self.options[label]
        self.tag.write(bits, tag)
        option.write(bits, content)


class Struct:
    def __init__(self, fields, align=1):
        self.fields, self.own_alignment = fields, align

    @property
    def alignment(self):
        """A variant's tag is written with it and counts, the variant itself does not."""
        alignments = [f.tag.alignment if isinstance(f, Variant) else f.alignment for f in self.fields.values()]
        return max([self.own_alignment] + alignments)

    def tsdl(self):
        fields = ' '.join(f.declare(n) if hasattr(f, 'declare') else f'{f.tsdl()} {n};' for n, f in self.fields.items())
        align = f' align({self.own_alignment})' if self.own_alignment > 1 else ''
        return f'struct {{ {fields} }}{align}'

    def write(self, bits, values):
        bits.align(self.alignment)
        for (_, field), value in zip(self.fields.items(), values):
            field.write(bits, value)


class Trace:
    """The metadata of a trace and what its packets have in common."""

    def __init__(self, big_endian=False, natural=False, word=64, header='large', context=None, uuid=None, env=(),
                 clock='freq = 1000000000; offset = 1700000000000000000;', stream_last=False, version=(2, 13)):
        self.big_endian, self.natural, self.word, self.header_kind = big_endian, natural, word, header
        self.uuid = uuid or uuids.uuid4()
        self.events = {}
        self.clock, self.stream_last, self.env, self.version = clock, stream_last, dict(env), version
        self.context = Struct(context) if context is not None else None
        self.packet_header = Struct({'magic': self.int(32), 'uuid': Array(self.int(8), 16), 'stream_id': self.int(32),
                                     'stream_instance_id': self.int(64)})
        clock64 = Int(64, self.align(64), clock=True)
        self.packet_context = Struct({
            'timestamp_begin': clock64, 'timestamp_end': clock64, 'content_size': self.int(64), 'packet_size': self.int(64),
            'packet_seq_num': self.int(64), 'events_discarded': self.int(word), 'cpu_id': self.int(32)})

    def align(self, size):
        return size if self.natural and size >= 8 else 8 if size >= 8 else 1

    def int(self, size, signed=False, **more):
        return Int(size, self.align(size), signed, **more)

    def add_event(self, number, name, fields):
        self.events[number] = (name, Struct(fields))

    def write_header(self, bits, number, clock, extended):
        """extended: None is as short as it can be."""
        id_size, time_size, last = (5, 27, 31) if self.header_kind == 'compact' else (16, 32, 65535)
        if extended is None:
            extended = number >= last
        id_type = Int(id_size, 1 if id_size == 5 else self.align(16))
        time_type = Int(time_size, 1 if time_size == 27 else self.align(32))
        bits.align(self.header_align())
        id_type.write(bits, last if extended else number)
        if extended:
            Struct({'id': self.int(32), 'timestamp': self.int(64)}).write(bits, [number, clock])
        else:
            time_type.write(bits, clock)

    def header_align(self):
        """As LTTng-UST declares the structure: like a word of 32 (compact) or 16 bits on machines that do not pack."""
        return self.align(32 if self.header_kind == 'compact' else 16)

    def header_tsdl(self):
        time64 = Int(64, self.align(64), clock=True).tsdl()
        if self.header_kind == 'compact':
            tag = f'enum : {Int(5, 1).tsdl()} {{ compact = 0 ... 30, extended = 31 }}'
            time = Int(27, 1, clock=True).tsdl()
        else:
            tag = f'enum : {self.int(16).tsdl()} {{ compact = 0 ... 65534, extended = 65535 }}'
            time = Int(32, self.align(32), clock=True).tsdl()
        return (f'struct event_header {{ {tag} id; variant <id> {{ struct {{ {time} timestamp; }} compact; '
                f'struct {{ {self.int(32).tsdl()} id; {time64} timestamp; }} extended; }} v; }} align({self.header_align()});\n')

    def tsdl(self):
        context = f'event.context := {self.context.tsdl()};' if self.context else ''
        stream = (f'stream {{ id = 0; event.header := struct event_header; packet.context := {self.packet_context.tsdl()}; '
                  f'{context} }};\n')
        events = ''.join(f'event {{ name = "{name}"; id = {number}; stream_id = 0; loglevel = 13; '
                         f'fields := {fields.tsdl()}; }};\n\n' for number, (name, fields) in self.events.items())
        version = dict(zip(('tracer_major', 'tracer_minor'), self.version or ()))
        env = ''.join(f'{key} = {value};\n' for key, value in
                      {'domain': '"ust"', 'tracer_name': '"lttng-ust"', **version, 'hostname': '"host"', **self.env}.items())
        return ('/* CTF 1.8 */\n\n'
                f'trace {{ major = 1; minor = 8; uuid = "{self.uuid}"; byte_order = {"be" if self.big_endian else "le"};\n'
                f'packet.header := {self.packet_header.tsdl()}; }};\n'
                f'env {{ {env} }};\n'
                f'clock {{ name = "monotonic"; uuid = "72bd4720-2d78-4b94-ba7d-413a097b1e7d"; /* c */ {self.clock} }};\n'
                + self.header_tsdl() + (events + stream if self.stream_last else stream + events))

    def packet(self, events, begin, end, instance=0, sequence=0, discarded=0, padding=0):
        """events: (number, clock, context values, payload values[, extended])"""
        bits = Bits(self.big_endian)
        self.packet_header.write(bits, [0xC1FC1FC1, list(self.uuid.bytes), 0, instance])
        bits.align(self.packet_context.alignment)
        at = bits.at
        self.packet_context.write(bits, [begin, end, 0, 0, sequence, discarded, 0])
        for number, clock, context, payload, *more in events:
            self.write_header(bits, number, clock, more[0] if more else None)
            if self.context:
                self.context.write(bits, context)
            self.events[number][1].write(bits, payload)
        content = bits.at
        size = 8 * (-(-content // 8) + padding)
        patch = Bits(self.big_endian)
        patch.at = at
        self.packet_context.write(patch, [begin, end, content, size, sequence, discarded, 0])
        start = at // 8
        bits.bytes[start:len(patch.bytes)] = patch.bytes[start:]
        return bytes(bits.bytes).ljust(size // 8, b'\0')

    def write(self, folder, streams, packetized=False):
        """streams: file name → packets"""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        text = self.tsdl().encode()
        (folder / 'metadata').write_bytes(self.packetize(text) if packetized else text)
        for name, packets in streams.items():
            (folder / name).write_bytes(b''.join(packets))

    def packetize(self, text, part=500):
        order = '>' if self.big_endian else '<'
        packets = b''
        for start in range(0, len(text), part):
            content = text[start:start + part]
            header = struct.pack(order + 'I16sIIIBBBBB', 0x75D11D57, self.uuid.bytes, 0, 8 * (37 + len(content)),
                                 8 * 4096, 0, 0, 0, 1, 8)
            packets += (header + content).ljust(4096, b'\0')
        return packets
