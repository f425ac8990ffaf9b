#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage: test_synthetic.py DUMP_FAST DUMP_BABELTRACE2 [--traces N] [--seed S] [--keep DIRECTORY]

Traces in shapes that no recording at hand has: both readers must give the same records, and the fast one must not refuse what
LTTng-UST could have written. Broken ones: both must fail, or both give the same.
"""
import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from latency import PATIENCE_S  # noqa: E402
from ctf_writer import Array, Enum, Float, Int, Sequence, Struct, Text, Trace, Variant


def run(program, folder):
    result = subprocess.run([program, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=PATIENCE_S)
    return result.returncode, result.stdout, result.stderr.decode(errors='replace').strip()


class Maker:
    """Makes one random trace."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.choice = self.random.choice
        self.natural = self.choice([False, True])
        self.word = self.choice([32, 64])
        self.header = self.choice(['compact', 'large'])
        self.trace = self.new_trace()
        self.values = {}
        self.add_events()

    def new_trace(self):
        clock = self.choice(['freq = 1000000000; offset = 1700000000000000000;', 'freq = 1000000000; offset_s = 1700000000; offset = 5;',
                             'freq = 1000000; offset_s = 1600000000; offset = 7000000;',
                             'freq = 2400000000; precision = 3; offset_s = 1500000000; absolute = FALSE;'])
        trace = Trace(self.choice([False, True]), self.natural, self.word, self.header,
                      uuid=uuid.UUID(int=self.random.getrandbits(128)), clock=clock, stream_last=self.choice([False, True]),
                      version=self.choice([(2, 13), (2, 12), (2, 10)]),
                      env=self.choice([{}, {'vpid': 77, 'procname': '"from_env"'}, {'hostname': '""'}]))
        self.trace = trace
        trace.context = self.make_context()
        return trace

    def make_context(self):
        i = self.trace.int
        members = {'_vpid': i(32, True), '_vtid': i(32, True), '_pid_ns': i(self.choice([32, 64])),
                   '_procname': Array(Int(8, 8, True, encoding='UTF8'), 17), '_perf_thread_cycles': i(64),
                   '_perf_thread_faults': i(self.choice([8, 32]), True), '_perf_thread_name': Text(),
                   '_ip': i(self.word, base=16), '_app_name': Text(), '_pthread_id': i(self.word, base=16),
                   '_bits': Int(self.choice([1, 3, 12]), 1),
                   '_app_value': Variant('_app_tag', Enum(i(8), '_none = 0, _int = 1, _text = 2'), {
                       '_none': (0, Struct({})), '_int': (1, i(64, True)), '_text': (2, Text())})}
        chosen = self.random.sample(list(members), self.random.randint(0, len(members)))
        if self.random.random() < 0.7:
            counters = self.choice([(), (), ('_perf_thread_cycles', '_perf_thread_faults')])
            chosen = [name for name in members if name in ('_vpid', '_vtid', '_procname') + counters]
        return Struct({name: members[name] for name in chosen}) if chosen else None

    def context_values(self):
        if not self.trace.context:
            return []
        name = self.choice(['main', 'worker', '', 'sixteen_letters_'])
        known = {'_vpid': self.choice([10, 11, -1]), '_vtid': self.random.randint(10, 13), '_pid_ns': self.choice([0, 7, 2**31]),
                 '_procname': list(name.encode().ljust(17, b'\0')), '_perf_thread_cycles': self.random.getrandbits(64),
                 '_perf_thread_faults': self.random.randint(-128, 127), '_perf_thread_name': name,
                 '_ip': 1, '_app_name': name, '_pthread_id': 2**31, '_bits': 5,
                 '_app_value': self.choice([('_none', []), ('_int', -5), ('_text', 'text')])}
        return [known[field] for field in self.trace.context.fields]

    def number(self):
        return self.choice([0, 1, 2**31 - 1, 2**32 - 1, self.random.getrandbits(self.word)])

    def text(self):
        return self.choice(['', '/', '/ns/node', 'ä', 'quote " comma , newline \n', 'x' * 3000])

    def numbers(self):
        return [self.number() for _ in range(self.choice([0, 1, 2, 9]))]

    def init_time(self):
        return self.choice([0, 1, 500, 2**63, self.random.getrandbits(63)])

    def add_events(self):
        trace, i, word = self.trace, self.trace.int, self.word
        pointer, size, i32, i64 = i(word, base=16), i(word), i(32, True), i(64, True)

        def seq(name):
            return Sequence(pointer, i(self.choice([8, 32, 64])), f'__{name}_length')

        gid = Array(self.choice([i(8), Int(8, 1), Int(8, 16)]), self.choice([16, 24]))
        events = [
            ('ros2:callback_start', {'_callback': pointer, '_is_intra_process': i32}, lambda: [self.number(), self.choice([0, 1, -1])]),
            ('ros2:callback_end', {'_callback': pointer}, lambda: [self.number()]),
            ('ros2:rmw_take', {'_rmw_subscription_handle': pointer, '_message': pointer, '_source_timestamp': i64, '_taken': i32},
             lambda: [self.number(), self.number(), -1, 1]),
            ('ros2:rmw_publish', {'_publisher_handle': pointer, '_rmw_publisher_handle': pointer, '_message': pointer, '_timestamp': i64},
             lambda: [1, 2, 3, 4]),
            ('ros2:rclcpp_executor_get_next_ready', {}, lambda: []),
            ('ros2:rclcpp_executor_wait_for_work', {'_timeout': i64}, lambda: [-1]),
            ('ros2:rcl_init', {'_context_handle': pointer, '_version': Text()}, lambda: [self.number(), self.text()]),
            ('ros2:rcl_publisher_init', {'_publisher_handle': pointer, '_node_handle': pointer, '_rmw_publisher_handle': pointer,
                                         '_topic_name': Text(), '_queue_depth': size},
             lambda: [1, 2, 3, self.text(), self.number()]),
            ('ros2:rmw_publisher_init', {'_rmw_publisher_handle': pointer, '_gid': gid},
             lambda: [self.number(), [self.random.getrandbits(8) for _ in range(trace.events[8][1].fields['_gid'].length)]]),
            ('ros2:message_link_partial_sync', {'_subs': seq('subs'), '_pubs': seq('pubs')}, lambda: [self.numbers(), self.numbers()]),
            ('ros2_caret:rcl_timer_init', {'_timer_handle': pointer, '_period': i64, '_init_timestamp': i64},
             lambda: [self.number(), 10**9, self.init_time()]),
            ('ros2_caret:rcl_node_init', {'_node_handle': pointer, '_rmw_handle': pointer, '_node_name': Text(), '_namespace': Text(),
                                          '_init_timestamp': i64},
             lambda: [1, self.number(), self.text(), self.text(), self.init_time()]),
            ('ros2:rcl_timer_init', {'_timer_handle': pointer, '_period': Text()}, lambda: [1, 'not a period']),
            ('ros2:of_the_future', {'_handle': pointer}, lambda: [1]),
            ('ros2:rclcpp_take', {'_another_name': pointer}, lambda: [1]),
            ('ros2:rcl_take', {'_message': Int(64, 8, order='be')}, lambda: [self.random.getrandbits(64)]),
            ('ros2:rcl_publish', {'_publisher_handle': i(word, True), '_message': Enum(i(word), 'a = 0, b, "c d" = 5 ... 9')},
             lambda: [self.number(), self.number()]),
            ('ros2:rcl_lifecycle_transition', {'_state_machine': pointer, '_start_label': Array(Int(8, 8, encoding='UTF8'), 5),
                                               '_goal_label': Sequence(Int(8, 8, encoding='ASCII'), i(16), '__label_length')},
             lambda: [1, list(b'ab\0cd'), list(b'goal\0x')]),
            ('other:bits', {'_a': Int(3, 1), '_b': Int(13, 1, True), '_c': i(16), '_d': Float(self.trace.align(64)),
                            '_e': Array(Int(5, 1), 3), '_f': Array(Text(), 2)}, lambda: [1, 2, 3, 4.5, [1, 2, 3], ['x', 'yz']]),
            ('other:nested', {'_s': Struct({'_x': i(16), '_t': Struct({'_y': i(64)})}), '_v': Variant(
                '_v_tag', Enum(Int(8, 8, True), '_low = -5 ... -1, _high = 7'),
                {'_low': (-3, Struct({'_z': i(64)})), '_high': (7, Sequence2(i))})},
             lambda: [[1, [2]], self.choice([('_low', [5]), ('_high', [9, [4, 5, 6]])])]),
            ('ros2:rmw_publish', {'_timestamp': i64, '_another_name': Text(), '_rmw_publisher_handle': pointer, '_message': pointer,
                                  '_publisher_handle': pointer}, lambda: [1, self.text(), 2, 3, 4]),
        ]
        for number, (name, fields, values) in enumerate(events):
            if self.random.random() < 0.1:
                number += self.choice([40, 70_000 if self.header == 'large' else 600])
            if name == 'ros2:rmw_publisher_init':
                number = 8
            trace.add_event(number, name, fields)
            self.values[number] = values

    def packets(self, instance, begin=0, pause=0):
        """One stream: packets whose clock goes on, sometimes far enough to wrap a short header.

        pause: between packets at least. babeltrace2 reverses packets that begin at the same time when it joins chunks.
        """
        packets, clock, sequence, discarded = [], begin, self.choice([0, 5]), self.choice([0, 30])
        for _ in range(self.random.randint(1, 6)):
            start = clock
            events = []
            for _ in range(self.choice([0, 1, 20])):
                step = self.choice([0, 0, 1, 900, 2**26, 2**27 - 1, 2**31])
                clock += step
                number = self.choice(list(self.values))
                # the tracer writes all of the clock when the short header could not express it
                extended = True if step >= 2**26 and self.header == 'compact' or self.random.random() < 0.1 else None
                events.append((number, clock, self.context_values(), self.values[number](), extended))
            end = clock + self.choice([0, 1, 1000])
            packets.append(self.trace.packet(events, start, end, instance, sequence, discarded,
                                             padding=self.choice([0, 1, 4096])))
            clock = end + self.choice([pause, pause + 1, 2**33])
            sequence += self.choice([1, 1, 1, 4])
            discarded = max(0, discarded + self.choice([0, 0, 0, 17, -1]))
        return packets


