/* SPDX-License-Identifier: MIT */
#include "ros2bt/named_paths/architecture_search.h"

#include "core/named_paths/architecture/architecture_graph.h"

#define UNREACHABLE UINT32_MAX

/* --- distances to the end --- */

struct hop {
	uint32_t from, to, topic;
	uint32_t publisher_order, subscription_order;
	unsigned int before; /* the number of the path's hop before this one that leaves the same node; 0: none */
};

/*
 * The stage of a path is the number of stops passed, minus one: a path is in stage 0 from its first node on, and ends
 * at the last stop.
 */
struct finder {
	struct architecture *architecture;
	const struct architecture_search *search;
	struct graph graph;
	bool *is_stop;				       /* by stop, then by node */
	uint32_t *hops_left;			       /* at least, from each node: by stage, then by node */
	uint32_t *topic_left;			       /* likewise from the subscriptions of each topic */
	struct hop hops[ARCHITECTURE_SEARCH_HOPS_MAX]; /* of the path being tried */
	unsigned int hop_count;
	unsigned int *last_hop; /* of that path, by the node that it leaves: its number from 1; 0: none */
	unsigned int length;	/* of the paths that are searched now */
	bool is_cut;		/* longer paths may exist */
	uint64_t steps;
	GHashTable *numbers; /* of paths by FIRST_to_LAST, owned */
	struct architecture_search_result result;
};

static bool is_stop(const struct finder *finder, size_t stop, uint32_t node)
{
	return finder->is_stop[stop * finder->graph.nodes->len + node];
}

static uint32_t *hops_left(const struct finder *finder, size_t stage, uint32_t node)
{
	return &finder->hops_left[stage * finder->graph.nodes->len + node];
}

static uint32_t *topic_left(const struct finder *finder, size_t stage, uint32_t topic)
{
	return &finder->topic_left[stage * finder->graph.topics->len + topic];
}

static bool find_stops(struct finder *finder)
{
	const struct architecture_search *search = finder->search;
	guint count = finder->graph.nodes->len;

	finder->is_stop = g_new0(bool, search->stop_count *count + 1);
	for (size_t stop = 0; stop < search->stop_count; stop++) {
		const char *globs[] = { search->stops[stop], NULL };
		bool is_any = false;

		for (guint i = 0; i < count; i++) {
			finder->is_stop[stop * count + i] = graph_matches(graph_node(&finder->graph, i), globs);
			is_any |= finder->is_stop[stop * count + i];
		}
		if (!is_any) {
			finder->result.unmatched = search->stops[stop];
			return false;
		}
	}
	return true;
}

/* A path that arrives at a node in a stage has this many hops left. */
struct arrival {
	uint32_t stage, node, left;
};

static void arrive(GArray *arrivals, uint32_t stage, uint32_t node, uint32_t left)
{
	struct arrival arrival = { stage, node, left };

	g_array_append_val(arrivals, arrival);
}

/* Sets the distance of a node in a stage. If the stage begins at this node, paths arrive there in the stage before. */
static void settle_node(struct finder *finder, GArray *arrivals, uint32_t stage, uint32_t node, uint32_t left)
{
	uint32_t *known = hops_left(finder, stage, node);

	if (*known != UNREACHABLE) {
		return;
	}
	*known = left;
	if (!is_stop(finder, stage + 1, node)) {
		arrive(arrivals, stage, node, left);
	}
	if (stage > 0 && is_stop(finder, stage, node)) {
		arrive(arrivals, stage - 1, node, left);
	}
}

static void settle_arrival(struct finder *finder, GArray *arrivals, struct arrival arrival)
{
	const struct endpoint_list *subscriptions = &finder->graph.subscriptions_of_node;
	const struct endpoint_list *publishers = &finder->graph.publishers_of_topic;

	for (guint i = subscriptions->firsts[arrival.node]; i < subscriptions->firsts[arrival.node + 1]; i++) {
		uint32_t topic = endpoint_at(subscriptions, i)->topic;
		uint32_t *known = topic_left(finder, arrival.stage, topic);

		if (*known != UNREACHABLE) {
			continue;
		}
		*known = arrival.left;
		for (guint j = publishers->firsts[topic]; j < publishers->firsts[topic + 1]; j++) {
			settle_node(finder, arrivals, arrival.stage, endpoint_at(publishers, j)->node,
				    arrival.left + 1);
		}
	}
}

