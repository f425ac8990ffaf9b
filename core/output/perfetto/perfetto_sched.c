/* SPDX-License-Identifier: MIT */
#include "core/output/perfetto/perfetto_sched.h"

#include "core/base/compare_numbers.h"
#include "core/tables/timeline_tables.h"

/* Fields, by message. */
enum { PACKET_FTRACE_EVENTS = 1 };

enum { BUNDLE_CPU = 1, BUNDLE_EVENT = 2 };

enum { EVENT_TIMESTAMP = 1, EVENT_PID = 2, EVENT_FLAGS = 5, EVENT_SWITCH = 4, EVENT_BLOCKED = 18, EVENT_WAKING = 20 };

enum { SWITCH_PREV_PID = 2, SWITCH_PREV_STATE = 4, SWITCH_NEXT_NAME = 5, SWITCH_NEXT_PID = 6 };

enum { WAKING_PID = 2, WAKING_TARGET_CPU = 5 };

enum { BLOCKED_PID = 1, BLOCKED_CALLER = 2 };

/* Values: states as a kernel of unknown version has them, and the flag of an interrupt. */
enum { LEFT_READY = 0, LEFT_BLOCKED = 1, LEFT_ENDED = 16, LEFT_UNKNOWN = 0x400, LEFT_PREEMPTED = 0x800 };

#define FLAG_IN_IRQ 8

/* A bundle is written when it has this many bytes. */
#define BUNDLE_SIZE 65536

#define NOTHING "not known"

#define PERFETTO_LANES ((size_t)(PERFETTO_CPU_MAX - PERFETTO_CPU_UNKNOWN))
#define WITHOUT_LANE '\0' /* the letter of a state that is not drawn */

/* A thread on a CPU, and what becomes of it then. Without duration: it only takes on a state. */
struct run {
	int64_t begin_ns, end_ns;
	uint32_t thread;
	uint32_t reason; /* of the state after it */
	int32_t cpu, left;
};

struct writer {
	struct perfetto_packets *packets;
	const struct perfetto_thread *threads;
	GArray *runs; /* struct run */
	uint32_t reason_unknown;
	struct protobuf bundle, event, inner;
	uint32_t cpu;
};

void perfetto_sched_init(struct perfetto_sched *sched)
{
	sched->states = g_array_new(FALSE, FALSE, sizeof(struct perfetto_state));
}

void perfetto_sched_clear(struct perfetto_sched *sched)
{
	g_array_unref(sched->states);
}

static struct perfetto_state *state_at(const struct perfetto_sched *sched, guint index)
{
	return &g_array_index(sched->states, struct perfetto_state, index);
}

void perfetto_sched_prepare(struct perfetto_sched *sched, struct perfetto_packets *packets,
			    const struct perfetto_thread *threads)
{
	if (sched->states->len > 0) {
		(void)perfetto_string_id(packets, PERFETTO_KERNEL_SYMBOL, NOTHING);
	}
	for (guint i = 0; i < sched->states->len; i++) {
		struct perfetto_state *state = state_at(sched, i);

		if (state->letter == TIMELINE_STATE_PREEMPTED[0] && state->by != PERFETTO_NOBODY) {
			const struct perfetto_thread *by = &threads[state->by];
			g_autofree char *text = g_strdup_printf("preempted by %s %" G_GINT64_FORMAT, by->name, by->tid);

			state->reason = (uint32_t)perfetto_string_id(packets, PERFETTO_KERNEL_SYMBOL, text);
		}
	}
}

/* --- order --- */

static gint compare_states(gconstpointer left, gconstpointer right)
{
	const struct perfetto_state *one = left, *other = right;
	int order = compare_unsigned(one->thread, other->thread);

	order = order ? order : compare_integers(one->begin_ns, other->begin_ns);
	return order ? order : compare_integers(one->end_ns, other->end_ns);
}

