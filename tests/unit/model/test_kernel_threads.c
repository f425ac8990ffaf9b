/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/model/kernel_threads.h"

static struct string_pool *pool;
static struct recording *recording;
static struct kernel_threads *threads;
static uint16_t stream_of_cpu[2];
static uint32_t kernel_trace, user_trace;

static void setup(void)
{
	const struct recording_trace_info info = { .hostname = "robot" };

	pool = string_pool_create();
	recording = recording_create(pool);
	threads = kernel_threads_create(recording);
	kernel_trace = recording_add_trace(recording, &info);
	user_trace = recording_add_trace(recording, &info);
	for (uint64_t cpu = 0; cpu < 2; cpu++) {
		stream_of_cpu[cpu] = recording_add_stream(recording, kernel_trace);
		recording_set_stream_cpu(recording, stream_of_cpu[cpu], cpu);
	}
}

static void teardown(void)
{
	kernel_threads_destroy(threads);
	recording_destroy(recording);
	string_pool_destroy(pool);
}

TestSuite(kernel_threads, .init = setup, .fini = teardown);

static struct event_record make(enum event_kind kind, unsigned int cpu)
{
	return (struct event_record){ .kind = (uint8_t)kind, .stream = stream_of_cpu[cpu], .thread = RECORDING_NONE };
}

static void set(struct event_record *record, unsigned int slot, int64_t value)
{
	record->word[slot] = (uint64_t)value;
	record->present |= (uint8_t)(1u << slot) & 0x3f;
}

static void set_text(struct event_record *record, unsigned int slot, const char *text)
{
	set(record, slot, (int64_t)(intptr_t)string_pool_intern(pool, text));
}

static struct recording_context ids_in(int32_t vpid, int32_t vtid, uint64_t pid_ns)
{
	return (struct recording_context){
		.has_vpid = true,
		.has_vtid = true,
		.has_pid_ns = pid_ns != 0,
		.vpid = vpid,
		.vtid = vtid,
		.pid_ns = pid_ns,
	};
}

static uint32_t user_thread(int32_t vpid, int32_t vtid, uint64_t pid_ns)
{
	struct recording_context context = ids_in(vpid, vtid, pid_ns);

	return recording_add_thread(recording, user_trace, &context, NULL);
}

/* With the contexts of the thread that goes, if `ids` are given. */
static void switch_to(unsigned int cpu, int32_t prev, int32_t next, const char *next_name,
		      const struct recording_context *ids)
{
	struct event_record record = make(EVENT_SCHED_SWITCH, cpu);

	set(&record, SCHED_SWITCH__prev_tid, prev);
	set(&record, SCHED_SWITCH__next_tid, next);
	set_text(&record, SCHED_SWITCH__next_comm, next_name);
	record.thread = ids ? recording_add_ids(recording, ids) : RECORDING_NONE;
	kernel_threads_feed(threads, &record);
}

/* `vtids` in the namespaces from the outermost, ended by 0; NULL: not recorded */
static void begin(int32_t tid, int32_t pid, const int32_t *vtids, uint64_t ns_inum)
{
	struct event_record record = make(EVENT_SCHED_PROCESS_FORK, 0);
	uint64_t list[8] = { 0 };

	set(&record, SCHED_PROCESS_FORK__child_tid, tid);
	set(&record, SCHED_PROCESS_FORK__child_pid, pid);
	set_text(&record, SCHED_PROCESS_FORK__child_comm, "child");
	if (vtids) {
		for (; vtids[list[0]]; list[0]++) {
			list[list[0] + 1] = (uint32_t)vtids[list[0]];
		}
		set(&record, SCHED_PROCESS_FORK__vtids,
		    (int64_t)(intptr_t)string_pool_intern_bytes(pool, list, sizeof(list)));
		set(&record, SCHED_PROCESS_FORK__child_ns_inum, (int64_t)ns_inum);
	}
	kernel_threads_feed(threads, &record);
}

