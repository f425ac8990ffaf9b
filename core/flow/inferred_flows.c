/* SPDX-License-Identifier: MIT */
#include "core/flow/inferred_flows.h"

#include "core/flow/kept_messages.h"
#include "core/flow/provenance.h"
#include "core/flow/resolve.h"
#include "core/flow/take.h"

static void on_taken(void *data, uint32_t thread, int64_t take_ns)
{
	provenance_add_take(((struct flow_linker *)data)->provenance, thread, take_ns);
}

static void on_opened(void *data, struct inferred_execution *inferred)
{
	struct flow_linker *linker = data;
	const struct model_callback_info *info = object_model_callback_info(linker->model, inferred->callback);
	struct linked_execution *execution =
		linked_execution_create(linker, inferred->callback, info, inferred->thread, inferred->start_ns);

	execution->public.is_complete = true;
	execution->public.end_ns = inferred->start_ns;
	inferred->flow = execution;
	flow_take_infer(linker, flow_thread(linker, inferred->thread), execution, info);
	if (execution->subscription) {
		kept_messages_keep(linker, execution, execution->subscription);
	}
}

static void on_closed(void *data, struct inferred_execution *inferred)
{
	struct flow_linker *linker = data;
	struct linked_execution *execution = inferred->flow;

	inferred->flow = NULL;
	execution->is_ended = true;
	flow_resolve_await_less(linker, execution);
	linked_execution_release(linker, execution);
}

void inferred_flows_listen(struct flow_linker *linker, struct inferred_executions *inferred)
{
	linker->inferred = inferred;
	linker->provenance = provenance_create(linker->recording, linker->model);
	inferred_executions_add_listener(inferred, &(struct inferred_listener){
							   .data = linker,
							   .taken = on_taken,
							   .opened = on_opened,
							   .closed = on_closed,
						   });
}
