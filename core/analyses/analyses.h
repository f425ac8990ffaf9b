/* SPDX-License-Identifier: MIT */
/*
 * The list of analyses, a row each, in the order of the report:
 *
 *   ROW(name)   the constant `struct analysis_class name_analysis` in core/analyses/name.c (diagnostics_table.c)
 *
 * From here come the choices of the parameter `tables`, its default, its help, `ros2-latency --table` and its
 * completion; tests hold the manual pages to it. BETWEEN stands between two rows: the names with "," between them are
 * ANALYSES(ANALYSIS_NAME, ",").
 */
#ifndef ROS2BT_ANALYSES_H
#define ROS2BT_ANALYSES_H

#include "ros2bt/analysis.h"

#define ANALYSES(ROW, BETWEEN)                                                                                         \
	ROW(callbacks)                                                                                                 \
	BETWEEN ROW(communications)                                                                                    \
	BETWEEN ROW(paths)                                                                                             \
	BETWEEN ROW(diagnostics)

#define ANALYSIS_NAME(name) #name
#define ANALYSIS_DECLARATION(name) extern const struct analysis_class name##_analysis;

ANALYSES(ANALYSIS_DECLARATION, )

extern const struct analysis_class *const analyses[]; /* ended by NULL */

#endif
