/* SPDX-License-Identifier: MIT */
/*
 * Coverage: what intervals of time were recorded at all. All that a report says about the absence of events (a period,
 * a gap, a share of the time, a lost message, a missed call, a thread that did nothing) holds for covered time only;
 * uncovered time is unknown. Sources of uncovered time:
 *
 *  - of a stream, its silences: from its last event in a packet that lost events (RECORD_DISCARDED_EVENTS: they follow
 *    that event), before lost packets (RECORD_DISCARDED_PACKETS) or any other RECORD_GAP, until its packets go on: the
 *    RECORD_GAP, or the end of the lost packets. In a recording without packets, until its next event. Definitions do
 *    not end a silence, because filters drop copies of them and move them in time.
 *  - of a stream, the time from the first packet of its trace to its own first one, if that is not the first one that
 * the tracer made of it (recording_set_stream_lost_before()): in overwrite mode (flight recorder, snapshot) and with
 * tracefile-count the oldest packets of a busy CPU go first. A stream whose first packet is its very first one has been
 * recorded from the start. Of a host, all before is uncovered: a process that began earlier may be in a trace of its
 * own.
 *  - of a process, the times in which CARET or a stopped session did not record it (recorded_process.h)
 *  - of all, pauses of tracing (pipeline.h): the times in which no stream is in a packet
 *
 * A stream of user space that ends before the others of its trace counts as covered: its end does not tell whether
 * events followed. LTTng ends all streams together when a session stops, if need be by empty packets, but filters leave
 * these out (packet_gate.h), and rotation does not write them.
 *
 * An event of a process may be in any stream of the traces in which it has threads, since it moves between CPUs. So a
 * process (user space) is covered while all streams of these traces are. The thread that runs on a CPU is known from
 * the stream of that CPU alone (kernel): ask for the stream. Its coverage is strict, from its first packet to its end,
 * as no other stream has its events.
 *
 * Times are those of records. Questions are about the past, at or before the record that is being fed. A stream that is
 * silent now may go on: until it does, all since its last event counts as uncovered, so the same question may be
 * answered more favourably later.
 *
 * Cost: nothing per event until something is lost (coverage_has_any()); then a comparison per event, and a question is
 * O(streams that are silent now + silences since its begin). Memory: SILENCES_KEPT silences of each trace, breaks of
 * each process and pauses; times before those that are kept count as uncovered.
 */
#ifndef ROS2BT_COVERAGE_H
#define ROS2BT_COVERAGE_H

#include <glib.h>

#include "core/model/silences.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

struct coverage;

/* The recording is borrowed and must outlive the coverage. */
struct coverage *coverage_create(const struct recording *recording);
void coverage_destroy(struct coverage *coverage); /* NULL is allowed */

/* --- what the pipeline feeds --- */

/*
 * Whether a record shows that its stream goes on. A definition does not, because filters drop copies of definitions and
 * move them in time.
 */
static inline bool coverage_is_sign_of_life(const struct event_record *record)
{
	return record->kind < EVENT_KIND_COUNT && event_class_of(record->kind) != EVENT_CLASS_INIT;
}

/*
 * Streams may have turned out to have had packets before their first ones (recording_late_streams()). To be called when
 * the reader has read on, before anybody asks. Returns whether there are any. O(1) unless there are more than before.
 */
bool coverage_see_late_streams(struct coverage *coverage);

/* Takes each sign of life after the first loss, before anything asks about it. */
void coverage_follow(struct coverage *coverage, const struct event_record *record);

/* Takes losses, gaps and ends of streams, after all who ask; ignores all other records. */
void coverage_feed(struct coverage *coverage, const struct event_record *record);

/*
 * A process was not recorded from begin_ns to end_ns. Around a pause: that is the only reason, so outside of it, it may
 * have been.
 */
void coverage_add_break(struct coverage *coverage, uint32_t process, int64_t begin_ns, int64_t end_ns,
			bool is_around_pause);

/* Tracing was off from begin_ns to end_ns. */
void coverage_add_pause(struct coverage *coverage, int64_t begin_ns, int64_t end_ns);

/* --- questions --- */

/* Whether anything is uncovered so far. O(1), and inline because it is asked per event; if not, all is covered. */
static inline bool coverage_has_any(const struct coverage *coverage)
{
	return *(const bool *)(const void *)coverage;
}

/* The same of a trace; breaks of processes and pauses aside. */
bool coverage_trace_has_any(const struct coverage *coverage, uint32_t trace);

/* Whether all streams of a trace were recorded from from_ns to to_ns; breaks of processes and pauses aside. */
bool coverage_trace_is_whole(const struct coverage *coverage, uint32_t trace, int64_t from_ns, int64_t to_ns);

/* Whether a process was recorded from from_ns to to_ns. */
bool coverage_process_is_whole(struct coverage *coverage, uint32_t process, int64_t from_ns, int64_t to_ns);

/* Whether tracing was off at some moment from from_ns to to_ns, as far as a runtime event has shown it. */
bool coverage_was_off(const struct coverage *coverage, int64_t from_ns, int64_t to_ns);

/* Stricter: whether not a single event of the process may be missing, so that the absence of one proves something. */
bool coverage_process_misses_nothing(struct coverage *coverage, uint32_t process, int64_t from_ns, int64_t to_ns);

/* The same of all programs on a host, those included that no recorded event names; breaks of processes aside. */
bool coverage_host_misses_nothing(struct coverage *coverage, uint32_t host, int64_t from_ns, int64_t to_ns);

/*
 * How much of the time from from_ns to to_ns is uncovered. Of a break around a pause (recorded_process.h) only the
 * pause is: the rest is almost all of it time in which the process did nothing.
 */
int64_t coverage_process_lost_ns(struct coverage *coverage, uint32_t process, int64_t from_ns, int64_t to_ns);

/* The same of a stream. */
bool coverage_stream_misses_nothing(struct coverage *coverage, uint16_t stream, int64_t from_ns, int64_t to_ns);

/*
 * Calls `visit` with each silence of a trace that overlaps the time from from_ns to to_ns (touching does not count): of
 * streams that are silent now, before their first packets, then those that have ended, the latest first; until it
 * returns false. Returns false if it did.
 */
bool coverage_visit_trace(const struct coverage *coverage, uint32_t trace, int64_t from_ns, int64_t to_ns,
			  silence_visit visit, void *data);

#endif
