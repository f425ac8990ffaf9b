/* SPDX-License-Identifier: MIT */
/*
 * The column callback_id of all tables: callbacks are numbered from 0 in the order of their first executions, inferred
 * ones among them. One numbering serves all analyses (analysis_context.callback_ids).
 *
 * Cost: none until an analysis listens, then O(1) per execution. Memory: a number for each callback.
 */
#ifndef ROS2BT_CALLBACK_IDS_H
#define ROS2BT_CALLBACK_IDS_H

#include "core/model/executions.h"
#include "core/model/inferred_executions.h"

struct callback_ids;

/* Both are borrowed. They must outlive the ids, and must not execute anything after the ids are destroyed. */
struct callback_ids *callback_ids_create(struct executions *executions, struct inferred_executions *inferred);
void callback_ids_destroy(struct callback_ids *ids); /* NULL is allowed */

/*
 * Numbers callbacks as they run. An analysis that asks for ids calls this in begin(), before it adds listeners of its
 * own, unless it asks at the first execution of every callback. Further calls have no effect.
 */
void callback_ids_listen(struct callback_ids *ids);

/* The id of a callback that runs or has run; its first execution is now if it has none yet. */
uint64_t callback_ids_of(struct callback_ids *ids, const struct model_callback *callback);

/* Whether the callback has run. */
bool callback_ids_has(const struct callback_ids *ids, const struct model_callback *callback);

/* How many callbacks have run: the first id that no callback has. */
uint64_t callback_ids_count(const struct callback_ids *ids);

#endif
