/* SPDX-License-Identifier: MIT */
#include "core/named_paths/caret/caret_nodes.h"

#include "core/named_paths/architecture/resolved_context.h"
#include "core/named_paths/architecture_binding.h"

static void set_problem(char **problem, char *text)
{
	if (*problem) {
		g_free(text);
	} else {
		*problem = text;
	}
}

static struct caret_callback bind(const struct architecture_node *node, const struct architecture_callback *callback,
				  struct object_model *model, char **problem)
{
	bool without_symbol;
	struct caret_callback bound = {
		.name = callback->name,
		.callbacks = architecture_bind_callbacks(model, node->name, callback, &without_symbol),
	};

	if (bound.callbacks->len == 0) {
		set_problem(problem, g_strdup_printf("the recording has no callback like %s", callback->name));
	}
	return bound;
}

static struct caret_callback bind_subscription(const struct architecture_node *node,
					       const struct architecture_node_path *way, struct object_model *model,
					       char **problem)
{
	const struct architecture_endpoint *subscription =
		way->subscribed_topic ? architecture_find_endpoint(node->subscriptions, way->subscribed_topic,
								   way->subscription_order)
				      : NULL;
	const struct architecture_callback *callback =
		subscription && subscription->callback ? architecture_find_callback(node, subscription->callback)
						       : NULL;

	if (callback) {
		return bind(node, callback, model, problem);
	}
	if (way->subscribed_topic) {
		set_problem(problem, g_strdup_printf("the architecture has no subscription of %s at %s with a callback",
						     way->subscribed_topic, node->name));
	}
	return (struct caret_callback){ .name = node->name, .callbacks = g_ptr_array_new() };
}

static bool takes_by_hand(const struct architecture_node *node, const struct caret_callback *callback)
{
	const struct architecture_callback_group *group = architecture_find_group(node, callback->name);

	return group && !group->type;
}

static void add_context(struct caret_node *to, const struct architecture_node *node,
			const struct architecture_node_path *way, struct object_model *model, char **problem)
{
	struct resolved_context context = resolved_context_find(node, way);

	if (context.problem) {
		set_problem(problem, g_strdup_printf("%s from %s to %s: %s", node->name, way->subscribed_topic,
						     way->published_topic, context.problem));
	} else if (context.kind == ARCHITECTURE_CONTEXT_USE_LATEST) {
		to->context = CARET_CONTEXT_USE_LATEST;
	} else if (context.kind == ARCHITECTURE_CONTEXT_CALLBACK_CHAIN) {
		to->context = CARET_CONTEXT_CALLBACK_CHAIN;
	} else if (context.kind != ARCHITECTURE_CONTEXT_UNDEFINED) {
		set_problem(problem, g_strdup_printf("%s: %s cannot be evaluated, nor can CARET", node->name,
						     architecture_context_name(context.kind)));
	}
	for (guint i = 0; to->context == CARET_CONTEXT_CALLBACK_CHAIN && i < context.chain->len; i++) {
		struct caret_callback callback = bind(node, g_ptr_array_index(context.chain, i), model, problem);

		g_array_append_val(to->chain, callback);
	}
	resolved_context_clear(&context);
}

static void callback_clear(gpointer data)
{
	g_ptr_array_unref(((struct caret_callback *)data)->callbacks);
}

static void node_clear(gpointer data)
{
	struct caret_node *node = data;

	g_ptr_array_unref(node->publishers);
	g_ptr_array_unref(node->subscriptions);
	g_ptr_array_unref(node->subscription.callbacks);
	g_array_unref(node->chain);
}

static GArray *chain_create(void)
{
	GArray *chain = g_array_new(FALSE, FALSE, sizeof(struct caret_callback));

	g_array_set_clear_func(chain, callback_clear);
	return chain;
}

/* A node that the architecture names on the path only. */
static struct caret_node unknown_node(const struct architecture_node_path *way)
{
	return (struct caret_node){
		.name = way->node,
		.subscribed_topic = way->subscribed_topic,
		.published_topic = way->published_topic,
		.publishers = g_ptr_array_new(),
		.subscriptions = g_ptr_array_new(),
		.subscription = { way->node, g_ptr_array_new() },
		.chain = chain_create(),
	};
}

static struct caret_node node_of(const struct architecture_node *node, const struct architecture_node_path *way,
				 struct object_model *model, char **problem)
{
	struct caret_node bound = {
		.name = way->node,
		.subscribed_topic = way->subscribed_topic,
		.published_topic = way->published_topic,
		.publishers = way->published_topic
				      ? architecture_bind_publishers(model, node->name, way->published_topic,
								     way->publisher_order)
				      : g_ptr_array_new(),
		.subscriptions = way->subscribed_topic
					 ? architecture_bind_subscriptions(model, node->name, way->subscribed_topic,
									   way->subscription_order)
					 : g_ptr_array_new(),
		.subscription = bind_subscription(node, way, model, problem),
		.chain = chain_create(),
	};

	if (way->published_topic && bound.publishers->len == 0) {
		set_problem(problem, g_strdup_printf("the recording has no publisher of %s at %s", way->published_topic,
						     node->name));
	}
	bound.takes_by_hand = takes_by_hand(node, &bound.subscription);
	add_context(&bound, node, way, model, problem);
	return bound;
}

GArray *caret_nodes_create(const struct architecture *architecture, const struct architecture_path *path,
			   struct object_model *model, char **problem)
{
	GArray *nodes = g_array_new(FALSE, FALSE, sizeof(struct caret_node));

	*problem = NULL;
	g_array_set_clear_func(nodes, node_clear);
	for (guint i = 0; i < path->chain->len; i++) {
		const struct architecture_node_path *way =
			&g_array_index(path->chain, struct architecture_node_path, i);
		const struct architecture_node *node = architecture_find_node(architecture, way->node);
		struct caret_node bound;

		if (node) {
			bound = node_of(node, way, model, problem);
		} else {
			set_problem(problem, g_strdup_printf("the architecture has no node %s", way->node));
			bound = unknown_node(way);
		}
		g_array_append_val(nodes, bound);
	}
	return nodes;
}

void caret_nodes_destroy(GArray *nodes)
{
	g_array_unref(nodes);
}
