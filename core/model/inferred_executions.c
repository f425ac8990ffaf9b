/* SPDX-License-Identifier: MIT */
#include "core/base/compare_numbers.h"
#include "core/base/slots.h"
#include "core/model/inferred_executions.h"

#include <glib.h>
#include <string.h>

/* The action of a callback's topic or service: the length of the action's name in it, 0 if it is of no action. */
struct action_name {
	bool is_known;
	size_t length;
};

/* The takes of a thread since its last boundary. */
struct batch {
	struct inferred_execution executions[INFERRED_BATCH_MAX];
	uint32_t count;
	bool is_last_announced; /* listeners have heard of the last one, as of all before it */
	bool is_continued;	/* since the last take, nothing has happened but takes of the batch */
};

struct inferred_executions {
	struct recording *recording;	     /* borrowed */
	struct object_model *model;	     /* borrowed */
	struct inferred_listener *listeners; /* owned */
	size_t listener_count;
	GArray *actions;    /* struct action_name by index of the callback */
	GPtrArray *batches; /* struct batch *, owned, by thread index; NULL: none so far */
};

struct inferred_executions *inferred_executions_create(struct recording *recording, struct object_model *model)
{
	struct inferred_executions *inferred = g_new0(struct inferred_executions, 1);

	inferred->recording = recording;
	inferred->model = model;
	inferred->batches = g_ptr_array_new_with_free_func(g_free);
	inferred->actions = g_array_new(FALSE, TRUE, sizeof(struct action_name));
	return inferred;
}

void inferred_executions_destroy(struct inferred_executions *inferred)
{
	if (!inferred) {
		return;
	}
	g_ptr_array_free(inferred->batches, TRUE);
	g_array_free(inferred->actions, TRUE);
	g_free(inferred->listeners);
	g_free(inferred);
}

void inferred_executions_add_listener(struct inferred_executions *inferred, const struct inferred_listener *listener)
{
	inferred->listeners = g_renew(struct inferred_listener, inferred->listeners, inferred->listener_count + 1);
	inferred->listeners[inferred->listener_count++] = *listener;
}

static struct batch *batch_of(const struct inferred_executions *inferred, uint32_t thread)
{
	return slot_get(inferred->batches, thread);
}

static struct batch *add_batch(struct inferred_executions *inferred, uint32_t thread)
{
	gpointer *slot = slot_at(inferred->batches, thread);

	if (!*slot) {
		*slot = g_new0(struct batch, 1);
	}
	return *slot;
}

/* --- opening and closing --- */

static void announce(struct inferred_executions *inferred, struct batch *batch)
{
	if (batch->count == 0 || batch->is_last_announced) {
		return;
	}
	batch->is_last_announced = true;
	for (size_t i = 0; i < inferred->listener_count; i++) {
		if (inferred->listeners[i].opened) {
			inferred->listeners[i].opened(inferred->listeners[i].data,
						      &batch->executions[batch->count - 1]);
		}
	}
}

/* Closes the first `count` executions of a batch. */
static void close_first(struct inferred_executions *inferred, struct batch *batch, uint32_t count, int64_t end_max_ns)
{
	announce(inferred, batch);
	for (uint32_t i = 0; i < count; i++) {
		struct inferred_execution *execution = &batch->executions[i];

		/* if the clock went back, the boundary says nothing */
		execution->end_max_ns = end_max_ns >= execution->start_ns ? end_max_ns : INFERRED_NO_END;
		for (size_t j = 0; j < inferred->listener_count; j++) {
			if (inferred->listeners[j].closed) {
				inferred->listeners[j].closed(inferred->listeners[j].data, execution);
			}
		}
	}
	batch->count -= count;
	memmove(batch->executions, batch->executions + count, batch->count * sizeof(batch->executions[0]));
}

static void close_batch(struct inferred_executions *inferred, struct batch *batch, int64_t end_max_ns)
{
	close_first(inferred, batch, batch->count, end_max_ns);
}

/* --- batches --- */

static const char *name_of(struct inferred_executions *inferred, struct model_callback *callback)
{
	const struct model_callback_info *info = object_model_callback_info(inferred->model, callback);

	return info->subscription ? info->subscription->topic : info->service->name;
}

static size_t action_length(struct inferred_executions *inferred, struct model_callback *callback)
{
	struct action_name *action;

	action = array_at(inferred->actions, struct action_name, callback->index);
	if (!action->is_known) {
		const char *name = name_of(inferred, callback);

		action->is_known = true;
		if (!name || action_part_of(name, &action->length) == ACTION_PART_NONE) {
			action->length = 0;
		}
	}
	return action->length;
}

