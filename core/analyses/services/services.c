/* SPDX-License-Identifier: MIT */
/*
 * The tables `services` (a row per client and server of a service), `service_instances` (a row per call) and
 * `slowest_services`.
 *
 * - round trip = request + service + response: from rmw_send_request to rmw_take_request (transport and queue of the
 *   server), to rmw_send_response (the service's own time, even if it answers after its callback returned), to
 *   rmw_take_response (transport and queue of the client). No event shows the client's callback for the response.
 * - A call counts if its first event lies in the range. A request that no server took counts for the server that took
 *   the client's previous one, else for the first server that took one of its requests, else for none.
 * - unanswered: sent, and the client took no response until the recording ended; the counts show how far such calls
 *   got. lost: see service_calls.h.
 * - executions and callback: of the service's callback. Releases before tracetools 8.5 record nothing else; the row has
 *   no client then. Since 8.5, an execution belongs to the client whose request its thread took just before.
 * - service_id: in the order of the first call that ended, or the first execution.
 *
 *   events → service_calls.h → services.c → service_tables.c
 *             service_peers.h: the clients and servers, and the pairs of them
 *
 * Cost: that of service_calls.h, and O(1) for an execution. Memory: pairs of clients and servers that met; open calls.
 */
#include "core/analyses/services/services.h"
#include "core/base/arena_parts.h"

static struct service_row *row_of(struct services *services, const struct service_pair *pair)
{
	struct service_row *row = row_store_at(&services->analysis.rows, pair->index);

	if (row->id == 0) {
		struct arena *arena = recording_arena(services->analysis.context.recording);

		row->id = ++services->next_id;
		duration_statistics_init(&row->round_trip, arena);
		duration_statistics_init(&row->request, arena);
		duration_statistics_init(&row->service, arena);
		duration_statistics_init(&row->response, arena);
		duration_statistics_init(&row->callback, arena);
	}
	return row;
}

/* --- calls --- */

static bool is_between_hosts(const struct services *services, const struct service_call *call)
{
	const struct recording *recording = services->analysis.context.recording;
	uint32_t client = call->client->process;

	return client != RECORDING_NONE && recording_process(recording, client)->host !=
						   recording_process(recording, call->pair->server->process)->host;
}

/* Adds a leg if both of its ends are known. */
static void measure(struct services *services, struct duration_statistics *statistic, const struct service_call *call,
		    enum call_step from, enum call_step to)
{
	int64_t duration_ns = call->time_ns[to] - call->time_ns[from];

	if (!call_has(call, from) || !call_has(call, to)) {
		return;
	}
	duration_statistics_add(statistic, duration_ns, call->time_ns[from]);
	if (duration_ns < 0 && call->is_taken && is_between_hosts(services, call)) {
		const char *name = service_pair_name(call->pair);

		diagnostics_add(services->analysis.context.diagnostics, DIAGNOSTIC_NEGATIVE_LATENCY, name ? name : "",
				1);
	}
}

static void on_step(void *data, struct service_call *call, enum call_step step, const struct event_record *record)
{
	struct services *services = data;

	if (step == CALL_TAKEN) {
		*slot_at(services->taken, record->thread) = call->pair;
	}
}

static void on_ended(void *data, struct service_call *call)
{
	struct services *services = data;
	struct service_row *row;

	if (!call->is_counted) {
		return;
	}
	row = row_of(services, service_call_pair(call));
	service_counts_add(&row->counts, services->calls, call);
	measure(services, &row->round_trip, call, CALL_SENT, CALL_RECEIVED);
	measure(services, &row->request, call, CALL_SENT, CALL_TAKEN);
	measure(services, &row->service, call, CALL_TAKEN, CALL_ANSWERED);
	measure(services, &row->response, call, CALL_ANSWERED, CALL_RECEIVED);
	service_tables_write_instance(services, row, call);
}

/* --- executions of the callbacks --- */

/* The pair whose request the execution handles: of the client whose request its thread took just before, else of any.
 */
static const struct service_pair *pair_of_execution(struct services *services, const struct execution *execution)
{
	struct model_service *service =
		object_model_callback_info(services->analysis.context.model, execution->callback)->service;
	const struct service_pair *taken = NULL;

	if (execution->thread < services->taken->len) {
		taken = services->taken->pdata[execution->thread];
		services->taken->pdata[execution->thread] = NULL;
	}
	if (!service) {
		return NULL;
	}
	return taken && taken->server->service == service
		       ? taken
		       : service_peers_pair_without_client(service_calls_peers(services->calls), service);
}

static void on_started(void *data, struct execution *execution)
{
	struct services *services = data;
	const struct service_pair *pair;
	struct service_row *row;

	if (object_model_callback_info(services->analysis.context.model, execution->callback)->kind !=
	    CALLBACK_KIND_SERVICE) {
		return;
	}
	pair = pair_of_execution(services, execution);
	if (!pair || !analysis_options_include(services->analysis.context.options, execution->start_ns)) {
		return;
	}
	row = row_of(services, pair);
	row->executions++;
	row->handler = execution->callback;
	services->execution_count++;
	u64_map_set_pointer(&services->open, (uint64_t)(uintptr_t)execution, row);
}

static void on_execution_ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct services *services = data;
	uint64_t word = outcome == EXECUTION_WITHOUT_START || services->open.count == 0
				? U64_MAP_NONE
				: u64_map_remove(&services->open, (uint64_t)(uintptr_t)execution);
	struct service_row *row;

	if (word == U64_MAP_NONE) {
		return;
	}
	row = (struct service_row *)(uintptr_t)word;
	row->without_end += outcome == EXECUTION_WITHOUT_END;
	if (outcome == EXECUTION_COMPLETE) {
		duration_statistics_add(&row->callback, execution->end_ns - execution->start_ns, execution->start_ns);
	}
}

/* --- the analysis --- */

static void begin(void *analysis)
{
	struct services *services = analysis;
	const struct analysis_context *context = &services->analysis.context;

	services->taken = arena_pointers(analysis_arena(analysis));
	arena_map(analysis_arena(analysis), &services->open);
	services->calls = service_calls_create(context->pipeline, &context->options->range,
					       &(struct service_calls_listener){
						       .data = services,
						       .step = on_step,
						       .ended = on_ended,
					       });
}

static void feed(void *analysis, const struct event_record *record)
{
	service_calls_feed(((struct services *)analysis)->calls, record);
}

static void finish(void *analysis)
{
	service_calls_finish(((struct services *)analysis)->calls);
}

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	const struct services *services = analysis;

	service_calls_diagnose(services->calls, services->execution_count, findings);
}

const struct analysis_class services_analysis = {
	.name = "services",
	.tables = service_tables,
	.kinds = service_call_kinds,
	.needs = ANALYSIS_NEEDS_EXECUTIONS,
	.executions = { .callback_kinds = 1U << CALLBACK_KIND_SERVICE,
			.started = on_started,
			.ended = on_execution_ended },
	.size = sizeof(struct services),
	.row_size = sizeof(struct service_row),
	.begin = begin,
	.feed = feed,
	.finish = finish,
	.diagnose = diagnose,
	.write = service_tables_write,
};
