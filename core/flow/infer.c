/* SPDX-License-Identifier: MIT */
#include "core/flow/infer.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES 128	 /* distances that are remembered */
#define SAMPLES_NEEDED 8 /* before the median counts */
#define LEARN_AGAIN 16	 /* new samples between two looks at the median */
#define TOLERANCE_NS NS_PER_MS
#define RANGE_SLACK_NS INT64_C(20000)
/* Before anything is known, clocks may be this far apart. */
#define OFFSET_MAX_NS (2 * NS_PER_S)
#define CLEARLY 10

struct inference {
	int64_t distances[SAMPLES];
	size_t count; /* ever */
	size_t unlearnt;
	bool is_calibrated;
	int64_t median_ns, lowest_ns, highest_ns;
};

struct inference *inference_create(void)
{
	return g_new0(struct inference, 1);
}

void inference_destroy(struct inference *inference)
{
	g_free(inference);
}

static int compare_distances(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a;
	int64_t right = *(const int64_t *)b;

	return left < right ? -1 : left > right;
}

static void learn(struct inference *inference)
{
	int64_t sorted[SAMPLES];
	size_t count = MIN(inference->count, SAMPLES);

	memcpy(sorted, inference->distances, count * sizeof(sorted[0]));
	qsort(sorted, count, sizeof(sorted[0]), compare_distances);
	inference->median_ns = sorted[count / 2];
	inference->lowest_ns = sorted[0];
	inference->highest_ns = sorted[count - 1];
	inference->unlearnt = 0;
}

/* True when this sample was the last one that was needed. */
static bool add_sample(struct inference *inference, int64_t distance_ns)
{
	bool was_calibrated = inference->is_calibrated;

	inference->distances[inference->count++ % SAMPLES] = distance_ns;
	inference->unlearnt++;
	if (inference->count >= SAMPLES_NEEDED && (!was_calibrated || inference->unlearnt >= LEARN_AGAIN)) {
		learn(inference);
		inference->is_calibrated = true;
	}
	return inference->is_calibrated && !was_calibrated;
}

void flow_infer_add(struct flow_linker *linker, struct linked_publication *publication)
{
	struct flow_topic *topic = publication->queue ? publication->queue->topic : NULL;

	if (!topic || publication->is_in_stampless_list || publication->is_settled) {
		return;
	}
	publication->is_in_stampless_list = true;
	publication_reference(publication);
	if (topic->stampless_last) {
		topic->stampless_last->next_stampless = publication;
	} else {
		topic->stampless_first = publication;
	}
	topic->stampless_last = publication;
}

static int64_t distance(const struct linked_publication *publication, int64_t stamp)
{
	/* A hostile stamp may be anything. */
	int64_t result;

	return __builtin_sub_overflow(stamp, publication->public.last_ns, &result) ? INT64_MAX / 2 : result;
}

static int64_t magnitude(int64_t value)
{
	return value < 0 ? -MAX(value, -INT64_MAX) : value;
}

/* The nearest and second nearest publication to the stamp, counted from `expected_ns` after the event. */
struct nearest {
	struct linked_publication *first;
	int64_t first_ns, second_ns;	 /* magnitudes */
	size_t in_range;		 /* how many are in the learnt range */
	struct linked_publication *only; /* one of those */
};

static struct nearest find_nearest(const struct inference *inference, const struct flow_topic *topic, int64_t stamp)
{
	struct nearest nearest = { .first_ns = INT64_MAX, .second_ns = INT64_MAX };

	for (struct linked_publication *p = topic->stampless_first; p; p = p->next_stampless) {
		int64_t raw_ns = distance(p, stamp);
		int64_t away_ns = magnitude(raw_ns - inference->median_ns);

		if (p->public.has_stamp) {
			/* Another stamp is its own already; it still is a neighbour. */
			nearest.second_ns = MIN(nearest.second_ns, away_ns);
			continue;
		}
		if (inference->is_calibrated && raw_ns >= inference->lowest_ns - RANGE_SLACK_NS &&
		    raw_ns <= inference->highest_ns + RANGE_SLACK_NS) {
			nearest.in_range++;
			nearest.only = p;
		}
		if (away_ns < nearest.first_ns) {
			nearest.second_ns = nearest.first_ns;
			nearest.first_ns = away_ns;
			nearest.first = p;
		} else if (away_ns < nearest.second_ns) {
			nearest.second_ns = away_ns;
		}
	}
	return nearest;
}

struct linked_publication *flow_infer(struct flow_linker *linker, struct flow_topic *topic, int64_t stamp,
				      bool *is_ambiguous)
{
	struct inference *inference = linker->inference;
	struct nearest nearest = find_nearest(inference, topic, stamp);
	bool is_clear = nearest.first && nearest.first_ns <= nearest.second_ns / CLEARLY;
	struct linked_publication *found = NULL;

	*is_ambiguous = false;
	if (!nearest.first) {
		return NULL;
	}
	if (!inference->is_calibrated) {
		found = is_clear && nearest.first_ns <= OFFSET_MAX_NS ? nearest.first : NULL;
	} else if (nearest.first_ns <= TOLERANCE_NS && is_clear) {
		found = nearest.first;
	} else if (nearest.in_range == 1 && nearest.only == nearest.first &&
		   nearest.first_ns <= MIN(TOLERANCE_NS, nearest.second_ns / 2)) {
		found = nearest.first;
	} else if (nearest.first_ns <= TOLERANCE_NS) {
		*is_ambiguous = true;
	}
	if (found && is_clear && !linker->is_retrying_inference && add_sample(inference, distance(found, stamp))) {
		linker->has_new_calibration = true;
	}
	return found;
}
