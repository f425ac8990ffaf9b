/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_losses.h"

#include <stdlib.h>

void stamp_losses_init(struct stamp_losses *losses)
{
	*losses = (struct stamp_losses){
		.strangers = g_array_new(FALSE, FALSE, sizeof(struct stamp_interval)),
		.streams = g_array_new(FALSE, FALSE, sizeof(uint16_t)),
	};
}

void stamp_losses_clear(struct stamp_losses *losses)
{
	g_array_free(losses->strangers, TRUE);
	g_array_free(losses->streams, TRUE);
}

static struct stamp_interval *stranger_at(const struct stamp_losses *losses, guint index)
{
	return &g_array_index(losses->strangers, struct stamp_interval, index);
}

static void forget_half(struct stamp_losses *losses)
{
	for (guint i = 0; i < LOSSES_STRANGERS_MAX / 2; i++) {
		const struct stamp_interval *stranger = stranger_at(losses, i);
		int64_t end_ns = MIN(stamp_interval_end(stranger), stranger->from_ns + INTERVAL_LOOSE_NS);

		losses->open -= stranger->until_ns == INT64_MAX;
		losses->forgotten_until_ns = losses->has_forgotten ? MAX(losses->forgotten_until_ns, end_ns) : end_ns;
		losses->has_forgotten = true;
	}
	g_array_remove_range(losses->strangers, 0, LOSSES_STRANGERS_MAX / 2);
}

static void note_stream(struct stamp_losses *losses, uint16_t stream)
{
	for (guint i = 0; i < losses->streams->len; i++) {
		if (g_array_index(losses->streams, uint16_t, i) == stream) {
			return;
		}
	}
	g_array_append_val(losses->streams, stream);
}

void stamp_losses_add_stranger(struct stamp_losses *losses, const struct stamp_interval *stranger)
{
	struct stamp_interval copy = *stranger;

	copy.until_ns = INT64_MAX;
	if (losses->strangers->len == LOSSES_STRANGERS_MAX) {
		forget_half(losses);
	}
	stamp_losses_end_write(losses, stranger->thread, stranger->from_ns);
	g_array_append_val(losses->strangers, copy);
	losses->open++;
	note_stream(losses, copy.stream);
}

void stamp_losses_end_write(struct stamp_losses *losses, uint32_t thread, int64_t time_ns)
{
	for (guint i = losses->strangers->len; losses->open > 0 && i-- > 0;) {
		struct stamp_interval *stranger = stranger_at(losses, i);

		if (stranger->thread == thread && stranger->until_ns == INT64_MAX) {
			stranger->until_ns = time_ns;
			losses->open--;
			return;
		}
	}
}

/*
 * By any offset within the bounds, and not exactly: they may be of stamps that were not made at once. Nothing known: at
 * zero.
 */
static bool is_near(const struct stamp_clock *clock, const struct stamp_interval *stranger,
		    const struct stamp_take *take)
{
	int64_t offset_ns = take->stamp - stranger->from_ns;

	return clock->is_known ? offset_ns >= clock->lowest_ns - CLOCK_CLOSE_NS &&
					 offset_ns <= clock->highest_ns + INTERVAL_NEAR_NS
			       : llabs(offset_ns) <= INTERVAL_NEAR_NS;
}

static bool may_have(const struct stamp_clock *clock, const struct stamp_interval *stranger,
		     const struct stamp_take *take)
{
	int64_t end_ns = stamp_interval_end_before(stranger, take);
	int64_t highest_ns =
		stamp_clock_highest(clock, take->taken_ns) + (clock->confirmed_ns == INT64_MIN ? CLOCK_CLOSE_NS : 0);

	return !(stranger->host == take->host && stranger->from_ns > take->taken_ns) &&
	       take->stamp - stranger->from_ns >= stamp_clock_lowest(clock, take->taken_ns) &&
	       (end_ns == INT64_MAX || take->stamp - end_ns <= highest_ns);
}

/* The clock of a host, if it is one of a publication. */
static struct stamp_clock clock_of(const struct stamp_clocks *clocks, uint32_t host)
{
	return host < clocks->by_host->len ? *stamp_clock_of(clocks, host) : (struct stamp_clock){ 0 };
}

static bool has_loss_on(const struct stamp_losses *losses, const struct stamp_clocks *clocks, uint32_t host,
			const struct stamp_take *take)
{
	const struct stamp_loss_source *source = &losses->source;
	struct stamp_clock clock = clock_of(clocks, host);

	return source->may_miss &&
	       source->may_miss(source->data, host,
				take->stamp - stamp_clock_highest(&clock, take->taken_ns) - LOSSES_PREEMPTED_NS,
				take->stamp - stamp_clock_lowest(&clock, take->taken_ns));
}