static void end(int32_t tid)
{
	struct event_record record = make(EVENT_SCHED_PROCESS_EXIT, 0);

	set(&record, SCHED_PROCESS_EXIT__tid, tid);
	kernel_threads_feed(threads, &record);
}

/* vtid 0: not in the event */
static void dump(enum event_kind kind, int32_t tid, int32_t pid, int32_t vtid, int32_t vpid, uint64_t ns_inum)
{
	struct event_record record = make(kind, 0);

	set(&record, STATEDUMP_PROCESS_STATE__tid, tid);
	if (kind == EVENT_STATEDUMP_PROCESS_STATE) {
		set(&record, STATEDUMP_PROCESS_STATE__pid, pid);
		set_text(&record, STATEDUMP_PROCESS_STATE__name, "dumped");
	}
	if (vtid != 0) {
		set(&record, STATEDUMP_PROCESS_STATE__vtid, vtid);
		set(&record, STATEDUMP_PROCESS_STATE__vpid, vpid);
		set(&record, STATEDUMP_PROCESS_STATE__ns_inum, (int64_t)ns_inum);
	}
	kernel_threads_feed(threads, &record);
}

static int32_t tid_of(uint32_t index)
{
	return index == KERNEL_THREAD_NONE ? -1 : kernel_thread_at(threads, index)->tid;
}

static int32_t tid_of_user(uint32_t user)
{
	return tid_of(kernel_threads_of_user(threads, user));
}

Test(kernel_threads, a_thread_without_namespaces_is_found_by_its_vtid)
{
	uint32_t user = user_thread(100, 101, 0);

	cr_assert_eq(tid_of_user(user), -1, "not named yet");
	switch_to(0, 0, 101, "worker", NULL);
	cr_assert_eq(tid_of_user(user), 101);
	cr_assert_str_eq(kernel_thread_at(threads, kernel_threads_find(threads, 0, 101))->name, "worker");
	cr_assert_eq(tid_of_user(user_thread(100, 102, 0)), -1);
	cr_assert_eq(kernel_threads_find(threads, 0, 0), KERNEL_THREAD_NONE, "idle is no thread");
	cr_assert_eq(kernel_threads_find(threads, 7, 101), KERNEL_THREAD_NONE, "another host");
}

Test(kernel_threads, a_tid_of_another_process_is_not_taken_for_a_vtid)
{
	dump(EVENT_STATEDUMP_PROCESS_STATE, 11, 10, 0, 0, 0);
	cr_assert_eq(tid_of_user(user_thread(10, 11, 0)), 11);
	cr_assert_eq(tid_of_user(user_thread(1, 11, 5)), -1, "a thread of a container that sees itself as 11");
}

Test(kernel_threads, a_fork_records_what_a_thread_of_a_container_sees_of_itself)
{
	uint32_t main_thread = user_thread(7, 7, 55), worker = user_thread(7, 9, 55), other = user_thread(7, 9, 66);

	begin(5000, 5000, (const int32_t[]){ 5000, 7, 0 }, 55);
	begin(5001, 5000, (const int32_t[]){ 5001, 9, 0 }, 55);
	cr_assert_eq(tid_of_user(main_thread), 5000);
	cr_assert_eq(tid_of_user(worker), 5001);
	cr_assert_eq(tid_of_user(other), -1, "of another container");
	cr_assert_eq(tid_of_user(user_thread(7, 9, 0)), 5001,
		     "user space does not record its namespace, and there is one");
	begin(6000, 6000, (const int32_t[]){ 6000, 7, 0 }, 66);
	begin(6001, 6000, (const int32_t[]){ 6001, 9, 0 }, 66);
	cr_assert_eq(tid_of_user(other), 6001);
	cr_assert_eq(tid_of_user(worker), 5001);
	cr_assert_eq(tid_of_user(user_thread(7, 9, 0)), -1, "two threads have these ids");
}

