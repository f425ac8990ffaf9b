/* SPDX-License-Identifier: MIT */
#include "core/flow/provenance.h"

#include "core/base/compare_numbers.h"
#include "core/base/slots.h"
#include "core/flow/provenance_counts.h"

static void publisher_free(gpointer data)
{
	struct publisher_provenance *publisher = data;

	if (publisher) {
		g_ptr_array_free(publisher->sources, TRUE);
		g_ptr_array_free(publisher->phases, TRUE);
		g_ptr_array_free(publisher->sets, TRUE);
		u64_map_clear(&publisher->idle_threads);
		g_free(publisher);
	}
}

static void process_free(gpointer data)
{
	struct process_provenance *process = data;

	if (process) {
		g_array_free(process->timers, TRUE);
		g_free(process);
	}
}

struct provenance *provenance_create(struct recording *recording, struct object_model *model)
{
	struct provenance *provenance = g_new0(struct provenance, 1);

	provenance->recording = recording;
	provenance->model = model;
	provenance->publishers = g_ptr_array_new_with_free_func(publisher_free);
	provenance->in_order = g_ptr_array_new();
	provenance->processes = g_ptr_array_new_with_free_func(process_free);
	provenance->takes = g_array_new(FALSE, TRUE, sizeof(bool));
	provenance->by_condition = g_ptr_array_new();
	g_ptr_array_add(provenance->by_condition, NULL); /* 0 is none */
	return provenance;
}

void provenance_destroy(struct provenance *provenance)
{
	if (!provenance) {
		return;
	}
	g_ptr_array_free(provenance->publishers, TRUE);
	g_ptr_array_free(provenance->in_order, TRUE);
	g_ptr_array_free(provenance->processes, TRUE);
	g_array_free(provenance->takes, TRUE);
	g_ptr_array_free(provenance->by_condition, TRUE);
	g_free(provenance);
}

static void *at_index(const GPtrArray *array, uint32_t index)
{
	return index < array->len ? array->pdata[index] : NULL;
}

static void set_at_index(GPtrArray *array, uint32_t index, void *value)
{
	if (index >= array->len) {
		g_ptr_array_set_size(array, (gint)index + 1);
	}
	array->pdata[index] = value;
}

static void *add_to(GPtrArray *array, struct arena *arena, size_t size)
{
	void *element = arena_take(arena, size);

	g_ptr_array_add(array, element);
	return element;
}

/* --- timers and takes --- */

static struct process_provenance *process_of(struct provenance *provenance, uint32_t index)
{
	struct process_provenance *process = at_index(provenance->processes, index);

	if (!process) {
		process = g_new0(struct process_provenance, 1);
		process->timers = g_array_new(FALSE, FALSE, sizeof(struct provenance_timer));
		duration_statistics_init(&process->between_takes, recording_arena(provenance->recording));
		set_at_index(provenance->processes, index, process);
	}
	return process;
}

void provenance_add_timer(struct provenance *provenance, uint32_t process_index, int64_t init_ns, int64_t period_ns)
{
	GArray *timers = process_of(provenance, process_index)->timers;
	struct provenance_timer timer = { init_ns, period_ns };

	for (guint i = timers->len; i-- > 0;) {
		if (object_model_is_wait_period(provenance->model, process_index,
						g_array_index(timers, struct provenance_timer, i).period_ns)) {
			g_array_remove_index(timers, i);
		}
	}
	if (period_ns > 0 && timers->len < PROVENANCE_TIMERS_MAX &&
	    !object_model_is_wait_period(provenance->model, process_index, period_ns)) {
		g_array_append_val(timers, timer);
	}
}

void provenance_add_take(struct provenance *provenance, uint32_t thread, int64_t take_ns)
{
	struct process_provenance *process =
		process_of(provenance, recording_thread(provenance->recording, thread)->process);

	if (!provenance_has_taken(provenance, thread)) {
		*array_at(provenance->takes, bool, thread) = true;
		process->taking_threads++;
	}
	if (process->last_take_ns != 0) {
		duration_statistics_add(&process->between_takes, take_ns - process->last_take_ns, take_ns);
	}
	process->last_take_ns = take_ns;
}

/* --- the candidates of a publication --- */

static struct publisher_provenance *publisher_of(struct provenance *provenance, struct model_publisher *model)
{
	struct publisher_provenance *publisher = at_index(provenance->publishers, model->index);

