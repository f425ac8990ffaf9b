/* SPDX-License-Identifier: MIT */
/*
 * The table `publications`, a row per publisher that published: at which rate and how regularly it publishes, and when
 * it was silent for longest. It needs no callbacks, so a loop around a sleep is measured as a timer is.
 *
 * - A publication is one of the flow linker (flow_linker.h), at its first publish event, between processes or within
 *   one. It counts if that lies in the options' [begin, end].
 * - period: from a publication to the next one of the publisher. It counts where it begins, so that each is in one of
 *   two adjacent ranges. Where events of the process may be missing in between, it is unknown: no sample, but counted.
 * - The publications of a publisher settle in the order in which rcl got them, which is not that of their first events
 *   if several threads publish with it and are preempted meanwhile. So the last times are held, in order: a few until
 *   later ones follow, more for a tenth of a second. One that comes later still has no period: it is counted as
 * unknown.
 * - jitter: by how much a period differs from the one before, in either direction (cycle-to-cycle jitter): it needs no
 *   nominal period, and a slow drift is none.
 * - The longest gap is the longest period. What follows the last publication is none: whether the publisher fell silent
 *   or was shut down, the trace does not say. It is a figure of its own, known when the recording has ended, because
 *   publications settle late.
 * - stamp_age: from the stamp in the header of a message (message_timestamp) to its publication. That stamp is of the
 *   clock of the node that made it, so it is compared only if they are close (shared/header_stamp.h).
 * - bytes: the size of a serialized message, which only the take records (rmw_payload). So messages that no
 * subscription took between processes have none, and the sum is that of the others.
 *
 *   publications.c         counts
 *   publication_tables.c   the rows
 *   publication_timeline.c gaps on the timeline
 *
 * Cost: O(1) per publication. Memory: the publishers that published.
 */
#include "core/analyses/publications/publications.h"

#include "core/analyses/shared/header_stamp.h"
#include "core/base/slots.h"
#include "ros2bt/base/time_units.h"

/* So many times of a publisher are held in any case, and those of this long up to PUBLICATIONS_HELD. */
#define HELD_ALWAYS 4
#define HELD_FOR_NS ((uint64_t)(100 * NS_PER_MS))

static struct publication_row *add_row(struct publications *publications, const struct model_publisher *publisher)
{
	struct publication_row *row = row_store_make_at(&publications->analysis.rows, publisher->index);

	row->publisher = publisher;
	duration_statistics_init(&row->period, publications->analysis.rows.arena);
	duration_statistics_init(&row->jitter, publications->analysis.rows.arena);
	duration_statistics_init(&row->stamp_age, publications->analysis.rows.arena);
	return row;
}

static inline struct publication_row *row_of(struct publications *publications, const struct model_publisher *publisher)
{
	struct publication_row *row = slot_get(publications->analysis.rows.rows, publisher->index);

	return G_LIKELY(row != NULL) ? row : add_row(publications, publisher);
}

static void add_period(struct publication_row *row, int64_t from_ns, int64_t to_ns)
{
	int64_t period_ns = to_ns - from_ns;

	duration_statistics_add(&row->period, period_ns, from_ns);
	if (row->has_last_period) {
		duration_statistics_add(&row->jitter, ABS(period_ns - row->last_period_ns), from_ns);
	}
	row->has_last_period = true;
	row->last_period_ns = period_ns;
}

/* Decides again, now that more of the trace is known: streams that were silent may have gone on since. */
static void decide(const struct publications *publications, struct publication_row *row)
{
	if (publication_may_miss(publications, row, row->before_ns, row->last_ns)) {
		row->unknown++;
		row->has_last_period = false;
	} else {
		add_period(row, row->before_ns, row->last_ns);
	}
	row->is_undecided = false;
}

static void measure_period(const struct publications *publications, struct publication_row *row, int64_t time_ns)
{
	if (G_UNLIKELY(publication_may_miss(publications, row, row->last_ns, time_ns))) {
		row->is_undecided = true;
		row->before_ns = row->last_ns;
	} else {
		add_period(row, row->last_ns, time_ns);
	}
}