/* Whether a name belongs to the same action as the last execution of the batch. */
static bool is_of_action(struct inferred_executions *inferred, const struct batch *batch, const char *name,
			 size_t length)
{
	struct model_callback *last = batch->executions[batch->count - 1].callback;

	return length > 0 && action_length(inferred, last) == length &&
	       strncmp(name_of(inferred, last), name, length) == 0;
}

/* The number of executions of the batch that are over when a message for the callback is taken. */
static uint32_t count_over(struct inferred_executions *inferred, const struct batch *batch,
			   struct model_callback *callback, int64_t time_ns)
{
	uint32_t over = batch->count;

	if (batch->count == 0 || batch->count == INFERRED_BATCH_MAX || !batch->is_continued) {
		return batch->count;
	}
	if (time_ns - batch->executions[batch->count - 1].start_ns <= INFERRED_BATCH_NS) {
		return 0;
	}
	if (!is_of_action(inferred, batch, name_of(inferred, callback), action_length(inferred, callback))) {
		return batch->count;
	}
	/* the same part once more: its last execution is over, and all before it */
	while (over > 0 && batch->executions[over - 1].callback != callback) {
		over--;
	}
	return over;
}

static void open_execution(struct inferred_executions *inferred, const struct event_record *record,
			   struct model_callback *callback)
{
	struct batch *batch = add_batch(inferred, record->thread);

	close_first(inferred, batch, count_over(inferred, batch, callback, record->time_ns), record->time_ns);
	batch->executions[batch->count++] = (struct inferred_execution){
		.callback = callback,
		.thread = record->thread,
		.start_ns = record->time_ns,
	};
	batch->is_last_announced = false;
	batch->is_continued = true;
	for (size_t i = 0; i < inferred->listener_count; i++) {
		if (inferred->listeners[i].taken) {
			inferred->listeners[i].taken(inferred->listeners[i].data, record->thread, record->time_ns);
		}
	}
}

static void reach_boundary(struct inferred_executions *inferred, const struct event_record *record)
{
	struct batch *batch = batch_of(inferred, record->thread);

	if (batch && batch->count > 0) {
		close_batch(inferred, batch, record->time_ns);
	}
}

/* --- records --- */

static void take(struct inferred_executions *inferred, const struct event_record *record, bool is_taken,
		 struct model_callback *callback)
{
	const struct recording_thread *thread = recording_thread(inferred->recording, record->thread);

	if (is_taken && callback && thread->has_vtid) {
		open_execution(inferred, record, callback);
	} else {
		reach_boundary(inferred, record);
	}
}

static uint32_t process_of(const struct inferred_executions *inferred, const struct event_record *record)
{
	return recording_thread(inferred->recording, record->thread)->process;
}

static void take_message(struct inferred_executions *inferred, const struct event_record *record)
{
	struct model_subscription *subscription =
		object_model_subscription_by_rmw(inferred->model, process_of(inferred, record),
						 record->word[RMW_TAKE__rmw_subscription_handle], record->time_ns);

	/* the middleware takes its own messages, on its own threads */
	if (subscription->is_defined) {
		take(inferred, record, record->word[RMW_TAKE__taken] != 0,
		     object_model_inferred_subscription(inferred->model, subscription));
	}
}

static void take_request(struct inferred_executions *inferred, const struct event_record *record)
{
	struct model_service *service =
		object_model_find_service_by_rmw(inferred->model, process_of(inferred, record),
						 record->word[RMW_TAKE_REQUEST__rmw_service_handle], record->time_ns);

	if (service) {
		take(inferred, record, record->word[RMW_TAKE_REQUEST__taken] != 0,
		     object_model_inferred_service(inferred->model, service));
	}
}

/* A take of a response is a boundary, unless it is one more part of the batch's action. */
static void take_response(struct inferred_executions *inferred, const struct event_record *record)
{
	const struct batch *batch = batch_of(inferred, record->thread);
	const struct model_client *client =
		object_model_find_client_by_rmw(inferred->model, process_of(inferred, record),
						record->word[RMW_TAKE_RESPONSE__rmw_client_handle], record->time_ns);
	size_t length = 0;

	if (!batch || batch->count == 0) {
		return;
	}
	if (client && client->service_name && batch->is_continued &&
	    action_part_of(client->service_name, &length) != ACTION_PART_NONE &&
	    is_of_action(inferred, batch, client->service_name, length)) {
		return;
	}
	reach_boundary(inferred, record);
}

