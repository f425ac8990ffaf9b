/* SPDX-License-Identifier: MIT */
/*
 * Named paths of an architecture, evaluated with CARET's joins (caret_path.h) for comparison with CARET:
 * `contexts=caret`. A row of named_path_instances is then a row of CARET's Path.to_records().
 *
 * If a flow lacks the time of some point, CARET says no more about it. Here its outcome is
 *
 *   stopped   if a callback published nothing further, or another message was used instead
 *   lost      if a message was not received, though messages of its publisher were received before and after it, and no
 *             event of the receiving process is missing from its publication to the next reception
 *   unknown   if it was not received, and its loss is not certain; or if a node published after a break in its
 *             recording, during which it may have received something else
 *
 * Response times and periods cross neither flows with unknown outcome nor breaks in the recording of any process on the
 * path.
 *
 * All is evaluated at the end of the recording: O(n log n) in the events of nodes and topics on the paths.
 */
#ifndef ROS2BT_CARET_FLOWS_H
#define ROS2BT_CARET_FLOWS_H

#include "core/named_paths/caret/caret_records.h"
#include "core/named_paths/named_results.h"

struct caret_flows;

/* The results are borrowed. Feed it the events of caret_records_kinds. */
struct caret_flows *caret_flows_create(const struct analysis_context *context, struct named_results *results);

void caret_flows_feed(struct caret_flows *flows, const struct event_record *record);
/* At the end of the recording: evaluates the paths. The writers are those of named_path_records and frequencies; NULL:
 * not wanted. */
void caret_flows_finish(struct caret_flows *flows, struct table_writer *records, struct table_writer *frequencies);

/* Adds a diagnostic for each callback whose publications CARET attributes to another one. */
void caret_flows_diagnose(const struct caret_flows *flows, struct diagnostics *findings);

/* The rows of named_path_elements, after caret_flows_finish(). */
void caret_flows_write(const struct caret_flows *flows, struct table_writer *elements);

#endif
