/* SPDX-License-Identifier: MIT */
/*
 * The analyses of a session that take records themselves, not only through the pipeline: by feed(), feed_losses(),
 * feed_polls(), feed_point() and feed_counter() of struct analysis_class. A record goes to the pipeline first, if that
 * wants it, and then to the analyses that take its kind, or losses. A record that only analyses take never reaches the
 * pipeline: counters, points, and events of kinds that the pipeline does not want. Polls wait for their place
 * (poll_queue.h), and then go to the pipeline and to the analyses.
 *
 * Where a record goes is a look-up by its kind. Records that only the pipeline takes reach it many at a time.
 *
 * Cost: a record costs one call for each analysis that takes its kind; kinds that nobody takes cost a few comparisons.
 */
#ifndef ROS2BT_RECORD_TAKERS_H
#define ROS2BT_RECORD_TAKERS_H

#include "core/session/analysis_set.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/event_schema.h"

struct pipeline;
struct record_takers;

/*
 * After analysis_set_create(). `interest` holds what the pipeline wants and is extended by what the analyses take, and
 * by the polls if the pipeline has executions. NULL: no analysis takes records, and there are no executions. The
 * options and the pipeline are borrowed; the latter must not ask for polls (executions_catch_up()) after the takers are
 * gone.
 */
struct record_takers *record_takers_create(const struct analysis_set *set, const struct analysis_options *options,
					   struct pipeline *pipeline, struct event_interest *interest);
void record_takers_destroy(struct record_takers *takers); /* NULL is allowed, as below */

/* Takes records of the recording, in order. */
void record_takers_feed(struct record_takers *takers, const struct event_record *records, size_t count);

/* The recording has ended: gives the analyses the polls that still wait for their place (poll_queue.h). */
void record_takers_end(struct record_takers *takers);

/* From the first point event to the last one; begin_ns is the later one if there was none. */
struct analysis_span record_takers_points(const struct record_takers *takers);

#endif
