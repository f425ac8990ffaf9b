/* SPDX-License-Identifier: MIT */
/*
 * A message as one line of text, like the rows of a script (scripted_source.h) but with all fields in their order:
 *
 *   event A ros2:callback_start 110 {vpid=5 vtid=5} {+flow_id=1} {callback=3840}
 *
 * Times are ns from the clock's origin. Reads every field recursively.
 */
#ifndef ROS2BT_TESTS_MESSAGE_TEXT_H
#define ROS2BT_TESTS_MESSAGE_TEXT_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

void message_text_append(GString *text, const bt_message *message);

#endif
