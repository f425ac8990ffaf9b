/* SPDX-License-Identifier: MIT */
#include "core/flow/inferred_stamps.h"

#include "core/base/text/human_text.h"
#include "core/flow/endpoints.h"
#include "core/model/coverage.h"

static size_t count_hosts(void *data)
{
	return recording_host_count(((const struct flow_linker *)data)->recording);
}

static bool may_miss(void *data, uint32_t host, int64_t from_ns, int64_t to_ns)
{
	const struct flow_linker *linker = data;

	return from_ns < linker->late_ns ||
	       !coverage_host_misses_nothing(executions_coverage(linker->executions), host, from_ns, to_ns);
}

static bool may_miss_in_stream(void *data, uint16_t stream, int64_t from_ns, int64_t to_ns)
{
	const struct flow_linker *linker = data;
	struct coverage *coverage = executions_coverage(linker->executions);

	return coverage_has_any(coverage) && !coverage_stream_misses_nothing(coverage, stream, from_ns, to_ns);
}

void inferred_stamps_listen(struct flow_linker *linker)
{
	linker->late_ns = INT64_MIN;
	stamp_matcher_set_losses(linker->stamps,
				 &(struct stamp_loss_source){ linker, count_hosts, may_miss, may_miss_in_stream });
}

static struct stamp_topic *stamps_of(struct flow_linker *linker, struct flow_topic *topic)
{
	if (!topic->stamps) {
		topic->stamps = stamp_matcher_add_topic(linker->stamps);
	}
	return topic->stamps;
}

void flow_linker_start_late(struct flow_linker *linker, int64_t time_ns)
{
	linker->late_ns = time_ns;
}

static void add_publication(struct flow_linker *linker, struct linked_publication *publication,
			    struct flow_topic *topic, const struct stamp_publication *write)
{
	linked_publication_reference(publication);
	publication->is_stampless = true;
	publication->stampless = stamp_matcher_publish(linker->stamps, stamps_of(linker, topic), write);
}

/* Whether the thread may be in a callback, so that its next event shows how long the write took. */
static bool is_in_callback(struct flow_linker *linker, const struct flow_thread *thread,
			   const struct linked_publication *publication)
{
	bool is_certain;

	return publication ? publication->public.has_direct_parent || publication->is_doubtful
			   : flow_enclosing_execution(linker, thread, &is_certain) != NULL;
}

/*
 * Whether a write of an unknown publisher may be that of a program, rather than the middleware's own: those are made
 * before the thread has looked for work or run a callback, unless its events are not all recorded. rcl_publish is only
 * the program's.
 */
static bool may_be_a_programs(const struct flow_linker *linker, const struct flow_thread *thread,
			      const struct linked_publication *publication, const struct stamp_publication *write)
{
	return publication || !write->is_loose || thread->callback_phase != 0 ||
	       executions_has_looked(linker->executions, thread->index, INT64_MIN) ||
	       executions_is_after_loss(linker->executions);
}

G_GNUC_NO_INLINE void inferred_stamps_add(struct flow_linker *linker, struct flow_thread *thread,
					  struct linked_publication *publication, uint16_t stream, int64_t from_ns)
{
	struct flow_topic *topic = publication && publication->queue ? publication->queue->topic : NULL;
	struct stamp_publication write = {
		.owner = (uint64_t)(uintptr_t)publication,
		.host = recording_process(linker->recording, thread->process_index)->host,
		.thread = thread->index,
		.stream = stream,
		.is_loose = !is_in_callback(linker, thread, publication),
		.from_ns = from_ns,
		.written_ns = linker->now_ns,
	};

	if (topic && !publication->stampless && !publication->is_settled) {
		add_publication(linker, publication, topic, &write);
	} else if (!topic && may_be_a_programs(linker, thread, publication, &write)) {
		stamp_matcher_add_stranger(linker->stamps, &write);
	} else {
		return;
	}
	thread->is_writing = true;
	if (!thread->has_vtid) {
		/* The next event may be another thread's. */
		inferred_stamps_end_write(linker, thread, linker->now_ns + MATCHER_THREADLESS_NS);
	}
}

void inferred_stamps_forget(struct flow_linker *linker, struct linked_publication *publication)
{
	if (publication->is_stampless) {
		stamp_matcher_forget(linker->stamps, publication->stampless);
		publication->stampless = NULL;
		publication->is_stampless = false;
		linked_publication_release(linker, publication);
	}
}

void inferred_stamps_end_write(struct flow_linker *linker, struct flow_thread *thread, int64_t time_ns)
{
	stamp_matcher_end_write(linker->stamps, thread->index, time_ns);
	thread->is_writing = false;
}

void inferred_stamps_loosen_write(struct flow_linker *linker, const struct flow_thread *thread)
{
	if (thread->is_writing) {
		stamp_matcher_loosen_write(linker->stamps, thread->index);
	}
}

static void note_due(struct flow_linker *linker)
{
	linker->infer_due_ns = stamp_matcher_due_ns(linker->stamps);
	flow_linker_wake(linker, linker->infer_due_ns);
}

static struct stamp_take take_of(const struct flow_linker *linker, const struct flow_take *take)
{
	return (struct stamp_take){
		.stamp = (int64_t)take->key,
		.taken_ns = take->delivery.take_ns,
		.host = recording_process(linker->recording, take->delivery.subscription->process)->host,
	};
}

void inferred_stamps_take(struct flow_linker *linker, const struct flow_take *take)
{
	struct flow_topic *topic = flow_topic(linker, take->delivery.subscription->topic);
	struct stamp_take stamp_take = take_of(linker, take);

	stamp_matcher_take(linker->stamps, stamps_of(linker, topic), &stamp_take);
	note_due(linker);
}

void inferred_stamps_advance(struct flow_linker *linker)
{
	stamp_matcher_advance(linker->stamps, linker->now_ns);
	note_due(linker);
}

void inferred_stamps_finish(struct flow_linker *linker)
{
	stamp_matcher_finish(linker->stamps);
	note_due(linker);
}

void inferred_stamps_diagnose(struct flow_linker *linker)
{
	struct stamp_setting setting;

	while (stamp_matcher_next_setting(linker->stamps, &setting)) {
		char by[HUMAN_TEXT_SIZE], at[HUMAN_TEXT_SIZE];
		g_autofree char *detail = g_strdup_printf(
			"%s: %s by %s about %s", recording_host(linker->recording, setting.host)->hostname,
			setting.by_ns < 0 ? "back" : "forwards", human_text_duration(by, ABS(setting.by_ns)),
			human_text_time(at, setting.before_ns));

		diagnostics_add(linker->diagnostics, DIAGNOSTIC_SYSTEM_TIME_SET, detail, 1);
	}
}

struct linked_publication *inferred_stamps_next(struct flow_linker *linker, uint64_t *stamp)
{
	struct stamp_match match;

	if (!stamp_matcher_next(linker->stamps, &match)) {
		return NULL;
	}
	*stamp = (uint64_t)match.stamp;
	return (struct linked_publication *)(uintptr_t)match.owner;
}

bool inferred_stamps_is_ambiguous(struct flow_linker *linker, const struct flow_take *take)
{
	const struct flow_topic *topic = flow_topic(linker, take->delivery.subscription->topic);
	struct stamp_take stamp_take = take_of(linker, take);

	return topic->stamps && stamp_matcher_is_ambiguous(linker->stamps, topic->stamps, &stamp_take);
}
