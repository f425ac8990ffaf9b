/* SPDX-License-Identifier: MIT */
/* The state of the analysis timeline (timeline.c), and its parts. */
#ifndef ROS2BT_TIMELINE_H
#define ROS2BT_TIMELINE_H

#include <glib.h>

#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/piece_counter.h"
#include "core/analyses/timeline/timeline_lanes.h"
#include "core/analyses/timeline/timeline_queues.h"
#include "core/base/object_pool.h"
#include "core/tables/timeline_tables.h"
#include "ros2bt/base/u64_map.h"

/* What the label of an execution adds to its callback: bits in the last part of its id. */
enum execution_variant {
	VARIANT_INTRA_PROCESS = 1, /* its message was delivered within the process */
	VARIANT_INFERRED = 2,	   /* its message is inferred */
	VARIANT_DOUBTFUL = 4,
	VARIANT_WITHOUT_END = 8,
	VARIANT_WITHOUT_START = 16,
	VARIANT_TAKE = 32, /* an inferred execution: only the take of its message is recorded */
	VARIANTS = 64,
};

/* Likewise for a publication. */
enum publication_variant {
	VARIANT_LOST = 1, /* for at least one subscription */
	PUBLICATION_VARIANTS = 2,
};

struct timeline {
	struct analysis analysis;
	struct table_writer *events;	      /* borrowed; NULL: no timeline is drawn */
	struct object_pool drawn;	      /* struct drawn_execution */
	struct u64_map by_flow, by_execution; /* addresses of the two kinds of executions → struct drawn_execution * */
	struct object_pool messages, arrows;
	struct u64_map by_publication; /* id of the publication → struct drawn_message *, until it is concluded */
	GPtrArray *subscriptions;      /* by index of an undefined publisher: one that received a message of it */
	GArray *variants;	       /* uint64_t by index of the callback: a bit for each variant of its label */
	GArray *lanes;		       /* struct timeline_lanes by index of the thread, for threads without vtid */
	struct timeline_queues queues;
	GArray *rates;		     /* struct piece_counter by index of the process: executions a second */
	GPtrArray *executed;	     /* GArray * of uint32_t by index of the thread: the callbacks that it executed */
	struct u64_map has_executed; /* pairs of a thread and a callback */
	GArray *hidden_callbacks, *hidden_publishers; /* uint8_t, enum is_hidden by index */
	uint64_t last_serial;
};

/* Whether the names of something are hidden, and nobody asked for such. */
enum is_hidden { HIDDEN_UNKNOWN, HIDDEN_NOT, HIDDEN };

/* The arrows of one event, the last one first; NULL: none. */
struct timeline_arrow {
	struct timeline_arrow *next;
	uint64_t id;
};

void timeline_add_arrow(struct timeline *timeline, struct timeline_arrow **arrows, uint64_t id);
void timeline_free_arrows(struct timeline *timeline, struct timeline_arrow **arrows);
/* The first one is part of the event's row, the others are written after it. */
struct cell timeline_first_arrow(const struct timeline_arrow *arrows);
void timeline_write_more_arrows(const struct timeline *timeline, const struct timeline_arrow *arrows);

/* Whether the report covers them, by their names as known so far, and by the time of the publication. */
bool timeline_draws_callback(const struct timeline *timeline, const struct model_callback *callback);
bool timeline_draws_publication(const struct timeline *timeline, const struct flow_publication *publication);

/* Threads are named by the nodes whose callbacks they executed. */
void timeline_note_executed(struct timeline *timeline, uint32_t thread, const struct model_callback *callback);

/* Writes the tracks and labels, by the names as known now. */
void timeline_write_names(const struct timeline *timeline, struct table_writer *tracks, struct table_writer *labels);

#endif
