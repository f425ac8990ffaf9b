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
 * from these rows; tests compare the manual pages with them. BETWEEN separates rows: ANALYSES(ANALYSIS_NAME, ",") are
 * the names, separated by commas.
 */
#ifndef ROS2BT_ANALYSES_H
#define ROS2BT_ANALYSES_H

#include "ros2bt/analysis.h"

/* clang-format off */
#define ANALYSES(ROW, BETWEEN) \
	ROW(callbacks, "executions of each callback") \
	BETWEEN ROW(communications, "messages from each publisher to each subscription") \
	BETWEEN ROW(paths, "chains of callbacks, end to end") \
	BETWEEN ROW(named_paths, "paths that were asked for by name: latency and response times") \
	BETWEEN ROW(timers, "calls of each timer: late, missed, early, and what kept them") \
	BETWEEN ROW(services, "requests of each client to each service, and their responses") \
	BETWEEN ROW(actions, "goals of each client to each server, and their results") \
	BETWEEN ROW(lifecycle, "states of lifecycle nodes, and their transitions") \
	BETWEEN ROW(inferred, "callbacks of nodes without rclcpp, and what their publications come from") \
	BETWEEN ROW(hosts, "clocks of the hosts, and how they were aligned") \
	BETWEEN ROW(executors, "what the threads of executors do, and how long messages queue") \
	BETWEEN ROW(usage, "time in callbacks of each host, process, thread, node, callback and CPU") \
	BETWEEN ROW(counters, "CPU time, page faults and other counters of each callback") \
	BETWEEN ROW(memory, "allocations of each callback, node and process, and what is not freed") \
	BETWEEN ROW(pages, "pages of memory that the kernel allocates for each process") \
	BETWEEN ROW(points, "stages of the application, by the events that points=FILE names") \
	BETWEEN ROW(scheduling, "what threads did in callbacks: on a CPU, preempted, blocked, by the kernel's events") \
	BETWEEN ROW(threads, "time of each thread on a CPU, preempted and blocked, by the kernel's events") \
	BETWEEN ROW(diagnostics, "faults and gaps of the trace") \
	BETWEEN ROW(timeline, "what format=perfetto draws; other formats have it only where it is named")
/* clang-format on */

#define ANALYSIS_NAME(name, text) #name
#define ANALYSIS_HELP(name, text) #name ": " text
#define ANALYSIS_DECLARATION(name, text) extern const struct analysis_class name##_analysis;

ANALYSES(ANALYSIS_DECLARATION, )

extern const struct analysis_class *const analyses[]; /* ended by NULL */

#endif
