/* SPDX-License-Identifier: MIT */
/* The decisions of provenance.h, at the end of the recording. */
#include "core/flow/provenance.h"
#include "core/flow/provenance_counts.h"

enum verdict {
	VERDICT_NONE,
	VERDICT_FEW,
	VERDICT_TIMER,
	VERDICT_ONE,
	VERDICT_SEVERAL,
	VERDICT_UNDECIDED,
};

static int64_t spread(const struct duration_statistics *statistics)
{
	return duration_statistics_quantile(statistics, 0.9) - duration_statistics_quantile(statistics, 0.1);
}

static bool is_of_timer(const struct provenance *provenance, const struct publisher_provenance *publisher)
{
	const struct provenance_phase *best = NULL;
	int64_t best_ns = 0;

	for (guint i = 0; i < publisher->phases->len; i++) {
		const struct provenance_phase *phase = publisher->phases->pdata[i];
		int64_t phase_ns = spread(&phase->since_due);

		if (duration_statistics_count(&phase->since_due) >= PROVENANCE_PUBLICATIONS_MIN &&
		    (!best || phase_ns < best_ns) &&
		    !object_model_is_wait_period(provenance->model, publisher->publisher->process,
						 phase->timer.period_ns)) {
			best = phase;
			best_ns = phase_ns;
		}
	}
	return best && best_ns < best->timer.period_ns / 2 &&
	       (double)best_ns < PROVENANCE_TIMER_SHARE * (double)spread(&publisher->lag);
}

/* How many publications with candidates do not follow the source. If there are any, others have another source. */
static uint64_t exceptions(const struct publisher_provenance *publisher, const struct provenance_source *source)
{
	return publisher->with_candidates - source->publications;
}

/*
 * The source that all publications follow; NULL: none. Where takes come in batches, publications follow several sources
 * at once: then it is not enough that one has few exceptions, the others must have more.
 */
static struct provenance_source *only_source(const struct publisher_provenance *publisher)
{
	const double allowed = (1 - PROVENANCE_PURITY) * (double)publisher->with_candidates;
	struct provenance_source *best = NULL;
	uint64_t others = UINT64_MAX; /* the fewest exceptions of another source */

	for (guint i = 0; i < publisher->sources->len; i++) {
		struct provenance_source *source = publisher->sources->pdata[i];

		if (!best || exceptions(publisher, source) < exceptions(publisher, best)) {
			others = best ? exceptions(publisher, best) : others;
			best = source;
		} else {
			others = MIN(others, exceptions(publisher, source));
		}
	}
	if (!best || (double)exceptions(publisher, best) > allowed ||
	    others < PROVENANCE_EXCEPTIONS_MIN * MAX(exceptions(publisher, best), 1)) {
		return NULL;
	}
	return best;
}

static bool follows_closely(const struct provenance *provenance, const struct publisher_provenance *publisher)
{
	const struct process_provenance *process = provenance->processes->pdata[publisher->publisher->process];
	double usual_ns =
		(double)duration_statistics_quantile(&process->between_takes, 0.5) * (double)process->taking_threads;
	double sum_ns = 0;

	for (guint i = 0; i < publisher->sources->len; i++) {
		sum_ns += (double)spread(&((const struct provenance_source *)publisher->sources->pdata[i])->lag);
	}
	return sum_ns / publisher->sources->len < PROVENANCE_CLOSENESS * usual_ns;
}

static enum verdict judge(const struct provenance *provenance, struct publisher_provenance *publisher)
{
	struct provenance_source *only;

	if (publisher->with_candidates == 0) {
		return VERDICT_NONE;
	}
	if (publisher->with_candidates < PROVENANCE_PUBLICATIONS_MIN) {
		return VERDICT_FEW;
	}
	if (is_of_timer(provenance, publisher)) {
		return VERDICT_TIMER;
	}
	only = only_source(publisher);
	if (only) {
		only->is_linked = true;
		return VERDICT_ONE;
	}
	if (!follows_closely(provenance, publisher)) {
		return VERDICT_UNDECIDED;
	}
	for (guint i = 0; i < publisher->sources->len; i++) {
		((struct provenance_source *)publisher->sources->pdata[i])->is_linked = true;
	}
	return VERDICT_SEVERAL;
}

