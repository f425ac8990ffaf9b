/* SPDX-License-Identifier: MIT */
/*
 * Threads that a scheduler moves between CPUs at random, and a tracer that loses events of some of them in every way
 * that it can: whatever is recorded, no state of an execution or a thread is charged with more than what was true.
 * ROS2BT_SEEDS sets the number of systems.
 */
#include "core/model/execution_schedules.h"

#include <criterion/criterion.h>

#include "records.h"

#define CPUS_MAX 4
#define THREADS_MAX 10
#define MOMENTS 4000
#define SEEDS 40
#define FIRST_TID 10
#define CALLBACK 0xCA11

enum what { SWITCH, WAKING, START, END };

/* What happened. */
struct happening {
	enum what what;
	int64_t time_ns;
	uint32_t cpu;
	int prev, next; /* threads; -1: idle */
	bool is_runnable;
};

struct interval {
	int64_t begin_ns, end_ns;
};

struct interval_of_state {
	struct interval time;
	enum thread_state state;
};

static GRand *source;
static uint32_t cpu_count;
static int thread_count;
static GArray *moments;		   /* struct happening */
static GArray *truth[THREADS_MAX]; /* struct interval_of_state */
static GArray *packets[CPUS_MAX];  /* struct interval: of the kernel's stream */
static bool is_kept_packet[CPUS_MAX][MOMENTS], loses_events[CPUS_MAX][MOMENTS];
static int64_t lost_from_ns[CPUS_MAX][MOMENTS];

static struct object_model *model;
static struct diagnostics *diagnostics;
static struct executions *executions;
static struct execution_schedules *schedules;
static uint16_t kernel_stream[CPUS_MAX], user_stream[CPUS_MAX];
static uint32_t user_thread[THREADS_MAX];
static int ending; /* the thread whose execution ends */
static guint32 seed_of_system;
static uint64_t checked, known_ns, unknown_ns;

static int64_t overlap_ns(struct interval one, struct interval other)
{
	return MAX(MIN(one.end_ns, other.end_ns) - MAX(one.begin_ns, other.begin_ns), 0);
}

static int64_t true_ns(int thread, enum thread_state state, struct interval time)
{
	int64_t sum_ns = 0;

	for (guint i = 0; i < truth[thread]->len; i++) {
		const struct interval_of_state *one = &g_array_index(truth[thread], struct interval_of_state, i);

		sum_ns += one->state == state ? overlap_ns(one->time, time) : 0;
	}
	return sum_ns;
}

/* --- a system --- */

static struct {
	enum thread_state state[THREADS_MAX];
	int64_t since_ns[THREADS_MAX];
	int current[CPUS_MAX];
	bool executes[THREADS_MAX];
} now;

static void set_state(int thread, enum thread_state state, int64_t time_ns)
{
	struct interval_of_state past = { { now.since_ns[thread], time_ns }, now.state[thread] };

	g_array_append_val(truth[thread], past);
	now.state[thread] = state;
	now.since_ns[thread] = time_ns;
}

static int find_ready(void)
{
	int first = g_rand_int_range(source, 0, thread_count);

	for (int i = 0; i < thread_count; i++) {
		int thread = (first + i) % thread_count;

		if (now.state[thread] == THREAD_WOKEN || now.state[thread] == THREAD_PREEMPTED) {
			return thread;
		}
	}
	return -1;
}

static void make_switch(struct happening *moment)
{
	moment->what = SWITCH;
	moment->prev = now.current[moment->cpu];
	moment->next = find_ready();
	moment->is_runnable = g_rand_boolean(source);
	if (moment->prev >= 0) {
		set_state(moment->prev, moment->is_runnable ? THREAD_PREEMPTED : THREAD_BLOCKED, moment->time_ns);
	}
	if (moment->next >= 0) {
		set_state(moment->next, THREAD_RUNNING, moment->time_ns);
	}
	now.current[moment->cpu] = moment->next;
}

/* False: nothing happens. */
static bool make_moment(struct happening *moment)
{
	int thread = g_rand_int_range(source, 0, thread_count);

	switch (g_rand_int_range(source, 0, 4)) {
	case 0:
		moment->what = WAKING;
		moment->next = thread;
		if (now.state[thread] != THREAD_BLOCKED) {
			return false;
		}
		set_state(thread, THREAD_WOKEN, moment->time_ns);
		return true;
	case 1:
		moment->next = now.current[moment->cpu];
		if (moment->next < 0) {
			return false;
		}
		moment->what = now.executes[moment->next] ? END : START;
		now.executes[moment->next] = moment->what == START;
		return true;
	default:
		make_switch(moment);
		return moment->prev >= 0 || moment->next >= 0;
	}
}