static uint32_t *unreachable(size_t count)
{
	uint32_t *left = g_new0(uint32_t, count + 1);

	for (size_t i = 0; i < count; i++) {
		left[i] = UNREACHABLE;
	}
	return left;
}

/* A breadth-first search backwards from the end, which visits each topic once in each stage. */
static void measure(struct finder *finder)
{
	size_t stages = finder->search->stop_count - 1;
	size_t nodes = stages * finder->graph.nodes->len, topics = stages * finder->graph.topics->len;
	g_autoptr(GArray) arrivals = g_array_new(FALSE, FALSE, sizeof(struct arrival));

	finder->hops_left = unreachable(nodes);
	finder->topic_left = unreachable(topics);
	for (uint32_t node = 0; node < finder->graph.nodes->len; node++) {
		if (is_stop(finder, stages, node)) {
			arrive(arrivals, (uint32_t)stages - 1, node, 0);
		}
	}
	for (guint i = 0; i < arrivals->len; i++) {
		settle_arrival(finder, arrivals, g_array_index(arrivals, struct arrival, i));
	}
}

/* --- paths --- */

static char *name_of(struct finder *finder)
{
	const struct graph *graph = &finder->graph;
	const struct architecture_node *first = g_ptr_array_index(graph->nodes, finder->hops[0].from);
	const struct architecture_node *last = g_ptr_array_index(graph->nodes, finder->hops[finder->hop_count - 1].to);
	g_autofree char *base =
		g_strdup_printf("%s_to_%s", first->name + (first->name[0] == '/'), last->name + (last->name[0] == '/'));
	guint number;
	char *name;

	g_strdelimit(base, "/", '_');
	number = GPOINTER_TO_UINT(g_hash_table_lookup(finder->numbers, base));
	name = g_strdup_printf("%s_%u", base, number);
	g_hash_table_insert(finder->numbers, g_steal_pointer(&base), GUINT_TO_POINTER(number + 1));
	return name;
}

/* The architecture may already have paths with such names. */
static struct architecture_path *new_path(struct finder *finder)
{
	struct architecture_path *path = NULL;

	while (!path) {
		g_autofree char *name = name_of(finder);

		path = architecture_add_path(finder->architecture, name);
	}
	return path;
}

static void leave(struct finder *finder, struct architecture_node_path *element, const struct hop *hop)
{
	element->published_topic = architecture_text(finder->architecture, graph_topic(&finder->graph, hop->topic));
	element->publisher_order = hop->publisher_order;
}

static struct architecture_node_path *arrive_by(struct finder *finder, struct architecture_path *path,
						const struct hop *hop)
{
	struct architecture_node_path *element =
		architecture_add_node_path(finder->architecture, path, graph_node(&finder->graph, hop->to));

	element->subscribed_topic = architecture_text(finder->architecture, graph_topic(&finder->graph, hop->topic));
	element->subscription_order = hop->subscription_order;
	return element;
}

static void add_path(struct finder *finder)
{
	struct architecture_path *path = new_path(finder);
	struct architecture_node_path *element = architecture_add_node_path(
		finder->architecture, path, graph_node(&finder->graph, finder->hops[0].from));

	for (unsigned int i = 0; i < finder->hop_count; i++) {
		leave(finder, element, &finder->hops[i]);
		element = arrive_by(finder, path, &finder->hops[i]);
	}
	finder->result.path_count++;
}

static bool is_gone_already(const struct finder *finder, uint32_t from, uint32_t to)
{
	unsigned int number = finder->last_hop[from];

	while (number > 0 && finder->hops[number - 1].to != to) {
		number = finder->hops[number - 1].before;
	}
	return number > 0;
}

/* Whether the search goes on. */
static bool count_step(struct finder *finder)
{
	if (++finder->steps > finder->search->steps_max) {
		finder->result.limit = ARCHITECTURE_SEARCH_STEPS;
	}
	return finder->result.limit == ARCHITECTURE_SEARCH_COMPLETE;
}

/* Whether the end is within the length searched now. If not, a longer path may exist. */
static bool is_near_enough(struct finder *finder, uint32_t left)
{
	bool is_near = left != UNREACHABLE && finder->hop_count + left <= finder->length;

	finder->is_cut |= !is_near && left != UNREACHABLE;
	return is_near;
}

static void go_on(struct finder *finder, size_t stage, uint32_t node);