static gint compare_unplaced(gconstpointer left, gconstpointer right)
{
	const struct perfetto_state *one = *(struct perfetto_state *const *)left;
	const struct perfetto_state *other = *(struct perfetto_state *const *)right;
	int order = compare_integers(one->begin_ns, other->begin_ns);

	order = order ? order : compare_integers(one->end_ns, other->end_ns);
	return order ? order : compare_unsigned(one->thread, other->thread);
}

static gint compare_runs(gconstpointer left, gconstpointer right)
{
	const struct run *one = left, *other = right;
	int order = compare_integers(one->cpu, other->cpu);

	order = order ? order : compare_integers(one->begin_ns, other->begin_ns);
	order = order ? order : compare_integers(one->end_ns, other->end_ns);
	return order ? order : compare_unsigned(one->thread, other->thread);
}

/* --- where nobody knows the CPU --- */

/* The first lane that is free at a time; PERFETTO_LANES: none is. */
static size_t free_lane(const int64_t *until_ns, int64_t time_ns)
{
	size_t lane = 0;

	while (lane < PERFETTO_LANES && until_ns[lane] > time_ns) {
		lane++;
	}
	return lane;
}

/*
 * Running states without a CPU get one each where they overlap. Those for which none is left are taken away: then
 * nothing is known of the thread.
 */
static void spread_unknown(struct perfetto_sched *sched)
{
	g_autoptr(GPtrArray) unknown = g_ptr_array_new();
	int64_t until_ns[PERFETTO_LANES];
	guint kept = 0;

	for (size_t i = 0; i < PERFETTO_LANES; i++) {
		until_ns[i] = INT64_MIN;
	}
	for (guint i = 0; i < sched->states->len; i++) {
		if (state_at(sched, i)->letter == TIMELINE_STATE_RUNNING[0] && state_at(sched, i)->cpu < 0) {
			g_ptr_array_add(unknown, state_at(sched, i));
		}
	}
	g_ptr_array_sort(unknown, compare_unplaced);
	for (guint i = 0; i < unknown->len; i++) {
		struct perfetto_state *state = unknown->pdata[i];
		size_t lane = free_lane(until_ns, state->begin_ns);

		if (lane == PERFETTO_LANES) {
			state->letter = WITHOUT_LANE;
			continue;
		}
		state->cpu = (int32_t)(PERFETTO_CPU_UNKNOWN + lane);
		until_ns[lane] = state->end_ns;
	}
	for (guint i = 0; i < sched->states->len; i++) {
		if (state_at(sched, i)->letter != WITHOUT_LANE) {
			*state_at(sched, kept++) = *state_at(sched, i);
		}
	}
	g_array_set_size(sched->states, kept);
}

/* --- what runs where --- */

static struct run *run_at(const struct writer *writer, guint index)
{
	return &g_array_index(writer->runs, struct run, index);
}

static int32_t left_as(char letter)
{
	return letter == TIMELINE_STATE_PREEMPTED[0] ? LEFT_PREEMPTED
	       : letter == TIMELINE_STATE_BLOCKED[0] ? LEFT_BLOCKED
	       : letter == TIMELINE_STATE_ENDED[0]   ? LEFT_ENDED
						     : LEFT_READY;
}

/* How a thread leaves a state; `next`: the state that follows, NULL if that is not known. */
static void set_left(const struct writer *writer, struct run *run, const struct perfetto_state *next)
{
	run->left = next ? left_as(next->letter) : LEFT_UNKNOWN;
	run->reason = next ? next->reason : writer->reason_unknown;
}

/* The first of the first `count` runs, which are sorted, that does not begin on a CPU before a time, or on a lower one.
 */