/* Whether the callback that starts may be that of the thread's last take, an initialization event of which was lost. */
static bool may_be_of(struct inferred_executions *inferred, const struct inferred_execution *execution,
		      const struct event_record *record)
{
	struct model_callback *callback = object_model_callback(
		inferred->model, process_of(inferred, record), record->word[CALLBACK_START__callback], record->time_ns);
	const struct model_callback_info started = *object_model_callback_info(inferred->model, callback);
	const struct model_callback_info *taken = object_model_callback_info(inferred->model, execution->callback);

	switch (started.kind) {
	case CALLBACK_KIND_UNKNOWN:
		return true;
	case CALLBACK_KIND_SUBSCRIPTION:
		return taken->subscription && (!started.subscription || !started.subscription->is_defined ||
					       started.subscription == taken->subscription);
	case CALLBACK_KIND_SERVICE:
		return taken->service && (!started.service || started.service == taken->service);
	default:
		return false;
	}
}

static void start_callback(struct inferred_executions *inferred, const struct event_record *record)
{
	struct batch *batch = batch_of(inferred, record->thread);

	if (!batch || batch->count == 0) {
		return;
	}
	if (!batch->is_last_announced && may_be_of(inferred, &batch->executions[batch->count - 1], record)) {
		batch->count--;
		batch->is_last_announced = true;
	}
	close_batch(inferred, batch, record->time_ns);
}

static void publish(struct inferred_executions *inferred, const struct event_record *record)
{
	struct batch *batch = batch_of(inferred, record->thread);

	if (batch && batch->count > 0) {
		batch->is_continued = false;
		announce(inferred, batch);
	}
}

static gint compare_starts(gconstpointer a, gconstpointer b)
{
	const struct inferred_execution *left = (*(struct batch *const *)a)->executions;
	const struct inferred_execution *right = (*(struct batch *const *)b)->executions;

	return compare_integers(left->start_ns, right->start_ns);
}

/*
 * Closes the open executions of the threads of a trace, or of all, without an end. Threads are in the order of the
 * starts: their indexes depend on when each was seen first, which filters upstream may change.
 */
static void close_threads(struct inferred_executions *inferred, bool is_any, uint32_t trace)
{
	g_autoptr(GPtrArray) open = g_ptr_array_new();

	for (guint i = 0; i < inferred->batches->len; i++) {
		struct batch *batch = inferred->batches->pdata[i];

		if (batch && batch->count > 0 && (is_any || recording_thread(inferred->recording, i)->trace == trace)) {
			g_ptr_array_add(open, batch);
		}
	}
	g_ptr_array_sort(open, compare_starts);
	for (guint i = 0; i < open->len; i++) {
		close_batch(inferred, open->pdata[i], INFERRED_NO_END);
	}
}

/* What is done with an event of each kind; NULL: nothing. */
static void (*const takers[EVENT_KIND_COUNT])(struct inferred_executions *inferred,
					      const struct event_record *record) = {
	[EVENT_RMW_TAKE] = take_message,
	[EVENT_RMW_TAKE_REQUEST] = take_request,
	[EVENT_RMW_TAKE_RESPONSE] = take_response,
	[EVENT_RMW_SEND_RESPONSE] = reach_boundary,
	[EVENT_RCL_TIMER_INIT] = reach_boundary,
	[EVENT_RCLCPP_EXECUTOR_EXECUTE] = reach_boundary,
	[EVENT_AGNOCAST_CALLABLE_START] = reach_boundary,
	[EVENT_CALLBACK_START] = start_callback,
	[EVENT_RCLCPP_PUBLISH] = publish,
	[EVENT_RCLCPP_INTRA_PUBLISH] = publish,
	[EVENT_RCL_PUBLISH] = publish,
	[EVENT_RMW_PUBLISH] = publish,
	[EVENT_RMW_SEND_REQUEST] = publish,
};

bool inferred_executions_take(unsigned int kind)
{
	return kind >= EVENT_KIND_COUNT || takers[kind];
}

bool inferred_executions_may_open(unsigned int kind)
{
	return kind == EVENT_RMW_TAKE || kind == EVENT_RMW_TAKE_REQUEST || kind == EVENT_RMW_TAKE_RESPONSE;
}

bool inferred_executions_has_any(const struct inferred_executions *inferred)
{
	return inferred->batches->len > 0;
}

void inferred_executions_feed(struct inferred_executions *inferred, const struct event_record *record)
{
	if (record->kind < EVENT_KIND_COUNT) {
		if (takers[record->kind]) {
			takers[record->kind](inferred, record);
		}
	} else if (record->kind == RECORD_DISCARDED_EVENTS || record->kind == RECORD_DISCARDED_PACKETS ||
		   record->kind == RECORD_GAP) {
		close_threads(inferred, false, recording_stream_trace(inferred->recording, record->stream));
	}
}

void inferred_executions_finish(struct inferred_executions *inferred)
{
	close_threads(inferred, true, 0);
}

struct inferred_execution *inferred_executions_open(struct inferred_executions *inferred, uint32_t thread,
						    size_t *count)
{
	struct batch *batch = batch_of(inferred, thread);

	*count = batch ? batch->count : 0;
	return batch ? batch->executions : NULL;
}
