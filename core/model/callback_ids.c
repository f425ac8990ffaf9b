/* SPDX-License-Identifier: MIT */
#include "core/model/callback_ids.h"

#include <glib.h>

#define NO_ID UINT64_MAX

struct callback_ids {
	struct executions *executions;	      /* borrowed */
	struct inferred_executions *inferred; /* borrowed */
	bool listens;
	GArray *ids; /* uint64_t by index of the model's callback; NO_ID: it has not run */
	uint64_t count;
};

uint64_t callback_ids_of(struct callback_ids *ids, const struct model_callback *callback)
{
	uint64_t no_id = NO_ID, *id;

	while (G_UNLIKELY(callback->index >= ids->ids->len)) {
		g_array_append_val(ids->ids, no_id);
	}
	id = &g_array_index(ids->ids, uint64_t, callback->index);
	if (G_UNLIKELY(*id == NO_ID)) {
		*id = ids->count++;
	}
	return *id;
}

bool callback_ids_has(const struct callback_ids *ids, const struct model_callback *callback)
{
	return callback->index < ids->ids->len && g_array_index(ids->ids, uint64_t, callback->index) != NO_ID;
}

uint64_t callback_ids_count(const struct callback_ids *ids)
{
	return ids->count;
}

static void began(void *data, struct model_callback *callback)
{
	callback_ids_of(data, callback);
}

static void closed(void *data, struct inferred_execution *execution)
{
	callback_ids_of(data, execution->callback);
}

struct callback_ids *callback_ids_create(struct executions *executions, struct inferred_executions *inferred)
{
	struct callback_ids *ids = g_new0(struct callback_ids, 1);

	ids->executions = executions;
	ids->inferred = inferred;
	ids->ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	return ids;
}

void callback_ids_listen(struct callback_ids *ids)
{
	if (ids->listens) {
		return;
	}
	executions_add_listener(ids->executions, &(struct executions_listener){ .data = ids, .began = began });
	inferred_executions_add_listener(ids->inferred, &(struct inferred_listener){ .data = ids, .closed = closed });
	ids->listens = true;
}

void callback_ids_destroy(struct callback_ids *ids)
{
	if (ids) {
		g_array_unref(ids->ids);
		g_free(ids);
	}
}
