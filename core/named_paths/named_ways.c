/* SPDX-License-Identifier: MIT */
#include "core/named_paths/named_ways.h"

#include <string.h>

#include "core/base/arena_parts.h"
#include "core/named_paths/architecture_binding.h"
#include "ros2bt/flow/link_rules.h"

/* The next way by a pair of publisher and subscription. */
struct named_link {
	struct named_way *next; /* NULL: none, as of this version of the model */
	uint64_t version;
};

/* The ways that begin with a publisher or subscription. */
struct named_starts {
	uint64_t version; /* of the model */
	GPtrArray *ways;  /* struct named_way *, borrowed */
	bool may_pass;
};

static struct pattern_node *pattern_node_at(const struct path_pattern *pattern, uint32_t index)
{
	return &g_array_index(pattern->nodes, struct pattern_node, index);
}

/* --- ways --- */

static struct named_way *add_way(struct named_ways *ways, struct named_way *parent, const struct path_pattern *pattern,
				 uint32_t at, const char *node, const char *topic)
{
	struct named_way *way;

	if (ways->all->len == NAMED_WAYS_MAX) {
		diagnostics_add(ways->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "ways of named paths", 1);
		return NULL;
	}
	way = arena_take(ways->results->arena, sizeof(*way));
	way->index = ways->all->len;
	way->parent = parent;
	way->depth = parent ? parent->depth + 1 : 0;
	way->pattern = pattern;
	way->at = at;
	way->node = node;
	way->topic = topic;
	way->children = arena_pointers(ways->results->arena);
	way->paths = arena_pointers(ways->results->arena);
	way->has_first_callback = named_path_has_first_callback(ways->results->asked, pattern);
	way->has_last_callback = named_path_has_last_callback(ways->results->asked, pattern);
	way->last_origin_ns = NAMED_NO_TIME;
	g_ptr_array_add(ways->all, way);
	if (parent) {
		way->ordinal = parent->children->len;
		g_ptr_array_add(parent->children, way);
	} else {
		g_ptr_array_add(ways->firsts, way);
	}
	return way;
}

/* Adds the path of a way that has reached the end of its pattern. */
static void end_way(struct named_ways *ways, struct named_way *way)
{
	size_t count = way->depth + (way->node ? 1U : 0U);
	g_autofree const char **nodes = g_new0(const char *, count);
	g_autofree const char **topics = g_new0(const char *, count + 1);

	for (const struct named_way *step = way; step; step = step->parent) {
		topics[step->depth] = step->topic;
		if (step->node) {
			nodes[step->depth] = step->node;
		}
	}
	way->end = named_results_add(ways->results, way->pattern, count, nodes, topics);
	for (struct named_way *step = way; step; step = step->parent) {
		g_ptr_array_add(step->paths, way->end);
	}
}

static bool is_at_end(const struct named_way *way)
{
	const struct pattern_node *last = pattern_node_at(way->pattern, way->pattern->nodes->len - 1);

	return !way->is_far && way->at + 1 == way->pattern->nodes->len && (!last->has_published || !way->node);
}

static bool is_kept_by(const struct link_rule *link, const struct named_way *way, const char *topic)
{
	return strcmp(link->node, way->node) == 0 && strcmp(link->subscribed_topic, way->topic) == 0 &&
	       strcmp(link->published_topic, topic) == 0;
}

/* Whether an indirect link, of the user or the architecture, leads through the last node to the topic. */
static bool is_kept(const struct named_ways *ways, const struct named_way *way, const char *topic)
{
	const struct analysis_options *options = ways->results->options;

	for (size_t i = 0; way->topic && i < options->link_count; i++) {
		if (is_kept_by(&options->links[i], way, topic)) {
			return true;
		}
	}
	for (guint i = 0; way->topic && i < ways->links->len; i++) {
		if (is_kept_by(&g_array_index(ways->links, struct link_rule, i), way, topic)) {
			return true;
		}
	}
	return false;
}