static bool is_linked(const struct publisher_provenance *publisher, const struct model_callback *callback)
{
	for (guint i = 0; i < publisher->sources->len; i++) {
		const struct provenance_source *source = publisher->sources->pdata[i];

		if (source->callback == callback) {
			return source->is_linked;
		}
	}
	return false;
}

/* The linked callback of the set, -1 if there are several: within a batch, the order of the callbacks is unknown. */
static int choose(const struct publisher_provenance *publisher, const struct candidate_set *set)
{
	int choice = -1;

	for (uint32_t i = 0; i < set->count; i++) {
		if (is_linked(publisher, set->callbacks[i])) {
			if (choice >= 0) {
				return -1;
			}
			choice = (int)i;
		}
	}
	return choice;
}

/* --- what is undecided --- */

static void count_undecided(const struct provenance *provenance, const struct publisher_provenance *publisher,
			    struct diagnostics *diagnostics, const char *reason, uint64_t count)
{
	const char *node = object_model_publisher_node(provenance->model, publisher->publisher);
	g_autofree char *detail =
		g_strdup_printf("%s of %s: %s", publisher->publisher->topic, node ? node : "?", reason);

	diagnostics_add(diagnostics, DIAGNOSTIC_UNDECIDED_ORIGIN, detail, count);
}

static uint64_t on_threads_that_never_take(const struct provenance *provenance,
					   const struct publisher_provenance *publisher)
{
	size_t position = 0;
	uint64_t sum = 0;
	uint64_t thread;
	uint64_t count;

	while (u64_map_next(&publisher->idle_threads, &position, &thread, &count)) {
		sum += provenance_has_taken(provenance, (uint32_t)thread) ? 0 : count;
	}
	return sum;
}

static void decide_publisher(const struct provenance *provenance, struct publisher_provenance *publisher,
			     struct diagnostics *diagnostics)
{
	static const char *const reasons[] = {
		[VERDICT_FEW] = "too few to tell",
		[VERDICT_TIMER] = "in step with a timer",
		[VERDICT_ONE] = "after the take of another message than the others",
		[VERDICT_SEVERAL] = "after several takes at once",
		[VERDICT_UNDECIDED] = "after takes of several subscriptions, at no constant distance",
	};
	static const char *const verdicts[] = {
		[VERDICT_NONE] = "no take",
		[VERDICT_FEW] = "too few",
		[VERDICT_TIMER] = "timer",
		[VERDICT_ONE] = "one source",
		[VERDICT_SEVERAL] = "several sources",
		[VERDICT_UNDECIDED] = "undecided",
	};
	uint64_t undecided = 0;
	enum verdict verdict;

	verdict = judge(provenance, publisher);
	publisher->verdict = verdicts[verdict];
	for (guint i = 0; i < publisher->sets->len; i++) {
		struct candidate_set *set = publisher->sets->pdata[i];

		set->choice = choose(publisher, set);
		undecided += set->choice < 0 ? set->publications : 0;
	}
	if (!publisher->publisher->topic) {
		return;
	}
	count_undecided(provenance, publisher, diagnostics, reasons[verdict], undecided);
	count_undecided(provenance, publisher, diagnostics, "with no single message to come from",
			publisher->of_other_node);
	count_undecided(provenance, publisher, diagnostics, "on a thread that takes nothing",
			on_threads_that_never_take(provenance, publisher));
}

void provenance_decide(struct provenance *provenance, struct diagnostics *diagnostics)
{
	for (guint i = 0; i < provenance->in_order->len; i++) {
		decide_publisher(provenance, provenance->in_order->pdata[i], diagnostics);
	}
}
