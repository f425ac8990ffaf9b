/* SPDX-License-Identifier: MIT */
/*
 * What a series of durations gained since an earlier state of it. Counts, sums and buckets are exact differences, so
 * the mean and the standard deviation are exact and quantiles within 0.1 %, as those of any series. The largest
 * duration is exact where it is that of the whole series, else at most 0.2 % too small: what it says did happen. So is
 * the smallest, which is at most 0.2 % too large.
 *
 * Cost: O(buckets with samples) of both states; O(1) if nothing was added.
 */
#ifndef ROS2BT_DURATION_DIFFERENCE_H
#define ROS2BT_DURATION_DIFFERENCE_H

#include <stdbool.h>

#include "core/statistics/duration_statistics.h"

/*
 * Makes `gained`, which is initialized and is emptied first, the samples of `now` that `before` lacks. When the longest
 * began is DURATION_TIME_UNKNOWN if it is not the longest of the whole. False, and `gained` is empty, if `now` is no
 * later state of `before`, since it has fewer samples. `scratch` is an array of struct duration_bucket, whose contents
 * are lost.
 */
bool duration_difference(struct duration_statistics *gained, const struct duration_statistics *now,
			 const struct duration_statistics *before, GArray *scratch);

#endif