class KernelMaker(Maker):
    """One random trace of LTTng-modules, in the layouts of any release, as machines of any kind write them."""

    def new_trace(self):
        trace = super().new_trace()
        trace.env = {'domain': '"kernel"', 'tracer_name': '"lttng-modules"'}
        return trace

    def make_context(self):
        i = self.trace.int
        members = {'_procname': Array(Int(8, 8, True, encoding='UTF8'), 16), '_vpid': i(32, True), '_vtid': i(32, True),
                   '_pid_ns': i(32), '_prio': i(32, True), '_hostname': Text()}
        return self.choice([None, *(Struct({name: members[name] for name in names}) for names in (
            ('_vpid', '_vtid'), ('_procname', '_vpid', '_vtid'), ('_vpid', '_vtid', '_pid_ns'), ('_vtid',), ('_procname',),
            ('_vtid', '_hostname', '_vpid'), ('_prio', '_vpid', '_vtid')))])

    def context_values(self):
        known = {'_procname': self.comm(), '_vpid': self.number(), '_vtid': self.choice([0, 10, 11]), '_pid_ns': self.choice([7, 8]),
                 '_prio': -2, '_hostname': 'host'}
        return [known[field] for field in self.trace.context.fields] if self.trace.context else []

    def number(self):
        return self.choice([0, 1, 10, 11, 70, 256, -1])

    def comm(self):
        name = self.choice([b'swapper/0', b'', b'worker\0stale', b'fifteen_letters', b'sixteen_letters_', f'w{self.random.randrange(2000)}'.encode()])
        return list(name.ljust(16, b'\0'))

    def add_events(self):
        i = self.trace.int
        comm = Array(Int(8, 8, self.choice([True, False]), encoding='UTF8'), 16)
        i32, u32, word, long = i(32, True), i(32), i(self.word), i(self.word, True)
        state = self.choice([long, Enum(long, 'TASK_RUNNING = 0, TASK_INTERRUPTIBLE = 1, TASK_STATE_MAX = 256')])
        woken = {'_comm': comm, '_tid': i32, '_prio': i32, **self.choice([{}, {'_success': i32}]), '_target_cpu': i32}
        vtids = Sequence(i32, i(8), '__vtids_length')
        events = {
            'sched_switch': {'_prev_comm': comm, '_prev_tid': i32, '_prev_prio': i32, '_prev_state': state, '_next_comm': comm,
                             '_next_tid': i32, '_next_prio': i32},
            'sched_waking': woken, 'sched_wakeup': woken, 'sched_wakeup_new': woken,
            'sched_migrate_task': {'_comm': comm, '_tid': i32, '_prio': i32, '_orig_cpu': i32, '_dest_cpu': i32},
            'sched_process_fork': self.choice([
                {'_parent_comm': comm, '_parent_tid': i32, '_child_comm': comm, '_child_tid': i32},
                {'_parent_comm': comm, '_parent_tid': i32, '_parent_pid': i32, '_child_comm': comm, '_child_tid': i32, '_child_pid': i32},
                {'_parent_comm': comm, '_parent_tid': i32, '_parent_pid': i32, '_parent_ns_inum': u32, '_child_comm': comm,
                 '_child_tid': i32, '_vtids': vtids, '_child_pid': i32, '_child_ns_inum': u32}]),
            'sched_process_exec': {'_filename': Text(), **self.choice([{'_pid': i32, '_old_pid': i32}, {'_tid': i32, '_old_tid': i32}])},
            'sched_process_exit': {'_comm': comm, '_tid': i32, '_prio': i32, **self.choice([{}, {'_group_dead': i(8)}])},
            'lttng_statedump_process_state': {
                '_tid': i32, **self.choice([{}, {'_vtid': i32, '_vpid': i32, '_ns_level': i32}]), '_pid': i32, '_ppid': i32,
                '_name': comm, '_type': i32, '_status': i32, **self.choice([{}, {'_ns_inum': u32}, {'_file_table_address': word}])},
            'lttng_statedump_process_pid_ns': {'_tid': i32, '_vtid': i32, '_vpid': i32, '_vppid': i32, '_ns_level': i32, '_ns_inum': u32},
            'irq_handler_entry': {'_irq': i32, '_name': Text()}, 'irq_handler_exit': {'_irq': i32, '_ret': i32},
            self.choice(['softirq_raise', 'irq_softirq_raise']): {'_vec': u32},
            self.choice(['softirq_entry', 'irq_softirq_entry']): {'_vec': u32},
            self.choice(['mm_page_alloc', 'kmem_mm_page_alloc']): {'_page': i(self.word, base=16), '_order': u32, '_gfp_flags': u32},
            'kmem_mm_page_free': {'_page': i(64, base=16), '_pfn': i(64), '_order': u32},
            self.choice(['sys_futex', 'syscall_entry_futex', 'compat_sys_futex']): {'_uaddr': word, '_op': i32},
            'syscall_entry_openat': {'_dfd': i32, '_filename': Text(), '_flags': i32}, 'syscall_entry_gettid': {},
            self.choice(['exit_syscall', 'syscall_exit_futex', 'compat_syscall_exit_read']): {'_ret': long},
            'syscall_exit_read': {'_ret': long, '_buf': word},
            'timer_start': {'_timer': word}, 'sched_wait_task': {'_comm': comm, '_tid': i32, '_prio': i32},
            'sched_process_wait': {'_tid': Text()},
        }
        if self.random.random() < 0.2:  # no tracer does so
            events['ros2:callback_end'] = {'_callback': i(64)}
        for number, (name, fields) in enumerate(events.items()):
            number += self.choice([0, 0, 0, 200])
            self.trace.add_event(number, name, fields)
            self.values[number] = lambda fields=fields: [self.value_of(field) for field in fields.values()]

    def value_of(self, field):
        if isinstance(field, Text):
            return self.choice(['', '/bin/sh', 'x' * 300])
        if isinstance(field, Array):
            return self.comm()
        return [self.number() for _ in range(self.choice([1, 2, 3]))] if isinstance(field, Sequence) else self.number()


