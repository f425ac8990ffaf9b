/* SPDX-License-Identifier: MIT */
/*
 * What really happened in a process, written beside the trace: CSV files named WHAT-VPID.csv. Times are brackets of ns
 * of CLOCK_MONOTONIC (the clock of the trace), read before and after the tracepoint: the event must be between.
 *
 *	callbacks
 *node,kind,source,callback,is_intra_process,vtid,start_from_ns,start_to_ns,end_from_ns,end_to_ns,start_phase,end_phase
 *	publications  topic,node,number,kind,source_timestamp,publish_from_ns,publish_to_ns,phase
 *	receptions topic,number,publisher_node,publisher_vpid,node,kind,source_timestamp,publish_from_ns,publish_to_ns,
 *	              take_from_ns,take_to_ns,start_from_ns,start_to_ns,is_recorded
 *	paths         path,hops,origin_from_ns,origin_to_ns,end_from_ns,end_to_ns,is_recorded
 *
 * phase is tracing_phase(); is_recorded: with certainty, everything from the head of the chain on. A timer's source
 * is its period in ns.
 */
#ifndef RECORDER_TRUTH_H
#define RECORDER_TRUTH_H

#include "plan.h"
#include "transport.h"

struct callback_truth {
	const char *kind, *source;
	uint32_t node;
	uint64_t callback;
	bool is_intra_process;
	struct bracket start, end;
	unsigned int start_phase, end_phase;
};

/* Opens the files of this process; without options->truth nothing is ever written. */
void truth_open(const struct plan *plan);
void truth_close(void);

void truth_callback(const struct callback_truth *truth);
void truth_publication(const struct message *message, bool is_intra);
void truth_reception(const struct message *message, uint32_t subscription, const struct bracket *take,
		     const struct bracket *start, bool is_recorded);
void truth_path(const struct message *message, uint32_t last_node, const struct bracket *end, bool is_recorded);
/* A request from a timer callback to the end of the service's callback. */
void truth_request_path(const struct message *request, const struct bracket *end, bool is_recorded);

#endif
