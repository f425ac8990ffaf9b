/* SPDX-License-Identifier: MIT */
/*
 * The records that CARET makes from the events of a trace (caret_analyze, infra/lttng/records_source.py): what the
 * nodes and topics of named paths published and received, and when their callbacks ran.
 *
 * CARET joins events by thread and order alone. So does this, event by event:
 *
 *   publication   rclcpp_publish, with the first rcl_publish, dds_write (or rmw_publish) and dds_bind_addr_to_stamp of
 *                 its thread before the thread's next rclcpp_publish; rcl_publish names the publisher. It is merged
 *                 with the rclcpp_intra_publish of its publisher before it. It begins with the callback that started
 *                 last on its thread, even if that has ended.
 *   reception     rmw_take (or dispatch_subscription_callback), with the next callback_start of its thread (of its
 *                 callback) that is not intra-process. For intra-process callbacks: the callback_start alone.
 *   delivery      within a process: rclcpp_intra_publish, what its thread puts into ring buffers, and the
 *                 callback_start that follows where that is taken out. For CARET's fork of rclcpp, which has no ring
 *                 buffers: as the flow linker follows the message.
 *   execution     callback_start and callback_end, paired by thread (core/model/executions.h).
 *                 CARET pairs them by callback alone, so it mixes up those of one that runs on several threads.
 *
 * O(1) per event. Memory: 48 bytes a publication, 16 bytes a reception, take, delivery and execution of the nodes and
 * topics of interest; it grows with the recording.
 */
#ifndef ROS2BT_CARET_RECORDS_H
#define ROS2BT_CARET_RECORDS_H

#include "core/analyses/shared/analysis.h"
#include "core/named_paths/caret/caret_objects.h"

struct caret_records;

/* The kinds of events to feed, ended by EVENT_KIND_COUNT. */
extern const enum event_kind caret_records_kinds[];

/* Names of the nodes and topics of interest: const char * → anything; borrowed, must outlive the records. */
struct caret_records *caret_records_create(const struct analysis_context *context, GHashTable *nodes,
					   GHashTable *topics);

void caret_records_feed(struct caret_records *records, const struct event_record *record);
/* The end of the recording. */
void caret_records_finish(struct caret_records *records);

/* What was kept; borrowed. */
const struct caret_objects *caret_records_objects(const struct caret_records *records);

#endif
