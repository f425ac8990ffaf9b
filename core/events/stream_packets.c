/* SPDX-License-Identifier: MIT */
#include "core/events/stream_packets.h"

#include <glib.h>

#include "core/base/arena.h"

void stream_packets_init(struct stream_packets *packets)
{
	*packets = (struct stream_packets){ .begin_ns = INT64_MAX, .end_ns = INT64_MIN, .first_begin_ns = INT64_MIN };
}

static void add_apart(struct stream_packets *packets, struct arena *arena, struct apart apart)
{
	if (packets->apart_count == packets->apart_room && packets->apart_room < APARTS_KEPT) {
		unsigned int room = packets->apart_room > 0 ? 4 * packets->apart_room : 2;

		packets->aparts =
			arena_grow(arena, packets->aparts, packets->apart_room * sizeof(apart), room * sizeof(apart));
		packets->apart_room = room;
	}
	packets->aparts[packets->apart_count++ % packets->apart_room] = apart;
}

void stream_packets_begin(struct stream_packets *packets, struct arena *arena, int64_t time_ns)
{
	if (packets->apart_count == 0) {
		add_apart(packets, arena, (struct apart){ .begin_ns = INT64_MIN, .end_ns = time_ns });
		packets->begin_ns = time_ns;
	} else if (packets->is_after && packets->after_ns < time_ns) {
		add_apart(packets, arena,
			  (struct apart){
				  .begin_ns = packets->after_ns,
				  .end_ns = time_ns,
				  .has_stopped = !packets->has_lost,
				  .has_lost = packets->has_lost,
			  });
	}
	packets->is_after = packets->has_lost = false;
}

void stream_packets_end(struct stream_packets *packets, int64_t time_ns)
{
	packets->is_after = true;
	packets->after_ns = time_ns;
	packets->end_ns = MAX(packets->end_ns, time_ns);
}

void stream_packets_lose(struct stream_packets *packets)
{
	packets->has_lost = true;
}

/* Adds what a part has in common with a time in which the stream was in no packet. */
static void add_common(struct common_aparts *common, const struct apart *part, const struct apart *other)
{
	struct apart both = {
		.begin_ns = MAX(part->begin_ns, other->begin_ns),
		.end_ns = MIN(part->end_ns, other->end_ns),
		.has_stopped = part->has_stopped || other->has_stopped,
		.has_lost = part->has_lost || other->has_lost,
	};

	if (both.begin_ns < both.end_ns && common->count < APARTS_COMMON) {
		common->parts[common->count++] = both;
	}
}

void stream_packets_narrow(const struct stream_packets *packets, struct common_aparts *common)
{
	const struct apart last = {
		.begin_ns = packets->after_ns,
		.end_ns = INT64_MAX,
		.has_stopped = packets->has_more && !packets->has_lost,
		.has_lost = packets->has_lost,
	};
	unsigned int first = packets->apart_count - MIN(packets->apart_count, packets->apart_room);
	struct common_aparts before = *common;

	if (packets->apart_count == 0) {
		return; /* the stream has not begun */
	}
	common->count = 0;
	for (size_t i = 0; i < before.count; i++) {
		for (unsigned int j = packets->apart_count; j-- > first;) {
			const struct apart *apart = &packets->aparts[j % packets->apart_room];

			if (apart->end_ns <= before.parts[i].begin_ns) {
				break;
			}
			add_common(common, &before.parts[i], apart);
		}
		if (packets->is_after) {
			add_common(common, &before.parts[i], &last);
		}
	}
}

const struct apart *common_aparts_off(const struct common_aparts *common)
{
	const struct apart *first = NULL;

	for (size_t i = 0; i < common->count; i++) {
		const struct apart *part = &common->parts[i];

		if ((part->has_stopped || !part->has_lost) && (!first || part->begin_ns < first->begin_ns)) {
			first = part;
		}
	}
	return first;
}
