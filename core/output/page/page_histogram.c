/* SPDX-License-Identifier: MIT */
#include "core/output/page/page_histogram.h"

#include "core/output/page/page_bucket.h"
#include "core/statistics/duration_bucket.h"

static const struct duration_bucket *bucket_at(const GArray *buckets, guint index)
{
	return &g_array_index(buckets, struct duration_bucket, index);
}

void page_histogram_write(struct json_writer *json, const GArray *buckets)
{
	int64_t last = 0;

	json_writer_begin_array(json);
	for (guint i = 0; i < buckets->len;) {
		int64_t number = page_bucket(bucket_at(buckets, i)->low_ns, PAGE_HISTOGRAM_BITS);
		uint64_t count = 0;

		for (; i < buckets->len && page_bucket(bucket_at(buckets, i)->low_ns, PAGE_HISTOGRAM_BITS) == number;
		     i++) {
			count += bucket_at(buckets, i)->count;
		}
		json_writer_integer(json, number - last);
		json_writer_unsigned(json, count);
		last = number;
	}
	json_writer_end_array(json);
}
