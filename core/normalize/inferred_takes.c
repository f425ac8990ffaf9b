/* SPDX-License-Identifier: MIT */
#include "core/normalize/inferred_takes.h"

#include <glib.h>

#include "core/base/object_pool.h"
#include "core/base/slots.h"
#include "core/model/executions.h"
#include "core/model/recorded_process.h"
#include "core/normalize/queued_writes.h"
#include "core/untaken/untaken_matcher.h"

/* A callback_start in its queue. */
struct queued_start {
	bool has_take;
	int64_t timestamp;
};

/* A publication as the matcher knows it. */
struct sent_message {
	unsigned int references;
	uint32_t process, thread;
	uint64_t number; /* of its queued_write */
	int64_t first_ns;
	const struct model_publisher *publisher;
};

/* An execution as the matcher knows it. */
struct handling {
	uint64_t number; /* of its queued_start */
	bool is_ended, is_decided;
};

/* What is needed until the first take. */
struct inference {
	struct diagnostics *diagnostics;
	struct object_model *model;
	struct executions *executions;
	struct untaken_matcher *matcher;
	struct object_pool messages, handlings;
	GPtrArray *threads; /* struct untaken_thread *, owned, by index; NULL: not seen */
	GArray *processes;  /* struct recorded_process, by index */
	int64_t now_ns;
	bool has_runtime, has_losses;
	bool is_start; /* what is being learned is a callback_start, the last one of the queue */
};

struct inferred_takes {
	struct recording *recording; /* borrowed */
	struct queued_writes writes;
	struct visit_queue starts;   /* of struct queued_start */
	struct inference *inference; /* owned; NULL after the end */
	bool is_over;		     /* a take was recorded */
};

static struct recorded_process *find_process(struct inference *inference, uint32_t index)
{
	return array_at(inference->processes, struct recorded_process, index);
}

/* --- what the matcher asks --- */

static struct untaken_publication describe(void *data, const void *publication)
{
	const struct sent_message *message = publication;

	return (struct untaken_publication){
		.first_ns = message->first_ns,
		.process = message->process,
		.thread = message->thread,
		.publisher = message->publisher,
		.has_inter_leg = true,
	};
}

static void hold(void *data, void *publication)
{
	((struct sent_message *)publication)->references++;
}

static void forget(void *data, void *publication)
{
	struct sent_message *message = publication;

	if (--message->references == 0) {
		object_pool_give(&((struct inferred_takes *)data)->inference->messages, message);
	}
}

/* Whether events of the process may be missing between the publication and the callback. */
static bool may_miss(struct inference *inference, uint32_t process, const struct sent_message *message,
		     const struct untaken_place *place)
{
	return recorded_process_may_miss(find_process(inference, process), executions_coverage(inference->executions),
					 process, message->first_ns, place->callback.start_ns);
}

static void set_take(struct inferred_takes *takes, const struct handling *handling, const struct sent_message *message)
{
	struct queued_start *start = visit_queue_unvisited(&takes->starts, handling->number);

	if (!start) {
		return;
	}
	start->has_take = true;
	start->timestamp = INFERRED_TAKE_OF_UNKNOWN;
	if (message) {
		queued_writes_take(&takes->writes, message->number, &start->timestamp);
	}
}

static void release(struct inference *inference, struct handling *handling)
{
	if (handling->is_ended && handling->is_decided) {
		object_pool_give(&inference->handlings, handling);
	}
}

/* `message`: NULL: unknown. */
static void decide(struct inferred_takes *takes, struct handling *handling, const struct sent_message *message)
{
	if (!takes->is_over) {
		set_take(takes, handling, message);
	}
	handling->is_decided = true;
	release(takes->inference, handling);
}

static void given(void *data, struct model_subscription *subscription, const struct untaken_place *place,
		  void *publication)
{
	struct inference *inference = ((struct inferred_takes *)data)->inference;
	const struct sent_message *message = publication;
	bool is_unknown = may_miss(inference, message->process, message, place) ||
			  may_miss(inference, subscription->process, message, place);

	decide(data, place->callback.execution, is_unknown ? NULL : message);
	forget(data, publication);
}

static void unknown(void *data, struct model_subscription *subscription, const struct untaken_place *first, guint count,
		    bool has_candidates)
{
	for (guint i = 0; i < count; i++) {
		decide(data, first[i].callback.execution, NULL);
	}
}

/* --- executions --- */

static struct untaken_thread *thread_of(struct inference *inference, uint32_t index)
{
	struct untaken_thread *thread = slot_get(inference->threads, index);

	if (!thread) {
		thread = g_new0(struct untaken_thread, 1);
		*slot_at(inference->threads, index) = thread;
	}
	return thread;
}

static void begin_handling(struct inferred_takes *takes, struct execution *execution,
			   struct model_subscription *subscription)
{
	struct inference *inference = takes->inference;
	struct handling *handling = object_pool_take(&inference->handlings);
	struct untaken_callback *callback =
		untaken_matcher_take(inference->matcher, untaken_matcher_subscription(inference->matcher, subscription),
				     thread_of(inference, execution->thread), execution->start_ns, inference->now_ns);