class Sequence2(Struct):
    """A structure with a sequence of its own."""

    def __init__(self, integer):
        super().__init__({'_n': integer(32), '_q': Sequence(integer(32), integer(16), '__q_length')})


def random_trace(seed, folder, make):
    maker = make(seed)
    has_chunks = maker.random.random() < 0.3
    pause = 10**6 if has_chunks else 0
    streams = {f'channel_{i}': maker.packets(i, pause=pause) for i in range(maker.choice([1, 2, 5]))}
    if maker.random.random() < 0.3:
        streams['channel_empty'] = []
    maker.trace.write(folder / 'a', streams, packetized=maker.choice([False, True]))
    if maker.random.random() < 0.3:
        other = Maker(seed + 1_000_000)
        other.trace.write(folder / 'b', {'channel_0': other.packets(0), 'channel_1': other.packets(1)})
    if has_chunks:
        # a chunk of the first trace: one packet is there already, others follow
        later = streams['channel_0'][-1:] + maker.packets(0, 2**50, pause)
        maker.trace.write(folder / 'c', {'channel_0_1': later, 'channel_9': maker.packets(9, 0, pause)})


class Checker:
    def __init__(self, fast, babeltrace2, keep):
        self.fast, self.babeltrace2, self.keep = fast, babeltrace2, keep
        self.failures = self.records = self.count = 0

    def fail(self, name, folder, what):
        self.failures += 1
        print(f'FAILED: {name}: {what}')
        if self.keep:
            shutil.copytree(folder, Path(self.keep) / name, dirs_exist_ok=True)

    def compare(self, name, folder):
        fast_code, fast_text, fast_error = run(self.fast, folder)
        other_code, other_text, other_error = run(self.babeltrace2, folder)
        self.count += 1
        self.records += fast_text.count(b'\n')
        if fast_code < 0 or fast_code > 2:
            self.fail(name, folder, f'the fast reader dies: {fast_code} {fast_error[-2000:]}')
        return (fast_code, fast_text, fast_error), (other_code, other_text, other_error)

    def same(self, name, folder):
        fast, other = self.compare(name, folder)
        if fast[0] or other[0]:
            self.fail(name, folder, f'fast {fast[0]} ({fast[2]}), babeltrace2 {other[0]} ({other[2]})')
        elif fast[1] != other[1]:
            pairs = zip(fast[1].splitlines(), other[1].splitlines())
            number, lines = next(((n, p) for n, p in enumerate(pairs) if p[0] != p[1]), (0, ('one has more lines',)))
            self.fail(name, folder, f'record {number}: {lines}')

    def same_or_refused(self, name, folder):
        """The fast reader may refuse or fail, but what it reads to the end is what babeltrace2 reads to the end."""
        fast, other = self.compare(name, folder)
        if fast[0] == 0 and (other[0] or fast[1] != other[1]):
            self.fail(name, folder, f'fast reads it, babeltrace2 {other[0]} {other[2]}')
        return fast[0]


