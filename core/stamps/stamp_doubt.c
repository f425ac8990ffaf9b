/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_doubt.h"

#define STEPS_MAX 256 /* of a walk over the publications of a topic, most of which have their stamps */

struct offsets {
	int64_t lowest_ns, highest_ns;
};

/* Those at which the publication has the stamp. */
static struct offsets offsets_of(const struct stamp_interval *interval, int64_t stamp)
{
	return (struct offsets){
		stamp - MIN(stamp_interval_end(interval), interval->from_ns + INTERVAL_NEAR_NS),
		stamp - interval->from_ns,
	};
}

static bool overlap(const struct offsets *a, const struct offsets *b)
{
	return a->lowest_ns <= b->highest_ns && b->lowest_ns <= a->highest_ns;
}

/* Whether the publication may have been taken so, at some offset. */
static bool may_be(const struct stamp_interval *interval, const struct stamp_take *take)
{
	return !interval->is_stamped && (interval->host != take->host || interval->from_ns <= take->taken_ns);
}

static bool is_explained(const struct stamp_topic *topic, const struct stamp_take *take, const struct offsets *offsets,
			 const struct stamp_interval *other)
{
	guint steps = 0, tried = 0;

	for (const struct stamp_interval *i = topic->newest; i && steps < STEPS_MAX && tried < DOUBT_PUBLICATIONS_MAX;
	     i = i->older, steps++) {
		struct offsets own = offsets_of(i, take->stamp);

		if (i == other || i->host != other->host || !may_be(i, take)) {
			continue;
		}
		if (overlap(&own, offsets)) {
			return true;
		}
		tried++;
	}
	return false;
}

/* Whether the offset that gives the stamp to `other` explains an odd stamp. */
static bool explains_odd(const struct stamp_doubt *doubt, const struct stamp_interval *other,
			 const struct offsets *offsets)
{
	for (guint i = 0; i < doubt->count; i++) {
		if (is_explained(doubt->topics[i], &doubt->takes[i], offsets, other)) {
			return true;
		}
	}
	return false;
}

bool stamp_doubt_is_justified(const struct stamp_doubt *doubt, const struct stamp_topic *topic,
			      const struct stamp_take *take, const struct stamp_interval *candidate)
{
	guint steps = 0, tried = 0;

	for (const struct stamp_interval *i = topic->newest; i && steps < STEPS_MAX && tried < DOUBT_PUBLICATIONS_MAX;
	     i = i->older, steps++) {
		struct offsets offsets = offsets_of(i, take->stamp);

		if (i == candidate || !may_be(i, take)) {
			continue;
		}
		if (explains_odd(doubt, i, &offsets)) {
			return true;
		}
		tried++;
	}
	return false;
}
