/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/callback_ids.h"

#include <glib.h>

#define NOT_YET UINT64_MAX

struct callback_ids {
	GArray *ids; /* uint64_t by index of the model's callback */
	uint64_t next_id;
};

static void number(struct callback_ids *ids, const struct model_callback *callback)
{
	uint64_t not_yet = NOT_YET, *id;

	while (G_UNLIKELY(callback->index >= ids->ids->len)) {
		g_array_append_val(ids->ids, not_yet);
	}
	id = &g_array_index(ids->ids, uint64_t, callback->index);
	if (*id == NOT_YET) {
		*id = ids->next_id++;
	}
}

static void started(void *data, struct execution *execution)
{
	number(data, execution->callback);
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	number(data, execution->callback);
}

static void closed(void *data, struct inferred_execution *execution)
{
	number(data, execution->callback);
}

struct callback_ids *callback_ids_create(struct executions *executions, struct inferred_executions *inferred)
{
	struct callback_ids *ids = g_new0(struct callback_ids, 1);

	ids->ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	executions_add_listener(executions, &(struct executions_listener){
						    .data = ids,
						    .started = started,
						    .ended = ended,
					    });
	inferred_executions_add_listener(inferred, &(struct inferred_listener){
							   .data = ids,
							   .closed = closed,
						   });
	return ids;
}

void callback_ids_destroy(struct callback_ids *ids)
{
	if (ids) {
		g_array_unref(ids->ids);
		g_free(ids);
	}
}

uint64_t callback_ids_of(const struct callback_ids *ids, const struct model_callback *callback)
{
	g_assert(callback->index < ids->ids->len);
	return g_array_index(ids->ids, uint64_t, callback->index);
}
