/* SPDX-License-Identifier: MIT */
/* The streams of a reader as a heap (GPtrArray of struct ctf_stream), the earliest head first. Part of the decoder. */
#ifndef ROS2BT_STREAM_HEAP_H
#define ROS2BT_STREAM_HEAP_H

#include "core/ctf/ctf_stream.h"

static inline bool stream_heap_is_before(const struct ctf_stream *one, const struct ctf_stream *other)
{
	return one->head_ns < other->head_ns || (one->head_ns == other->head_ns && one->rank < other->rank);
}

/* Restores the heap after the head of the first stream has become later. */
static inline void stream_heap_sift_down(GPtrArray *heap)
{
	gpointer *streams = heap->pdata;
	struct ctf_stream *moved = streams[0];
	guint at = 0;

	for (;;) {
		guint child = 2 * at + 1;

		if (child + 1 < heap->len && stream_heap_is_before(streams[child + 1], streams[child])) {
			child++;
		}
		if (child >= heap->len || !stream_heap_is_before(streams[child], moved)) {
			break;
		}
		streams[at] = streams[child];
		at = child;
	}
	streams[at] = moved;
}

/* The earliest head of the other streams, NULL if there is none. */
static inline const struct ctf_stream *stream_heap_second(const GPtrArray *heap)
{
	const struct ctf_stream *second = heap->len > 1 ? heap->pdata[1] : NULL;
	const struct ctf_stream *third = heap->len > 2 ? heap->pdata[2] : NULL;

	return third && stream_heap_is_before(third, second) ? third : second;
}

static inline gint stream_heap_compare(gconstpointer a, gconstpointer b)
{
	const struct ctf_stream *left = *(const struct ctf_stream *const *)a;
	const struct ctf_stream *right = *(const struct ctf_stream *const *)b;

	return stream_heap_is_before(left, right) ? -1 : stream_heap_is_before(right, left);
}

#endif
