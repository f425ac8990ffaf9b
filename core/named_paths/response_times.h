/* SPDX-License-Identifier: MIT */
/*
 * Response times of a path, as CARET defines them (record/records_service/response_time.py): from each input to the
 * first output that is not older than it, whether the input itself came through or was lost on its way. All times are
 * ns of one clock.
 *
 *   flows (start, end; the end may be missing) → inputs (start, first output) → series, one for each case
 *
 * An input is a distinct start. Its output is the earliest end of its own flows; if all of them were lost, the
 * earliest output of those that started later. Inputs without output, and flows that end before they start, are left
 * out. Several inputs may have the same output: `best` takes the latest of them, `worst` the earliest, `all` every one,
 * and `external` counts from the input before the earliest, since what happens in the world just after that one waits
 * for the next.
 *
 * `age` (data age) looks from the other end: from the latest input of an output, the sample it was made from, until the
 * next output replaces it. Where flows do not overtake one another and nothing is unknown, the response time `external`
 * of that next output begins with the same input: both series are equal, and with them maximum reaction time and
 * maximum data age (Günzel et al., ECRTS 2023, 10.4230/LIPIcs.ECRTS.2023.10). The last output is not replaced and has
 * no age, the first one has no input before its earliest and no external response. An age is unknown if events are
 * missing between the two outputs, or if an unknown flow began after the sample, whose output may have replaced it
 * earlier.
 *
 * A recording may have parts between which events are missing (tracing was off, a process was not recorded): a lost
 * input of one part is then not charged to an output of another, which may not be the first one. CARET has no parts.
 * An input with unknown outcome is not charged either; it still is the predecessor of the next one.
 *
 * O(n log n) in the flows; memory 24 bytes a flow.
 */
#ifndef ROS2BT_RESPONSE_TIMES_H
#define ROS2BT_RESPONSE_TIMES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define RESPONSE_NO_TIME INT64_MIN

struct response_flow {
	int64_t start_ns;  /* RESPONSE_NO_TIME: the flow is left out */
	int64_t end_ns;	   /* RESPONSE_NO_TIME: lost, or not seen to end */
	uint32_t part;	   /* of the recording in which it started; does not decrease with start_ns */
	uint32_t end_part; /* of its end; meaningless without end */
	bool is_unknown;   /* without end: it may have come through all the same */
};

struct response_input {
	int64_t start_ns;
	int64_t output_ns; /* RESPONSE_NO_TIME: unknown */
	uint32_t part;
	uint32_t output_part; /* meaningless without output */
};

enum response_case {
	RESPONSE_BEST,
	RESPONSE_WORST,
	RESPONSE_ALL,
	RESPONSE_EXTERNAL, /* CARET: "worst-with-external-latency" */
	RESPONSE_AGE,	   /* no response time: see above */
	RESPONSE_CASE_COUNT,
};

struct response_time {
	int64_t start_ns;    /* of the input */
	int64_t duration_ns; /* to the output, or to the one that replaces it */
};

/* As in tables: "best", "worst", "all", "external", "age". */
const char *response_case_name(enum response_case which);

/*
 * The inputs of flows, by start; an array of struct response_input. The flows may be in any order and are sorted in
 * place. `drops_first_output`: leaves out those of the very first output, as CARET does: some of its inputs may
 * precede the recording.
 */
GArray *response_inputs(struct response_flow *flows, size_t count, bool drops_first_output);

/* A series of one case, by start; an array of struct response_time. */
GArray *response_times(const GArray *inputs, enum response_case which);

#endif