	handling->number = takes->starts.first + takes->starts.entries->len - 1;
	execution->flow = handling;
	callback->execution = handling;
	callback->has_ended = &handling->is_ended;
}

static void on_started(void *data, struct execution *execution)
{
	struct inferred_takes *takes = data;
	struct inference *inference = takes->inference;
	const struct model_callback_info *info = object_model_callback_info(inference->model, execution->callback);

	if (takes->is_over || !recording_thread(takes->recording, execution->thread)->has_vtid) {
		return;
	}
	untaken_thread_start(thread_of(inference, execution->thread), execution->start_ns);
	if (info->kind != CALLBACK_KIND_SUBSCRIPTION || !info->subscription || !info->subscription->topic) {
		return;
	}
	if (execution->is_intra_process) {
		untaken_matcher_take_intra(untaken_matcher_subscription(inference->matcher, info->subscription));
	} else if (inference->is_start) {
		begin_handling(takes, execution, info->subscription);
	}
}

static void on_ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct inference *inference = ((struct inferred_takes *)data)->inference;
	struct handling *handling = execution->flow;

	if (outcome == EXECUTION_WITHOUT_START) {
		return;
	}
	untaken_thread_end(thread_of(inference, execution->thread), inference->now_ns);
	execution->flow = NULL;
	if (handling) {
		handling->is_ended = true;
		release(inference, handling);
	}
}

/* --- life --- */

static struct inference *inference_create(struct inferred_takes *takes)
{
	struct inference *inference = g_new0(struct inference, 1);

	inference->diagnostics = diagnostics_create();
	inference->model = object_model_create(takes->recording);
	inference->executions = executions_create(takes->recording, inference->model, inference->diagnostics);
	executions_add_listener(
		inference->executions,
		&(struct executions_listener){ .data = takes, .started = on_started, .ended = on_ended });
	inference->matcher = untaken_matcher_create(takes->recording, &(struct untaken_user){
									      .data = takes,
									      .describe = describe,
									      .forget = forget,
									      .hold = hold,
									      .put_down = forget,
									      .given = given,
									      .unknown = unknown,
								      });
	object_pool_init(&inference->messages, sizeof(struct sent_message));
	object_pool_init(&inference->handlings, sizeof(struct handling));
	inference->threads = g_ptr_array_new_with_free_func(g_free);
	inference->processes = g_array_new(FALSE, TRUE, sizeof(struct recorded_process));
	return inference;
}

static void inference_destroy(struct inference *inference)
{
	untaken_matcher_destroy(inference->matcher);
	executions_destroy(inference->executions);
	object_model_destroy(inference->model);
	diagnostics_destroy(inference->diagnostics);
	object_pool_clear(&inference->messages);
	object_pool_clear(&inference->handlings);
	g_ptr_array_free(inference->threads, TRUE);
	g_array_free(inference->processes, TRUE);
	g_free(inference);
}

struct inferred_takes *inferred_takes_create(struct recording *recording, bool are_kept)
{
	struct inferred_takes *takes = g_new0(struct inferred_takes, 1);

	takes->recording = recording;
	queued_writes_init(&takes->writes, are_kept);
	visit_queue_init(&takes->starts, sizeof(struct queued_start), are_kept);
	takes->inference = inference_create(takes);
	return takes;
}

/* `is_over`: with no decision about what waits. */
static void end_inference(struct inferred_takes *takes, bool is_over)
{
	takes->is_over |= is_over;
	executions_finish(takes->inference->executions);
	untaken_matcher_finish(takes->inference->matcher, takes->inference->now_ns);
	inference_destroy(takes->inference);
	takes->inference = NULL;
}

void inferred_takes_destroy(struct inferred_takes *takes)
{
	if (!takes) {
		return;
	}
	if (takes->inference) {
		end_inference(takes, true);
	}
	queued_writes_clear(&takes->writes);
	visit_queue_clear(&takes->starts);
	g_free(takes);
}

void inferred_takes_finish(struct inferred_takes *takes)
{
	if (takes->inference) {
		end_inference(takes, false);
	}
}

/* --- publications --- */

static void learn_rcl_publish(struct inferred_takes *takes, const struct event_record *record)
{
	struct inference *inference = takes->inference;
	uint32_t process = recording_thread(takes->recording, record->thread)->process;
	const struct model_publisher *publisher = object_model_publisher(
		inference->model, process, record->word[RCL_PUBLISH__publisher_handle], record->time_ns);
	int64_t first_ns;
	uint64_t number = queued_writes_publish(&takes->writes, record, &first_ns);
	struct sent_message *message;

	if (!recording_thread(takes->recording, record->thread)->has_vtid) {
		/* the next event may be another thread's */
		queued_writes_forget_thread(&takes->writes, record->thread);
	}
	if (!publisher->topic) {
		return;
	}
	message = object_pool_take(&inference->messages);
	*message = (struct sent_message){
		.references = 1,
		.process = process,
		.thread = record->thread,
		.number = number,
		.first_ns = first_ns,
		.publisher = publisher,
	};
	untaken_matcher_publish(inference->matcher, untaken_matcher_topic(inference->matcher, publisher->topic),
				message, first_ns);
}

