/* SPDX-License-Identifier: MIT */
/*
 * How long things have been silent when the recording ends: from the last time at which one happened to the end,
 * without what is not covered of it. Traces of several hosts end at different times, so the end of a host is that of
 * the packets of its programs, or the last time noted of it, if that is later or there are no packets; of a single
 * host, the end is that of the recording.
 *
 * Used while rows are written. Cost: O(1) a row; where something is missing, a question to the coverage.
 */
#ifndef ROS2BT_FINAL_SILENCE_H
#define ROS2BT_FINAL_SILENCE_H

#include "core/analyses/shared/analysis.h"

struct coverage;

struct final_silence {
	const struct analysis_context *context; /* borrowed */
	struct coverage *coverage;		/* borrowed */
	GArray *ends;				/* int64_t, by host; owned */
};

void final_silence_init(struct final_silence *silence, const struct analysis_context *context,
			struct coverage *coverage);
void final_silence_clear(struct final_silence *silence);

/* Something happened in a process; of all rows, before the first question. */
void final_silence_note(struct final_silence *silence, uint32_t process, int64_t time_ns);

/* From a time to the end; negative after it, as where a range ends before. */
double final_silence_of(const struct final_silence *silence, uint32_t process, int64_t last_ns);

#endif
