/* SPDX-License-Identifier: MIT */
/*
 * A distribution of durations in a page: an array of pairs of numbers, a bucket (page_bucket.h, PAGE_HISTOGRAM_BITS) as
 * the distance from the one before, and its count. decodeHistogram() in page/data.js reads it.
 */
#ifndef ROS2BT_PAGE_HISTOGRAM_H
#define ROS2BT_PAGE_HISTOGRAM_H

#include "core/output/json_writer.h"

/* `buckets`: struct duration_bucket, the smallest first, of this scale or a finer one. O(buckets). */
void page_histogram_write(struct json_writer *json, const GArray *buckets);

#endif
