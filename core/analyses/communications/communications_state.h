/* SPDX-License-Identifier: MIT */
/*
 * The state of the analysis communications (communications.c), what it counts for each pair of publisher and
 * subscription, which is the row of the pair, and its tables.
 */
#ifndef ROS2BT_COMMUNICATIONS_STATE_H
#define ROS2BT_COMMUNICATIONS_STATE_H

#include <glib.h>

#include "core/analyses/communications/publication_counts.h"
#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/covered_rate.h"
#include "core/analyses/shared/holders.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/memory_layout.h"
#include "core/statistics/duration_statistics.h"

/* What only a row that is written needs: of a text, a few of thousands. */
struct written_communication {
	struct row_process publisher_process, subscription_process;
	const char *kind, *held_by;
	uint64_t published, unknown;
	struct cell clock_uncertainty, publisher_which, subscription_which, rate_to_end;
};

/* What each message touches is in the second cache line; what each one with a take does, in the next three. Messages of
 * a publisher are counted in 32 bits, which its number has (flow_publication.number). */
struct communication {
	struct model_publisher *publisher;
	struct model_subscription *subscription;
	uint32_t id; /* from 1, in order of the trace */
	bool is_intra_process;
	struct covered_rate received; /* the publications of received messages */
	int64_t since_ns;	      /* the first event of the subscription's process */
	uint32_t inferred;	      /* of those received, as the next two */
	uint32_t outside;	      /* published before since_ns */
	struct duration_statistics latency, wait, transport;
	uint32_t latched;	 /* published before the subscription existed */
	struct holders *holders; /* in the arena; NULL: nobody sees them */
	struct duration_statistics held;
	uint32_t lost, overwritten, in_flight;
	uint32_t missed;	     /* within a process: not received, and not known to be lost */
	uint32_t loss, longest_loss; /* messages lost in a row: the last ones, and at most */
	uint32_t last_loss;	     /* flow_publication.number */
	/* As it is written: */
	const char *topic, *publisher_node, *subscription_node;
	const char *publisher_text, *subscription_text; /* the node, or else the process */
	struct cell lost_cell;
	struct written_communication *written; /* in the list of rows; NULL: not one of those so far */
};

ASSERT_OFFSET(struct communication, received.count, CACHE_LINE);
ASSERT_OFFSET(struct communication, latency.beside, 2 * CACHE_LINE);
_Static_assert(offsetof(struct communication, held.beside) <= FLOW_PAIR_FETCHED,
	       "what each message touches is fetched");
_Static_assert(sizeof(struct communication) <= 7 * CACHE_LINE, "a large system has thousands of them");

struct communications {
	/*
	 * Its rows: struct communication. Those between processes are found by flow_linker_pair(), those within one by
	 * by_key. Pairs that are only counted have none, but only_counted in their place.
	 */
	struct analysis analysis;
	GArray *met;			   /* uint32_t by index of the publisher: how many pairs of it met */
	bool only_counts_hidden;	   /* no table lists pairs of hidden names */
	bool notes_more;		   /* not all messages count, or some of them are written */
	uint32_t hidden_met;		   /* pairs that are only counted */
	uint32_t hidden_chosen;		   /* of these, those that the report is about */
	struct communication only_counted; /* stands for all of them; its endpoints are those of any */
	struct coverage *coverage;
	struct publication_counts *published;
};

/* --- tables --- */

enum { TABLE_COMMUNICATIONS, TABLE_INSTANCES, TABLE_LOST };

extern const struct table_schema *const communication_tables[]; /* by the enumerators; ended by NULL */

/* Writes nothing if nobody asked for it. delivery: NULL if the message was not received. */
void communication_tables_write_instance(struct communications *communications,
					 const struct communication *communication,
					 const struct flow_publication *publication,
					 const struct flow_delivery *delivery, const char *outcome);

/* Writes all tables except communication_instances; `data`: struct communications. */
void communication_tables_write(const void *data, struct table_writer *const *writers);

#endif
