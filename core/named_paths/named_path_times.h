/* SPDX-License-Identifier: MIT */
/*
 * Response times (response_times.h), periods and the rate of named paths: what follows only from all flows of a path
 * together.
 *
 * Nothing is charged across parts of the recording. For response times, a part begins after a break of the process in
 * which the path begins, and with each flow whose outcome is unknown; for periods, only after a break.
 *
 * O(n log n) in the flows of a path.
 */
#ifndef ROS2BT_NAMED_PATH_TIMES_H
#define ROS2BT_NAMED_PATH_TIMES_H

#include "core/analyses/shared/columns.h"
#include "core/named_paths/named_results.h"
#include "core/named_paths/response_times.h"

/* A row of the tables `named_paths` and `slowest_named_paths`. */
struct named_path_times {
	const struct named_path *path; /* borrowed */
	struct duration_statistics responses[RESPONSE_CASE_COUNT], period;
	GArray *inputs;			/* struct response_input */
	GArray *starts;			/* int64_t: distinct starts of flows, in order */
	double rate_hz;			/* 0: unknown */
	struct row_quantiles quantiles; /* of the latency, in the summary */
};

/* Of all paths as of now, by index: an array to be freed before the arena and the results. */
GArray *named_path_times_of(const struct named_results *results, struct arena *arena);

#endif
