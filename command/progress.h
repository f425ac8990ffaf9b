/* SPDX-License-Identifier: MIT */
/*
 * A progress line on standard error: the share read so far, the speed and the time left. Only on a terminal, updated a
 * few times a second, and removed at the end.
 */
#ifndef ROS2BT_COMMAND_PROGRESS_H
#define ROS2BT_COMMAND_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool is_shown; /* standard error is a terminal */
	bool has_line; /* a line is shown now */
	int64_t start_us, next_us;
	uint64_t total_bytes; /* 0: not known */
};

void progress_start(struct progress *progress, uint64_t total_bytes);

/* Whether the line is due for an update. Cheap: called for each batch. */
bool progress_is_due(struct progress *progress);

/* Shows that `bytes` of the total have been read (ignored without a total), which gave `records`. */
void progress_show(struct progress *progress, uint64_t bytes, uint64_t records);

/* Removes the line. Call it before anything else is written to standard error. */
void progress_clear(struct progress *progress);

#endif
