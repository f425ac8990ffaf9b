/* SPDX-License-Identifier: MIT */
/*
 * The list of analyses, one row each, in the order of the report:
 *
 *   ROW(name, text)
 *
 * `name` is that of the constant `struct analysis_class name_analysis`, which is in name.c (diagnostics_table.c for
 * `diagnostics`) in this folder or in its folder name/. `text` is what --help prints.
 *
 * The choices and the default of the parameter `tables`, its help, `ros2-latency --table` and its completion follow
 * from these rows; tests compare docs/sink.ros2.latency.md and docs/ros2-latency.1 with them. BETWEEN separates rows:
 * ANALYSES(ANALYSIS_NAME, ",") are the names, separated by commas.
 */
#ifndef ROS2BT_ANALYSES_H
#define ROS2BT_ANALYSES_H

#include "core/analyses/shared/analysis.h"

/* clang-format off */
#define ANALYSES(ROW, BETWEEN) \
	ROW(callbacks, "executions of each callback: count, duration, period") \
	BETWEEN ROW(communications, "messages from each publisher to each subscription") \
	BETWEEN ROW(publications, "rate, jitter and longest gap of each publisher") \
	BETWEEN ROW(paths, "chains of callbacks, from end to end") \
	BETWEEN ROW(named_paths, "paths given by name: latency, response times") \
	BETWEEN ROW(timers, "calls of each timer: late, missed, early") \
	BETWEEN ROW(services, "requests to services, and their responses") \
	BETWEEN ROW(actions, "goals of actions, and their results") \
	BETWEEN ROW(lifecycle, "states of lifecycle nodes, and transitions") \
	BETWEEN ROW(inferred, "callbacks of nodes without rclcpp, inferred from takes") \
	BETWEEN ROW(hosts, "clocks of the hosts, and how they were aligned") \
	BETWEEN ROW(executors, "work of executor threads, and queueing of messages") \
	BETWEEN ROW(usage, "time in callbacks, by host, process, thread, node, CPU") \
	BETWEEN ROW(counters, "page faults and other counters of each callback") \
	BETWEEN ROW(memory, "allocations of callbacks, nodes and processes") \
	BETWEEN ROW(pages, "memory pages that the kernel allocates for processes") \
	BETWEEN ROW(points, "stages of the application, from a file of points") \
	BETWEEN ROW(scheduling, "time of callbacks on a CPU, preempted and blocked") \
	BETWEEN ROW(threads, "time of threads on a CPU, preempted and blocked") \
	BETWEEN ROW(diagnostics, "what is missing or doubtful in the trace") \
	BETWEEN ROW(timeline, "what perfetto draws; in other formats only if named")
/* clang-format on */

#define ANALYSIS_NAME(name, text) #name
#define ANALYSIS_DECLARATION(name, text) extern const struct analysis_class name##_analysis;

ANALYSES(ANALYSIS_DECLARATION, )

extern const struct analysis_class *const analyses[]; /* ended by NULL */

/* The schemas of all their tables, ended by NULL. */
const struct table_schema *const *analyses_tables(void);

#endif
