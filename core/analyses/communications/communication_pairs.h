/* SPDX-License-Identifier: MIT */
/*
 * What the analysis communications counts: a struct communication for each publisher and subscription that met, another
 * one for their messages within a process; and, in the end, the pairs that never met (see communications.c).
 *
 * Memory: the pairs that met, in the arena of the recording.
 */
#ifndef ROS2BT_COMMUNICATION_PAIRS_H
#define ROS2BT_COMMUNICATION_PAIRS_H

#include <glib.h>

#include "core/analyses/shared/holders.h"
#include "core/analyses/communications/publication_counts.h"
#include "core/analyses/shared/thread_history.h"
#include "core/base/u64_map.h"
#include "ros2bt/analysis.h"
#include "ros2bt/duration_statistics.h"

/* What each message touches comes first. */
struct communication {
	uint64_t received, inferred;
	uint64_t outside;	   /* received, but published before the first event of the process */
	int64_t first_ns, last_ns; /* publications of the received; first_ns is the later one without */
	uint32_t id;		   /* from 1, in order of the trace */
	bool is_intra_process;
	struct duration_statistics transport, held, latency, wait;
	struct holders holders;
	struct model_publisher *publisher;
	struct model_subscription *subscription;
	uint64_t lost, in_flight;
	uint64_t missed;	     /* not received, of a pair within a process */
	uint64_t loss, longest_loss; /* consecutive losses: the last ones, most */
	uint32_t last_loss;	     /* flow_publication.number */
};

struct communications {
	struct recording *recording;
	struct object_model *model;
	struct flow_linker *flows;
	struct publication_counts *published;
	struct thread_history *threads; /* borrowed; NULL if nobody asked for the table */
	struct diagnostics *diagnostics;
	const struct analysis_options *options;
	GPtrArray *all; /* struct communication *, in the arena, by id - 1 */
	struct u64_map by_pair;
	struct table_writer *instances; /* borrowed, NULL if nobody asked */
};

/* The counts of a pair; new ones, without a message, where it has none yet. Amortized O(1). */
struct communication *communication_find_or_add(struct communications *communications,
						struct model_publisher *publisher,
						struct model_subscription *subscription, bool is_intra_process);

/* Whether the report is about it, by the names that are known (parameters `nodes` and `topics`). */
bool communication_is_chosen(const struct communications *communications, const struct communication *communication);

/*
 * All that the subscription should have got: see communications.c. What it got within the process came between
 * processes, too. Known in the end.
 */
uint64_t communication_published(const struct communications *communications,
				 const struct communication *communication);

/*
 * The pairs that never met although the publisher published while the subscription's process was recorded, of topics
 * with few pairs: struct communication * without an id, owned by the array. Free it. Known in the end.
 */
GPtrArray *communications_unmet(const struct communications *communications);

/* A diagnostic for each topic that has too many pairs for that. */
void communications_diagnose_unmet(const struct communications *communications, struct diagnostics *findings);

#endif
