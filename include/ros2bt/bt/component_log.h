/* SPDX-License-Identifier: MIT */
/*
 * Messages of a component: error causes (one per failure, appended where it is detected; it names the fault and the way
 * out) and log lines on standard error at babeltrace2's levels (shown when at least the component's logging level,
 * WARNING by default).
 */
#ifndef ROS2BT_COMPONENT_LOG_H
#define ROS2BT_COMPONENT_LOG_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

/* Appends one error cause of a component to the current thread's error. */
#define component_error(self_component, ...)                                                                           \
	do {                                                                                                           \
		g_autofree char *report_text_ = g_strdup_printf(__VA_ARGS__);                                          \
		(void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT((self_component), "%s", report_text_);       \
	} while (0)

/* The same for a message iterator. */
#define iterator_error(self_iterator, ...)                                                                             \
	do {                                                                                                           \
		g_autofree char *report_text_ = g_strdup_printf(__VA_ARGS__);                                          \
		(void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR((self_iterator), "%s", report_text_); \
	} while (0)

/* A line "NAME: text" on standard error, if the component's logging level asks for it. */
void component_log(const bt_component *component, bt_logging_level level, const char *format, ...) G_GNUC_PRINTF(3, 4);

#endif
