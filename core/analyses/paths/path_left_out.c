/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_left_out.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/compare_numbers.h"

#define TOPICS_LISTED 5

struct left_out {
	const char *topic;
	uint64_t count;
};

static void collect(void *data, enum diagnostic what, const char *detail, uint64_t count)
{
	const struct left_out of_topic = { detail, count };

	(void)what;
	g_array_append_val((GArray *)data, of_topic);
}

static gint compare_counts(gconstpointer a, gconstpointer b)
{
	const struct left_out *left = a, *right = b;
	int order = compare_unsigned(right->count, left->count);

	return order ? order : strcmp(left->topic, right->topic);
}

void path_left_out_describe(const struct path_tree *tree, GString *text)
{
	g_autoptr(GArray) topics = g_array_new(FALSE, FALSE, sizeof(struct left_out));

	g_string_truncate(text, 0);
	diagnostics_foreach(tree->nodes.capped, collect, topics);
	g_array_sort(topics, compare_counts);
	for (guint i = 0; i < MIN(topics->len, TOPICS_LISTED); i++) {
		const struct left_out *topic = &g_array_index(topics, struct left_out, i);

		g_string_append_printf(text, "%s%s (%" PRIu64 ")",
				       i > 0 ? ", " : "too many different paths: traversals left out by ", topic->topic,
				       topic->count);
	}
	if (topics->len > TOPICS_LISTED) {
		g_string_append_printf(text, " and %u more topics", topics->len - TOPICS_LISTED);
	}
}
