/* SPDX-License-Identifier: MIT */
#include "core/calls/service_calls.h"

#include "core/base/arena_parts.h"
#include "core/model/coverage.h"
#include "ros2bt/base/u64_map.h"
#include "ros2bt/flow/flow_linker.h"

struct service_calls {
	const struct time_range *range; /* borrowed, like the next three */
	const struct pipeline *pipeline;
	struct recording *recording;
	struct coverage *coverage;
	struct service_calls_listener listener;
	struct service_peers *peers;
	struct u64_map by_key;	 /* → the first struct service_call * of the key */
	struct object_pool pool; /* struct service_call */
	uint64_t counts[CALL_STEPS];
};

/* The number of these events, which the diagnostics report. */
#define SERVICE_EVENTS                                                                                                 \
	"ros2:rmw_send_request, ros2:rmw_take_request, ros2:rmw_send_response, ros2:rmw_take_response: since "         \
	"tracetools 8.5 (Kilted)"

const enum event_kind service_call_kinds[] = {
	EVENT_RMW_SEND_REQUEST,	 EVENT_RMW_TAKE_REQUEST, EVENT_RMW_SEND_RESPONSE,
	EVENT_RMW_TAKE_RESPONSE, EVENT_KIND_COUNT,
};

struct service_calls *service_calls_create(const struct pipeline *pipeline, const struct time_range *range,
					   const struct service_calls_listener *listener)
{
	struct arena *arena = recording_arena(pipeline->recording);
	struct service_calls *calls = arena_take(arena, sizeof(*calls));

	calls->range = range;
	calls->pipeline = pipeline;
	calls->recording = pipeline->recording;
	calls->coverage = executions_coverage(pipeline->executions);
	calls->listener = *listener;
	calls->peers = service_peers_create(pipeline->recording, pipeline->model);
	arena_pool(arena, &calls->pool, sizeof(struct service_call));
	arena_map(arena, &calls->by_key);
	return calls;
}

/* --- calls --- */

/* A hash of client and sequence number: look-ups compare both. */
static uint64_t key_of(const struct service_client *client, int64_t sequence_number)
{
	return (uint64_t)(uintptr_t)client ^ (uint64_t)sequence_number * UINT64_C(0xD6E8FEB86659FD93);
}

static bool is_of(const struct service_call *call, const struct service_client *client, int64_t sequence_number)
{
	return call->client == client && call->sequence_number == sequence_number;
}

/* The calls of a request; further ones are next_of_request() of the last. */
static struct service_call *first_of_request(const struct service_calls *calls, const struct service_client *client,
					     int64_t sequence_number)
{
	struct service_call *call = u64_map_get_pointer(&calls->by_key, key_of(client, sequence_number));

	while (call && !is_of(call, client, sequence_number)) {
		call = call->next_with_key;
	}
	return call;
}

static struct service_call *next_of_request(const struct service_call *call)
{
	struct service_call *next = call->next_with_key;

	while (next && !is_of(next, call->client, call->sequence_number)) {
		next = next->next_with_key;
	}
	return next;
}

static GQueue *queue_of(struct service_call *call)
{
	bool is_untaken =
		call_has(call, CALL_SENT) && !call->is_taken && !call->is_passed && !call_has(call, CALL_RECEIVED);

	return is_untaken ? &call->client->untaken : &call->client->others;
}

static void forget(struct service_calls *calls, struct service_call *call)
{
	uint64_t key = key_of(call->client, call->sequence_number);
	struct service_call *first = u64_map_get_pointer(&calls->by_key, key);

	if (first != call) {
		while (first->next_with_key != call) {
			first = first->next_with_key;
		}
		first->next_with_key = call->next_with_key;
	} else if (call->next_with_key) {
		u64_map_set_pointer(&calls->by_key, key, call->next_with_key);
	} else {
		u64_map_remove(&calls->by_key, key);
	}
}

static void end(struct service_calls *calls, struct service_call *call)
{
	g_queue_unlink(queue_of(call), &call->link);
	forget(calls, call);
	calls->listener.ended(calls->listener.data, call);
	object_pool_give(&calls->pool, call);
}

/* Gives up the oldest calls of a queue. */
static void make_room(struct service_calls *calls, GQueue *queue, int64_t now_ns)
{
	while (queue->length > CALLS_OPEN_MAX ||
	       (queue->length > CALLS_OLD_MAX &&
		now_ns - ((const struct service_call *)queue->head->data)->first_ns >= FLOW_AGE_NS)) {
		end(calls, queue->head->data);
	}
}

