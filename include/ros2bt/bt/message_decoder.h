/* SPDX-License-Identifier: MIT */
/*
 * Messages of babeltrace2 as event records.
 *
 * An event class is examined once: its name and fields are matched with the table of events, which gives a decode plan
 * (which field, by index, goes to which word, and how it is read) for the actual field classes. Per event: one hash of
 * the class pointer, and for wanted kinds the clock, the thread (cached per stream) and the planned fields. Events of
 * other providers and of unwanted kinds give no record and cost one hash.
 *
 * What filter.ros2.normalize did is undone (normalized_mark.h): an event that it changed gives the record of the event
 * that was recorded, one that it supplied gives none.
 *
 * Nothing in a trace is an error here. Whatever cannot be decoded (an event of the providers ros2 and ros2_caret that
 * is not in the table, a layout that fits no release, no clock, a time beyond 64-bit nanoseconds, an init_timestamp
 * that is no time before its event) is counted by class and reason in the recording (recording_unknown_class()).
 *
 * The decoder holds references on the event classes, traces and open streams it has seen: no address is reused for
 * another object. Memory: the classes, traces, open streams, and what goes into the recording and its pool.
 */
#ifndef ROS2BT_MESSAGE_DECODER_H
#define ROS2BT_MESSAGE_DECODER_H

#include <babeltrace2/babeltrace.h>

#include "core/events/normalized_mark.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

struct message_decoder;

/* Both are borrowed; kinds that the interest does not want (NULL: none) give no records. mip_version is that of the
 * graph: bt_self_component_get_graph_mip_version(). */
struct message_decoder *message_decoder_create(struct recording *recording, const struct event_interest *interest,
					       uint64_t mip_version);
void message_decoder_destroy(struct message_decoder *decoder);

/*
 * The records of a message; returns their number. Call for every message, in the order of the iterator.
 *
 * There is one at most, unless the interest has counters, points or joined polls. Then there are up to
 * MESSAGE_RECORDS_MAX: an event's counters, if they are wanted, come before its record; that of an event which is in
 * the table and was chosen by the user, too (point_events.h), comes after it. The values of such records are valid
 * until the next batch begins; begin one when the decoder is full. If the interest joins polls, a poll may be added to
 * a record of its batch that was given before, which therefore must stay where it is, and give none.
 */
#define MESSAGE_RECORDS_MAX (RECORD_COUNTERS_MAX + 2)
void message_decoder_begin_batch(struct message_decoder *decoder);
bool message_decoder_is_full(const struct message_decoder *decoder);
/* All records up to this time were given, as a stream without events said in this batch; INT64_MIN: none did. */
int64_t message_decoder_reached_ns(const struct message_decoder *decoder);
size_t message_decoder_decode(struct message_decoder *decoder, const bt_message *message, struct event_record *records);

/* What filter.ros2.normalize did to the events of a class. Supplied ones give no record. */
enum normalized_how message_decoder_how(struct message_decoder *decoder, const bt_event_class *event_class);

#endif