static struct named_way *find_or_add_child(struct named_ways *ways, struct named_way *way, uint32_t at, bool is_far,
					   const char *node, const char *topic)
{
	struct named_way *child;

	for (guint i = 0; i < way->children->len; i++) {
		child = g_ptr_array_index(way->children, i);
		if (child->at == at && child->is_far == is_far && g_strcmp0(child->node, node) == 0 &&
		    strcmp(child->topic, topic) == 0) {
			return child;
		}
	}
	child = add_way(ways, way, way->pattern, at, node, topic);
	if (!child) {
		return NULL;
	}
	child->is_far = is_far;
	child->is_kept = is_kept(ways, way, topic);
	if (is_at_end(child)) {
		end_way(ways, child);
	}
	return child;
}

static struct named_way *find_or_add_first(struct named_ways *ways, const struct path_pattern *pattern,
					   const char *node, const char *topic)
{
	for (guint i = 0; i < ways->firsts->len; i++) {
		struct named_way *way = g_ptr_array_index(ways->firsts, i);

		if (way->pattern == pattern && strcmp(way->node, node) == 0 && g_strcmp0(way->topic, topic) == 0) {
			return way;
		}
	}
	return add_way(ways, NULL, pattern, 0, node, topic);
}

static bool has_passed(const struct named_way *way, const char *node)
{
	for (; way; way = way->parent) {
		if (strcmp(way->node, node) == 0) {
			return true;
		}
	}
	return false;
}

/* --- orders --- */

static bool is_of_order(const struct named_ways *ways, enum model_kind kind, const struct model_endpoint *endpoint,
			uint32_t order)
{
	return order == PATTERN_ANY_ORDER || architecture_order_of(ways->model, kind, endpoint) == order;
}

/* --- first nodes --- */

static struct named_starts *starts_of(const struct named_ways *ways, GPtrArray *all, uint32_t index)
{
	gpointer *slot = slot_at(all, index);
	struct named_starts *starts = *slot;

	if (!starts) {
		starts = *slot = arena_take(ways->results->arena, sizeof(*starts));
		starts->ways = arena_pointers(ways->results->arena);
		starts->version = UINT64_MAX;
	}
	return starts;
}

static void add_start(GPtrArray *ways, struct named_way *way)
{
	if (way && !g_ptr_array_find(ways, way, NULL)) {
		g_ptr_array_add(ways, way);
	}
}

/* Whether a path may go on from the node. */
static bool pattern_may_pass(const struct path_pattern *pattern, const char *node)
{
	for (guint i = 0; i < pattern->nodes->len; i++) {
		const struct pattern_node *at = pattern_node_at(pattern, i);

		if (at->may_be_far ||
		    ((i + 1 < pattern->nodes->len || at->has_published) && name_pattern_matches(&at->node, node))) {
			return true;
		}
	}
	return false;
}

static void look_up_publisher(struct named_ways *ways, struct named_starts *starts,
			      const struct model_publisher *publisher)
{
	const char *node = object_model_publisher_node(ways->model, publisher);
	const GPtrArray *patterns = ways->results->asked->patterns;

	starts->may_pass = false;
	for (guint i = 0; node && publisher->topic && i < patterns->len; i++) {
		const struct path_pattern *pattern = g_ptr_array_index(patterns, i);
		const struct pattern_node *first = pattern->problem ? NULL : pattern_node_at(pattern, 0);

		starts->may_pass |= first && pattern_may_pass(pattern, node);
		if (first && !first->has_subscribed && pattern->nodes->len > 1 &&
		    name_pattern_matches(&first->node, node)) {
			add_start(starts->ways, find_or_add_first(ways, pattern, node, NULL));
		}
	}
}

static struct named_starts *starts_of_publisher(struct named_ways *ways, const struct model_publisher *publisher)
{
	struct named_starts *starts = starts_of(ways, ways->by_publisher, publisher->index);
	uint64_t version = object_model_version(ways->model);

