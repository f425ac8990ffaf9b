/* SPDX-License-Identifier: MIT */
/*
 * What provenance.c counts for the publications of nodes without rclcpp during the recording, and what
 * provenance_verdict.c decides by. Structures in the arena of the recording live as long as the recording.
 */
#ifndef ROS2BT_FLOW_PROVENANCE_COUNTS_H
#define ROS2BT_FLOW_PROVENANCE_COUNTS_H

#include <glib.h>

#include "core/model/inferred_executions.h"
#include "core/statistics/duration_statistics.h"
#include "ros2bt/base/u64_map.h"

/* The candidates of a publication, in order of their callbacks; the same for many publications. */
struct candidate_set {
	struct model_callback *callbacks[INFERRED_BATCH_MAX];
	uint32_t count;
	uint32_t condition; /* "none of them"; the following numbers: the first, the second … */
	uint64_t publications;
	int choice; /* after the decision; -1: none */
};

/* A callback that publications follow. */
struct provenance_source {
	struct model_callback *callback;
	uint64_t publications;
	struct duration_statistics lag; /* from its take to the publication */
	bool is_linked;			/* after the decision */
};

struct provenance_timer {
	int64_t init_ns, period_ns;
};

/* Where publications lie in the period of a timer. */
struct provenance_phase {
	struct provenance_timer timer;
	struct duration_statistics since_due;
};

struct publisher_provenance {
	struct model_publisher *publisher;
	uint32_t id;	     /* from 1, in order of their first publications */
	const char *verdict; /* NULL: not decided yet */
	uint64_t publications;
	uint64_t with_candidates;
	uint64_t of_other_node;		/* while executions of other nodes are open */
	struct duration_statistics lag; /* from the last open take to the publication */
	GPtrArray *sources;		/* struct provenance_source *, in the arena */
	GPtrArray *phases;		/* struct provenance_phase *, in the arena */
	GPtrArray *sets;		/* struct candidate_set *, in the arena */
	struct u64_map idle_threads;	/* thread → publications on it without an open take */
};

struct process_provenance {
	uint64_t taking_threads;
	int64_t last_take_ns;
	struct duration_statistics between_takes;
	GArray *timers; /* struct provenance_timer */
};

struct provenance {
	struct recording *recording; /* borrowed */
	struct object_model *model;  /* borrowed */
	GPtrArray *publishers;	     /* struct publisher_provenance *, owned, by index of the publisher; NULL */
	GPtrArray *in_order;	     /* the same, borrowed, by id - 1 */
	GPtrArray *processes;	     /* struct process_provenance *, owned, by index; NULL */
	GArray *takes;		     /* bool by thread: provenance_has_taken() */
	GPtrArray *by_condition;     /* struct candidate_set *, in the arena, by condition */
};

/* Whether the thread has taken a message for an inferred execution. */
static inline bool provenance_has_taken(const struct provenance *provenance, uint32_t thread)
{
	return thread < provenance->takes->len && g_array_index(provenance->takes, bool, thread);
}

#endif