static guint find_run(const struct writer *writer, guint count, int32_t cpu, int64_t time_ns)
{
	const struct run wanted = { .cpu = cpu, .begin_ns = time_ns, .end_ns = INT64_MIN };
	guint low = 0, high = count;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (compare_runs(run_at(writer, middle), &wanted) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Whether nobody is on a CPU at a time. */
static bool is_free(const struct writer *writer, guint count, int32_t cpu, int64_t time_ns)
{
	guint next = find_run(writer, count, cpu, time_ns);

	return next == 0 || run_at(writer, next - 1)->cpu != cpu || run_at(writer, next - 1)->end_ns <= time_ns;
}

/* A CPU that nobody is on at a time; one that does not exist, if there is none. O(CPUs × log(runs)). */
static int32_t free_cpu(const struct writer *writer, guint count, int64_t time_ns)
{
	for (guint i = 0; i < count;) {
		int32_t cpu = run_at(writer, i)->cpu;

		if (cpu >= PERFETTO_CPU_UNKNOWN) {
			break;
		}
		if (is_free(writer, count, cpu, time_ns)) {
			return cpu;
		}
		i = find_run(writer, count, cpu + 1, INT64_MIN);
	}
	return PERFETTO_CPU_UNKNOWN - 1;
}

static void add_runs(struct writer *writer, const struct perfetto_sched *sched)
{
	for (guint i = 0; i < sched->states->len; i++) {
		const struct perfetto_state *state = state_at(sched, i);
		const struct perfetto_state *next = i + 1 < sched->states->len ? state + 1 : NULL;
		struct run run = { state->begin_ns, state->end_ns, state->thread, 0, state->cpu, 0 };

		if (state->letter != TIMELINE_STATE_RUNNING[0]) {
			continue;
		}
		next = next && next->thread == state->thread && next->begin_ns == state->end_ns ? next : NULL;
		set_left(writer, &run, next);
		g_array_append_val(writer->runs, run);
	}
	g_array_sort(writer->runs, compare_runs);
}

/* Where a thread takes on a state that the events before do not lead to. */
static void add_turns(struct writer *writer, const struct perfetto_sched *sched)
{
	guint count = writer->runs->len;

	for (guint i = 0; i < sched->states->len; i++) {
		const struct perfetto_state *state = state_at(sched, i);
		const struct perfetto_state *before = i > 0 && state[-1].thread == state->thread ? state - 1 : NULL;
		const struct perfetto_state *next =
			i + 1 < sched->states->len && state[1].thread == state->thread ? state + 1 : NULL;
		bool follows = before && before->end_ns == state->begin_ns;
		bool is_led_to = state->letter == TIMELINE_STATE_RUNNING[0] ||
				 state->letter == TIMELINE_STATE_WOKEN[0] ||
				 state->letter == TIMELINE_STATE_WOKEN_IN_IRQ[0] ||
				 (follows && before->letter == TIMELINE_STATE_RUNNING[0]);
		struct run turn = { state->begin_ns, state->begin_ns, state->thread, 0, 0, 0 };

		if (!is_led_to) {
			set_left(writer, &turn, state);
			turn.cpu = free_cpu(writer, count, turn.begin_ns);
			g_array_append_val(writer->runs, turn);
		}
		/* nothing is known from its end on */
		if (state->letter != TIMELINE_STATE_RUNNING[0] && state->letter != TIMELINE_STATE_ENDED[0] &&
		    !(next && next->begin_ns == state->end_ns)) {
			turn.begin_ns = turn.end_ns = state->end_ns;
			set_left(writer, &turn, NULL);
			turn.cpu = free_cpu(writer, count, turn.begin_ns);
			g_array_append_val(writer->runs, turn);
		}
	}
}

/* --- events --- */

static void flush(struct writer *writer)
{
	if (writer->bundle.size > 0) {
		protobuf_varint(&writer->bundle, BUNDLE_CPU, writer->cpu);
		perfetto_write_message(writer->packets, PACKET_FTRACE_EVENTS, &writer->bundle);
		protobuf_clear(&writer->bundle);
	}
}

static void write_event(struct writer *writer, uint32_t cpu, int64_t time_ns, int64_t current, unsigned int flags,
			unsigned int field)
{
	struct protobuf *event = &writer->event;

	if (writer->cpu != cpu || writer->bundle.size >= BUNDLE_SIZE) {
		flush(writer);
		writer->cpu = cpu;
	}
	protobuf_clear(event);
	protobuf_varint(event, EVENT_TIMESTAMP, (uint64_t)MAX(time_ns, 0));
	protobuf_varint(event, EVENT_PID, (uint64_t)current);
	protobuf_message(event, field, &writer->inner);
	if (flags) {
		protobuf_varint(event, EVENT_FLAGS, flags);
	}
	protobuf_message(&writer->bundle, BUNDLE_EVENT, event);
}

/* Thread 0 is the idle one. */
static void write_switch(struct writer *writer, uint32_t cpu, int64_t time_ns, const struct run *from,
			 const struct run *to)
{
	int64_t prev = from ? writer->threads[from->thread].tid : 0;
	int64_t next = to ? writer->threads[to->thread].tid : 0;
	struct protobuf *inner = &writer->inner;

	protobuf_clear(inner);
	protobuf_varint(inner, SWITCH_PREV_PID, (uint64_t)prev);
	protobuf_varint(inner, SWITCH_PREV_STATE, from ? (uint64_t)from->left : LEFT_READY);
	if (to && !writer->threads[to->thread].has_process) { /* nothing else names it */
		protobuf_text(inner, SWITCH_NEXT_NAME, writer->threads[to->thread].name);
	}
	protobuf_varint(inner, SWITCH_NEXT_PID, (uint64_t)next);
	write_event(writer, cpu, time_ns, prev, 0, EVENT_SWITCH);
	if (from && from->reason) {
		protobuf_clear(inner);
		protobuf_varint(inner, BLOCKED_PID, (uint64_t)prev);
		protobuf_varint(inner, BLOCKED_CALLER, from->reason);
		write_event(writer, cpu, time_ns, next, 0, EVENT_BLOCKED);
	}
}

static void write_runs(struct writer *writer)
{
	const struct run *before = NULL; /* on the same CPU, and not left yet */

	for (guint i = 0; i < writer->runs->len; i++) {
		const struct run *run = run_at(writer, i);

		if (before && (before->cpu != run->cpu || before->end_ns < run->begin_ns)) {
			write_switch(writer, (uint32_t)before->cpu, before->end_ns, before, NULL);
			before = NULL;
		}
		write_switch(writer, (uint32_t)run->cpu, run->begin_ns, before, run);
		before = run;
	}
	if (before) {
		write_switch(writer, (uint32_t)before->cpu, before->end_ns, before, NULL);
	}
}

static void write_wakings(struct writer *writer, const struct perfetto_sched *sched)
{
	for (guint i = 0; i < sched->states->len; i++) {
		const struct perfetto_state *state = state_at(sched, i);
		bool is_in_irq = state->letter == TIMELINE_STATE_WOKEN_IN_IRQ[0];

		if (state->letter == TIMELINE_STATE_WOKEN[0] || is_in_irq) {
			protobuf_clear(&writer->inner);
			protobuf_varint(&writer->inner, WAKING_PID, (uint64_t)writer->threads[state->thread].tid);
			protobuf_varint(&writer->inner, WAKING_TARGET_CPU, 0);
			write_event(writer, 0, state->begin_ns,
				    state->by == PERFETTO_NOBODY ? 0 : writer->threads[state->by].tid,
				    is_in_irq ? FLAG_IN_IRQ : 0, EVENT_WAKING);
		}
	}
}

void perfetto_sched_write(struct perfetto_sched *sched, struct perfetto_packets *packets,
			  const struct perfetto_thread *threads)
{
	struct writer writer = { .packets = packets, .threads = threads };

	if (sched->states->len == 0) {
		return;
	}
	writer.runs = g_array_new(FALSE, FALSE, sizeof(struct run));
	writer.reason_unknown = (uint32_t)perfetto_string_id(packets, PERFETTO_KERNEL_SYMBOL, NOTHING);
	g_array_sort(sched->states, compare_states);
	spread_unknown(sched);
	add_runs(&writer, sched);
	add_turns(&writer, sched);
	g_array_sort(writer.runs, compare_runs);
	write_runs(&writer);
	write_wakings(&writer, sched);
	flush(&writer);
	g_array_unref(writer.runs);
	protobuf_free(&writer.bundle);
	protobuf_free(&writer.event);
	protobuf_free(&writer.inner);
}
