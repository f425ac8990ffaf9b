/* SPDX-License-Identifier: MIT */
/* What the analysis communications counts for each pair of publisher and subscription (see communications.c). */
#ifndef ROS2BT_COMMUNICATION_COUNTS_H
#define ROS2BT_COMMUNICATION_COUNTS_H

#include <glib.h>

#include "core/analyses/communications/publication_counts.h"
#include "core/analyses/shared/covered_rate.h"
#include "core/analyses/shared/holders.h"
#include "core/analyses/shared/object_numbers.h"
#include "core/analyses/shared/thread_history.h"
#include "core/base/u64_map.h"
#include "ros2bt/analysis.h"
#include "ros2bt/duration_statistics.h"

/* What each message touches comes first. */
struct communication {
	uint64_t received, inferred;
	uint64_t outside;	  /* received, but published before the first event of the subscription's process */
	struct covered_rate rate; /* publications of received messages */
	uint32_t id;		  /* from 1, in order of the trace */
	bool is_intra_process;
	struct duration_statistics transport, held, latency, wait;
	struct holders holders;
	struct model_publisher *publisher;
	struct model_subscription *subscription;
	uint64_t lost, in_flight;
	uint64_t latched;	     /* received, but published before the subscription existed */
	uint64_t missed;	     /* within a process: not received, and not known to be lost */
	uint64_t loss, longest_loss; /* messages lost in a row: the last ones, and at most */
	uint32_t last_loss;	     /* flow_publication.number */
};

struct communications {
	struct recording *recording;
	struct object_model *model;
	struct flow_linker *flows;
	struct coverage *coverage;
	struct publication_counts *published;
	struct thread_history *threads; /* borrowed; NULL if nobody asked for the main table */
	struct object_numbers *numbers; /* borrowed */
	struct diagnostics *diagnostics;
	const struct analysis_options *options;
	GPtrArray *all; /* struct communication *, in the arena, by id - 1 */
	struct u64_map by_pair;
	struct table_writer *instances; /* borrowed; NULL if nobody asked for the table */
};

#endif
