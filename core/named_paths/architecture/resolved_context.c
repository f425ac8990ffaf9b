/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture/resolved_context.h"

#include <string.h>

/* A search for chains. */
struct search {
	const struct architecture_node *node;
	const GPtrArray *publishing; /* const struct architecture_callback * */
	GPtrArray *way;		     /* so far */
	GPtrArray *chain;	     /* the first one found */
	size_t found, steps;
};

static void follow(struct search *search, const struct architecture_callback *callback)
{
	if (search->found > 1 || search->steps++ > RESOLVED_CONTEXT_STEPS_MAX ||
	    search->way->len >= RESOLVED_CONTEXT_LENGTH_MAX || g_ptr_array_find(search->way, callback, NULL)) {
		return;
	}
	g_ptr_array_add(search->way, (gpointer)callback);
	if (g_ptr_array_find((GPtrArray *)search->publishing, callback, NULL) && search->found++ == 0) {
		g_ptr_array_extend(search->chain, search->way, NULL, NULL);
	}
	for (guint i = 0; i < search->node->variable_passings->len; i++) {
		const struct architecture_variable_passing *passing =
			g_ptr_array_index(search->node->variable_passings, i);
		const struct architecture_callback *reader;

		if (!passing->read || !passing->write || strcmp(passing->write, callback->name) != 0) {
			continue;
		}
		reader = architecture_find_callback(search->node, passing->read);
		if (reader) {
			follow(search, reader);
		}
	}
	g_ptr_array_set_size(search->way, (gint)search->way->len - 1);
}

/* The callbacks that publish with a publisher. */
static GPtrArray *publishing_callbacks(const struct architecture_node *node, const char *topic, uint32_t order)
{
	const struct architecture_endpoint *publisher = architecture_find_endpoint(node->publishers, topic, order);
	GPtrArray *callbacks = g_ptr_array_new();

	for (guint i = 0; publisher && i < publisher->callbacks->len; i++) {
		struct architecture_callback *callback =
			architecture_find_callback(node, g_ptr_array_index(publisher->callbacks, i));

		if (callback) {
			g_ptr_array_add(callbacks, callback);
		}
	}
	if (publisher && callbacks->len == 0 && node->callbacks->len == 1) {
		g_ptr_array_add(callbacks, node->callbacks->pdata[0]);
	}
	return callbacks;
}

/* The number of chains: 0, 1, or 2 for several. */
static size_t find_chain(const struct architecture_node *node, const struct architecture_node_path *way,
			 GPtrArray *chain)
{
	const struct architecture_endpoint *subscription =
		architecture_find_endpoint(node->subscriptions, way->subscribed_topic, way->subscription_order);
	const struct architecture_callback *first = subscription && subscription->callback
							    ? architecture_find_callback(node, subscription->callback)
							    : NULL;
	g_autoptr(GPtrArray) publishing = publishing_callbacks(node, way->published_topic, way->publisher_order);
	g_autoptr(GPtrArray) so_far = g_ptr_array_new();
	struct search search = { .node = node, .publishing = publishing, .way = so_far, .chain = chain };

	if (first) {
		follow(&search, first);
	}
	return search.found;
}

struct resolved_context resolved_context_find(const struct architecture_node *node,
					      const struct architecture_node_path *way)
{
	struct resolved_context resolved = { .chain = g_ptr_array_new() };
	const struct architecture_context *context;
	size_t chains;

	if (!way->subscribed_topic || !way->published_topic) {
		return resolved;
	}
	context = architecture_find_context(node, way->subscribed_topic, way->subscription_order, way->published_topic,
					    way->publisher_order);
	resolved.kind = context ? context->kind : ARCHITECTURE_CONTEXT_UNDEFINED;
	if (resolved.kind != ARCHITECTURE_CONTEXT_UNDEFINED && resolved.kind != ARCHITECTURE_CONTEXT_CALLBACK_CHAIN) {
		return resolved;
	}
	chains = find_chain(node, way, resolved.chain);
	if (chains > 1) {
		resolved.problem = "several chains of callbacks lead from the subscription to the publisher";
	} else if (chains == 0 && resolved.kind == ARCHITECTURE_CONTEXT_CALLBACK_CHAIN) {
		resolved.problem = "no chain of callbacks leads from the subscription to the publisher";
	}
	resolved.kind = chains > 0 ? ARCHITECTURE_CONTEXT_CALLBACK_CHAIN : resolved.kind;
	return resolved;
}

void resolved_context_clear(struct resolved_context *context)
{
	g_ptr_array_free(context->chain, TRUE);
}
