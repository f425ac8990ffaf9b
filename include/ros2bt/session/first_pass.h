/* SPDX-License-Identifier: MIT */
/*
 * What must be known of a recording before a session can begin: when the recording begins and ends, for a range that
 * counts from there; how the clocks of its hosts relate, to align them; and which indirect links join its paths, to
 * follow them. The recording is read once for the first pass, and again for the session:
 *
 *   if first_pass_is_needed(): create → a reader fills first_pass_recording() and feeds records, until
 *   first_pass_is_done() → finish → destroy
 *
 * A range that counts from the start needs only the events up to the first runtime event. Faults of the recording are
 * left to the session to report.
 */
#ifndef ROS2BT_FIRST_PASS_H
#define ROS2BT_FIRST_PASS_H

#include "core/analyses/shared/analysis.h"
#include "core/clocks/clock_alignment.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

struct first_pass;

/* Whether the options ask for any of that. */
bool first_pass_is_needed(const struct analysis_options *options);

/*
 * `interest`: what the session is to be fed with, borrowed. In a recording without runtime events, a range counts from
 * the first event and the last event that the session reads.
 */
struct first_pass *first_pass_create(const struct analysis_options *options, const struct event_interest *interest);
void first_pass_destroy(struct first_pass *pass); /* NULL is allowed */

struct recording *first_pass_recording(struct first_pass *pass);
const struct event_interest *first_pass_interest(const struct first_pass *pass);

void first_pass_feed(struct first_pass *pass, const struct event_record *records, size_t count);

/* Whether everything is known, and the rest of the recording need not be read. */
bool first_pass_is_done(const struct first_pass *pass);

/* The end of the recording, or of what is to be read of it. first_pass_recording() may not be used any more. */
void first_pass_finish(struct first_pass *pass);

/* After the end. NULL if the clocks are not to be aligned; lives as long as the pass. */
const struct clock_alignment *first_pass_clocks(const struct first_pass *pass);

/*
 * After the end, unless no links are to be proposed: the linker (NULL: none) follows those that are, and the options
 * have those of the user and then these; they live as long as the pass.
 */
void first_pass_follow_links(const struct first_pass *pass, struct flow_linker *flows,
			     struct analysis_options *options);

/*
 * After the end: from the first runtime event to the last one that was read, by the aligned clocks if they are to be
 * aligned; of events of any kind if there is no runtime event. begin_ns is the later one if there is no event at all.
 */
struct analysis_span first_pass_span(const struct first_pass *pass);

#endif