/* --- what is missing --- */

static void forget_threads(struct inferred_takes *takes)
{
	queued_writes_forget_threads(&takes->writes);
	untaken_matcher_forget(takes->inference->matcher, takes->inference->now_ns);
}

static void forget_all(struct inferred_takes *takes)
{
	struct inference *inference = takes->inference;

	executions_pause(inference->executions);
	forget_threads(takes);
	for (guint i = 0; i < inference->processes->len; i++) {
		recorded_process_pause(find_process(inference, i));
	}
}

/* Tracing may have been off since the last runtime event. */
static void note_silence(struct inferred_takes *takes, int64_t time_ns)
{
	struct inference *inference = takes->inference;
	struct apart pause = { .end_ns = inference->now_ns };
	bool has_any = false;

	while (recorded_silence_find_pause(takes->recording, pause.end_ns, time_ns, &pause)) {
		coverage_add_pause(executions_coverage(inference->executions), pause.begin_ns, pause.end_ns);
		has_any = true;
	}
	if (has_any) {
		forget_all(takes);
	}
}

static void learn_time(struct inferred_takes *takes, const struct event_record *record)
{
	struct inference *inference = takes->inference;
	uint32_t index = recording_thread(takes->recording, record->thread)->process;
	struct recorded_process *process;

	if (inference->has_runtime && record->time_ns > inference->now_ns + RECORDED_SILENCE_NS) {
		note_silence(takes, record->time_ns);
	}
	inference->has_runtime = true;
	inference->now_ns = record->time_ns;
	process = find_process(inference, index);
	if (!process->is_recorded) {
		recorded_process_begin(process, executions_coverage(inference->executions), index, inference->now_ns);
	}
	process->last_ns = record->time_ns;
	if (executions_is_after_loss(inference->executions)) {
		queued_writes_forget_thread(&takes->writes, record->thread);
	}
	untaken_matcher_expire(inference->matcher, record->time_ns);
}

/* --- learning --- */

static void learn_event(struct inferred_takes *takes, const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_RCL_PUBLISH:
		learn_rcl_publish(takes, record);
		break;
	case EVENT_CALLBACK_START:
		visit_queue_append(&takes->starts);
		queued_writes_learn(&takes->writes, record);
		break;
	case EVENT_CARET_INIT:
		recorded_process_stop(
			find_process(takes->inference, recording_thread(takes->recording, record->thread)->process));
		break;
	default:
		if (record->kind < EVENT_KIND_COUNT && event_class_of(record->kind) == EVENT_CLASS_RUNTIME) {
			queued_writes_learn(&takes->writes, record);
		}
		break;
	}
}

static void learn_class(struct inferred_takes *takes, const struct event_record *record)
{
	struct inference *inference = takes->inference;

	if (record->kind >= EVENT_KIND_COUNT) {
		inference->has_losses |= record->kind != RECORD_STREAM_END;
	} else if (event_class_of(record->kind) == EVENT_CLASS_INIT) {
		object_model_feed(inference->model, record);
	}
	inference->has_losses |= coverage_see_late_streams(executions_coverage(inference->executions));
	if (inference->has_losses) {
		executions_follow(inference->executions, record);
	}
	if (record->kind < EVENT_KIND_COUNT) {
		if (event_class_of(record->kind) == EVENT_CLASS_RUNTIME) {
			learn_time(takes, record);
		}
	} else if (record->kind != RECORD_STREAM_END) {
		inference->now_ns = record->time_ns;
		forget_threads(takes);
	}
}

/* Those of flow_take_recorded(). */
static bool is_take(const struct event_record *record)
{
	return record->kind == EVENT_RMW_TAKE || record->kind == EVENT_DISPATCH_SUBSCRIPTION_CALLBACK ||
	       record->kind == EVENT_AGNOCAST_CREATE_CALLABLE || record->kind == EVENT_AGNOCAST_TAKE;
}

void inferred_takes_learn(struct inferred_takes *takes, const struct event_record *record)
{
	if (!takes->inference) {
		return;
	}
	if (is_take(record)) {
		end_inference(takes, true);
		return;
	}
	takes->inference->is_start = record->kind == EVENT_CALLBACK_START;
	learn_class(takes, record);
	learn_event(takes, record);
	executions_feed(takes->inference->executions, record);
}

/* --- visiting --- */

struct inferred_write inferred_takes_next_write(struct inferred_takes *takes)
{
	const struct queued_write *write = visit_queue_next(&takes->writes.queue);

	return write ? (struct inferred_write){ write->is_missing, write->is_taken, write->timestamp }
		     : (struct inferred_write){ 0 };
}

struct inferred_start inferred_takes_next_start(struct inferred_takes *takes)
{
	const struct queued_start *start = visit_queue_next(&takes->starts);

	return start ? (struct inferred_start){ start->has_take, start->timestamp } : (struct inferred_start){ 0 };
}

void inferred_takes_rewind(struct inferred_takes *takes)
{
	visit_queue_rewind(&takes->writes.queue);
	visit_queue_rewind(&takes->starts);
}
