/* SPDX-License-Identifier: MIT */
/*
 * Ownership of libbabeltrace2 objects in C: g_autoptr() for every type whose references we hold. put_ref(NULL) is
 * allowed everywhere (babeltrace2 2.0.4, include/babeltrace2: each *_put_ref()).
 */
#ifndef ROS2BT_OWN_H
#define ROS2BT_OWN_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_clock_class, bt_clock_class_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_event_class, bt_event_class_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_field_class, bt_field_class_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_graph, bt_graph_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_integer_range_set_signed, bt_integer_range_set_signed_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_integer_range_set_unsigned, bt_integer_range_set_unsigned_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_message, bt_message_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_message_iterator, bt_message_iterator_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_packet, bt_packet_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_plugin_set, bt_plugin_set_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_stream, bt_stream_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_stream_class, bt_stream_class_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_trace, bt_trace_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_trace_class, bt_trace_class_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_value, bt_value_put_ref)

#endif