static void make_system(void)
{
	int64_t time_ns = 1000;

	cpu_count = (uint32_t)g_rand_int_range(source, 1, CPUS_MAX + 1);
	thread_count = g_rand_int_range(source, 1, THREADS_MAX + 1);
	moments = g_array_new(FALSE, TRUE, sizeof(struct happening));
	memset(&now, 0, sizeof(now));
	for (int i = 0; i < thread_count; i++) {
		truth[i] = g_array_new(FALSE, TRUE, sizeof(struct interval_of_state));
		now.state[i] = THREAD_BLOCKED;
	}
	for (uint32_t i = 0; i < cpu_count; i++) {
		now.current[i] = -1;
	}
	while (moments->len < MOMENTS) {
		struct happening moment = { 0 };

		time_ns += g_rand_int_range(source, 1, 100);
		moment.time_ns = time_ns;
		moment.cpu = (uint32_t)g_rand_int_range(source, 0, (gint)cpu_count);
		if (make_moment(&moment)) {
			g_array_append_val(moments, moment);
		}
	}
	for (int i = 0; i < thread_count; i++) {
		set_state(i, now.state[i], time_ns + 1000);
	}
}

/* --- a tracer --- */

static int64_t end_ns(void)
{
	return g_array_index(moments, struct happening, moments->len - 1).time_ns + 10;
}

/* Contiguous packets, of which some are lost, and some lose events to their end. */
static void make_packets(uint32_t cpu)
{
	int64_t begin_ns = 500;
	guint first = 0, last;

	packets[cpu] = g_array_new(FALSE, FALSE, sizeof(struct interval));
	while (begin_ns < end_ns()) {
		struct interval packet = { begin_ns, begin_ns + g_rand_int_range(source, 1000, 20000) };
		guint i = packets[cpu]->len;

		packet.end_ns = packet.end_ns > end_ns() - 1000 ? end_ns() : packet.end_ns;
		begin_ns = packet.end_ns;
		is_kept_packet[cpu][i] = g_rand_int_range(source, 0, 6) != 0;
		loses_events[cpu][i] = g_rand_int_range(source, 0, 6) == 0;
		lost_from_ns[cpu][i] =
			loses_events[cpu][i] ? g_rand_int_range(source, (gint32)packet.begin_ns, (gint32)packet.end_ns)
					     : INT64_MAX;
		g_array_append_val(packets[cpu], packet);
	}
	last = packets[cpu]->len;
	first = g_rand_int_range(source, 0, 3) == 0 ? (guint)g_rand_int_range(source, 0, (gint)last) : 0;
	last = g_rand_int_range(source, 0, 3) == 0 ? (guint)g_rand_int_range(source, (gint)first, (gint)last) + 1
						   : last;
	for (guint i = 0; i < packets[cpu]->len; i++) {
		is_kept_packet[cpu][i] =
			i == first || i == last - 1 || (i > first && i < last && is_kept_packet[cpu][i]);
	}
}

struct cpu_reader {
	guint packet;
	bool is_in_packet, has_begun, has_ended;
	int64_t last_end_ns;
};

static struct cpu_reader readers[CPUS_MAX];

static void feed(struct event_record record)
{
	execution_schedules_feed(schedules, &record);
}

static void feed_about(unsigned int kind, uint32_t cpu, int64_t time_ns, int64_t until_ns)
{
	feed(loss_of(kind, kernel_stream[cpu], time_ns, until_ns));
}

static bool has_more(uint32_t cpu, guint from)
{
	for (guint i = from; i < packets[cpu]->len; i++) {
		if (is_kept_packet[cpu][i]) {
			return true;
		}
	}
	return false;
}

/* What a reader says when it has come to the end of a kept packet, or to the begin of the recording. */
static void announce(uint32_t cpu)
{
	struct cpu_reader *reader = &readers[cpu];
	struct interval packet;

	if (!has_more(cpu, reader->packet)) {
		feed_about(RECORD_STREAM_END, cpu, reader->last_end_ns, 0);
		reader->has_ended = true;
		return;
	}
	while (!is_kept_packet[cpu][reader->packet]) {
		reader->packet++;
	}
	packet = g_array_index(packets[cpu], struct interval, reader->packet);
	if (reader->has_begun && loses_events[cpu][reader->packet]) {
		feed_about(RECORD_DISCARDED_EVENTS, cpu, reader->last_end_ns, packet.end_ns);
	}
	if (reader->has_begun && reader->last_end_ns < packet.begin_ns) {
		feed_about(RECORD_DISCARDED_PACKETS, cpu, reader->last_end_ns, packet.begin_ns);
	}
}

