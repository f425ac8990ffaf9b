/* SPDX-License-Identifier: MIT */
#include "core/calls/action_goals.h"

#include "core/base/arena_parts.h"
#include "core/base/slots.h"

/* The goals of a client's side. */
struct action_client {
	GQueue open;	       /* struct action_goal, in order of their first event */
	bool asks_for_results; /* at least once */
};

/* The last actions of a thread, as long as its next one depends on them. */
struct thread_state {
	struct action_goal *response; /* reference: whose response it took */
	struct action_goal *answered; /* reference: whose response it sent, undecided */
	struct action_pair *cancel;   /* whose request to cancel it took */
	bool has_published_cancel;    /* it published a status since then */
};

struct action_goals {
	struct recording *recording; /* borrowed, like the next one */
	struct object_model *model;
	struct action_goals_listener listener;
	struct service_calls *calls;
	struct action_sides *sides;
	GArray *threads;    /* struct thread_state, by thread */
	GPtrArray *clients; /* struct action_client, in the arena, by index of the client's side, from 1; 0: unknown */
	struct object_pool pool; /* struct action_goal */
};

const enum event_kind action_goal_kinds[] = {
	EVENT_RMW_SEND_REQUEST,	 EVENT_RMW_TAKE_REQUEST, EVENT_RMW_SEND_RESPONSE,
	EVENT_RMW_TAKE_RESPONSE, EVENT_RCL_PUBLISH,	 EVENT_KIND_COUNT,
};

static struct action_client *client_of(struct action_goals *goals, const struct action_pair *pair)
{
	gpointer *slot = slot_at(goals->clients, pair->client ? pair->client->index + 1 : 0);

	if (!*slot) {
		*slot = arena_take(recording_arena(goals->recording), sizeof(struct action_client));
	}
	return *slot;
}

/* --- goals --- */

static void release(struct action_goals *goals, struct action_goal *goal)
{
	if (goal && --goal->references == 0) {
		object_pool_give(&goals->pool, goal);
	}
}

static void end(struct action_goals *goals, struct action_goal *goal)
{
	if (goal->answer == GOAL_UNDECIDED && !goal->is_answered && goal->has_response &&
	    goal->client->asks_for_results) {
		goal->answer = GOAL_REJECTED;
	}
	goal->is_open = false;
	g_queue_unlink(&goal->client->open, &goal->link);
	goals->listener.ended(goals->listener.data, goal);
	release(goals, goal);
}

static void end_if_done(struct action_goals *goals, struct action_goal *goal)
{
	bool is_rejected = goal->answer == GOAL_REJECTED && !goal->is_held;

	if (goal->is_open && !goal->has_call && (goal->has_result || is_rejected || !goal->has_response)) {
		end(goals, goal);
	}
}

static struct action_goal *begin(struct action_goals *goals, struct action_pair *pair, struct service_call *call)
{
	struct action_goal *goal = object_pool_take(&goals->pool);

	goal->pair = pair;
	goal->client = client_of(goals, pair);
	goal->sequence_number = call->sequence_number;
	goal->is_counted = call->is_counted;
	goal->has_send = call_has(call, CALL_SENT);
	goal->send_ns = call->time_ns[CALL_SENT];
	goal->has_call = true;
	goal->is_open = true;
	goal->references = 1;
	goal->link.data = goal;
	g_queue_push_tail_link(&goal->client->open, &goal->link);
	if (goal->client->open.length > GOALS_OPEN_MAX) {
		end(goals, goal->client->open.head->data);
	}
	return goal;
}

/* --- threads --- */

static struct thread_state *thread_of(struct action_goals *goals, uint32_t thread)
{
	return array_at(goals->threads, struct thread_state, thread);
}

static void hold_response(struct action_goals *goals, struct thread_state *thread, struct action_goal *goal)
{
	struct action_goal *before = thread->response;

	thread->response = goal;
	if (goal) {
		goal->references++;
		goal->is_held = true;
	}
	if (before) {
		before->is_held = before == goal;
		end_if_done(goals, before);
		release(goals, before);
	}
}

static void decide(struct action_goals *goals, struct thread_state *thread, enum goal_answer answer)
{
	struct action_goal *goal = thread->answered;

	thread->answered = NULL;
	if (!goal) {
		return;
	}
	if (goal->answer == GOAL_UNDECIDED) {
		goal->answer = answer;
	}
	end_if_done(goals, goal);
	release(goals, goal);
}

