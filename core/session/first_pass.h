/* SPDX-License-Identifier: MIT */
/*
 * What has to be known of a recording before a session can begin: where it ends, for a range that counts from there,
 * and how the clocks of its hosts relate, to align them. The recording is read once for that, and again for the
 * session:
 *
 *   if first_pass_is_needed(): create → a reader fills first_pass_recording() and feeds records → finish → destroy
 *
 * What is wrong with the recording is left to the session to report.
 */
#ifndef ROS2BT_FIRST_PASS_H
#define ROS2BT_FIRST_PASS_H

#include "core/base/clock_alignment.h"
#include "ros2bt/analysis.h"
#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"

struct first_pass;

bool first_pass_is_needed(const struct analysis_options *options);

struct first_pass *first_pass_create(const struct analysis_options *options);
void first_pass_destroy(struct first_pass *pass); /* NULL is allowed */

struct recording *first_pass_recording(struct first_pass *pass);
const struct event_interest *first_pass_interest(const struct first_pass *pass);

void first_pass_feed(struct first_pass *pass, const struct event_record *records, size_t count);

/* The end of the recording. */
void first_pass_finish(struct first_pass *pass);

/* After the end. NULL if the clocks are not to be aligned; lives as long as the pass. */
const struct clock_alignment *first_pass_clocks(const struct first_pass *pass);

/* After the end: the last runtime event, by the aligned clocks if they are to be; INT64_MIN: there is none. */
int64_t first_pass_end_ns(const struct first_pass *pass);

#endif