Test(kernel_threads, contexts_of_the_kernels_events_say_who_runs)
{
	struct recording_context ids = ids_in(3, 4, 0), with_namespace = ids_in(3, 4, 77);

	switch_to(0, 900, 0, "idle", &ids);
	cr_assert_eq(tid_of_user(user_thread(3, 4, 0)), 900);
	cr_assert_eq(tid_of_user(user_thread(3, 4, 77)), 900, "the kernel does not record the namespace");
	switch_to(0, 901, 0, "idle", &with_namespace);
	cr_assert_eq(tid_of_user(user_thread(3, 4, 77)), 901);
	cr_assert_eq(tid_of_user(user_thread(3, 900, 0)), -1, "the vtid of 900 is known to be another one");
}

Test(kernel_threads, a_thread_that_dies_has_no_ids_and_keeps_those_it_had)
{
	struct recording_context ids = ids_in(3, 4, 0), none = ids_in(0, 0, 0);

	switch_to(0, 900, 0, "idle", &ids);
	switch_to(0, 900, 0, "idle", &none);
	cr_assert_eq(tid_of_user(user_thread(3, 4, 0)), 900);
}

Test(kernel_threads, the_state_dump_has_the_innermost_namespace_first)
{
	dump(EVENT_STATEDUMP_PROCESS_STATE, 800, 800, 12, 12, 9);
	dump(EVENT_STATEDUMP_PROCESS_STATE, 800, 800, 800, 800, 1);
	cr_assert_eq(tid_of_user(user_thread(12, 12, 9)), 800, "up to 2.11");
	dump(EVENT_STATEDUMP_PROCESS_STATE, 801, 801, 0, 0, 0);
	dump(EVENT_STATEDUMP_PROCESS_PID_NS, 801, 0, 13, 13, 9);
	dump(EVENT_STATEDUMP_PROCESS_PID_NS, 801, 0, 801, 801, 1);
	cr_assert_eq(tid_of_user(user_thread(13, 13, 9)), 801, "since 2.12");
	cr_assert_str_eq(kernel_thread_at(threads, kernel_threads_find(threads, 0, 801))->name, "dumped");
}

Test(kernel_threads, a_tid_that_comes_back_keeps_its_index)
{
	uint32_t first_user = user_thread(50, 50, 0), index;

	begin(50, 50, (const int32_t[]){ 50, 0 }, 1);
	index = kernel_threads_find(threads, 0, 50);
	end(50);
	cr_assert_eq(tid_of_user(first_user), 50, "it may run up to its last switch");
	begin(50, 50, (const int32_t[]){ 50, 8, 0 }, 55);
	cr_assert_eq(kernel_threads_find(threads, 0, 50), index);
	cr_assert_eq(index, 0, "there is no other one");
	cr_assert_eq(tid_of_user(first_user), -1, "the tid is that of a thread of a container now");
	cr_assert_eq(tid_of_user(user_thread(8, 8, 55)), 50);
}

Test(kernel_threads, a_thread_that_executes_a_program_takes_over_the_tid_of_its_process)
{
	struct event_record record = make(EVENT_SCHED_PROCESS_EXEC, 1);

	switch_to(1, 0, 31, "worker", NULL);
	set(&record, SCHED_PROCESS_EXEC__tid, 30);
	set(&record, SCHED_PROCESS_EXEC__old_tid, 31);
	kernel_threads_feed(threads, &record);
	cr_assert_eq(kernel_threads_running(threads, 0, 1).tid, 30);
	cr_assert_str_eq(kernel_thread_at(threads, kernel_threads_find(threads, 0, 30))->name, "worker");
}

