/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_waiting.h"

#include <string.h>

void stamp_waiting_init(struct stamp_waiting *waiting)
{
	*waiting = (struct stamp_waiting){ .queue = g_array_new(FALSE, FALSE, sizeof(struct waiting_stamp)) };
}

void stamp_waiting_clear(struct stamp_waiting *waiting)
{
	g_array_free(waiting->queue, TRUE);
}

bool stamp_waiting_has(const struct stamp_waiting *waiting, const struct stamp_topic *topic, int64_t stamp)
{
	for (guint i = waiting->first; topic->unresolved > 0 && i < waiting->queue->len; i++) {
		const struct waiting_stamp *other = stamp_waiting_at(waiting, i);

		if (other->topic == topic && other->take.stamp == stamp && !other->is_ended) {
			return true;
		}
	}
	return false;
}

void stamp_waiting_set_odd(struct stamp_waiting *waiting, struct waiting_stamp *stamp, bool is_odd)
{
	waiting->odd += (guint)is_odd;
	waiting->odd -= (guint)stamp->is_odd;
	stamp->is_odd = is_odd;
}

void stamp_waiting_end(struct stamp_waiting *waiting, struct waiting_stamp *stamp)
{
	stamp_waiting_set_odd(waiting, stamp, false);
	stamp->is_ended = true;
	stamp->topic->unresolved--;
}

static void remember(struct stamp_waiting *waiting, const struct waiting_stamp *stamp)
{
	if (waiting->left_count == WAITING_LEFT_MAX) {
		memmove(waiting->left, waiting->left + 1, --waiting->left_count * sizeof(*waiting->left));
	}
	waiting->left[waiting->left_count++] = *stamp;
}

void stamp_waiting_drop(struct stamp_waiting *waiting)
{
	struct waiting_stamp *stamp = stamp_waiting_at(waiting, waiting->first);

	if (!stamp->is_ended) {
		if (stamp->is_odd) {
			remember(waiting, stamp);
		}
		stamp_waiting_end(waiting, stamp);
	}
	waiting->first++;
	waiting->settled = MAX(waiting->settled, waiting->first);
	if (waiting->first >= 64 && waiting->first >= waiting->queue->len / 2) {
		g_array_remove_range(waiting->queue, 0, waiting->first);
		waiting->settled -= waiting->first;
		waiting->first = 0;
	}
}

void stamp_waiting_add(struct stamp_waiting *waiting, struct stamp_topic *topic, const struct stamp_take *take,
		       bool is_odd)
{
	struct waiting_stamp stamp = { .topic = topic, .take = *take, .is_odd = is_odd };

	if (waiting->queue->len - waiting->first >= WAITING_MAX) {
		stamp_waiting_drop(waiting);
	}
	topic->unresolved++;
	waiting->odd += (guint)is_odd;
	g_array_append_val(waiting->queue, stamp);
}

int64_t stamp_waiting_first_odd_ns(const struct stamp_waiting *waiting, int64_t since_ns)
{
	for (guint i = 0; i < waiting->left_count; i++) {
		if (waiting->left[i].take.taken_ns > since_ns) {
			return waiting->left[i].take.taken_ns;
		}
	}
	for (guint i = waiting->first; i < waiting->queue->len; i++) {
		const struct waiting_stamp *stamp = stamp_waiting_at(waiting, i);

		if (stamp->is_odd) {
			return stamp->take.taken_ns;
		}
	}
	return 0;
}

struct stamp_doubt stamp_waiting_doubt(const struct stamp_waiting *waiting)
{
	guint left = MIN(waiting->odd, DOUBT_ODD_MAX);
	struct stamp_doubt doubt = { .count = 0 };

	for (guint i = waiting->queue->len; left > 0 && i-- > waiting->first;) {
		const struct waiting_stamp *stamp = stamp_waiting_at(waiting, i);

		if (stamp->is_odd) {
			doubt.topics[doubt.count] = stamp->topic;
			doubt.takes[doubt.count++] = stamp->take;
			left--;
		}
	}
	return doubt;
}

void stamp_waiting_dismiss(struct stamp_waiting *waiting, const struct stamp_interval *certain)
{
	for (guint i = waiting->first; waiting->odd > 0 && i < waiting->queue->len; i++) {
		struct waiting_stamp *stamp = stamp_waiting_at(waiting, i);

		if (stamp->take.taken_ns >= certain->from_ns) {
			break;
		}
		if (stamp->is_odd && stamp->topic->hosts->len == 1 &&
		    g_array_index(stamp->topic->hosts, uint32_t, 0) == certain->host) {
			stamp_waiting_set_odd(waiting, stamp, false);
			stamp->is_dismissed = true;
		}
	}
}

void stamp_waiting_restart(struct stamp_waiting *waiting)
{
	bool was_set = waiting->left_count > 0;

	waiting->left_count = 0;
	for (guint i = waiting->first; i < waiting->queue->len; i++) {
		struct waiting_stamp *stamp = stamp_waiting_at(waiting, i);

		was_set |= stamp->is_odd;
		if (!was_set && !stamp->is_ended) {
			stamp_waiting_end(waiting, stamp);
		}
		stamp_waiting_set_odd(waiting, stamp, false);
	}
}