	if (!publisher) {
		publisher = g_new0(struct publisher_provenance, 1);
		publisher->publisher = model;
		publisher->sources = g_ptr_array_new();
		publisher->phases = g_ptr_array_new();
		publisher->sets = g_ptr_array_new();
		u64_map_init(&publisher->idle_threads);
		duration_statistics_init(&publisher->lag, recording_arena(provenance->recording));
		publisher->id = provenance->in_order->len + 1;
		g_ptr_array_add(provenance->in_order, publisher);
		set_at_index(provenance->publishers, model->index, publisher);
	}
	return publisher;
}

static uint64_t node_of(struct provenance *provenance, const struct inferred_execution *execution)
{
	const struct model_callback_info *info = object_model_callback_info(provenance->model, execution->callback);

	return info->subscription ? info->subscription->node_handle : info->service->node_handle;
}

static gint compare_callbacks(gconstpointer a, gconstpointer b)
{
	const struct inferred_execution *left = *(struct inferred_execution *const *)a;
	const struct inferred_execution *right = *(struct inferred_execution *const *)b;

	return compare_unsigned(left->callback->index, right->callback->index);
}

/*
 * The open executions of the publisher's node, in order of their callbacks. A callback with several open executions has
 * no candidate: which of its messages caused the publication is unknown.
 */
static uint32_t find_candidates(struct provenance *provenance, const struct model_publisher *publisher,
				struct inferred_execution *open, size_t open_count,
				struct inferred_execution *candidates[INFERRED_BATCH_MAX])
{
	struct inferred_execution *of_node[INFERRED_BATCH_MAX] = { NULL };
	uint32_t node_count = 0;
	uint32_t count = 0;

	for (size_t i = 0; i < open_count; i++) {
		if (open[i].flow && node_of(provenance, &open[i]) == publisher->node_handle) {
			of_node[node_count++] = &open[i];
		}
	}
	qsort(of_node, node_count, sizeof(gpointer), compare_callbacks);
	for (uint32_t i = 0; i < node_count; i++) {
		bool is_alone = (i == 0 || of_node[i - 1]->callback != of_node[i]->callback) &&
				(i + 1 == node_count || of_node[i + 1]->callback != of_node[i]->callback);

		if (is_alone) {
			candidates[count++] = of_node[i];
		}
	}
	return count;
}

static bool is_set_of(const struct candidate_set *set, struct inferred_execution *const *candidates, uint32_t count)
{
	bool is_same = set->count == count;

	for (uint32_t i = 0; is_same && i < count; i++) {
		is_same = set->callbacks[i] == candidates[i]->callback;
	}
	return is_same;
}

/* NULL beyond PROVENANCE_CONDITIONS_MAX. */
static struct candidate_set *find_or_add_set(struct provenance *provenance, struct publisher_provenance *publisher,
					     struct inferred_execution *const *candidates, uint32_t count)
{
	struct candidate_set *set;

	for (guint i = 0; i < publisher->sets->len; i++) {
		if (is_set_of(publisher->sets->pdata[i], candidates, count)) {
			return publisher->sets->pdata[i];
		}
	}
	if (provenance->by_condition->len + count >= PROVENANCE_CONDITIONS_MAX) {
		return NULL;
	}
	set = add_to(publisher->sets, recording_arena(provenance->recording), sizeof(*set));
	set->condition = provenance->by_condition->len;
	set->count = count;
	set->choice = -1;
	for (uint32_t i = 0; i < count; i++) {
		set->callbacks[i] = candidates[i]->callback;
	}
	for (uint32_t i = 0; i <= count; i++) {
		g_ptr_array_add(provenance->by_condition, set);
	}
	return set;
}

static struct provenance_source *find_or_add_source(struct provenance *provenance,
						    struct publisher_provenance *publisher,
						    struct model_callback *callback)
{
	struct provenance_source *source;

	for (guint i = 0; i < publisher->sources->len; i++) {
		source = publisher->sources->pdata[i];
		if (source->callback == callback) {
			return source;
		}
	}
	source = add_to(publisher->sources, recording_arena(provenance->recording), sizeof(*source));
	source->callback = callback;
	duration_statistics_init(&source->lag, recording_arena(provenance->recording));
	return source;
}

static struct provenance_phase *find_or_add_phase(struct provenance *provenance, struct publisher_provenance *publisher,
						  const struct provenance_timer *timer)
{
	struct provenance_phase *phase;

	for (guint i = 0; i < publisher->phases->len; i++) {
		phase = publisher->phases->pdata[i];
		if (phase->timer.init_ns == timer->init_ns && phase->timer.period_ns == timer->period_ns) {
			return phase;
		}
	}
	phase = add_to(publisher->phases, recording_arena(provenance->recording), sizeof(*phase));
	phase->timer = *timer;
	duration_statistics_init(&phase->since_due, recording_arena(provenance->recording));
	return phase;
}

