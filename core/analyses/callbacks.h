/* SPDX-License-Identifier: MIT */
/*
 * The tables `callbacks` (a row per callback) and `callback_instances` (a row per execution).
 *
 * - An execution counts when its start lies within the options' [begin, end]; one without start, when its end does.
 * - period: from start to next start. gap: from end to next start, if no execution of the callback is open then.
 *   Neither where events may have been lost in between, nor from an execution outside [begin, end].
 * - callback_id: by first execution in the order of the trace, then the callbacks that never ran, in the order of rows.
 * - Rows are in the order of (hostname, procname, vpid, node), then those first that took most time in all, then by
 *   (kind, source, symbol, callback, id): nothing of it depends on when or how often something was defined.
 *
 * O(1) per execution; memory for each callback that ran.
 */
#ifndef ROS2BT_CALLBACKS_H
#define ROS2BT_CALLBACKS_H

#include "ros2bt/diagnostics.h"
#include "ros2bt/executions.h"
#include "core/analyses/latency_analysis.h"
#include "ros2bt/object_model.h"

struct callbacks;

/* All are borrowed and must outlive the callbacks. Opens the tables. */
struct callbacks *callbacks_create(struct recording *recording, struct object_model *model,
				   const struct latency_options *options, struct table_output *output);
void callbacks_destroy(struct callbacks *callbacks);

/* What tells the callbacks of executions. */
struct executions_listener callbacks_listener(struct callbacks *callbacks);

/* Writes the rows and tells the diagnostics which callbacks lack what. After executions_finish(). */
void callbacks_finish(struct callbacks *callbacks, struct diagnostics *diagnostics);

/* What the table calls a callback's kind. */
const char *callback_kind_name(enum callback_kind kind);

#endif
