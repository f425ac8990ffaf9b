/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_names.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/name_choice.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/text/hidden_names.h"
#include "core/base/text/human_text.h"

uint32_t path_node_process(const struct path_node *node)
{
	return node->callback	 ? node->callback->process
	       : node->publisher ? node->publisher->process
	       : node->client	 ? node->client->process
				 : 0;
}

const char *path_node_known_name(const struct path_tree *tree, const struct path_node *node)
{
	if (node->callback) {
		return object_model_callback_info(tree->model, node->callback)->node;
	}
	if (node->publisher) {
		return object_model_publisher_node(tree->model, node->publisher);
	}
	return node->client ? object_model_endpoint_node(tree->model, &node->client->endpoint) : NULL;
}

char *path_node_name(const struct path_tree *tree, const struct path_node *node)
{
	return node_or_process(path_node_known_name(tree, node),
			       recording_process(tree->recording, path_node_process(node)));
}

const char *path_node_via(const struct path_tree *tree, const struct path_node *node)
{
	const char *name = node->via ? node->via->topic : node->via_service ? node->via_service->name : NULL;

	if (!name && node->callback) {
		const struct model_subscription *subscription =
			object_model_callback_info(tree->model, node->callback)->subscription;

		name = subscription ? subscription->topic : NULL;
		if (!name && node->is_round) {
			name = callback_source(object_model_callback_info(tree->model, node->callback));
		}
	}
	return name ? name : "?";
}

static void append_path(const struct path_tree *tree, const struct path_node *node, GString *text)
{
	g_autofree char *name = path_node_name(tree, node);
	const char *to_node = node->is_inferred ? " ~> " : " > ";

	if (node->parent) {
		append_path(tree, node->parent, text);
		g_string_append_printf(text, "%s%s%s", node->is_indirect ? " >> " : " > ", path_node_via(tree, node),
				       to_node);
	} else if (node->is_external) {
		g_string_append_printf(text, "%s%s", path_node_via(tree, node), to_node);
	}
	g_string_append(text, name);
}

char *path_text(const struct path_tree *tree, const struct path_node *node)
{
	GString *text = g_string_new(NULL);

	append_path(tree, node, text);
	return g_string_free(text, FALSE);
}

static bool is_hidden(const struct path_tree *tree, const struct path_node *node)
{
	const char *known = path_node_known_name(tree, node);
	g_autofree char *unknown = known ? NULL : path_node_name(tree, node);

	return name_is_hidden(known ? known : unknown) ||
	       ((node->parent || node->is_external) && name_is_hidden(path_node_via(tree, node)));
}

void path_names_judge(const struct path_tree *tree)
{
	for (guint i = 0; i < tree->nodes.all->len; i++) {
		struct path_node *node = tree->nodes.all->pdata[i]; /* parents come first */

		if (!path_tree_only_counts(tree, node)) {
			node->has_hidden_name =
				(node->parent && node->parent->has_hidden_name) || is_hidden(tree, node);
		}
	}
}

char *path_vpids_text(const struct path_tree *tree, const struct path_node *node)
{
	GString *text = g_string_new(NULL);

	for (; node; node = node->parent) {
		const struct recording_process *process = recording_process(tree->recording, path_node_process(node));
		char vpid[24] = "?";

		if (process->has_vpid) {
			snprintf(vpid, sizeof(vpid), "%" PRId32, process->vpid);
		}
		g_string_prepend(text, text->len > 0 ? " > " : "");
		g_string_prepend(text, vpid);
	}
	return g_string_free(text, FALSE);
}

static const struct path_node *root_of(const struct path_node *node)
{
	while (node->parent) {
		node = node->parent;
	}
	return node;
}

char *path_hostnames_text(const struct path_tree *tree, const struct path_node *node)
{
	GString *text = g_string_new(NULL);

	for (; node; node = node->parent) {
		g_string_prepend(text, text->len > 0 ? " > " : "");
		g_string_prepend(text, row_process_of(tree->recording, path_node_process(node)).hostname);
	}
	return g_string_free(text, FALSE);
}

/* Where it is not known what a callback is of, its number is not that of a subscription. */
static char *which_callback(const struct path_tree *tree, struct model_callback *callback, bool is_root)
{
	g_autofree char *which = object_numbers_callback(tree->numbers, callback);

	if (is_root || object_model_callback_info(tree->model, callback)->kind != CALLBACK_KIND_UNKNOWN) {
		return g_steal_pointer(&which);
	}
	return g_strdup_printf("callback%s%s", which ? " " : "", which ? which : "");
}

/* NULL: it is the only one. To be freed. */
static char *which_of(const struct path_tree *tree, const struct path_node *node)
{
	uint32_t number;

	if (node->callback) {
		return which_callback(tree, node->callback, !node->parent);
	}
	number = node->publisher ? object_numbers_of(tree->numbers, MODEL_PUBLISHER, &node->publisher->object)
				 : object_numbers_of(tree->numbers, MODEL_CLIENT, &node->client->object);
	return number > 0 ? g_strdup_printf("%" PRIu32, number) : NULL;
}

char *path_which_text(const struct path_tree *tree, const struct path_node *node)
{
	g_autoptr(GString) text = g_string_new(NULL);
	bool has_any = false;

	for (; node; node = node->parent) {
		g_autofree char *which = which_of(tree, node);

		has_any |= which != NULL;
		g_string_prepend(text, text->len > 0 ? " > " : "");
		g_string_prepend(text, which ? which : "-");
	}
	return has_any ? g_strdup(text->str) : NULL;
}

char *path_begins_text(const struct path_tree *tree, const struct path_node *node)
{
	const struct path_node *root = root_of(node);
	const struct model_callback_info *info =
		root->callback ? object_model_callback_info(tree->model, root->callback) : NULL;
	char period[HUMAN_TEXT_SIZE];

	if (!info) {
		return g_strdup(root->publisher ? "publication" : "request");
	}
	if (root->is_round) {
		return g_strdup("round");
	}
	switch (info->kind) {
	case CALLBACK_KIND_TIMER:
		return info->has_period ? g_strdup_printf("timer %s", human_text_duration(period, info->period_ns))
					: g_strdup("timer");
	case CALLBACK_KIND_SERVICE:
		return g_strdup("service");
	case CALLBACK_KIND_SUBSCRIPTION:
	case CALLBACK_KIND_INFERRED:
		return g_strdup("message");
	default:
		return g_strdup("callback");
	}
}

bool path_is_chosen(const struct path_tree *tree, const struct path_node *last)
{
	const struct analysis_options *options = tree->options;
	g_autoptr(GPtrArray) nodes = NULL;
	const char *topics[PATH_DEPTH_MAX];
	const struct path_node *node = last;
	g_autofree char *text = NULL;
	size_t topic_count = 0;

	if (chosen_names_are_all(&options->names)) {
		return true;
	}
	nodes = g_ptr_array_new_with_free_func(g_free);
	do {
		g_ptr_array_add(nodes, path_node_name(tree, node));
		if (node->parent || node->is_external) {
			topics[topic_count++] = path_node_via(tree, node);
		}
		node = node->parent;
	} while (node);
	text = path_text(tree, last);
	return any_node_is_chosen(options, (const char *const *)nodes->pdata, nodes->len) &&
	       any_topic_is_chosen(options, topics, topic_count) &&
	       name_filter_passes(options->names.paths, (const char *const[]){ text }, 1);
}