/* Reads the packets of a CPU up to a time. */
static void advance(uint32_t cpu, int64_t time_ns)
{
	struct cpu_reader *reader = &readers[cpu];

	while (!reader->has_ended) {
		struct interval packet = g_array_index(packets[cpu], struct interval, reader->packet);
		bool is_lossy = loses_events[cpu][reader->packet];

		if (!reader->is_in_packet && packet.begin_ns <= time_ns) {
			recording_packet_begins(recording, kernel_stream[cpu], packet.begin_ns);
			if (!reader->has_begun && is_lossy) {
				feed_about(RECORD_DISCARDED_EVENTS, cpu, packet.begin_ns, packet.end_ns);
			} else if (is_lossy && packet.begin_ns > reader->last_end_ns) {
				feed_about(RECORD_GAP, cpu, packet.begin_ns, 0);
			}
			reader->is_in_packet = reader->has_begun = true;
		} else if (reader->is_in_packet && packet.end_ns <= time_ns) {
			recording_packet_ends(recording, kernel_stream[cpu], packet.end_ns);
			if (is_lossy) {
				feed_about(RECORD_GAP, cpu, packet.end_ns, 0);
			}
			reader->is_in_packet = false;
			reader->last_end_ns = packet.end_ns;
			reader->packet++;
			announce(cpu);
		} else {
			return;
		}
	}
}

static uint64_t tid_of(int thread)
{
	return thread < 0 ? 0 : (uint64_t)(FIRST_TID + thread);
}

static void feed_moment(const struct happening *moment)
{
	const struct cpu_reader *reader = &readers[moment->cpu];
	enum event_kind kind = moment->what == START ? EVENT_CALLBACK_START : EVENT_CALLBACK_END;
	struct event_record record;

	for (uint32_t cpu = 0; cpu < cpu_count; cpu++) {
		advance(cpu, moment->time_ns);
	}
	if (moment->what == START || moment->what == END) {
		ending = moment->next;
		record = in_stream(record_of(kind, user_thread[moment->next], moment->time_ns,
					     (uint64_t[]){ CALLBACK + (uint64_t)moment->next, 0 }, 2),
				   user_stream[moment->cpu]);
		executions_feed(executions, &record);
	} else if (reader->is_in_packet && moment->time_ns < lost_from_ns[moment->cpu][reader->packet]) {
		if (moment->what == WAKING) {
			record = RECORD(SCHED_WAKING, RECORDING_NONE, moment->time_ns, tid_of(moment->next), 0,
					text("program"));
		} else {
			record = RECORD(SCHED_SWITCH, RECORDING_NONE, moment->time_ns, tid_of(moment->prev),
					moment->is_runnable ? 0 : 1, tid_of(moment->next), text("program"),
					text("program"));
		}
		feed(in_stream(record, kernel_stream[moment->cpu]));
	}
}

/* --- the check --- */

static void check(int thread, const struct thread_account *account, struct interval time)
{
	for (int state = THREAD_RUNNING; state < THREAD_STATES; state++) {
		int64_t true_time_ns = true_ns(thread, (enum thread_state)state, time);

		cr_assert_leq(account->time_ns[state], true_time_ns,
			      "seed %u: thread %d, state %d from %d to %d: %d of %d", seed_of_system, thread, state,
			      (int)time.begin_ns, (int)time.end_ns, (int)account->time_ns[state], (int)true_time_ns);
		known_ns += (uint64_t)account->time_ns[state];
	}
	unknown_ns += (uint64_t)account->time_ns[THREAD_UNKNOWN];
}

static void on_started(void *data, struct execution *execution)
{
}

static void on_ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	const struct execution_schedule *schedule = execution_schedules_ended(schedules, NULL);

	if (schedule && outcome == EXECUTION_COMPLETE) {
		struct interval time = { schedule->start_ns, schedule->end_ns };

		cr_assert_eq(thread_account_total(&schedule->account), time.end_ns - time.begin_ns);
		check(ending, &schedule->account, time);
		checked++;
	}
}

/* --- a recording of a system --- */