	if (starts->version != version) {
		starts->version = version;
		look_up_publisher(ways, starts, publisher);
	}
	return starts;
}

const GPtrArray *named_ways_from_publisher(struct named_ways *ways, const struct model_publisher *publisher)
{
	return starts_of_publisher(ways, publisher)->ways;
}

bool named_ways_may_pass(struct named_ways *ways, const struct model_publisher *publisher)
{
	return starts_of_publisher(ways, publisher)->may_pass;
}

static void look_up_subscription(struct named_ways *ways, struct named_starts *starts,
				 const struct model_subscription *subscription)
{
	const char *node = object_model_subscription_node(ways->model, subscription);
	const GPtrArray *patterns = ways->results->asked->patterns;

	for (guint i = 0; node && subscription->topic && i < patterns->len; i++) {
		const struct path_pattern *pattern = g_ptr_array_index(patterns, i);
		const struct pattern_node *first = pattern->problem ? NULL : pattern_node_at(pattern, 0);

		if (first && first->has_subscribed && name_pattern_matches(&first->node, node) &&
		    name_pattern_matches(&first->subscribed, subscription->topic) &&
		    is_of_order(ways, MODEL_SUBSCRIPTION, &subscription->endpoint, first->subscription_order)) {
			add_start(starts->ways, find_or_add_first(ways, pattern, node, subscription->topic));
		}
	}
}

const GPtrArray *named_ways_from_subscription(struct named_ways *ways, const struct model_subscription *subscription)
{
	struct named_starts *starts = starts_of(ways, ways->by_subscription, subscription->index);
	uint64_t version = object_model_version(ways->model);

	if (starts->version != version) {
		starts->version = version;
		look_up_subscription(ways, starts, subscription);
	}
	return starts->ways;
}

/* --- next nodes --- */

static bool may_leave(const struct named_ways *ways, const struct named_way *way,
		      const struct model_publisher *publisher)
{
	const struct pattern_node *at = pattern_node_at(way->pattern, way->at);

	if (way->is_far) {
		return true;
	}
	return name_pattern_matches(&at->published, publisher->topic) &&
	       is_of_order(ways, MODEL_PUBLISHER, &publisher->endpoint, at->publisher_order) &&
	       ((way->topic && name_pattern_matches(&at->either, way->topic)) ||
		name_pattern_matches(&at->either, publisher->topic));
}

static bool may_enter(const struct named_ways *ways, const struct path_pattern *pattern, uint32_t at, const char *node,
		      const struct model_subscription *subscription)
{
	const struct pattern_node *entered = pattern_node_at(pattern, at);

	return name_pattern_matches(&entered->node, node) &&
	       name_pattern_matches(&entered->subscribed, subscription->topic) &&
	       (at + 1 < pattern->nodes->len || name_pattern_matches(&entered->either, subscription->topic)) &&
	       is_of_order(ways, MODEL_SUBSCRIPTION, &subscription->endpoint, entered->subscription_order);
}

static struct named_way *end_with(struct named_ways *ways, struct named_way *way,
				  const struct model_publisher *publisher)
{
	const struct pattern_node *last = pattern_node_at(way->pattern, way->at);

	if (way->at + 1 < way->pattern->nodes->len || !last->has_published || !may_leave(ways, way, publisher)) {
		return NULL;
	}
	return find_or_add_child(ways, way, way->at, false, NULL, publisher->topic);
}

static struct named_way *go_on(struct named_ways *ways, struct named_way *way, const struct model_publisher *publisher,
			       const struct model_subscription *subscription)
{
	const char *node = object_model_subscription_node(ways->model, subscription);
	uint32_t next = way->at + 1;

	if (!node || !subscription->topic || next >= way->pattern->nodes->len || !may_leave(ways, way, publisher)) {
		return NULL;
	}
	if (may_enter(ways, way->pattern, next, node, subscription)) {
		return find_or_add_child(ways, way, next, false, node, subscription->topic);
	}
	if (pattern_node_at(way->pattern, next)->may_be_far && !has_passed(way, node) &&
	    path_pattern_wanders(way->pattern, subscription->topic, node)) {
		return find_or_add_child(ways, way, way->at, true, node, subscription->topic);
	}
	return NULL;
}

