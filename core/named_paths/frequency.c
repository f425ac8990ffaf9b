/* SPDX-License-Identifier: MIT */
#include "core/named_paths/frequency.h"

#include "core/tables/row.h"
#include "ros2bt/base/time_units.h"

/* Of a longer run of empty bins (a day), only the first bin is written. */
#define EMPTY_BINS_MAX 86400

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

/* The bins of a series, from begin_ns on. */
struct bins {
	struct table_writer *writer;
	uint32_t path_id;
	struct cell element;
	int64_t begin_ns;
};

static void write_bin(const struct bins *bins, uint64_t bin, uint64_t count)
{
	row_write(bins->writer, &frequency_schema,
		  &(struct frequency_row){
			  .path_id = cell_unsigned(bins->path_id),
			  .start = cell_integer(bins->begin_ns + (int64_t)bin * NS_PER_S),
			  .count = cell_unsigned(count),
			  .element = bins->element,
		  });
}

static void write_empty(const struct bins *bins, uint64_t from, uint64_t to)
{
	if (to - from > EMPTY_BINS_MAX) {
		to = from + 1;
	}
	for (uint64_t bin = from; bin < to; bin++) {
		write_bin(bins, bin, 0);
	}
}

static uint64_t bin_of(const struct bins *bins, int64_t time_ns)
{
	return (uint64_t)(time_ns - bins->begin_ns) / NS_PER_S;
}

void frequency_write(struct table_writer *writer, uint32_t path_id, struct cell element, const GArray *times)
{
	const int64_t *times_ns = (const int64_t *)(const void *)times->data;
	size_t count = times->len, next = 0;
	struct bins bins = { writer, path_id, element, 0 };
	uint64_t bin = 0, end;

	if (!writer || count == 0) {
		return;
	}
	bins.begin_ns = times_ns[0] + (count > 1 ? (times_ns[1] - times_ns[0]) / 2 : 0);
	end = times_ns[count - 1] < bins.begin_ns ? 0 : bin_of(&bins, times_ns[count - 1]);
	while (next < count && times_ns[next] < bins.begin_ns) {
		next++;
	}
	while (next < count) {
		uint64_t at = bin_of(&bins, times_ns[next]);
		size_t first = next;

		if (at >= end) {
			break;
		}
		write_empty(&bins, bin, at);
		while (next < count && bin_of(&bins, times_ns[next]) == at) {
			next++;
		}
		write_bin(&bins, at, next - first);
		bin = at + 1;
	}
	write_empty(&bins, MIN(bin, end), end);
}
