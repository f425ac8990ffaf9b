/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_rows.h"

#include <math.h>

#include "core/analyses/paths/path_names.h"
#include "core/analyses/shared/final_silence.h"

void path_rows_begin(const struct path_rows *rows)
{
	const GPtrArray *all = rows->tree->all;

	for (guint i = 0; i < all->len; i++) {
		struct path *path = all->pdata[i];

		path->text = NULL;
		for (const struct path_node *node = path->node; node; node = node->parent) {
			final_silence_note(rows->silence, path_node_process(node), path->origins.last_ns);
		}
	}
}

static struct cell rate_to_end(const struct path *path, const struct final_silence *silence)
{
	double least_ns = INFINITY;

	for (const struct path_node *node = path->node; node; node = node->parent) {
		least_ns = fmin(least_ns, final_silence_of(silence, path_node_process(node), path->origins.last_ns));
	}
	return covered_rate_to_end_cell(&path->origins, least_ns);
}

void path_rows_fill(const struct path_rows *rows, struct path *path)
{
	const struct path_tree *tree = rows->tree;

	if (path->text) {
		return;
	}
	path->text = row_list_keep(rows->owner, path_text(tree, path->node));
	path->vpids = row_list_keep(rows->owner, path_vpids_text(tree, path->node));
	path->hostnames = row_list_keep(rows->owner, path_hostnames_text(tree, path->node));
	path->begins = row_list_keep(rows->owner, path_begins_text(tree, path->node));
	path->which = row_list_keep(rows->owner, path_which_text(tree, path->node));
	path->rate_to_end = rate_to_end(path, rows->silence);
	path->lost = path->unknown = 0;
	for (const struct path_node *node = path->node; node; node = node->parent) {
		path->lost += node->lost;
		path->unknown += node->unknown;
	}
}
