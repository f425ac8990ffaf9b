/* SPDX-License-Identifier: MIT */
/*
 * Event messages in the current layout of ros2_tracing, made from records beside the copies of a mirror. Their event
 * classes have the fields of the newest release in the table of events, and record in their specific context why they
 * exist, as the enumeration `normalized` (enum normalized_how). A changed event keeps the specific context of the
 * original before it.
 *
 * Event classes are created on first use. One look-up of a word per event.
 */
#ifndef ROS2BT_EVENT_MAKER_H
#define ROS2BT_EVENT_MAKER_H

#include "ros2bt/bt/mirror.h"
#include "ros2bt/normalize/normalizer.h"

struct event_maker;

/* The mirror is borrowed. */
struct event_maker *event_maker_create(bt_self_message_iterator *self, struct mirror *mirror);
void event_maker_destroy(struct event_maker *maker);

/*
 * The event at the time and place of the original, with its common context; not for events that are kept. Owned by the
 * caller; NULL with an error cause appended if memory is short.
 */
bt_message *event_maker_make(struct event_maker *maker, const struct normalized_event *normalized,
			     const bt_message *original);

#endif
