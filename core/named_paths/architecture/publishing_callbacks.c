/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture/publishing_callbacks.h"

#include "core/base/slots.h"
#include "ros2bt/base/u64_map.h"

struct publishing_callbacks {
	struct pipeline *pipeline;   /* borrowed */
	GArray *pairs;		     /* struct publishing_pair */
	struct u64_map pair_indexes; /* by indexes of publisher and callback */
	GArray *executions;	     /* uint64_t, by index of the callback */
};

static struct publishing_pair *pair_of(struct publishing_callbacks *publishing, struct model_callback *callback,
				       struct model_publisher *publisher)
{
	uint64_t key = (uint64_t)publisher->index << 32 | callback->index;
	uint64_t index = u64_map_get(&publishing->pair_indexes, key);

	if (index == U64_MAP_NONE) {
		struct publishing_pair pair = { .callback = callback, .publisher = publisher };

		index = publishing->pairs->len;
		g_array_append_val(publishing->pairs, pair);
		u64_map_set(&publishing->pair_indexes, key, index);
	}
	return &g_array_index(publishing->pairs, struct publishing_pair, index);
}

static void on_settled(void *data, const struct flow_publication *publication)
{
	struct publishing_callbacks *publishing = data;
	size_t kept = publication->has_direct_parent
			      ? 1
			      : flow_linker_candidate_count(publishing->pipeline->flows, publication->candidates);

	if (!publication->publisher) {
		return;
	}
	if (publication->has_direct_parent) {
		pair_of(publishing, publication->parents[0]->callback, publication->publisher)->direct++;
	}
	for (size_t i = kept; i < publication->parent_count; i++) {
		pair_of(publishing, publication->parents[i]->callback, publication->publisher)->kept++;
	}
}

static void on_finished(void *data, struct flow_execution *execution, bool is_continued)
{
	GArray *executions = ((struct publishing_callbacks *)data)->executions;

	(*array_at(executions, uint64_t, execution->callback->index))++;
}

struct publishing_callbacks *publishing_callbacks_create(struct pipeline *pipeline)
{
	struct publishing_callbacks *publishing = g_new0(struct publishing_callbacks, 1);

	publishing->pipeline = pipeline;
	publishing->pairs = g_array_new(FALSE, FALSE, sizeof(struct publishing_pair));
	publishing->executions = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	u64_map_init(&publishing->pair_indexes);
	flow_linker_add_listener(pipeline->flows, &(struct flow_listener){
							  .data = publishing,
							  .settled = on_settled,
							  .finished = on_finished,
						  });
	return publishing;
}

void publishing_callbacks_destroy(struct publishing_callbacks *publishing)
{
	u64_map_clear(&publishing->pair_indexes);
	g_array_unref(publishing->pairs);
	g_array_unref(publishing->executions);
	g_free(publishing);
}

void publishing_callbacks_finish(struct publishing_callbacks *publishing)
{
	const struct flow_linker *flows = publishing->pipeline->flows;

	for (size_t i = 0; i < flow_linker_origin_count(flows); i++) {
		struct flow_origin origin = flow_linker_origin_at(flows, i);

		for (size_t j = 0; j < origin.source_count; j++) {
			/* the share of each is unknown */
			pair_of(publishing, origin.sources[j], origin.publisher)->direct +=
				MAX(origin.linked / origin.source_count, 1);
		}
	}
}

const GArray *publishing_callbacks_pairs(const struct publishing_callbacks *publishing)
{
	return publishing->pairs;
}

uint64_t publishing_callbacks_executions(const struct publishing_callbacks *publishing,
					 const struct model_callback *callback)
{
	return callback->index < publishing->executions->len
		       ? g_array_index(publishing->executions, uint64_t, callback->index)
		       : 0;
}
