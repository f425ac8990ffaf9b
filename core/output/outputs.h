/* SPDX-License-Identifier: MIT */
/*
 * The list of outputs, a row each, the default first:
 *
 *   ROW(name, text)   the constant `struct output_class name_output` in output_name.c, in this folder or in its folder
 *                     name/; and what --help prints
 *
 * From this list follow the choices of the parameter `format`, its help, `ros2-latency --format` and its completion;
 * tests compare docs/sink.ros2.latency.md and docs/ros2-latency.1 with it. BETWEEN separates two rows:
 * OUTPUTS(OUTPUT_NAME, "|") is "text|csv|json".
 */
#ifndef ROS2BT_OUTPUTS_H
#define ROS2BT_OUTPUTS_H

#include "core/output/output.h"

/* clang-format off */
#define OUTPUTS(ROW, BETWEEN) \
	ROW(text, "tables for people") \
	BETWEEN ROW(markdown, "tables for a pull request") \
	BETWEEN ROW(csv, "one file per table") \
	BETWEEN ROW(json, "one object") \
	BETWEEN ROW(html, "a page for a browser, with charts and a graph") \
	BETWEEN ROW(perfetto, "a timeline for ui.perfetto.dev") \
	BETWEEN ROW(sqlite, "a database") \
	BETWEEN ROW(dot, "a graph of nodes, topics and services for Graphviz") \
	BETWEEN ROW(prometheus, "counters and histograms for Prometheus")
/* clang-format on */

#define OUTPUT_NAME(name, text) #name
#define OUTPUT_DECLARATION(name, text) extern const struct output_class name##_output;

OUTPUTS(OUTPUT_DECLARATION, )

extern const struct output_class *const outputs[]; /* ended by NULL */

/* The output of that name; NULL if there is none. */
const struct output_class *output_find(const char *name);

#endif