static uint16_t add_cpu_stream(uint32_t trace, uint32_t cpu)
{
	uint16_t stream = recording_add_stream(recording, trace);

	recording_set_stream_cpu(recording, stream, cpu);
	return stream;
}

static void add_kernel_stream(uint32_t trace, uint32_t cpu, bool loses_any)
{
	guint first = 0;

	make_packets(cpu);
	if (!loses_any) {
		for (guint i = 0; i < packets[cpu]->len; i++) {
			is_kept_packet[cpu][i] = true;
			loses_events[cpu][i] = false;
			lost_from_ns[cpu][i] = INT64_MAX;
		}
	}
	while (!is_kept_packet[cpu][first]) {
		first++;
	}
	kernel_stream[cpu] = add_cpu_stream(trace, cpu);
	recording_set_stream_has_switches(recording, kernel_stream[cpu]);
	recording_set_stream_lost_before(recording, kernel_stream[cpu], first,
					 g_array_index(packets[cpu], struct interval, first).begin_ns);
	readers[cpu] = (struct cpu_reader){ .packet = first };
}

static void make_recording(bool loses_any)
{
	const struct recording_trace_info robot = { .hostname = "robot" };
	uint32_t kernel_trace, user_trace;

	recording_setup();
	kernel_trace = recording_add_trace(recording, &robot);
	user_trace = recording_add_trace(recording, &robot);
	for (uint32_t cpu = 0; cpu < cpu_count; cpu++) {
		add_kernel_stream(kernel_trace, cpu, loses_any);
		user_stream[cpu] = add_cpu_stream(user_trace, cpu);
		recording_packet_begins(recording, user_stream[cpu], 0);
	}
	for (int i = 0; i < thread_count; i++) {
		user_thread[i] = add_thread(user_trace, FIRST_TID, FIRST_TID + i);
	}
	model = object_model_create(recording);
	diagnostics = diagnostics_create();
	executions = executions_create(recording, model, diagnostics);
	schedules = execution_schedules_create(recording, executions);
	executions_add_listener(executions, &(struct executions_listener){ .started = on_started, .ended = on_ended });
}

static void check_threads(void)
{
	const struct thread_states *states = execution_schedules_host(schedules, 0);

	for (int i = 0; states && i < thread_count; i++) {
		const struct scheduled_thread *thread = thread_tids_find(&states->tids, FIRST_TID + i);

		if (thread) {
			struct thread_account account = thread_states_in_range(states, thread);

			check(i, &account, (struct interval){ 0, INT32_MAX });
		}
	}
}

static void destroy_all(void)
{
	execution_schedules_destroy(schedules);
	executions_destroy(executions);
	diagnostics_destroy(diagnostics);
	object_model_destroy(model);
	recording_teardown();
	g_array_unref(moments);
	for (int i = 0; i < thread_count; i++) {
		g_array_unref(truth[i]);
	}
	for (uint32_t i = 0; i < cpu_count; i++) {
		g_array_unref(packets[i]);
	}
}

static void play(guint32 seed, bool loses_any)
{
	seed_of_system = seed;
	source = g_rand_new_with_seed(seed);
	make_system();
	make_recording(loses_any);
	for (guint i = 0; i < moments->len; i++) {
		feed_moment(&g_array_index(moments, struct happening, i));
	}
	check_threads();
	destroy_all();
	g_rand_free(source);
}

static guint32 seed_count(void)
{
	const char *wanted = g_getenv("ROS2BT_SEEDS");

	return wanted ? (guint32)g_ascii_strtoull(wanted, NULL, 10) : SEEDS;
}

Test(schedule_gaps, whatever_is_lost_nothing_is_charged_that_was_not_so)
{
	for (guint32 seed = 1; seed <= seed_count(); seed++) {
		play(seed, true);
	}
	cr_log_info("%d executions, known %d %%", (int)checked, (int)(100 * known_ns / (known_ns + unknown_ns)));
	cr_expect_gt(checked, 100);
	cr_expect_gt(known_ns, unknown_ns / 20, "something is known");
}

Test(schedule_gaps, if_nothing_is_lost_all_is_known)
{
	for (guint32 seed = 1; seed <= seed_count(); seed++) {
		play(seed, false);
	}
	cr_log_info("%d executions, known %d %%", (int)checked, (int)(100 * known_ns / (known_ns + unknown_ns)));
	cr_expect_gt(known_ns / 100, unknown_ns, "%d of %d unknown", (int)unknown_ns, (int)known_ns);
}
