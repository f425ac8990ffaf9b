/* SPDX-License-Identifier: MIT */
#include "tracing.h"

#include <dlfcn.h>
#include <glib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "transport.h"

#define STORED_SIZE 128	   /* of the arguments of a definition */
#define STORED_PER_TICK 10 /* definitions recorded again in one tick */
#define TICK_US 5000

struct policy {
	tracepoint_function *record[EVENT_KIND_COUNT];
};

struct stored_definition {
	enum event_kind kind;
	char arguments[STORED_SIZE];
};

static struct {
	const struct tracepoints *tracepoints;
	bool is_caret;
	struct policy silent, recording;
	const struct policy *_Atomic current;
	_Atomic unsigned int phase;
	pthread_rwlock_t phase_lock;
	_Atomic uint32_t *done;
	unsigned int phase_count;

	pthread_mutex_t stored_mutex;
	struct stored_definition *stored;
	size_t stored_count;

	pthread_t thread;
	bool has_thread;
	_Atomic bool is_stopping;
} tracing = { .stored_mutex = PTHREAD_MUTEX_INITIALIZER, .phase_lock = PTHREAD_RWLOCK_INITIALIZER };

static _Thread_local uint32_t recorded;
static _Atomic uint32_t recorded_by_caret_thread;

static bool is_left_out_by_caret(enum event_kind kind)
{
	switch (kind) {
	case EVENT_RMW_PUBLISHER_INIT:
	case EVENT_RMW_SUBSCRIPTION_INIT:
	case EVENT_RMW_PUBLISH:
	case EVENT_RCL_TAKE:
	case EVENT_RCLCPP_TAKE:
	case EVENT_RCLCPP_EXECUTOR_GET_NEXT_READY:
	case EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK:
	case EVENT_RCLCPP_EXECUTOR_EXECUTE:
		return true;
	default:
		return false;
	}
}

static tracepoint_function *function_under_caret(const struct tracepoints *tracepoints, enum event_kind kind)
{
	if (tracepoints->caret[kind]) {
		bool happens = event_schema_in_release(event_schema_of(kind), tracepoints->release);

		return happens ? tracepoints->caret[kind] : NULL;
	}
	return tracepoints->has_caret_definitions && is_left_out_by_caret(kind) ? NULL : tracepoints->ros2[kind];
}

static bool is_definition(enum event_kind kind)
{
	enum event_class class = event_schema_of(kind)->class;

	return class == EVENT_CLASS_INIT || class == EVENT_CLASS_MARK;
}

static void make_policies(const struct tracepoints *tracepoints)
{
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		tracing.recording.record[kind] =
			tracing.is_caret ? function_under_caret(tracepoints, kind) : tracepoints->ros2[kind];
		if (is_definition(kind)) {
			tracing.silent.record[kind] = tracing.recording.record[kind];
		}
	}
}

const struct tracepoints *tracing_load(const struct options *options, bool is_caret)
{
	char path[4096];
	void *library;

	snprintf(path, sizeof(path), "%s/libtracepoints-%s.so", options->library, options->layout);
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library || !(tracing.tracepoints = dlsym(library, TRACEPOINTS_SYMBOL))) {
		fprintf(stderr, "recorder: %s\n", dlerror());
		exit(1);
	}
	tracing.is_caret = is_caret;
	make_policies(tracing.tracepoints);
	tracing.current = &tracing.recording;
	tracing.phase = 1;
	if (is_caret && tracing.tracepoints->has_caret_definitions) {
		tracing.current = &tracing.silent;
		tracing.phase = 0;
	}
	return tracing.tracepoints;
}

unsigned int tracing_phase(void)
{
	return atomic_load(&tracing.phase);
}

bool tracing_has(enum event_kind kind)
{
	return tracing.recording.record[kind];
}

uint32_t tracing_count(void)
{
	uint32_t count = recorded + atomic_exchange(&recorded_by_caret_thread, 0);

	recorded = 0;
	return count;
}

void tracing_record(enum event_kind kind, const void *arguments)
{
	tracepoint_function *record = atomic_load_explicit(&tracing.current, memory_order_acquire)->record[kind];

	if (record) {
		record(arguments);
		recorded++;
	}
}