static void note_phases(struct provenance *provenance, struct publisher_provenance *publisher,
			const struct process_provenance *process, int64_t publish_ns)
{
	for (guint i = 0; i < process->timers->len; i++) {
		const struct provenance_timer *timer = &g_array_index(process->timers, struct provenance_timer, i);

		if (publish_ns >= timer->init_ns) {
			duration_statistics_add(&find_or_add_phase(provenance, publisher, timer)->since_due,
						(publish_ns - timer->init_ns) % timer->period_ns, publish_ns);
		}
	}
}

static void note_published(struct inferred_execution *execution, uint32_t condition, int64_t publish_ns)
{
	uint32_t i = 0;

	while (i < execution->publications_count && execution->publications[i].condition != condition) {
		i++;
	}
	if (i < INFERRED_PUBLICATIONS_MAX) {
		execution->publications[i] = (struct inferred_publications){ condition, publish_ns };
		execution->publications_count = MAX(execution->publications_count, i + 1);
	}
}

G_GNUC_NO_INLINE void provenance_add_candidates(struct flow_linker *linker, struct linked_publication *publication)
{
	struct provenance *provenance = linker->provenance;
	const struct process_provenance *process = at_index(provenance->processes, publication->public.process);
	struct inferred_execution *candidates[INFERRED_BATCH_MAX];
	int64_t publish_ns = publication->public.first_ns;
	struct publisher_provenance *publisher;
	struct inferred_execution *open;
	struct candidate_set *set;
	size_t open_count;
	uint32_t count;

	if (!process || process->taking_threads == 0 || !publication->public.publisher->is_defined) {
		return;
	}
	publisher = publisher_of(provenance, publication->public.publisher);
	publisher->publications++;
	note_phases(provenance, publisher, process, publish_ns);
	open = inferred_executions_open(linker->inferred, publication->public.thread, &open_count);
	if (open_count == 0) {
		u64_map_count(&publisher->idle_threads, publication->public.thread, 1);
		return;
	}
	count = find_candidates(provenance, publication->public.publisher, open, open_count, candidates);
	set = count > 0 ? find_or_add_set(provenance, publisher, candidates, count) : NULL;
	if (!set) {
		publisher->of_other_node++;
		return;
	}
	publisher->with_candidates++;
	set->publications++;
	publication->public.candidates = set->condition;
	duration_statistics_add(&publisher->lag, publish_ns - open[open_count - 1].start_ns, publish_ns);
	for (uint32_t i = 0; i < count; i++) {
		struct provenance_source *source = find_or_add_source(provenance, publisher, candidates[i]->callback);

		source->publications++;
		note_published(candidates[i], set->condition + 1 + i, publish_ns);
		duration_statistics_add(&source->lag, publish_ns - candidates[i]->start_ns, publish_ns);
		linked_publication_add_parent(linker, publication, candidates[i]->flow);
	}
}

/* --- conditions --- */

size_t provenance_candidate_count(const struct provenance *provenance, uint32_t candidates)
{
	return candidates ? ((const struct candidate_set *)provenance->by_condition->pdata[candidates])->count : 0;
}

bool provenance_holds(const struct provenance *provenance, uint32_t condition)
{
	const struct candidate_set *set = condition ? provenance->by_condition->pdata[condition] : NULL;

	return !set || (int64_t)condition - set->condition == set->choice + 1;
}

/* --- publishers --- */

uint32_t flow_linker_origin_id(const struct flow_linker *linker, const struct model_publisher *publisher)
{
	const struct publisher_provenance *of =
		linker->provenance ? at_index(linker->provenance->publishers, publisher->index) : NULL;

	return of ? of->id : 0;
}

size_t flow_linker_origin_count(const struct flow_linker *linker)
{
	return linker->provenance ? linker->provenance->in_order->len : 0;
}

struct flow_origin flow_linker_origin_at(const struct flow_linker *linker, size_t index)
{
	const struct publisher_provenance *publisher = linker->provenance->in_order->pdata[index];
	struct flow_origin origin = {
		.publisher = publisher->publisher,
		.verdict = publisher->verdict,
		.publications = publisher->publications,
	};

	for (guint i = 0; i < publisher->sets->len; i++) {
		const struct candidate_set *set = publisher->sets->pdata[i];

		origin.linked += set->choice >= 0 ? set->publications : 0;
	}
	for (guint i = 0; i < publisher->sources->len && origin.source_count < FLOW_ORIGIN_SOURCES; i++) {
		const struct provenance_source *source = publisher->sources->pdata[i];

		if (source->is_linked) {
			origin.sources[origin.source_count++] = source->callback;
		}
	}
	return origin;
}
