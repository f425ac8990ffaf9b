/* SPDX-License-Identifier: MIT */
/*
 * Pieces of Prometheus' text exposition format, https://prometheus.io/docs/instrumenting/exposition_formats/ (0.0.4):
 * values of labels, which may be any UTF-8 with three characters escaped, and numbers.
 */
#ifndef ROS2BT_EXPOSITION_TEXT_H
#define ROS2BT_EXPOSITION_TEXT_H

#include <glib.h>

#include "core/base/int128.h"

#define EXPOSITION_NS_DECIMALS 9 /* of seconds, where a value is in ns */

/* Appends `name="text"`, after a comma unless the labels are empty. The text may hold any bytes. */
void exposition_append_label(GString *labels, const char *name, const char *text);

/* Appends the exact decimal text of value / 10^decimals: 1500000000 with 9 decimals is "1.5". */
void exposition_append_decimal(GString *text, int128 value, unsigned int decimals);

#endif
