/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture_binding.h"

#include <string.h>

/* --- publishers and subscriptions --- */

static bool comes_before(const struct model_object *left, const struct model_object *right)
{
	return left->since_ns != right->since_ns ? left->since_ns < right->since_ns : left->index < right->index;
}

static const struct model_endpoint *endpoint_at(const struct object_model *model, enum model_kind kind, size_t index)
{
	return (const struct model_endpoint *)object_model_at(model, kind, index);
}

uint32_t architecture_order_of(const struct object_model *model, enum model_kind kind,
			       const struct model_endpoint *endpoint)
{
	uint32_t order = 0;
	size_t count = object_model_count(model, kind);

	for (size_t i = 0; i < count; i++) {
		const struct model_endpoint *other = endpoint_at(model, kind, i);

		order += other->process == endpoint->process && other->node_handle == endpoint->node_handle &&
			 other->is_defined && other->name && g_strcmp0(other->name, endpoint->name) == 0 &&
			 comes_before((const struct model_object *)other, (const struct model_object *)endpoint);
	}
	return order;
}

static GPtrArray *bind_endpoints(const struct object_model *model, enum model_kind kind, const char *node,
				 const char *topic, uint32_t order)
{
	GPtrArray *bound = g_ptr_array_new();
	size_t count = object_model_count(model, kind);

	for (size_t i = 0; i < count; i++) {
		const struct model_endpoint *endpoint = endpoint_at(model, kind, i);

		if (g_strcmp0(endpoint->name, topic) == 0 &&
		    g_strcmp0(object_model_endpoint_node(model, endpoint), node) == 0 &&
		    architecture_order_of(model, kind, endpoint) == order) {
			g_ptr_array_add(bound, (gpointer)endpoint);
		}
	}
	return bound;
}

GPtrArray *architecture_bind_publishers(const struct object_model *model, const char *node, const char *topic,
					uint32_t order)
{
	return bind_endpoints(model, MODEL_PUBLISHER, node, topic, order);
}

GPtrArray *architecture_bind_subscriptions(const struct object_model *model, const char *node, const char *topic,
					   uint32_t order)
{
	return bind_endpoints(model, MODEL_SUBSCRIPTION, node, topic, order);
}

/* --- callbacks --- */

/* A callback of the node that has the topic or period. */
struct candidate {
	struct model_callback *callback;
	const struct model_object *owner; /* the timer or subscription */
	const char *symbol;		  /* NULL: unknown */
};

static const struct model_object *owner_of(const struct model_callback_info *info,
					   const struct architecture_callback *callback)
{
	if (callback->kind == ARCHITECTURE_TIMER) {
		return info->kind == CALLBACK_KIND_TIMER && info->timer && info->has_period &&
				       info->period_ns == callback->period_ns
			       ? &info->timer->object
			       : NULL;
	}
	return (info->kind == CALLBACK_KIND_SUBSCRIPTION || info->kind == CALLBACK_KIND_INFERRED) &&
			       info->subscription && g_strcmp0(info->subscription->topic, callback->topic) == 0
		       ? &info->subscription->object
		       : NULL;
}

static GArray *find_candidates(struct object_model *model, const char *node,
			       const struct architecture_callback *callback)
{
	GArray *candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	size_t count = object_model_callback_count(model);

	for (size_t i = 0; i < count; i++) {
		struct model_callback *one = object_model_callback_at(model, i);
		const struct model_callback_info *info = object_model_callback_info(model, one);
		struct candidate candidate = { one, owner_of(info, callback), info->symbol };

		if (candidate.owner && g_strcmp0(info->node, node) == 0) {
			g_array_append_val(candidates, candidate);
		}
	}
	return candidates;
}

static bool is_symbol(const struct candidate *candidate, const char *symbol)
{
	return g_strcmp0(candidate->symbol, symbol) == 0;
}

/* The rank of its timer or subscription among those of its process with its symbol. */
static uint32_t order_among(const GArray *candidates, const struct candidate *candidate)
{
	g_autoptr(GHashTable) before = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < candidates->len; i++) {
		const struct candidate *other = &g_array_index(candidates, struct candidate, i);

		if (other->owner->process == candidate->owner->process && is_symbol(other, candidate->symbol) &&
		    comes_before(other->owner, candidate->owner)) {
			g_hash_table_add(before, (gpointer)other->owner);
		}
	}
	return g_hash_table_size(before);
}

static void add_of_order(const GArray *candidates, const struct architecture_callback *callback, bool needs_symbol,
			 GPtrArray *bound)
{
	for (guint i = 0; i < candidates->len; i++) {
		const struct candidate *candidate = &g_array_index(candidates, struct candidate, i);

		if ((!needs_symbol || is_symbol(candidate, callback->symbol)) &&
		    order_among(candidates, candidate) == callback->order) {
			g_ptr_array_add(bound, candidate->callback);
		}
	}
}

GPtrArray *architecture_bind_callbacks(struct object_model *model, const char *node,
				       const struct architecture_callback *callback, bool *without_symbol)
{
	g_autoptr(GArray) candidates = find_candidates(model, node, callback);
	GPtrArray *bound = g_ptr_array_new();

	add_of_order(candidates, callback, true, bound);
	*without_symbol = bound->len == 0;
	if (*without_symbol) {
		add_of_order(candidates, callback, false, bound);
	}
	*without_symbol &= bound->len > 0;
	return bound;
}