/* The thread does something unrelated to its last actions. */
static void go_on(struct action_goals *goals, struct thread_state *thread)
{
	decide(goals, thread, GOAL_REJECTED);
	hold_response(goals, thread, NULL);
	thread->cancel = NULL;
}

/* --- steps of calls --- */

static void step_send_goal(struct action_goals *goals, struct action_pair *pair, struct service_call *call,
			   enum call_step step, const struct event_record *record)
{
	struct thread_state *thread = thread_of(goals, record->thread);
	struct action_goal *goal = call->owner ? call->owner : begin(goals, pair, call);

	if (!call->owner) {
		call->owner = goal;
		goal->references++;
	}
	goal->pair = pair;
	switch (step) {
	case CALL_SENT:
		goal->has_send = true;
		goal->send_ns = record->time_ns;
		break;
	case CALL_ANSWERED:
		goal->is_answered = true;
		thread->answered = goal;
		goal->references++;
		break;
	case CALL_RECEIVED:
		goal->has_response = true;
		goal->response_ns = record->time_ns;
		hold_response(goals, thread, goal);
		break;
	default:
		break;
	}
}

static bool may_ask_for_result(const struct action_goal *goal)
{
	return goal->has_response && !goal->has_result_request && goal->answer != GOAL_REJECTED;
}

/* The goal whose result the thread requests. */
static struct action_goal *find_goal(const struct thread_state *thread, const struct action_client *client,
				     bool *is_ambiguous)
{
	struct action_goal *found = thread->response;

	*is_ambiguous = false;
	if (found && found->is_open && found->client == client && !found->has_result_request) {
		return found;
	}
	found = NULL;
	for (const GList *link = client->open.head; link; link = link->next) {
		if (may_ask_for_result(link->data)) {
			*is_ambiguous = found != NULL;
			if (found) {
				break;
			}
			found = link->data;
		}
	}
	return found;
}

static void ask_for_result(struct action_goals *goals, struct action_pair *pair, struct service_call *call,
			   const struct event_record *record)
{
	struct action_client *client = client_of(goals, pair);
	bool is_ambiguous;
	struct action_goal *goal = find_goal(thread_of(goals, record->thread), client, &is_ambiguous);

	client->asks_for_results = true;
	if (goal) {
		goal->has_result_request = true;
		goal->result_request_ns = record->time_ns;
		goal->is_ambiguous = is_ambiguous;
		if (!is_ambiguous) {
			goal->answer = GOAL_ACCEPTED;
		}
		goal->references++;
		call->owner = goal;
	}
}

static void step_get_result(struct action_goals *goals, struct action_pair *pair, struct service_call *call,
			    enum call_step step, const struct event_record *record)
{
	struct action_goal *goal = call->owner;

	if (step == CALL_SENT && !goal) {
		ask_for_result(goals, pair, call, record);
	} else if (step == CALL_RECEIVED && goal && goal->is_open) {
		goal->has_result = true;
		goal->result_ns = record->time_ns;
		end_if_done(goals, goal);
	}
}

static void step_cancel_goal(struct action_goals *goals, struct action_pair *pair, const struct service_call *call,
			     enum call_step step, const struct event_record *record)
{
	struct thread_state *thread = thread_of(goals, record->thread);

	if (step == CALL_TAKEN) {
		thread->cancel = pair;
		thread->has_published_cancel = false;
	} else if (step == CALL_ANSWERED && thread->cancel == pair) {
		pair->cancels_answered += call->is_counted;
		pair->cancels_accepted += call->is_counted && thread->has_published_cancel;
		thread->cancel = NULL;
	}
}

static void on_step(void *data, struct service_call *call, enum call_step step, const struct event_record *record)
{
	struct action_goals *goals = data;
	struct action_role role = action_sides_role(goals->sides, call->pair);
	struct thread_state *thread = thread_of(goals, record->thread);

	if (step == CALL_ANSWERED) {
		decide(goals, thread, GOAL_REJECTED);
	} else if (step != CALL_SENT) {
		go_on(goals, thread);
	}
	switch (role.part) {
	case ACTION_PART_SEND_GOAL:
		step_send_goal(goals, role.pair, call, step, record);
		break;
	case ACTION_PART_GET_RESULT:
		step_get_result(goals, role.pair, call, step, record);
		break;
	case ACTION_PART_CANCEL_GOAL:
		step_cancel_goal(goals, role.pair, call, step, record);
		break;
	default:
		break;
	}
}