/* The publications of a publisher, in the order of their times. */
static void take_in_order(const struct publications *publications, struct publication_row *row, int64_t time_ns)
{
	bool is_included = analysis_options_include(publications->analysis.context.options, time_ns);

	row->count += is_included;
	if (G_UNLIKELY(row->is_undecided)) {
		decide(publications, row);
	}
	if (G_UNLIKELY(row->has_last && time_ns < row->last_ns)) { /* later than `held` allows for */
		row->unknown++;
		row->has_last_period = false;
		return;
	}
	if (row->has_last) {
		measure_period(publications, row, time_ns);
	} else {
		row->has_last_period = false;
	}
	row->has_last = is_included;
	row->last_ns = time_ns;
}

static int64_t *held_at(struct publication_row *row, unsigned int index)
{
	return &row->held_ns[(row->held_first + index) % PUBLICATIONS_HELD];
}

static void take_first_held(const struct publications *publications, struct publication_row *row)
{
	int64_t first_ns = *held_at(row, 0);

	row->held_first = (row->held_first + 1) % PUBLICATIONS_HELD;
	row->held_count--;
	take_in_order(publications, row, first_ns);
}

/* Whether the first one held need not wait any longer for others that precede it. */
static bool is_first_due(struct publication_row *row, int64_t time_ns)
{
	int64_t first_ns = row->held_count > 0 ? *held_at(row, 0) : INT64_MAX;

	return row->held_count == PUBLICATIONS_HELD || (row->held_count >= HELD_ALWAYS && time_ns > first_ns &&
							(uint64_t)time_ns - (uint64_t)first_ns > HELD_FOR_NS);
}

static void hold(const struct publications *publications, struct publication_row *row, int64_t time_ns)
{
	unsigned int i;

	while (is_first_due(row, time_ns)) {
		take_first_held(publications, row);
	}
	for (i = row->held_count++; i > 0 && *held_at(row, i - 1) > time_ns; i--) {
		*held_at(row, i) = *held_at(row, i - 1);
	}
	*held_at(row, i) = time_ns;
}

static void on_settled(void *data, const struct flow_publication *publication)
{
	struct publications *publications = data;
	struct publication_row *row;

	if (!publication->publisher) {
		return;
	}
	row = row_of(publications, publication->publisher);
	if (G_UNLIKELY(row->id == 0)) {
		row->id = ++publications->last_id;
	}
	hold(publications, row, publication->first_ns);
	row->trace = recording_thread(publications->analysis.context.recording, publication->thread)->trace;
}

static void on_stamped(void *data, const struct flow_publication *publication, uint64_t header_stamp)
{
	struct publications *publications = data;
	struct publication_row *row;
	int64_t age_ns;

	if (!analysis_options_include(publications->analysis.context.options, publication->first_ns)) {
		return;
	}
	row = row_of(publications, publication->publisher);
	if (header_stamp_age(publication, header_stamp, &age_ns)) {
		duration_statistics_add(&row->stamp_age, age_ns, publication->first_ns);
	} else {
		row->stamp_unknown++;
	}
}

static void add_size(struct publication_sizes *sizes, uint64_t bytes)
{
	sizes->min_bytes = sizes->count > 0 ? MIN(sizes->min_bytes, bytes) : bytes;
	sizes->max_bytes = MAX(sizes->max_bytes, bytes);
	sizes->count++;
	sizes->is_too_large |= sizes->sum_bytes > UINT64_MAX - bytes;
	sizes->sum_bytes += bytes;
}

static void on_sized(void *data, const struct flow_publication *publication, uint64_t bytes)
{
	struct publications *publications = data;

	if (publication->publisher &&
	    analysis_options_include(publications->analysis.context.options, publication->first_ns)) {
		add_size(&row_of(publications, publication->publisher)->sizes, bytes);
	}
}

static void finish_row(const struct publications *publications, struct publication_row *row)
{
	while (row->held_count > 0) {
		take_first_held(publications, row);
	}
	if (row->is_undecided) {
		decide(publications, row);
	}
}

static void finish(void *data)
{
	const struct publications *publications = data;
	const GPtrArray *rows = publications->analysis.rows.rows;

	for (guint i = 0; i < rows->len; i++) {
		if (rows->pdata[i]) {
			finish_row(publications, rows->pdata[i]);
		}
	}
}

const struct analysis_class publications_analysis = {
	.name = "publications",
	.tables = publication_tables,
	.needs = ANALYSIS_NEEDS_FLOWS,
	.flows = { .settled = on_settled, .stamped = on_stamped, .sized = on_sized },
	.size = sizeof(struct publications),
	.row_size = sizeof(struct publication_row),
	.finish = finish,
	.write = publication_tables_write,
};
