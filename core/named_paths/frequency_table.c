/* SPDX-License-Identifier: MIT */
#include "core/named_paths/frequency_table.h"

#include "core/named_paths/frequency.h"
#include "core/tables/row.h"

struct frequency_row {
	struct cell path_id, start, count, element;
};

/* clang-format off */
#define ROW struct frequency_row
static const struct table_column frequency_columns[] = {
	{ .name = "named_path_id", .id_of = "named_paths", .role = COLUMN_ROLE_HIDDEN, CELL_OF(path_id) },
	{ .name = "start_ns", .label = "second from", .format = COLUMN_TIME, CELL_OF(start) },
	{ .name = "count", CELL_OF(count) },
	/* of the path, with contexts=caret; empty: flows that began */
	{ .name = "element", CELL_OF(element) },
};

const struct table_schema frequency_schema = {
	TABLE_OF_CELLS("frequencies", frequency_columns), .title = "Flows along named paths that began in each second",
	.selection = "named_paths", .kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW
/* clang-format on */

struct bins {
	struct table_writer *writer;
	uint32_t path_id;
	struct cell element;
};

static void write_bin(void *data, int64_t start_ns, uint64_t count)
{
	const struct bins *bins = data;

	row_write(bins->writer, &frequency_schema,
		  &(struct frequency_row){
			  .path_id = cell_unsigned(bins->path_id),
			  .start = cell_integer(start_ns),
			  .count = cell_unsigned(count),
			  .element = bins->element,
		  });
}

void frequency_table_write(struct table_writer *writer, uint32_t path_id, struct cell element, const GArray *times)
{
	struct bins bins = { writer, path_id, element };

	if (writer) {
		frequency_visit((const int64_t *)(const void *)times->data, times->len, write_bin, &bins);
	}
}
