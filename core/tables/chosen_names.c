/* SPDX-License-Identifier: MIT */
#include "core/tables/chosen_names.h"

#define NAMES_MAX 2 /* of a meaning: what connects two has one on each side */

static size_t names_of(const struct table_column *columns, size_t column_count, enum column_meaning means,
		       const void *row, const char **names)
{
	size_t count = 0;

	for (size_t i = 0; i < column_count && count < NAMES_MAX; i++) {
		if (columns[i].means == means) {
			struct cell cell = row_cell(&columns[i].source, row);

			names[count++] = cell.type == CELL_TEXT ? cell.text : NULL;
		}
	}
	return count;
}

static bool passes(const struct name_filter *filter, const struct table_schema *schema, enum column_meaning means,
		   const void *row)
{
	const char *names[NAMES_MAX];
	size_t count;

	if (!filter) {
		return true;
	}
	count = names_of(schema->unwritten, schema->unwritten_count, means, row, names);
	if (count == 0) {
		count = names_of(schema->columns, schema->column_count, means, row, names);
	}
	return count == 0 || name_filter_passes(filter, names, count);
}

bool row_is_chosen(const struct chosen_names *chosen, const struct table_schema *schema, const void *row)
{
	/* each in any case, because filters remember which names there are */
	bool has_node = passes(chosen->nodes, schema, MEANS_NODE, row);
	bool has_topic = passes(chosen->topics, schema, MEANS_TOPIC, row);
	bool has_path = passes(chosen->paths, schema, MEANS_PATH, row);

	return has_node && has_topic && has_path;
}