struct action_sides *action_goals_sides(struct action_goals *goals)
{
	return goals->sides;
}

static void on_call_ended(void *data, struct service_call *call)
{
	struct action_goals *goals = data;
	struct action_role role = action_sides_role(goals->sides, service_call_pair(call));
	struct action_goal *goal = call->owner;

	if (role.part == ACTION_PART_CANCEL_GOAL) {
		role.pair->cancels_sent += call->is_counted && call_has(call, CALL_SENT);
	}
	if (!goal) {
		return;
	}
	if (role.part == ACTION_PART_SEND_GOAL) {
		goal->pair = role.pair;
		goal->has_call = false;
		end_if_done(goals, goal);
	}
	release(goals, goal);
}

/* --- executions and publications --- */

static void on_started(void *data, struct execution *execution)
{
	struct action_goals *goals = data;

	if (execution->thread < goals->threads->len) {
		go_on(goals, thread_of(goals, execution->thread));
	}
}

static void on_execution_ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
}

/* The server's side of the action whose status a record publishes; NULL if it publishes something else. */
static const struct model_action *action_of_status(const struct action_goals *goals, const struct event_record *record)
{
	const struct model_publisher *publisher =
		object_model_find_publisher(goals->model, recording_thread(goals->recording, record->thread)->process,
					    record->word[RCL_PUBLISH__publisher_handle], record->time_ns);
	size_t length;

	return publisher && publisher->topic && action_part_of(publisher->topic, &length) == ACTION_PART_STATUS
		       ? object_model_action_of(goals->model, MODEL_PUBLISHER, &publisher->endpoint)
		       : NULL;
}

static void publish(struct action_goals *goals, const struct event_record *record)
{
	struct thread_state *thread = record->thread < goals->threads->len ? thread_of(goals, record->thread) : NULL;
	const struct model_action *action;

	if (!thread || (!thread->answered && !thread->cancel)) {
		return;
	}
	action = action_of_status(goals, record);
	if (action && thread->answered && thread->answered->pair->server == action) {
		decide(goals, thread, GOAL_ACCEPTED);
	}
	if (action && thread->cancel && thread->cancel->server == action) {
		thread->has_published_cancel = true;
	}
}

/* --- life --- */

struct action_goals *action_goals_create(const struct pipeline *pipeline, const struct time_range *range,
					 const struct action_goals_listener *listener)
{
	struct arena *arena = recording_arena(pipeline->recording);
	struct action_goals *goals = arena_take(arena, sizeof(*goals));

	goals->recording = pipeline->recording;
	goals->model = pipeline->model;
	goals->listener = *listener;
	goals->threads = arena_array(arena, sizeof(struct thread_state));
	goals->sides = action_sides_create(pipeline->recording, pipeline->model);
	goals->clients = arena_pointers(arena);
	arena_pool(arena, &goals->pool, sizeof(struct action_goal));
	goals->calls = service_calls_create(pipeline, range,
					    &(struct service_calls_listener){
						    .data = goals,
						    .step = on_step,
						    .ended = on_call_ended,
					    });
	executions_add_listener(pipeline->executions, &(struct executions_listener){
							      .data = goals,
							      .started = on_started,
							      .ended = on_execution_ended,
						      });
	return goals;
}

void action_goals_feed(struct action_goals *goals, const struct event_record *record)
{
	if (record->kind == EVENT_RCL_PUBLISH) {
		publish(goals, record);
	} else {
		service_calls_feed(goals->calls, record);
	}
}

void action_goals_finish(struct action_goals *goals)
{
	service_calls_finish(goals->calls);
	for (guint i = 0; i < goals->clients->len; i++) {
		struct action_client *client = goals->clients->pdata[i];

		while (client && client->open.head) {
			end(goals, client->open.head->data);
		}
	}
}

void action_goals_foreach(const struct action_goals *goals, void (*visit)(void *data, const struct action_goal *goal),
			  void *data)
{
	for (guint i = 0; i < goals->clients->len; i++) {
		const struct action_client *client = goals->clients->pdata[i];

		for (const GList *link = client ? client->open.head : NULL; link; link = link->next) {
			visit(data, link->data);
		}
	}
}

bool action_goals_has_calls(const struct action_goals *goals)
{
	return service_calls_has_events(goals->calls);
}