static bool has_loss(const struct stamp_losses *losses, const struct stamp_clocks *clocks,
		     const struct stamp_take *take)
{
	const struct stamp_loss_source *source = &losses->source;
	size_t count = source->count_hosts ? source->count_hosts(source->data) : 0;

	for (uint32_t host = 0; host < count; host++) {
		if (has_loss_on(losses, clocks, host, take)) {
			return true;
		}
	}
	return false;
}

/* On another host that publishes on the topic. */
static bool has_loss_elsewhere(const struct stamp_losses *losses, const struct stamp_clocks *clocks,
			       const struct stamp_take *take, const struct stamp_interval *candidate)
{
	const GArray *hosts = candidate->topic->hosts;

	for (guint i = 0; i < hosts->len; i++) {
		uint32_t host = g_array_index(hosts, uint32_t, i);

		if (host != candidate->host && has_loss_on(losses, clocks, host, take)) {
			return true;
		}
	}
	return false;
}

/* In a stream, right behind the beginning of the write. */
static bool has_loss_in(const struct stamp_loss_source *source, uint16_t stream, const struct stamp_interval *candidate)
{
	return source->may_miss_in_stream && source->may_miss_in_stream(source->data, stream, candidate->from_ns,
									candidate->from_ns + CLOCK_CLOSE_NS);
}

/* Right behind the beginning of the write, by another thread of the host that publishes on the topic. */
static bool has_loss_beside(const struct stamp_losses *losses, const struct stamp_interval *candidate)
{
	const struct stamp_loss_source *source = &losses->source;
	const GArray *writers = candidate->topic->writers;
	bool is_lost = source->may_miss && candidate->topic->has_lost_writers &&
		       source->may_miss(source->data, candidate->host, candidate->from_ns,
					candidate->from_ns + CLOCK_CLOSE_NS);

	for (guint i = 0; i < writers->len && !is_lost; i++) {
		const struct stamp_writer *writer = &g_array_index(writers, struct stamp_writer, i);

		is_lost = writer->host == candidate->host && writer->thread != candidate->thread &&
			  has_loss_in(source, writer->stream, candidate);
	}
	return is_lost;
}

/* Right behind the beginning of the write, in a stream in which strangers have written, on whatever host. */
static bool has_loss_of_strangers(const struct stamp_losses *losses, const struct stamp_interval *candidate)
{
	for (guint i = 0; i < losses->streams->len; i++) {
		if (has_loss_in(&losses->source, g_array_index(losses->streams, uint16_t, i), candidate)) {
			return true;
		}
	}
	return false;
}

/* On whatever host. */
static bool is_of_forgotten(const struct stamp_losses *losses, const struct stamp_clocks *clocks,
			    const struct stamp_take *take)
{
	for (guint host = 0; losses->has_forgotten && host < clocks->by_host->len; host++) {
		const struct stamp_clock *clock = stamp_clock_of(clocks, host);

		if (take->stamp - stamp_clock_highest(clock, take->taken_ns) <= losses->forgotten_until_ns) {
			return true;
		}
	}
	return false;
}

/* Whether the stamp may be that of a stranger; if `is_near_asked` or that is loose, only one that it is near to counts.
 */
static bool has_stranger(const struct stamp_losses *losses, const struct stamp_clocks *clocks,
			 const struct stamp_take *take, bool is_near_asked)
{
	for (guint i = losses->strangers->len; i-- > 0;) {
		const struct stamp_interval *stranger = stranger_at(losses, i);
		struct stamp_clock clock = clock_of(clocks, stranger->host);

		if (may_have(&clock, stranger, take) &&
		    ((!is_near_asked && !stranger->is_loose) || is_near(&clock, stranger, take))) {
			return true;
		}
	}
	return is_of_forgotten(losses, clocks, take);
}

bool stamp_losses_are_possible(const struct stamp_losses *losses, const struct stamp_clocks *clocks,
			       const struct stamp_take *take)
{
	return has_stranger(losses, clocks, take, false) || has_loss(losses, clocks, take);
}

bool stamp_losses_may_hide(const struct stamp_losses *losses, const struct stamp_clocks *clocks,
			   const struct stamp_take *take, const struct stamp_interval *candidate)
{
	struct stamp_clock clock = clock_of(clocks, candidate->host);

	if (!stamp_losses_are_possible(losses, clocks, take)) {
		return false;
	}
	return !stamp_clock_is_close(&clock, candidate->from_ns, take->stamp, take->taken_ns) ||
	       has_stranger(losses, clocks, take, true) || has_loss_elsewhere(losses, clocks, take, candidate) ||
	       has_loss_in(&losses->source, candidate->stream, candidate) || has_loss_of_strangers(losses, candidate) ||
	       has_loss_beside(losses, candidate);
}
