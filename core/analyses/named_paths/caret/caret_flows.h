/* SPDX-License-Identifier: MIT */
/*
 * Named paths of an architecture by CARET's joins (caret_path.h), for comparison with it: `contexts=caret`. What a row
 * of named_path_instances is then, is a row of CARET's Path.to_records().
 *
 * CARET knows no more of a flow that has no time at some point than that. Here it is
 *
 *   stopped   if a callback published nothing further, or another message was used instead
 *   lost      if a message was not received, though messages of its publisher were received before and after it, and no
 *             event of the receiving process is missing from its publication to the next reception
 *   unknown   if it was not received, and that is not certain; or if a node published after a break in its recording,
 *             where it may have received something else meanwhile
 *
 * and nothing is charged to flows that are unknown, or across breaks in the recording of any process on the path.
 *
 * All is evaluated at the end of the recording: O(n log n) in the events of nodes and topics on the paths.
 */
#ifndef ROS2BT_CARET_FLOWS_H
#define ROS2BT_CARET_FLOWS_H

#include "core/analyses/named_paths/caret/caret_records.h"
#include "core/analyses/named_paths/named_results.h"

struct caret_flows;

/* The results are borrowed. Feed it the events of caret_records_kinds. */
struct caret_flows *caret_flows_create(const struct analysis_context *context, struct named_results *results);
void caret_flows_destroy(struct caret_flows *flows); /* after the flow linker */

void caret_flows_feed(struct caret_flows *flows, const struct event_record *record);
/* The end of the recording: evaluates the paths. The writers are those of named_path_records and frequencies; NULL:
 * nobody asked. */
void caret_flows_finish(struct caret_flows *flows, struct table_writer *records, struct table_writer *frequencies);

/* Adds where CARET takes publications of one callback for those of another. */
void caret_flows_diagnose(const struct caret_flows *flows, struct diagnostics *findings);

/* The rows of named_path_elements, once that is done. */
void caret_flows_write(const struct caret_flows *flows, struct table_writer *elements);

#endif