static struct service_call *begin(struct service_calls *calls, struct service_client *client, int64_t sequence_number,
				  int64_t time_ns)
{
	struct service_call *call = object_pool_take(&calls->pool);
	uint64_t key = key_of(client, sequence_number);

	call->client = client;
	call->sequence_number = sequence_number;
	call->first_ns = time_ns;
	call->is_counted = time_range_includes(calls->range, time_ns);
	call->link.data = call;
	call->next_with_key = u64_map_get_pointer(&calls->by_key, key);
	u64_map_set_pointer(&calls->by_key, key, call);
	g_queue_push_tail_link(queue_of(call), &call->link);
	return call;
}

static void add_step(struct service_calls *calls, struct service_call *call, enum call_step step,
		     const struct event_record *record, struct service_pair *pair)
{
	GQueue *before = queue_of(call);

	call->known |= 1u << step;
	call->time_ns[step] = record->time_ns;
	if (pair) {
		call->pair = pair;
		call->is_taken = true;
		call->is_skipped = false;
	}
	if (queue_of(call) != before) {
		g_queue_unlink(before, &call->link);
		g_queue_push_tail_link(queue_of(call), &call->link);
	}
	calls->listener.step(calls->listener.data, call, step, record);
	if (call->known == (1u << CALL_STEPS) - 1) {
		/* another server may take the request as well */
		service_client_remember(call->client, call->sequence_number, call->time_ns[CALL_SENT],
					call->is_counted);
		end(calls, call);
	} else {
		make_room(calls, queue_of(call), record->time_ns);
	}
}

/* --- steps --- */

static bool is_copy(const struct service_call *call, enum call_step step, const struct event_record *record)
{
	return call && call_has(call, step) && call->time_ns[step] == record->time_ns;
}

/* Whether no other client may have got the address since the call began. */
static bool is_of_same_client(const struct service_calls *calls, const struct service_call *call, int64_t now_ns)
{
	return !service_client_may_be_another(call->client, call->sequence_number, call->first_ns, now_ns) ||
	       coverage_process_misses_nothing(calls->coverage, call->client->process, call->first_ns, now_ns);
}

static void send_request(struct service_calls *calls, const struct event_record *record)
{
	struct service_client *client =
		service_peers_client(calls->peers, record, record->word[RMW_SEND_REQUEST__rmw_client_handle]);
	int64_t sequence_number = (int64_t)record->word[RMW_SEND_REQUEST__sequence_number];
	struct service_call *call = first_of_request(calls, client, sequence_number);
	bool is_new = true;

	calls->counts[CALL_SENT]++;
	if (is_copy(call, CALL_SENT, record)) {
		return;
	}
	service_client_note_request(client, sequence_number, record->time_ns);
	while (call) {
		struct service_call *next = next_of_request(call);

		if (call_has(call, CALL_SENT) ||
		    (call_has(call, CALL_RECEIVED) && !is_of_same_client(calls, call, record->time_ns))) {
			end(calls, call);
		} else {
			/* a server whose clock is behind took it already, or the thread was preempted after its write
			 */
			is_new = false;
			add_step(calls, call, CALL_SENT, record, NULL);
		}
		call = next;
	}
	if (is_new) {
		call = begin(calls, client, sequence_number, record->time_ns);
		call->pair = client->last ? client->last : service_peers_pair(calls->peers, client, NULL);
		add_step(calls, call, CALL_SENT, record, NULL);
	}
}

static bool has_one_clock(const struct service_calls *calls, const struct service_pair *pair)
{
	return recording_process(calls->recording, pair->client->process)->host ==
	       recording_process(calls->recording, pair->server->process)->host;
}

/* Marks the client's requests that were sent before one that a server takes now. */
static void pass_older(struct service_calls *calls, struct service_client *client, const struct service_call *taken,
		       const struct service_pair *pair, int64_t take_ns)
{
	struct service_call *older;
	int64_t from_ns = has_one_clock(calls, pair) ? INT64_MAX : pair->last_take_ns;

	while ((older = g_queue_peek_head(&client->untaken)) && older != taken &&
	       older->time_ns[CALL_SENT] < taken->time_ns[CALL_SENT]) {
		g_queue_unlink(&client->untaken, &older->link);
		older->is_passed = true;
		/* a server that took none before may not have existed yet */
		older->is_skipped = older->pair == pair;
		older->skipped_ns[0] = MIN(older->time_ns[CALL_SENT], from_ns);
		older->skipped_ns[1] = take_ns + CALLS_OUT_OF_ORDER_NS;
		g_queue_push_tail_link(&client->others, &older->link);
		make_room(calls, &client->others, take_ns);
	}
}

