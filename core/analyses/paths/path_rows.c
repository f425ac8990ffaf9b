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

		path->written = NULL;
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
	struct written_path *written;

	if (path->written) {
		return;
	}
	path->written = written = row_list_keep(rows->owner, g_new0(struct written_path, 1));
	written->text = row_list_keep(rows->owner, path_text(tree, path->node));
	written->vpids = row_list_keep(rows->owner, path_vpids_text(tree, path->node));
	written->hostnames = row_list_keep(rows->owner, path_hostnames_text(tree, path->node));
	written->begins = row_list_keep(rows->owner, path_begins_text(tree, path->node));
	written->which = row_list_keep(rows->owner, path_which_text(tree, path->node));
	written->rate_to_end = rate_to_end(path, rows->silence);
	for (const struct path_node *node = path->node; node; node = node->parent) {
		written->lost += node->lost;
		written->unknown += node->unknown;
	}
}
