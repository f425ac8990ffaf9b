/* SPDX-License-Identifier: MIT */
/*
 * The rules that the messages of one iterator must keep (libbabeltrace2 checks them in its developer mode only): times
 * never decrease over all messages; a stream begins once, before all its other messages, and ends once, after them;
 * packets of a stream do not overlap, and its events are in the open packet; packets and discarded messages only where
 * the stream class says so; every stream that began has ended at the end. The public interface does not show whether
 * every field is set: message_text.h reads them all, so that memory checkers report unset ones.
 */
#ifndef ROS2BT_TESTS_MESSAGE_RULES_H
#define ROS2BT_TESTS_MESSAGE_RULES_H

#include <babeltrace2/babeltrace.h>

struct message_rules;

struct message_rules *message_rules_create(void);
void message_rules_destroy(struct message_rules *rules);

/* NULL, or which rule the message breaks (static text). */
const char *message_rules_check(struct message_rules *rules, const bt_message *message);
const char *message_rules_check_end(struct message_rules *rules);

#endif