/* Objects beyond the key's range have no ways (has_room()). */
static uint64_t link_key(const struct named_way *way, const struct model_publisher *publisher,
			 const struct model_subscription *subscription)
{
	return (uint64_t)way->index << 48 | ((uint64_t)publisher->index + 1) << 24 |
	       (subscription ? subscription->index + 1 : 0);
}

static bool has_room(const struct model_publisher *publisher, const struct model_subscription *subscription)
{
	return publisher->index + 1 < 1U << 24 && (!subscription || subscription->index + 1 < 1U << 24);
}

struct named_way *named_ways_next(struct named_ways *ways, struct named_way *way,
				  const struct model_publisher *publisher,
				  const struct model_subscription *subscription)
{
	uint64_t key = link_key(way, publisher, subscription), version = object_model_version(ways->model);
	struct named_link *link = u64_map_get_pointer(&ways->next, key);

	if (!link) {
		if (!has_room(publisher, subscription)) {
			return NULL;
		}
		link = arena_take(recording_arena(ways->recording), sizeof(*link));
		link->version = UINT64_MAX;
		u64_map_set_pointer(&ways->next, key, link);
	}
	if (!link->next && link->version != version && !way->end) {
		link->version = version;
		link->next = !publisher->topic || !object_model_publisher_node(ways->model, publisher) ? NULL
			     : subscription ? go_on(ways, way, publisher, subscription)
					    : end_with(ways, way, publisher);
	}
	return link->next;
}

bool named_ways_leaves_by(struct named_ways *ways, const struct named_way *child,
			  const struct model_publisher *publisher)
{
	return publisher->topic && strcmp(child->topic, publisher->topic) == 0 &&
	       may_leave(ways, child->parent, publisher);
}

/* --- life --- */

/* Adds the only way of a pattern of names. */
static void add_concrete(struct named_ways *ways, const struct path_pattern *pattern)
{
	const struct pattern_node *first = pattern_node_at(pattern, 0);
	struct string_pool *pool = recording_pool(ways->recording);
	struct named_way *way =
		find_or_add_first(ways, pattern, string_pool_intern(pool, first->node.name),
				  first->has_subscribed ? string_pool_intern(pool, first->subscribed.name) : NULL);

	for (guint i = 1; way && i < pattern->nodes->len; i++) {
		const struct pattern_node *next = pattern_node_at(pattern, i);

		way = find_or_add_child(ways, way, i, false, string_pool_intern(pool, next->node.name),
					string_pool_intern(pool, next->subscribed.name));
	}
	if (way && !way->end) {
		find_or_add_child(ways, way, way->at, false, NULL,
				  string_pool_intern(pool, pattern_node_at(pattern, way->at)->published.name));
	}
}

void named_ways_init(struct named_ways *ways, const struct analysis_context *context, struct named_results *results,
		     const GArray *links)
{
	struct arena *arena = results->arena;

	*ways = (struct named_ways){
		.recording = context->recording,
		.model = context->model,
		.diagnostics = context->diagnostics,
		.results = results,
		.links = links,
		.all = arena_pointers(arena),
		.firsts = arena_pointers(arena),
		.by_publisher = arena_pointers(arena),
		.by_subscription = arena_pointers(arena),
	};
	arena_map(arena, &ways->next);
	for (guint i = 0; i < results->asked->patterns->len; i++) {
		const struct path_pattern *pattern = g_ptr_array_index(results->asked->patterns, i);

		if (pattern->problem) {
			named_path_set_reason(
				results, named_results_add(results, pattern, 0, NULL, (const char *const[]){ NULL }),
				g_strdup(pattern->problem));
		} else if (pattern->is_concrete) {
			add_concrete(ways, pattern);
		}
	}
}