static void store(enum event_kind kind, const void *arguments, size_t size)
{
	pthread_mutex_lock(&tracing.stored_mutex);
	tracing.stored = realloc(tracing.stored, (tracing.stored_count + 1) * sizeof(*tracing.stored));
	tracing.stored[tracing.stored_count].kind = kind;
	memcpy(tracing.stored[tracing.stored_count].arguments, arguments, size);
	tracing.stored_count++;
	pthread_mutex_unlock(&tracing.stored_mutex);
}

void tracing_define(enum event_kind kind, const void *arguments, size_t size)
{
	char copy[STORED_SIZE] __attribute__((aligned(8)));
	int64_t now_ns = monotonic_ns();

	if (size > sizeof(copy)) {
		abort();
	}
	memcpy(copy, arguments, size);
	memcpy(copy, &now_ns, sizeof(now_ns));
	/* CARET records the state machine only when it happens. */
	if (tracing.is_caret && tracing.tracepoints->caret[kind] && kind != EVENT_RCL_LIFECYCLE_STATE_MACHINE_INIT) {
		store(kind, copy, size);
	}
	tracing_record(kind, copy);
}

static void sleep_unless_stopped(uint32_t duration_us)
{
	while (duration_us > 0 && !atomic_load(&tracing.is_stopping)) {
		uint32_t step_us = duration_us < TICK_US ? duration_us : TICK_US;

		g_usleep(step_us);
		duration_us -= step_us;
	}
}

/* By kind, as CARET's containers have it: not in the order in which the objects were made. */
static void record_definitions_again(void)
{
	unsigned int in_tick = 0;

	for (int kind = EVENT_KIND_COUNT - 1; kind >= 0; kind--) {
		for (size_t i = 0; i < tracing.stored_count && !tracing.is_stopping; i++) {
			if (tracing.stored[i].kind != (enum event_kind)kind) {
				continue;
			}
			tracing_record(kind, tracing.stored[i].arguments);
			if (++in_tick % STORED_PER_TICK == 0) {
				g_usleep(TICK_US);
			}
		}
	}
}

static void mark_start(void)
{
	RECORD(caret_init, .clock_offset = monotonic_ns(), .distribution = "recorder");
}

static void go_through_states(uint32_t wait_ms)
{
	sleep_unless_stopped(wait_ms * 1000);
	mark_start();
	record_definitions_again();
	pthread_rwlock_wrlock(&tracing.phase_lock);
	atomic_store(&tracing.current, &tracing.recording);
	atomic_store(&tracing.phase, ++tracing.phase_count);
	pthread_rwlock_unlock(&tracing.phase_lock);
}

static void go_back_to_wait(void)
{
	pthread_rwlock_wrlock(&tracing.phase_lock);
	atomic_store(&tracing.phase, 0);
	atomic_store(&tracing.current, &tracing.silent);
	pthread_rwlock_unlock(&tracing.phase_lock);
}

static void *caret_thread(void *data)
{
	const struct options *options = data;

	prctl(PR_SET_NAME, "caret_trace");
	go_through_states(options->caret_wait_ms);
	if (options->has_caret_gap) {
		sleep_unless_stopped((uint32_t)(options->seconds * 0.3 * 1e6));
		if (!tracing.is_stopping) {
			go_back_to_wait();
			go_through_states(options->caret_wait_ms);
		}
	}
	atomic_fetch_add(tracing.done, 1);
	atomic_fetch_add(&recorded_by_caret_thread, recorded);
	return NULL;
}

void tracing_start_caret(const struct options *options, _Atomic uint32_t *done)
{
	if (!tracing.is_caret) {
		return;
	}
	if (!tracing.tracepoints->has_caret_definitions) {
		atomic_fetch_add(done, 1);
		return;
	}
	tracing.done = done;
	mark_start();
	tracing.has_thread = pthread_create(&tracing.thread, NULL, caret_thread, (void *)options) == 0;
}

static _Thread_local bool is_holding;

void tracing_hold_phase(void)
{
	if (!is_holding) {
		pthread_rwlock_rdlock(&tracing.phase_lock);
		is_holding = true;
	}
}

void tracing_release_phase(void)
{
	if (is_holding) {
		pthread_rwlock_unlock(&tracing.phase_lock);
		is_holding = false;
	}
}

void tracing_stop_caret(void)
{
	tracing.is_stopping = true;
	if (tracing.has_thread) {
		pthread_join(tracing.thread, NULL);
	}
}
