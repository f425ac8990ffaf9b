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
	/* owned; from 1, the earliest one, to `count`, then ends: heads[2 * i] and heads[2 * i + 1] are behind
	   heads[i], and are there */
	struct stream_head *heads;
	size_t count;
};

/* Later than any head. Siblings differ, so that neither needs a look at a stream. */
static inline struct stream_head stream_heap_end(size_t place)
{
	return (struct stream_head){ INT64_MAX - (int64_t)(place % 2), NULL };
}

static inline bool stream_heap_is_before(const struct stream_head *one, const struct stream_head *other)
{
	return G_LIKELY(one->time_ns != other->time_ns) ? one->time_ns < other->time_ns
							: one->stream->rank < other->stream->rank;
}

/* stream_heap_sort() must follow. */
static inline void stream_heap_add(struct stream_heap *heap, struct ctf_stream *stream)
{
	size_t place = ++heap->count;

	heap->heads = g_renew(struct stream_head, heap->heads, 2 * place + 2);
	heap->heads[place] = (struct stream_head){ stream->head_ns, stream };
	heap->heads[2 * place] = stream_heap_end(2 * place);
	heap->heads[2 * place + 1] = stream_heap_end(2 * place + 1);
}

static inline gint stream_heap_compare(gconstpointer left, gconstpointer right)
{
	return stream_heap_is_before(left, right) ? -1 : stream_heap_is_before(right, left);
}

/* After heads have changed. */
static inline void stream_heap_sort(struct stream_heap *heap)
{
	for (size_t i = 1; i <= heap->count; i++) {
		heap->heads[i].time_ns = heap->heads[i].stream->head_ns;
	}
	if (heap->count > 0) {
		qsort(&heap->heads[1], heap->count, sizeof(*heap->heads), stream_heap_compare);
	}
}

/* Puts a head in place of the first one, which is not later. */
static inline __attribute__((always_inline)) void stream_heap_sink(struct stream_head *heads, struct stream_head head)
{
	struct stream_head *place = heads + 1;

	for (;;) {
		struct stream_head *child = place + (place - heads), *sibling = child + 1;

		if (G_UNLIKELY(sibling->time_ns == child->time_ns)) {
			child = sibling->stream->rank < child->stream->rank ? sibling : child;
		} else {
			child = sibling->time_ns < child->time_ns ? sibling : child;
		}
		if (child->time_ns > head.time_ns || !stream_heap_is_before(child, &head)) {
			break;
		}
		*place = *child;
		place = child;
	}
	*place = head;
}

/* After the head of the first stream has become later, or has gone: the heap is without the stream then. */
static inline void stream_heap_settle(struct stream_heap *heap)
{
	struct ctf_stream *stream = heap->heads[1].stream;
	struct stream_head head = { stream->head_ns, stream };

	if (G_UNLIKELY(stream->head == CTF_HEAD_NONE)) {
		head = heap->heads[heap->count];
		heap->heads[heap->count] = stream_heap_end(heap->count);
		heap->count--;
	}
	if (G_LIKELY(heap->count > 0)) {
		stream_heap_sink(heap->heads, head);
	}
}

/* The time of the earliest head of the other streams, or later than any head if there is none. */
static inline int64_t stream_heap_second_ns(const struct stream_head *heads)
{
	return MIN(heads[2].time_ns, heads[3].time_ns);
}

#endif
