/* SPDX-License-Identifier: MIT */
#include "core/flow/linked_executions.h"

unsigned int flow_linker_reserve(struct flow_linker *linker)
{
	g_assert(linker->data_count < FLOW_DATA_MAX);
	return linker->data_count++;
}

struct linked_execution *linked_execution_create(struct flow_linker *linker, struct model_callback *callback,
						 const struct model_callback_info *info, uint32_t thread,
						 int64_t start_ns)
{
	struct linked_execution *execution = OBJECT_POOL_TAKE(&linker->executions_pool, struct linked_execution);

	linker->counts.live_executions++;
	execution->references = 1;
	execution->serial = ++linker->next_serial;
	execution->subscription = info->subscription;
	execution->public.callback = callback;
	execution->public.thread = thread;
	execution->public.start_ns = start_ns;
	execution->public.kind = info->kind;
	return execution;
}

struct linked_execution *linked_execution_reference(struct linked_execution *execution)
{
	execution->references++;
	return execution;
}

void linked_execution_release(struct flow_linker *linker, struct linked_execution *execution)
{
	if (--execution->references > 0) {
		return;
	}
	FLOW_TELL(&linker->hearers, released, &execution->public);
	linker->counts.live_executions--;
	object_pool_give(&linker->executions_pool, execution);
}
