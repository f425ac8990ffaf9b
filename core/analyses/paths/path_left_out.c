/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_left_out.h"

#include <inttypes.h>

#include "core/tables/row_list.h"

#define TOPICS_LISTED 5

struct left_out {
	const char *topic;
	uint64_t count;
};

/* clang-format off */
#define ROW struct left_out
static const struct table_column columns[] = {
	{ .name = "topic", CELL_OF(topic) },
	{ .name = "count", CELL_OF(count) },
};

static const struct table_schema schema = { TABLE("left_out", columns), .order = "-count topic" };
#undef ROW
/* clang-format on */

static void collect(void *data, enum diagnostic what, const char *detail, uint64_t count)
{
	struct left_out *of_topic = row_list_make(data);

	(void)what;
	*of_topic = (struct left_out){ detail, count };
}

void path_left_out_describe(const struct path_tree *tree, GString *text)
{
	g_autoptr(row_list) topics = row_list_create(&schema);

	g_string_truncate(text, 0);
	diagnostics_foreach(tree->nodes.capped, collect, topics);
	row_list_sort(topics, schema.order);
	for (guint i = 0; i < MIN(row_list_count(topics), TOPICS_LISTED); i++) {
		const struct left_out *topic = row_list_at(topics, i);

		g_string_append_printf(text, "%s%s (%" PRIu64 ")",
				       i > 0 ? ", " : "too many different paths: traversals left out by ", topic->topic,
				       topic->count);
	}
	if (row_list_count(topics) > TOPICS_LISTED) {
		g_string_append_printf(text, " and %u more topics", row_list_count(topics) - TOPICS_LISTED);
	}
}