/* Adds the path if it has the length searched now; shorter ones were added before. */
static void end_path(struct finder *finder)
{
	const struct hop *first = &finder->hops[0], *last = &finder->hops[finder->hop_count - 1];

	if (finder->hop_count < finder->length || first->publisher_order > 0 || last->subscription_order > 0) {
		return;
	}
	if (finder->result.path_count == finder->search->paths_max) {
		finder->result.limit = ARCHITECTURE_SEARCH_PATHS;
		return;
	}
	add_path(finder);
}

static void go(struct finder *finder, size_t stage, const struct endpoint *from, const struct endpoint *to)
{
	bool is_at_stop = is_stop(finder, stage + 1, to->node);
	bool is_at_end = is_at_stop && stage + 2 == finder->search->stop_count;

	if (!count_step(finder) || is_gone_already(finder, from->node, to->node)) {
		return;
	}
	finder->hops[finder->hop_count++] = (struct hop){
		.from = from->node,
		.to = to->node,
		.topic = from->topic,
		.publisher_order = from->order,
		.subscription_order = to->order,
		.before = finder->last_hop[from->node],
	};
	finder->last_hop[from->node] = finder->hop_count;
	if (is_at_end) {
		end_path(finder);
	} else if (is_near_enough(finder, *hops_left(finder, stage + is_at_stop, to->node))) {
		go_on(finder, stage + is_at_stop, to->node);
	}
	finder->last_hop[from->node] = finder->hops[--finder->hop_count].before;
}

static void go_by_topic(struct finder *finder, size_t stage, const struct endpoint *from)
{
	const struct endpoint_list *subscriptions = &finder->graph.subscriptions_of_topic;
	uint32_t left = *topic_left(finder, stage, from->topic);

	if (!is_near_enough(finder, left == UNREACHABLE ? left : left + 1)) {
		return;
	}
	for (guint i = subscriptions->firsts[from->topic]; i < subscriptions->firsts[from->topic + 1]; i++) {
		if (finder->result.limit != ARCHITECTURE_SEARCH_COMPLETE) {
			return;
		}
		go(finder, stage, from, endpoint_at(subscriptions, i));
	}
}

static void go_on(struct finder *finder, size_t stage, uint32_t node)
{
	const struct endpoint_list *publishers = &finder->graph.publishers_of_node;

	for (guint i = publishers->firsts[node]; i < publishers->firsts[node + 1]; i++) {
		if (!count_step(finder)) {
			return;
		}
		go_by_topic(finder, stage, endpoint_at(publishers, i));
	}
}

/* All paths of one length. */
static void search_length(struct finder *finder, unsigned int length)
{
	finder->length = length;
	finder->is_cut = false;
	for (uint32_t node = 0; node < finder->graph.nodes->len; node++) {
		uint32_t left = *hops_left(finder, 0, node);

		if (!is_stop(finder, 0, node) || left == UNREACHABLE) {
			continue;
		}
		if (is_near_enough(finder, left)) {
			go_on(finder, 0, node);
		}
	}
}

static void search_all(struct finder *finder)
{
	finder->is_cut = true;
	for (unsigned int length = 1; length <= finder->search->hops_max && finder->is_cut; length++) {
		search_length(finder, length);
		if (finder->result.limit != ARCHITECTURE_SEARCH_COMPLETE) {
			return;
		}
		finder->result.hops = length;
	}
	finder->result.may_be_longer = finder->is_cut;
}

struct architecture_search_result architecture_search(struct architecture *architecture,
						      const struct architecture_search *search)
{
	struct finder finder = { .architecture = architecture, .search = search };

	g_assert(search->stop_count >= 2 && search->stop_count <= ARCHITECTURE_SEARCH_STOPS_MAX &&
		 search->hops_max >= 1 && search->hops_max <= ARCHITECTURE_SEARCH_HOPS_MAX);
	graph_init(&finder.graph, architecture, search->without);
	finder.numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	finder.last_hop = g_new0(unsigned int, finder.graph.nodes->len + 1);
	if (find_stops(&finder)) {
		measure(&finder);
		search_all(&finder);
	}
	g_hash_table_unref(finder.numbers);
	g_free(finder.last_hop);
	g_free(finder.is_stop);
	g_free(finder.hops_left);
	g_free(finder.topic_left);
	graph_clear(&finder.graph);
	return finder.result;
}
