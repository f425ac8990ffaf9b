/* SPDX-License-Identifier: MIT */
/*
 * The streams of a reader as a heap, the earliest head first. The times of the heads are in it, so that the order of
 * streams can be found without a look at them. Part of the decoder.
 */
#ifndef ROS2BT_STREAM_HEAP_H
#define ROS2BT_STREAM_HEAP_H

#include "core/ctf/ctf_stream.h"

/* A struct of zeros is empty. */
struct stream_heap {
	/* both owned; from 1, the earliest one, to `count`: those at 2 * i and 2 * i + 1 are behind the one at i. There
	   are as many times behind each, which then are ends. */
	int64_t *times;		     /* ns, of the heads of the streams */
	struct ctf_stream **streams; /* borrowed */
	size_t count;
};

/* Later than any head. Siblings differ, so that neither needs a look at a stream. */
static inline int64_t stream_heap_end(size_t place)
{
	return INT64_MAX - (int64_t)(place % 2);
}

static inline bool stream_heap_is_before(const struct ctf_stream *one, const struct ctf_stream *other)
{
	return one->head_ns != other->head_ns ? one->head_ns < other->head_ns : one->rank < other->rank;
}

/* stream_heap_sort() must follow. */
static inline void stream_heap_add(struct stream_heap *heap, struct ctf_stream *stream)
{
	size_t place = ++heap->count;

	heap->times = g_renew(int64_t, heap->times, 2 * place + 2);
	heap->streams = g_renew(struct ctf_stream *, heap->streams, place + 1);
	heap->streams[place] = stream;
	heap->times[2 * place] = stream_heap_end(2 * place);
	heap->times[2 * place + 1] = stream_heap_end(2 * place + 1);
}

static inline gint stream_heap_compare(gconstpointer left, gconstpointer right)
{
	const struct ctf_stream *one = *(struct ctf_stream *const *)left, *other = *(struct ctf_stream *const *)right;

	return stream_heap_is_before(one, other) ? -1 : stream_heap_is_before(other, one);
}

/* After heads have changed. */
static inline void stream_heap_sort(struct stream_heap *heap)
{
	if (heap->count > 0) {
		qsort(&heap->streams[1], heap->count, sizeof(struct ctf_stream *), stream_heap_compare);
	}
	for (size_t i = 1; i <= heap->count; i++) {
		heap->times[i] = heap->streams[i]->head_ns;
	}
}

/* Puts a stream in place of the first one, whose head is not later. */
static inline __attribute__((always_inline)) void stream_heap_sink(const struct stream_heap *heap,
								   struct ctf_stream *stream, int64_t head_ns)
{
	struct ctf_stream **streams = heap->streams;
	int64_t *times = heap->times;
	size_t place = 1;

	for (size_t child = 2;; child *= 2) {
		/* added, for a jump would be mispredicted every other time */
		child += G_UNLIKELY(times[child + 1] == times[child]) ? streams[child + 1]->rank < streams[child]->rank
								      : times[child + 1] < times[child];
		if (times[child] > head_ns ||
		    G_UNLIKELY(times[child] == head_ns && streams[child]->rank > stream->rank)) {
			break;
		}
		times[place] = times[child];
		streams[place] = streams[child];
		place = child;
	}
	times[place] = head_ns;
	streams[place] = stream;
}

/* After the head of the first stream has become later, or has gone: the heap is without the stream then. */
static inline void stream_heap_settle(struct stream_heap *heap)
{
	struct ctf_stream *stream = heap->streams[1];
	int64_t head_ns = stream->head_ns;

	if (G_UNLIKELY(stream->head == CTF_HEAD_NONE)) {
		stream = heap->streams[heap->count];
		head_ns = heap->times[heap->count];
		heap->times[heap->count] = stream_heap_end(heap->count);
		heap->count--;
	}
	if (G_LIKELY(heap->count > 0)) {
		stream_heap_sink(heap, stream, head_ns);
	}
}

/* The time of the earliest head of the other streams, or later than any head if there is none. */
static inline int64_t stream_heap_second_ns(const struct stream_heap *heap)
{
	return MIN(heap->times[2], heap->times[3]);
}

#endif
