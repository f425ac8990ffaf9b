/* SPDX-License-Identifier: MIT */
#include "core/flow/linked_executions.h"

unsigned int flow_linker_reserve(struct flow_linker *linker)
{
	g_assert(linker->data_count < FLOW_DATA_MAX);
	return linker->data_count++;
}

void linked_execution_tell_released(struct flow_linker *linker, struct linked_execution *execution)
{
	FLOW_TELL(&linker->hearers, released, &execution->public);
}
