/* SPDX-License-Identifier: MIT */
/*
 * Publications that may come from an execution, or from none: their thread had left it before, or does not record when
 * it does (execution_fates.h). The callback executed others and then published, or it was over, and the publication is
 * that of a callback of which ROS 2 records no execution, such as the one that receives the response to a client's
 * request.
 *
 * Such a publication is doubtful. It has no parent, and it is not settled; executions that its message causes wait as
 * if the execution around it were not resolved. This is decided
 *   - when the execution ends: it comes from it if the end is recorded and certain
 *   - EXECUTION_DOUBT_NS later unless the thread has not left the execution, when the publication ages (settle.h), at
 * the end of the recording, or when too many publications are in memory: it comes from nothing that is known. Its
 * origin is lost unless the execution was over by then (executions_fate()).
 *
 * Cost: nothing for other publications. Memory: a pointer for each doubtful publication, as many as there were at once.
 */
#ifndef ROS2BT_FLOW_DOUBTFUL_ORIGINS_H
#define ROS2BT_FLOW_DOUBTFUL_ORIGINS_H

#include "core/flow/linked_executions.h"
#include "core/flow/linked_publications.h"

/* An open execution and the publications that may come from it; or those of one that is decided. */
struct doubtful_origin {
	struct linked_execution *linked; /* reference, until it is decided */
	const struct execution *execution;
	struct linked_publication **publications; /* owned; references, in order of time */
	guint count, room;
	struct doubtful_origin *next; /* in the list of the linker that it is in */
};

/* The publication may come from the execution, which is open. */
void doubtful_origins_add(struct flow_linker *linker, struct linked_publication *publication,
			  const struct execution *execution);

/* What the next three have decided is in linker->decided, for flow_settle_decided(). */

/* The execution ends, which has_doubtful: decides on its publications. */
void doubtful_origins_decide(struct flow_linker *linker, const struct execution *execution,
			     enum execution_outcome outcome);

/* Gives up what has waited for too long; when that is to be called again at the latest. */
void doubtful_origins_expire(struct flow_linker *linker);
int64_t doubtful_origins_due_ns(const struct flow_linker *linker);
/* Gives up all. */
void doubtful_origins_finish(struct flow_linker *linker);
/* The first one of linker->decided is dealt with. */
void doubtful_origins_drop_decided(struct flow_linker *linker);
/* After the end, when none is left but what would be used again. */
void doubtful_origins_clear(struct flow_linker *linker);

/* A publication that is being settled: gives it up unless it is decided. */
void doubtful_origins_give_up(struct flow_linker *linker, struct linked_publication *publication);

#endif