def test_random(checker, traces, seed, make):
    for number in range(seed, seed + traces):
        with tempfile.TemporaryDirectory() as folder:
            random_trace(number, Path(folder), make)
            checker.same(f'{make.__name__}-{number}', folder)


def simple_trace(**options):
    trace = Trace(context={'_vpid': Int(32, 8, True), '_vtid': Int(32, 8, True)}, uuid=uuid.UUID(int=1), **options)
    trace.add_event(0, 'ros2:callback_end', {'_callback': Int(64, 8)})
    return trace


def event(clock, callback=7):
    return (0, clock, [1, 2], [callback])


def test_equal_times(checker):
    """Streams and traces with all times equal: the order is by trace, then stream."""
    with tempfile.TemporaryDirectory() as folder:
        for name, number in ('z', 5), ('y', 9), ('x', 3):
            trace = simple_trace()
            trace.uuid = uuid.UUID(int=number << 120)
            trace.write(Path(folder, name), {f's{i}': [trace.packet([event(100, i)] * 3, 100, 100, instance=7 - i)] for i in range(4)})
        checker.same('equal-times', folder)


def test_threads(checker):
    """Threads with ids that are alike take turns: those of two traces with the same ids, then those of one."""
    with tempfile.TemporaryDirectory() as folder:
        threads = [(1, 2), (1, 258), (2, 2), (257, 2), (1, 2), (1, -254)]
        for number in 1, 2:
            trace = simple_trace()
            trace.uuid = uuid.UUID(int=number)
            events = [(0, 100 + i, list(threads[i // 2 % len(threads)]), [i]) for i in range(50 * number)]
            trace.write(Path(folder, str(number)), {f's{i}': [trace.packet(events, 100, 200, instance=i)] for i in range(2)})
        checker.same('threads', folder)


def test_last_times(checker):
    """The last time that a record can have is read, in a long header and in a short one, and no later one."""
    trace = simple_trace()
    last = 2**62 - 1 - 1700000000000000000
    long, short = (0, last, [1, 2], [7], True), [(0, last - 5, [1, 2], [7], True), event(last)]
    for name, events in ('long', [long]), ('short', short):
        for later in 0, 1:
            moved = [(number, clock + later, *rest) for number, clock, *rest in events + [event(last)] * 3]
            with tempfile.TemporaryDirectory() as folder:
                trace.write(folder, {'s': [trace.packet([event(101), event(110), *moved], 100, last)]})
                code, text, _ = checker.compare(name, folder)[0]
                times = [int(line.split()[0]) for line in text.splitlines() if line[:1].isdigit()]
                if (code == 0) != (later == 0) or max(times) >= 2**62:
                    checker.fail(f'last-time-{name}-{later}', folder, f'{code}, {max(times)}')


def test_long_packets(checker, seed):
    """Packets and events of many sizes: wherever the fast reader takes up the next part of a file, nothing gets lost."""
    chosen = random.Random(seed)
    for natural in False, True:
        with tempfile.TemporaryDirectory() as folder:
            trace = simple_trace(natural=natural)
            trace.add_event(1, 'ros2:rcl_init', {'_context_handle': trace.int(64), '_version': Text()})
            trace.add_event(2, 'other:text', {'_text': Text()})
            packets = []
            for sequence in range(4):
                events = []
                for clock in range(2000):
                    text = 'x' * chosen.choice([chosen.randrange(100), chosen.randrange(5000), chosen.randrange(90_000)])
                    kind = chosen.choice([0] * 60 + [1, 2])
                    values = {0: [clock], 1: [clock, text], 2: [text]}[kind]
                    events.append((kind, 2000 * sequence + clock, [1, chosen.choice([2, 3])], values))
                packets.append(trace.packet(events, 2000 * sequence, 2000 * (sequence + 1), sequence=sequence, padding=chosen.randrange(9000)))
            trace.write(folder, {'s': packets})
            checker.same(f'long-packets-{natural}', folder)


def test_long_heads(checker):
    """Heads of packets that are longer than those of LTTng."""
    with tempfile.TemporaryDirectory() as folder:
        trace = simple_trace()
        trace.packet_context.fields['cpu_id'] = Int(32, 8 * 512)
        trace.write(folder, {'s': [trace.packet([event(100 * i)] * 3, 100 * i, 100 * i, sequence=i) for i in range(1, 5)]})
        checker.same('long-heads', folder)


def test_heads(checker, traces, seed):
    """Heads of packets whose members have any size and alignment, or are missing."""
    choose = random.Random(seed).choice

    def member(least, **more):
        return Int(choose(range(least, 65)), choose([1, 8, 64, 256]), **more)

    for number in range(traces):
        with tempfile.TemporaryDirectory() as folder:
            trace = simple_trace(big_endian=choose([False, True]))
            trace.packet_header.fields.update(stream_id=member(1), stream_instance_id=member(3))
            fields = {'timestamp_begin': Int(64, choose([1, 8, 64]), clock=True),
                      'timestamp_end': Int(64, choose([1, 8, 64]), clock=True),
                      'content_size': member(16), 'packet_size': member(16),
                      choose(['packet_seq_num', 'other']): member(8), choose(['events_discarded', 'another']): member(8),
                      'cpu_id': member(1, signed=choose([False, True]))}
            trace.packet_context = Struct(fields)
            trace.write(folder, {f's{i}': [trace.packet([event(100 * k + i)] * 3, 100 * k, 100 * k + 50, instance=i, sequence=k,
                                                        discarded=k // 3) for k in range(1, 6)] for i in range(3)})
            checker.same(f'heads-{number}', folder)


def test_tracer_flaws(checker):
    for name, version, begin, end in ('event-after-packet', (2, 10), 100, 105), ('crash', (2, 13), 100, 0):
        with tempfile.TemporaryDirectory() as folder:
            trace = simple_trace(version=version)
            trace.write(folder, {'s': [trace.packet([event(101), event(110)], begin, end),
                                       trace.packet([event(120)], 115, 130, sequence=1, discarded=1)]})
            checker.same_or_refused(name, folder)
    with tempfile.TemporaryDirectory() as folder:
        trace = simple_trace(version=(2, 10))
        trace.write(folder, {'s': [trace.packet([event(101), event(110)], 100, 105), trace.packet([event(120)], 115, 130, sequence=1)]})
        checker.same('event-after-packet-and-no-loss', folder)


def test_tracer_versions(checker):
    """Which versions have the known faults: in the other ones an event behind its packet, or an end of 0, is an error."""
    ust, modules = '"lttng-ust"', '"lttng-modules"'
    tracers = [
        # name, version, whether packets may end early, whether packets may be left open
        (ust, {'major': 1, 'minor': 20}, True, True),
        (ust, {'major': 2, 'minor': 10, 'patchlevel': 99}, True, True),
        (ust, {'major': 2}, True, True),
        (ust, {'major': 2, 'minor': 11}, False, True),
        (ust, {'major': 3, 'minor': 0}, False, True),
        (ust, {'minor': 5}, False, False),
        (ust, {'major': '"2"', 'minor': 5}, False, False),
        (modules, {'major': 2, 'minor': 10, 'patchlevel': 9}, True, True),
        (modules, {'major': 2, 'minor': 10, 'patchlevel': 10}, False, True),
        (modules, {'major': 2, 'minor': 10, 'patchlevel': 10, 'patch': 9}, True, True),
        (modules, {'major': 2, 'minor': 9, 'patchlevel': 12}, True, True),
        (modules, {'major': 2, 'minor': 9, 'patchlevel': 13}, False, True),
        (modules, {'major': 2, 'minor': 8, 'patchlevel': 20}, True, True),
    ]
    for number, (tracer, version, ends_early, leaves_open) in enumerate(tracers):
        for fault, end, is_accepted in ('early', 105, ends_early), ('open', 0, leaves_open):
            with tempfile.TemporaryDirectory() as folder:
                trace = simple_trace(version=None, env={'tracer_name': tracer, **{f'tracer_{part}': value for part, value in version.items()}})
                trace.write(folder, {'s': [trace.packet([event(101), event(110)], 100, end)]})
                name = f'tracer-{number}-{fault}'
                if (checker.same_or_refused(name, folder) == 0) != is_accepted:
                    checker.fail(name, folder, f'{tracer} {version}: not {"read" if is_accepted else "refused"}')


def test_broken(checker):
    """Cut, overlong, backwards, unknown."""
    trace = simple_trace()
    good = trace.packet([event(101), event(110)], 100, 120, padding=100)
    cases = {
        'cut-file': [good[:-50]],
        'cut-header': [good, good[:20]],
        'garbage-behind': [good, b'garbage'],
        'time-backwards': [trace.packet([event(110), event(105, 1)], 100, 120)],
        'time-backwards-behind-many': [trace.packet([event(101), event(103), event(110), event(115), (0, 112, [1, 2], [1], True),
                                                     event(116), event(117)], 100, 120)],
        'packet-before': [good, trace.packet([event(50)], 40, 60)],
        'unknown-event': [good.replace((0).to_bytes(2, 'little') + (101).to_bytes(4, 'little'),
                                       (9).to_bytes(2, 'little') + (101).to_bytes(4, 'little'))],
        'other-uuid': [good.replace(trace.uuid.bytes, uuid.UUID(int=2).bytes)],
        'no-magic': [b'\0' * 4 + good[4:]],
    }
    for name, packets in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            trace.write(folder, {'s': packets})
            if checker.same_or_refused(name, folder) == 0:
                checker.fail(name, folder, 'the fast reader reads it')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('fast')
    parser.add_argument('babeltrace2')
    parser.add_argument('--traces', type=int, default=60)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--keep', help='folder for traces that fail')
    arguments = parser.parse_args()
    checker = Checker(arguments.fast, arguments.babeltrace2, arguments.keep)
    test_equal_times(checker)
    test_threads(checker)
    test_last_times(checker)
    test_long_packets(checker, arguments.seed)
    test_long_heads(checker)
    test_heads(checker, arguments.traces, arguments.seed)
    test_tracer_flaws(checker)
    test_tracer_versions(checker)
    test_broken(checker)
    test_random(checker, arguments.traces, arguments.seed, Maker)
    test_random(checker, arguments.traces, arguments.seed, KernelMaker)
    print(f'{checker.count} traces, {checker.records} lines, {checker.failures} failures')
    return 1 if checker.failures else 0


if __name__ == '__main__':
    sys.exit(main())
