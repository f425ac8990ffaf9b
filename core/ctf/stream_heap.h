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

/* A struct of zeros is empty. */
struct stream_heap {
	struct stream_head *heads; /* owned */
	size_t count;
};

static inline bool stream_heap_is_before(const struct stream_head *one, const struct stream_head *other)
{
	return one->time_ns < other->time_ns ||
	       (one->time_ns == other->time_ns && one->stream->rank < other->stream->rank);
}

/* stream_heap_sort() must follow. */
static inline void stream_heap_add(struct stream_heap *heap, struct ctf_stream *stream)
{
	heap->heads = g_renew(struct stream_head, heap->heads, heap->count + 1);
	heap->heads[heap->count++].stream = stream;
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
	struct stream_head *heads = heap->heads, moved = heads[0];
	size_t at = 0, child = 1;

	moved.time_ns = moved.stream->head_ns;
	if (G_UNLIKELY(moved.stream->head == CTF_HEAD_NONE)) {
		moved = heads[--heap->count];
	}
	while (child < heap->count) {
		child += child + 1 < heap->count && stream_heap_is_before(&heads[child + 1], &heads[child]);
		if (!stream_heap_is_before(&heads[child], &moved)) {
			break;
		}
		heads[at] = heads[child];
		at = child;
		child = 2 * at + 1;
	}
	heads[at] = moved;
}

/* The time of the earliest head of the other streams, INT64_MAX if there is none. */
static inline int64_t stream_heap_second_ns(const struct stream_heap *heap)
{
	int64_t second_ns = heap->count > 1 ? heap->heads[1].time_ns : INT64_MAX;

	return heap->count > 2 ? MIN(heap->heads[2].time_ns, second_ns) : second_ns;
}

#endif