/* A call for a request that another server took, too. */
static void share_request(struct service_call *call, const struct service_request *request)
{
	struct service_client *client = call->client;

	g_queue_unlink(&client->others, &call->link);
	call->is_counted = request->is_counted;
	call->known = 1u << CALL_SENT;
	call->first_ns = call->time_ns[CALL_SENT] = request->send_ns;
	g_queue_push_tail_link(queue_of(call), &call->link);
}

/* The call whose request a server takes or answers: the server's own, or one without a server. */
static struct service_call *call_of_server(struct service_calls *calls, struct service_client *client,
					   int64_t sequence_number, const struct service_server *server,
					   const struct event_record *record)
{
	const struct service_request *done = service_client_find_done(client, sequence_number);
	struct service_request request = { 0 };
	struct service_call *untaken = NULL, *call;

	for (call = first_of_request(calls, client, sequence_number); call; call = next_of_request(call)) {
		if (call->is_taken && call->pair->server == server) {
			return call;
		}
		if (!call->is_taken) {
			untaken = call;
		} else if (call_has(call, CALL_SENT)) {
			request = (struct service_request){ sequence_number, call->time_ns[CALL_SENT], call->is_counted,
							    true };
		}
	}
	if (untaken) {
		return untaken;
	}
	call = begin(calls, client, sequence_number, record->time_ns);
	if (request.is_there || done) {
		share_request(call, request.is_there ? &request : done);
	}
	return call;
}

static void take_request(struct service_calls *calls, const struct event_record *record)
{
	const char *gid = record_string(record, RMW_TAKE_REQUEST__client_gid);
	int64_t sequence_number = (int64_t)record->word[RMW_TAKE_REQUEST__sequence_number];
	struct service_server *server;
	struct service_client *client;
	struct service_pair *pair;
	struct service_call *call;

	if (!record->word[RMW_TAKE_REQUEST__taken] || !gid) {
		return;
	}
	calls->counts[CALL_TAKEN]++;
	server = service_peers_server(calls->peers, record, record->word[RMW_TAKE_REQUEST__rmw_service_handle]);
	client = service_peers_client_by_gid(calls->peers, gid);
	pair = service_peers_pair(calls->peers, client, server);
	call = call_of_server(calls, client, sequence_number, server, record);
	if (is_copy(call, CALL_TAKEN, record)) {
		return;
	}
	/* a request is taken before it is answered: the answer was that of another service which had the address before
	 */
	if (call_has(call, CALL_TAKEN) || call_has(call, CALL_ANSWERED)) {
		end(calls, call);
		call = begin(calls, client, sequence_number, record->time_ns);
	}
	if (call_has(call, CALL_SENT)) {
		pass_older(calls, client, call, pair, record->time_ns);
	}
	client->last = pair;
	pair->last_take_ns = record->time_ns;
	add_step(calls, call, CALL_TAKEN, record, pair);
}

static void send_response(struct service_calls *calls, const struct event_record *record)
{
	const char *gid = record_string(record, RMW_SEND_RESPONSE__client_gid);
	int64_t sequence_number = (int64_t)record->word[RMW_SEND_RESPONSE__sequence_number];
	struct service_server *server;
	struct service_client *client;
	struct service_call *call;

	if (!gid) {
		return;
	}
	calls->counts[CALL_ANSWERED]++;
	server = service_peers_server(calls->peers, record, record->word[RMW_SEND_RESPONSE__rmw_service_handle]);
	client = service_peers_client_by_gid(calls->peers, gid);
	call = call_of_server(calls, client, sequence_number, server, record);
	if (is_copy(call, CALL_ANSWERED, record)) {
		return;
	}
	if (call_has(call, CALL_ANSWERED)) {
		end(calls, call);
		call = begin(calls, client, sequence_number, record->time_ns);
	}
	call->answer_stamp = (int64_t)record->word[RMW_SEND_RESPONSE__timestamp];
	add_step(calls, call, CALL_ANSWERED, record, service_peers_pair(calls->peers, client, server));
}

/* The call whose response a client takes: the one answered at that time, else the first answered, else the first. */
static struct service_call *call_of_response(const struct service_calls *calls, const struct service_client *client,
					     int64_t sequence_number, int64_t stamp, int64_t now_ns)
{
	struct service_call *answered = NULL, *open = NULL;

	for (struct service_call *call = first_of_request(calls, client, sequence_number); call;
	     call = next_of_request(call)) {
		if (call_has(call, CALL_RECEIVED)) {
			continue;
		}
		if (call_has(call, CALL_ANSWERED) && call->answer_stamp == stamp) {
			return call;
		}
		if (!is_of_same_client(calls, call, now_ns)) {
			continue;
		}
		/* the newest is the first of the list */
		answered = call_has(call, CALL_ANSWERED) ? call : answered;
		open = call;
	}
	return answered ? answered : open;
}

