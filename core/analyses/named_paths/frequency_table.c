/* SPDX-License-Identifier: MIT */
#include "core/analyses/named_paths/frequency_table.h"

#include "core/analyses/named_paths/frequency.h"

static const struct table_column frequency_columns[] = {
	{ .name = "named_path_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "start_ns", .label = "second from", .format = COLUMN_TIME },
	{ .name = "count" },
	{ .name = "element" }, /* of the path, with contexts=caret; empty: flows that began */
};

const struct table_schema frequency_schema = {
	.name = "frequencies",
	.title = "Flows along named paths that began in each second",
	.selection = "named_paths",
	.is_instances = true,
	.is_optional = true,
	.columns = frequency_columns,
	.column_count = G_N_ELEMENTS(frequency_columns),
};

struct bins {
	struct table_writer *writer;
	uint32_t path_id;
	struct cell element;
};

static void write_bin(void *data, int64_t start_ns, uint64_t count)
{
	const struct bins *bins = data;

	TABLE_ROW(bins->writer, frequency_columns,
		  (struct cell[]){
			  cell_unsigned(bins->path_id),
			  cell_integer(start_ns),
			  cell_unsigned(count),
			  bins->element,
		  });
}

void frequency_table_write(struct table_writer *writer, uint32_t path_id, struct cell element, const GArray *times)
{
	struct bins bins = { writer, path_id, element };

	if (writer) {
		frequency_visit((const int64_t *)(const void *)times->data, times->len, write_bin, &bins);
	}
}