Test(kernel_threads, what_runs_on_a_cpu_is_known_from_its_first_switch_to_a_loss)
{
	uint16_t user_stream = recording_add_stream(recording, user_trace);
	struct event_record loss = { .kind = RECORD_DISCARDED_EVENTS, .thread = RECORDING_NONE };

	recording_set_stream_cpu(recording, user_stream, 0);
	cr_assert_not(kernel_threads_running(threads, 0, 0).is_known);
	switch_to(0, 5, 6, "six", NULL);
	switch_to(1, 6, 0, "idle", NULL);
	cr_assert_eq(kernel_threads_running(threads, 0, 0).tid, 6);
	cr_assert_eq(kernel_threads_running(threads, 0, 0).thread, kernel_threads_find(threads, 0, 6));
	cr_assert(kernel_threads_running(threads, 0, 1).is_known);
	cr_assert_eq(kernel_threads_running(threads, 0, 1).tid, 0);
	cr_assert_eq(kernel_threads_running(threads, 0, 1).thread, KERNEL_THREAD_NONE);
	loss.stream = user_stream;
	kernel_threads_feed(threads, &loss);
	cr_assert(kernel_threads_running(threads, 0, 0).is_known, "user space lost events on that CPU");
	loss.stream = stream_of_cpu[0];
	kernel_threads_feed(threads, &loss);
	cr_assert_not(kernel_threads_running(threads, 0, 0).is_known);
	cr_assert(kernel_threads_running(threads, 0, 1).is_known);
	switch_to(0, 6, 5, "five", NULL);
	cr_assert_eq(kernel_threads_running(threads, 0, 0).tid, 5);
}

Test(kernel_threads, states_of_every_kernel_are_runnable_or_not)
{
	static const int64_t runnable[] = { 0, 256, 512, 1024, 2048, 4096 };
	static const int64_t blocked[] = { 1, 2, 4, 8, 16, 32, 64, 128, 130, 258, 1026 };

	for (size_t i = 0; i < sizeof(runnable) / sizeof(runnable[0]); i++) {
		cr_expect(kernel_state_is_runnable(runnable[i]), "%d", (int)runnable[i]);
	}
	for (size_t i = 0; i < sizeof(blocked) / sizeof(blocked[0]); i++) {
		cr_expect_not(kernel_state_is_runnable(blocked[i]), "%d", (int)blocked[i]);
	}
}

/* Whatever a trace holds. */
Test(kernel_threads, any_order_of_any_events_is_survived)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(4);

	for (int i = 0; i < 200000; i++) {
		struct event_record record = make(EVENT_SCHED_SWITCH, (unsigned int)g_rand_int_range(random, 0, 2));
		const struct event_schema *schema;
		struct recording_context ids = ids_in(g_rand_int_range(random, -1, 4), g_rand_int_range(random, -1, 4),
						      (uint64_t)g_rand_int_range(random, 0, 3));

		record.kind = (uint8_t)g_rand_int_range(random, EVENT_SCHED_SWITCH, RECORD_KIND_COUNT);
		schema = record.kind < EVENT_KIND_COUNT ? event_schema_of(record.kind) : NULL;
		for (size_t f = 0; schema && f < schema->field_count; f++) {
			const struct event_field *field = &schema->fields[f];

			if (field->slot == SKIP || field->type == FIELD_TYPE_ADDRESSES ||
			    g_rand_int_range(random, 0, 9) == 0) {
				continue;
			}
			set(&record, field->slot, g_rand_int_range(random, -2, 5));
			if (field->type == FIELD_TYPE_STRING || field->type == FIELD_TYPE_NAME) {
				set_text(&record, field->slot, "x");
			}
		}
		if (schema && schema->class == EVENT_CLASS_SYSTEM && g_rand_boolean(random)) {
			record.thread = recording_add_ids(recording, &ids);
		}
		kernel_threads_feed(threads, &record);
	}
	for (int32_t vpid = -1; vpid < 5; vpid++) {
		for (int32_t vtid = -1; vtid < 5; vtid++) {
			uint32_t found = kernel_threads_of_user(threads, user_thread(vpid, vtid, 1));

			cr_assert(found == KERNEL_THREAD_NONE || found < 5, "one for each tid");
		}
	}
}
