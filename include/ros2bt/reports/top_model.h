/* SPDX-License-Identifier: MIT */
/*
 * What `ros2-latency top` shows: of each row of some tables the figures that such a screen has. It is a table_output
 * that a session writes a window to (session_create_for_windows()), or the whole of a recording; top_model_publish()
 * then makes these rows the ones to show.
 *
 * Tables are found by their subjects and columns by their meanings, so no analysis is known. Names are clean: valid
 * UTF-8 without control characters, so that no name reaches the terminal as a command. Hidden names are left out.
 *
 * Memory: the rows of two windows. Cost of a window: O(rows).
 */
#ifndef ROS2BT_TOP_MODEL_H
#define ROS2BT_TOP_MODEL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/tables/table.h"

enum top_table {
	TOP_CALLBACKS,
	TOP_MESSAGES,
	TOP_PATHS,
	TOP_CALLS,
	TOP_TABLES,
};

struct top_row {
	char *name;
	uint64_t id;
	double rate_hz; /* negative: unknown, as below */
	int64_t p50_ns, p99_ns, max_ns;
	bool has_durations; /* else the three above mean nothing */
	int64_t lost;
	double share; /* of a core, in percent */
	char *worst;  /* what is known of its worst instance since the beginning; NULL: nothing */
};

/* What the rows are of. */
struct top_span {
	int64_t as_of_ns;
	int64_t length_ns; /* > 0 */
	bool is_whole;	   /* of the whole recording, else of a window */
	bool has_lag;
	int64_t lag_ns;
	const char *state; /* borrowed, static: "live", "the session has ended" */
};

struct top_model;

struct top_model *top_model_create(void);
void top_model_destroy(struct top_model *model); /* NULL is allowed */

/* Rows that are written there are not seen before they are published. */
struct table_output *top_model_tables(struct top_model *model);

/* What was written since the last call is what there is to show from now on. */
void top_model_publish(struct top_model *model, const struct top_span *span);
/* Forgets what was written since. */
void top_model_drop(struct top_model *model);
/* The same rows, about which something else is known: how far behind they are, say. */
void top_model_update(struct top_model *model, const struct top_span *span);

/* struct top_row, as written. Changes with top_model_publish(). */
const GPtrArray *top_model_rows(const struct top_model *model, enum top_table table);
/* length_ns is 0 before the first rows. */
const struct top_span *top_model_span(const struct top_model *model);

/* How often rows were published. */
uint64_t top_model_generation(const struct top_model *model);

#endif
