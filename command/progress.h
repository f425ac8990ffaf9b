/* SPDX-License-Identifier: MIT */
/*
 * A line on standard error that tells how far reading is, how fast, and how long it will take; only on a terminal, some
 * times a second, and gone at the end.
 */
#ifndef ROS2BT_COMMAND_PROGRESS_H
#define ROS2BT_COMMAND_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool is_shown; /* a terminal is there */
	bool has_line; /* a line stands there now */
	int64_t start_us, next_us;
	uint64_t total_bytes; /* 0: not known */
};

void progress_start(struct progress *progress, uint64_t total_bytes);

/* Whether it is time to show something: cheap, for each batch. */
bool progress_is_due(struct progress *progress);

/* `bytes` of the total are read, or with no total: none; and `records` were made of them. */
void progress_show(struct progress *progress, uint64_t bytes, uint64_t records);

/* Takes the line away. Call before anything else is written to standard error. */
void progress_clear(struct progress *progress);

#endif
