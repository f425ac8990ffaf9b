/* SPDX-License-Identifier: MIT */
/*
 * The streams of a reader as a heap, the earliest head first. The times of the heads are in it, so that the order of
 * streams can be found without a look at them. Part of the decoder.
 */
#ifndef ROS2BT_STREAM_HEAP_H
#define ROS2BT_STREAM_HEAP_H

#include "core/ctf/ctf_stream.h"

struct stream_head {
	int64_t time_ns;
	struct ctf_stream *stream; /* borrowed */
};

/* Behind the last head: they are later than any other, so that a second and a third one can always be looked at. */
#define STREAM_HEAP_ENDS 2

/* A struct of zeros is empty. */
struct stream_heap {
	struct stream_head *heads; /* owned; `count` of them, then the ends */
	size_t count;
};

static inline bool stream_heap_is_before(const struct stream_head *one, const struct stream_head *other)
{
	return G_LIKELY(one->time_ns != other->time_ns) ? one->time_ns < other->time_ns
							: one->stream->rank < other->stream->rank;
}

/* stream_heap_sort() must follow. */
static inline void stream_heap_add(struct stream_heap *heap, struct ctf_stream *stream)
{
	heap->heads = g_renew(struct stream_head, heap->heads, heap->count + 1 + STREAM_HEAP_ENDS);
	heap->heads[heap->count++] = (struct stream_head){ stream->head_ns, stream };
	for (size_t i = 0; i < STREAM_HEAP_ENDS; i++) {
		heap->heads[heap->count + i].time_ns = INT64_MAX;
	}
}

static inline gint stream_heap_compare(gconstpointer left, gconstpointer right)
{
	return stream_heap_is_before(left, right) ? -1 : stream_heap_is_before(right, left);
}

/* After heads have changed. */
static inline void stream_heap_sort(struct stream_heap *heap)
{
	for (size_t i = 0; i < heap->count; i++) {
		heap->heads[i].time_ns = heap->heads[i].stream->head_ns;
	}
	if (heap->count > 0) {
		qsort(heap->heads, heap->count, sizeof(*heap->heads), stream_heap_compare);
	}
}

/* After the head of the first stream has become later, or has gone: the heap is without the stream then. */
static inline void stream_heap_settle(struct stream_heap *heap)
{
	struct stream_head *heads = heap->heads, *at = heads, moved = heads[0];

	moved.time_ns = moved.stream->head_ns;
	if (G_UNLIKELY(moved.stream->head == CTF_HEAD_NONE)) {
		moved = heads[--heap->count];
		heads[heap->count].time_ns = INT64_MAX;
	}
	for (struct stream_head *child = heads + 1; child < heads + heap->count; child = heads + 2 * (at - heads) + 1) {
		child += stream_heap_is_before(child + 1, child);
		if (child->time_ns > moved.time_ns || !stream_heap_is_before(child, &moved)) {
			break;
		}
		*at = *child;
		at = child;
	}
	*at = moved;
}

/* The time of the earliest head of the other streams, INT64_MAX if there is none. */
static inline int64_t stream_heap_second_ns(const struct stream_heap *heap)
{
	return MIN(heap->heads[1].time_ns, heap->heads[2].time_ns);
}

#endif
