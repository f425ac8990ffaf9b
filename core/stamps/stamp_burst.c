/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_burst.h"

#include "core/base/compare_numbers.h"

#define BURST_MAX 32 /* stamps; a limit of cost */
#define NONE_LEFT_OUT BURST_MAX

/* Stamps of a topic whose candidates do not overlap, and the offsets at which one enters or leaves an interval. */
struct stamp_burst {
	int64_t stamps[BURST_MAX];
	bool are_doubtful[BURST_MAX]; /* may be of a publication that is not recorded */
	guint count;
	GPtrArray *intervals; /* struct stamp_interval *, borrowed: the candidates of all */
	GArray *offsets;      /* int64_t */
};

static void add_interval(struct stamp_burst *burst, struct stamp_interval *interval)
{
	if (!g_ptr_array_find(burst->intervals, interval, NULL)) {
		g_ptr_array_add(burst->intervals, interval);
	}
}

static void add(struct stamp_burst *burst, const struct stamp_clock *clock, const struct stamp_candidates *candidates,
		int64_t stamp, bool is_doubtful)
{
	burst->are_doubtful[burst->count] = is_doubtful;
	burst->stamps[burst->count++] = stamp;
	for (guint i = 0; i < candidates->count; i++) {
		add_interval(burst, candidates->all[i]);
	}
	for (guint i = 0; i < candidates->count; i++) {
		int64_t ends[] = { stamp - candidates->all[i]->from_ns,
				   stamp - stamp_interval_end(candidates->all[i]) };

		for (guint j = 0; j < G_N_ELEMENTS(ends); j++) {
			int64_t offset_ns = CLAMP(ends[j], clock->lowest_ns, clock->highest_ns);

			g_array_append_val(burst->offsets, offset_ns);
		}
	}
}

/*
 * Adds the stamps of the topic that wait and whose candidates are disjoint and of the host, the first BURST_MAX of
 * them: later ones remain undecided until earlier ones no longer wait.
 */
static void gather(struct stamp_burst *burst, const struct stamp_waiting *waiting, const struct stamp_clocks *clocks,
		   const struct stamp_losses *losses, const struct stamp_topic *topic, uint32_t host)
{
	for (guint i = waiting->first; i < waiting->queue->len && burst->count < BURST_MAX; i++) {
		const struct waiting_stamp *stamp = stamp_waiting_at(waiting, i);
		struct stamp_candidates candidates;

		if (stamp->is_ended || stamp->topic != topic) {
			continue;
		}
		candidates = stamp_candidates_find(clocks, topic, &stamp->take);
		if (stamp_candidates_are_disjoint(&candidates) && stamp_candidates_are_of(&candidates, host)) {
			add(burst, stamp_clock_of(clocks, host), &candidates, stamp->take.stamp,
			    stamp_losses_are_possible(losses, clocks, &stamp->take));
		}
	}
}

/* The interval that contains the time; NULL: none or several. */
static const struct stamp_interval *interval_with(const struct stamp_burst *burst, int64_t time_ns)
{
	const struct stamp_interval *found = NULL;

	for (guint i = 0; i < burst->intervals->len; i++) {
		const struct stamp_interval *interval = g_ptr_array_index(burst->intervals, i);

		if (time_ns >= interval->from_ns && time_ns <= stamp_interval_end(interval)) {
			if (found) {
				return NULL;
			}
			found = interval;
		}
	}
	return found;
}

/* How many stamps have a publication of their own at this offset. */
static guint count_explained(const struct stamp_burst *burst, guint left_out, int64_t offset_ns)
{
	const struct stamp_interval *used[BURST_MAX];
	guint count = 0;

	for (guint i = 0; i < burst->count; i++) {
		const struct stamp_interval *interval = interval_with(burst, burst->stamps[i] - offset_ns);
		bool is_used = i == left_out || !interval || interval->is_stamped;

		for (guint j = 0; j < count && !is_used; j++) {
			is_used = used[j] == interval;
		}
		if (!is_used) {
			used[count++] = interval;
		}
	}
	return count;
}

/* The best offsets so far: how many stamps they explain, and the publication of one stamp; NULL: they differ. */
struct best {
	guint explained;
	const struct stamp_interval *found;
};

static void try_offset(const struct stamp_burst *burst, guint left_out, int64_t stamp, int64_t offset_ns,
		       struct best *best)
{
	const struct stamp_interval *interval = interval_with(burst, stamp - offset_ns);
	guint explained = count_explained(burst, left_out, offset_ns);

	if (explained > best->explained) {
		*best = (struct best){ explained, interval };
	} else if (explained == best->explained && interval != best->found) {
		best->found = NULL;
	}
}

static const struct stamp_interval *find_without(const struct stamp_burst *burst, guint left_out, int64_t stamp)
{
	guint asked = burst->count - (left_out < burst->count ? 1 : 0);
	struct best best = { 0 };

	for (guint i = 0; i < burst->offsets->len; i++) {
		int64_t offset_ns = g_array_index(burst->offsets, int64_t, i);
		int64_t last_ns = i > 0 ? g_array_index(burst->offsets, int64_t, i - 1) : offset_ns;

		if (i == 0 || offset_ns > last_ns) {
			try_offset(burst, left_out, stamp, last_ns + (offset_ns - last_ns) / 2, &best);
			try_offset(burst, left_out, stamp, offset_ns, &best);
		}
	}
	return best.explained == asked ? best.found : NULL;
}

static struct stamp_interval *find(const struct stamp_burst *burst, int64_t stamp)
{
	const struct stamp_interval *found;
	bool is_member = false;

	g_array_sort(burst->offsets, compare_times);
	found = find_without(burst, NONE_LEFT_OUT, stamp);
	for (guint i = 0; i < burst->count && found; i++) {
		if (burst->stamps[i] == stamp) {
			is_member = true;
		} else if (burst->are_doubtful[i] && find_without(burst, i, stamp) != found) {
			return NULL;
		}
	}
	return is_member ? (struct stamp_interval *)found : NULL;
}

struct stamp_interval *stamp_burst_find(const struct stamp_waiting *waiting, const struct stamp_clocks *clocks,
					const struct stamp_losses *losses, const struct stamp_topic *topic,
					uint32_t host, int64_t stamp)
{
	g_autoptr(GPtrArray) intervals = g_ptr_array_new();
	g_autoptr(GArray) offsets = g_array_new(FALSE, FALSE, sizeof(int64_t));
	struct stamp_burst burst = { .intervals = intervals, .offsets = offsets };

	gather(&burst, waiting, clocks, losses, topic, host);
	return find(&burst, stamp);
}
