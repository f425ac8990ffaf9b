/* SPDX-License-Identifier: MIT */
/*
 * The screen of `ros2-latency top`: what keys do, and the lines of text for a terminal of a width and a height. It
 * needs no terminal. Every line is valid UTF-8 without control characters, and takes at most the width; there are at
 * most as many as the height.
 *
 * The selection is a row by its name, so it stays on that row when others move.
 */
#ifndef ROS2BT_TOP_SCREEN_H
#define ROS2BT_TOP_SCREEN_H

#include "ros2bt/reports/top_model.h"

enum top_column {
	TOP_RATE,
	TOP_P50,
	TOP_P99,
	TOP_MAX,
	TOP_LOST,
	TOP_SHARE,
	TOP_NAME,
	TOP_COLUMNS,
};

/* Keys that are no character. */
enum top_key {
	TOP_KEY_UP = 0x110000, /* beyond Unicode */
	TOP_KEY_DOWN,
	TOP_KEY_LEFT,
	TOP_KEY_RIGHT,
	TOP_KEY_PAGE_UP,
	TOP_KEY_PAGE_DOWN,
	TOP_KEY_HOME,
	TOP_KEY_END,
	TOP_KEY_ENTER,
	TOP_KEY_ESCAPE,
	TOP_KEY_BACKSPACE,
	TOP_KEY_TAB,
};

struct top_screen {
	enum top_table table;
	enum top_column sort;
	bool is_reversed; /* the best first */
	bool is_open;	  /* the selected row is shown in full */
	bool is_frozen;	  /* who publishes rows waits */
	bool is_typing;	  /* keys go to the filter */
	bool is_over;	  /* the user has seen enough */
	GString *filter;  /* what names of rows contain, in any case; "": all */
	char *selected;	  /* owned; the name of a row; NULL: the first one */
	guint first;	  /* the row at the top */
	guint room;	  /* rows there was room for, when the lines were made the last time */
};

enum top_style {
	TOP_PLAIN,
	TOP_BOLD,
	TOP_INVERSE,
};

struct top_line {
	char *text;
	enum top_style style;
};

/* By p99, the worst first. */
void top_screen_init(struct top_screen *screen);
void top_screen_clear(struct top_screen *screen);

/* A character, or an enum top_key. Unknown ones do nothing. */
void top_screen_key(struct top_screen *screen, const struct top_model *model, uint32_t key);

/* The rows to show, struct top_row *, filtered and sorted; to be freed with g_ptr_array_unref(). */
GPtrArray *top_screen_rows(const struct top_screen *screen, const struct top_model *model);

/* A new array of struct top_line, to be freed with g_array_unref(). `title`: what is shown. */
GArray *top_screen_lines(struct top_screen *screen, const struct top_model *model, const char *title, guint width,
			 guint height);

#endif
