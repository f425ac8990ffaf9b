/* SPDX-License-Identifier: MIT */
/*
 * Which metrics a table is, by its schema alone:
 *
 * - a statistic is a histogram in seconds, ros2_THING_STATISTIC_seconds;
 * - a column that adds up over recordings (COLUMN_MERGE_SUM) is a counter, ros2_THINGS_COLUMN_total, in seconds if it
 * is in ns. The column `count` has no word of its own: ros2_callbacks_total;
 * - the names by which rows of several recordings are the same (COLUMN_MERGE_KEY) are labels, except symbols of C++,
 *   which are long. So no label is a pid or an address, and a node that starts again goes on with its series. Names of
 *   hosts are labels, too, where a recording has several.
 *
 * THINGS is the name of the table; messages, for the table about them.
 */
#ifndef ROS2BT_METRICS_H
#define ROS2BT_METRICS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/tables/table.h"

enum metric_type {
	METRIC_COUNTER,
	METRIC_HISTOGRAM,
};

struct metric {
	enum metric_type type;
	size_t column;
	char *name;	       /* owned */
	unsigned int decimals; /* of what the column counts; 9: ns, for seconds */
};

struct metric_label {
	size_t column;
	char *name;   /* owned */
	bool is_host; /* only if the recording has several */
};

struct metrics {
	const struct table_schema *schema; /* borrowed */
	GArray *metrics;		   /* struct metric */
	GArray *labels;			   /* struct metric_label, those of hosts last */
};

void metrics_init(struct metrics *metrics, const struct table_schema *schema);
void metrics_clear(struct metrics *metrics);

/* Whether there are names and something to count. */
bool metrics_are_useful(const struct metrics *metrics);

/* Appends the labels of a row; of hosts, or all others. */
void metrics_append_labels(const struct metrics *metrics, const struct cell *cells, bool of_hosts, GString *labels);

#endif
