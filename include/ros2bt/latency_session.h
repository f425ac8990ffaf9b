/* SPDX-License-Identifier: MIT */
/*
 * One run over a recording, from records to a report: owns the pool of strings, the recording, the analysis and the
 * report, and keeps the order in which they are made, fed, finished and destroyed. What a sink or a command drives:
 *
 *   create → a reader fills latency_session_recording() and feeds records → finish → destroy
 */
#ifndef ROS2BT_LATENCY_SESSION_H
#define ROS2BT_LATENCY_SESSION_H

#include "ros2bt/event_record.h"
#include "core/analyses/latency_analysis.h"
#include "ros2bt/recording.h"
#include "ros2bt/report.h"

struct latency_session;

/* NULL with an error if the output cannot be written. What the options point to is borrowed for the life of the
 * session. */
struct latency_session *latency_session_create(const struct report_options *report_options,
					       const struct latency_options *options, GError **error);
/* Without latency_session_finish() before, nothing is written to a directory. NULL is allowed. */
void latency_session_destroy(struct latency_session *session);

struct recording *latency_session_recording(struct latency_session *session);

void latency_session_feed(struct latency_session *session, const struct event_record *records, size_t count);

/* False with an error (see report.h) if something could not be written so far. Call now and then. */
bool latency_session_check(const struct latency_session *session, GError **error);

/* The end of the recording, or of what can be read of it: writes the report. Called once. */
bool latency_session_finish(struct latency_session *session, GError **error);

#endif