static void take_response(struct service_calls *calls, const struct event_record *record)
{
	int64_t sequence_number = (int64_t)record->word[RMW_TAKE_RESPONSE__sequence_number];
	struct service_client *client;
	struct service_call *call;

	if (!record->word[RMW_TAKE_RESPONSE__taken]) {
		return;
	}
	calls->counts[CALL_RECEIVED]++;
	client = service_peers_client(calls->peers, record, record->word[RMW_TAKE_RESPONSE__rmw_client_handle]);
	call = call_of_response(calls, client, sequence_number,
				(int64_t)record->word[RMW_TAKE_RESPONSE__source_timestamp], record->time_ns);
	if (!call) {
		call = begin(calls, client, sequence_number, record->time_ns);
		call->pair = client->last ? client->last : service_peers_pair(calls->peers, client, NULL);
	}
	add_step(calls, call, CALL_RECEIVED, record, NULL);
}

void service_calls_feed(struct service_calls *calls, const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_RMW_SEND_REQUEST:
		send_request(calls, record);
		break;
	case EVENT_RMW_TAKE_REQUEST:
		take_request(calls, record);
		break;
	case EVENT_RMW_SEND_RESPONSE:
		send_response(calls, record);
		break;
	case EVENT_RMW_TAKE_RESPONSE:
		take_response(calls, record);
		break;
	default:
		break;
	}
}

void service_calls_finish(struct service_calls *calls)
{
	for (size_t i = 0; i < service_peers_client_count(calls->peers); i++) {
		struct service_client *client = service_peers_client_at(calls->peers, i);

		while (client->others.head) {
			end(calls, client->others.head->data);
		}
		while (client->untaken.head) {
			end(calls, client->untaken.head->data);
		}
	}
}

/* --- queries --- */

static void visit_queue(const GQueue *queue, void (*visit)(void *data, const struct service_call *call), void *data)
{
	for (const GList *link = queue->head; link; link = link->next) {
		visit(data, link->data);
	}
}

void service_calls_foreach(const struct service_calls *calls,
			   void (*visit)(void *data, const struct service_call *call), void *data)
{
	for (size_t i = 0; i < service_peers_client_count(calls->peers); i++) {
		const struct service_client *client = service_peers_client_at(calls->peers, i);

		visit_queue(&client->others, visit, data);
		visit_queue(&client->untaken, visit, data);
	}
}

struct service_peers *service_calls_peers(struct service_calls *calls)
{
	return calls->peers;
}

struct service_pair *service_call_pair(const struct service_call *call)
{
	struct service_pair *first = call->pair;

	for (struct service_pair *pair = call->client->pairs; pair && !call->pair->server; pair = pair->next) {
		if (pair->server) {
			first = pair;
		}
	}
	return first;
}

bool service_call_is_lost(const struct service_calls *calls, const struct service_call *call)
{
	return call->is_skipped && !call_has(call, CALL_RECEIVED) && call->skipped_ns[1] <= calls->pipeline->end_ns &&
	       coverage_process_misses_nothing(calls->coverage, call->pair->server->process, call->skipped_ns[0],
					       call->skipped_ns[1]);
}

bool service_calls_has_events(const struct service_calls *calls)
{
	const uint64_t *counts = calls->counts;

	return counts[CALL_SENT] + counts[CALL_TAKEN] + counts[CALL_ANSWERED] + counts[CALL_RECEIVED] > 0;
}

void service_calls_diagnose(const struct service_calls *calls, uint64_t executions, struct diagnostics *findings)
{
	static const char *const events[CALL_STEPS] = {
		[CALL_SENT] = "ros2:rmw_send_request",
		[CALL_TAKEN] = "ros2:rmw_take_request",
		[CALL_ANSWERED] = "ros2:rmw_send_response",
		[CALL_RECEIVED] = "ros2:rmw_take_response",
	};
	const uint64_t *counts = calls->counts;

	diagnostics_add(findings, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_client_init",
			service_peers_without_gid(calls->peers));
	if (!service_calls_has_events(calls)) {
		diagnostics_add_of_release(findings, DIAGNOSTIC_MISSING_EVENTS, SERVICE_EVENTS, executions);
		return;
	}
	/* an event after a step shows that the step happened; one before it, that it should have */
	for (size_t step = 0; step < CALL_STEPS; step++) {
		uint64_t before = step > CALL_SENT ? counts[step - 1] : counts[CALL_RECEIVED];
		uint64_t after = step < CALL_RECEIVED ? counts[step + 1] : counts[CALL_SENT];

		if (counts[step] == 0 && before > 0 && after > 0) {
			diagnostics_add(findings, DIAGNOSTIC_MISSING_EVENTS, events[step], MIN(before, after));
		}
	}
}
