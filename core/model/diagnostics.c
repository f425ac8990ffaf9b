/* SPDX-License-Identifier: MIT */
#include "ros2bt/diagnostics.h"

#include <string.h>

#include "ros2bt/table.h"

struct diagnostic_row {
	char *detail; /* owned */
	uint64_t count;
};

struct diagnostics {
	GArray *rows[DIAGNOSTIC_COUNT]; /* struct diagnostic_row, sorted by detail; NULL: none */
};

static const char *const names[DIAGNOSTIC_COUNT] = {
	[DIAGNOSTIC_DISCARDED_EVENTS] = "discarded events",
	[DIAGNOSTIC_DISCARDED_PACKETS] = "discarded packets",
	[DIAGNOSTIC_UNKNOWN_LAYOUT] = "events of unknown layout",
	[DIAGNOSTIC_NO_ROS_EVENTS] = "no ROS 2 events",
	[DIAGNOSTIC_NO_VPID] = "events without vpid context",
	[DIAGNOSTIC_NO_VTID] = "events without vtid context",
	[DIAGNOSTIC_NO_INIT] = "process without initialization events",
	[DIAGNOSTIC_CALLBACK_WITHOUT_OWNER] = "callback without owner",
	[DIAGNOSTIC_TIMER_WITHOUT_NODE] = "timer without node",
	[DIAGNOSTIC_END_WITHOUT_START] = "callback end without start",
	[DIAGNOSTIC_START_WITHOUT_END] = "callback start without end",
	[DIAGNOSTIC_CUT_BY_GAP] = "callback cut by discarded events",
	[DIAGNOSTIC_STACK_TOO_DEEP] = "callbacks nested too deep",
	[DIAGNOSTIC_PUBLICATION_WITHOUT_TAKER] = "publication without take",
	[DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION] = "take without publication",
	[DIAGNOSTIC_AMBIGUOUS_LINK] = "take with several possible publications",
	[DIAGNOSTIC_NEGATIVE_LATENCY] = "negative latency",
	[DIAGNOSTIC_LINK_NOT_FOUND] = "link fits nothing",
	[DIAGNOSTIC_PATHS_CAPPED] = "path traversals left out",
};

static const struct table_column columns[] = {
	{ .name = "what", .format = COLUMN_PLAIN },
	{ .name = "count", .format = COLUMN_PLAIN },
	{ .name = "detail", .format = COLUMN_NAME },
};

static const struct table_schema schema = {
	.name = "diagnostics",
	.title = "What the trace could not tell",
	.selection = "diagnostics",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

const char *diagnostic_name(enum diagnostic what)
{
	return names[what];
}

const struct table_schema *diagnostics_schema(void)
{
	return &schema;
}

static void row_clear(gpointer data)
{
	struct diagnostic_row *row = data;

	g_free(row->detail);
}

struct diagnostics *diagnostics_create(void)
{
	return g_new0(struct diagnostics, 1);
}

void diagnostics_destroy(struct diagnostics *diagnostics)
{
	if (!diagnostics) {
		return;
	}
	for (size_t what = 0; what < DIAGNOSTIC_COUNT; what++) {
		if (diagnostics->rows[what]) {
			g_array_unref(diagnostics->rows[what]);
		}
	}
	g_free(diagnostics);
}

/* The index of the first row that is not before `detail`. */
static guint rows_search(const GArray *rows, const char *detail)
{
	guint low = 0, high = rows->len;

	while (low < high) {
		guint middle = (low + high) / 2;

		if (strcmp(g_array_index(rows, struct diagnostic_row, middle).detail, detail) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static struct diagnostic_row *rows_find(const GArray *rows, const char *detail)
{
	guint index = rows_search(rows, detail);
	struct diagnostic_row *row;

	if (index == rows->len) {
		return NULL;
	}
	row = &g_array_index(rows, struct diagnostic_row, index);
	return strcmp(row->detail, detail) == 0 ? row : NULL;
}

static struct diagnostic_row *rows_add(GArray *rows, const char *detail)
{
	struct diagnostic_row row = { .detail = g_strdup(detail) };
	guint index = rows_search(rows, detail);

	g_array_insert_val(rows, index, row);
	return &g_array_index(rows, struct diagnostic_row, index);
}

void diagnostics_add(struct diagnostics *diagnostics, enum diagnostic what, const char *detail, uint64_t count)
{
	GArray **rows = &diagnostics->rows[what];
	struct diagnostic_row *row;

	if (count == 0) {
		return;
	}
	if (!*rows) {
		*rows = g_array_new(FALSE, FALSE, sizeof(struct diagnostic_row));
		g_array_set_clear_func(*rows, row_clear);
	}
	row = rows_find(*rows, detail);
	if (!row) {
		row = rows_add(*rows, detail);
	}
	if (__builtin_add_overflow(row->count, count, &row->count)) {
		row->count = UINT64_MAX;
	}
}

uint64_t diagnostics_count(const struct diagnostics *diagnostics, enum diagnostic what, const char *detail)
{
	const GArray *rows = diagnostics->rows[what];
	const struct diagnostic_row *found;
	uint64_t sum = 0;

	if (!rows) {
		return 0;
	}
	if (detail) {
		found = rows_find(rows, detail);
		return found ? found->count : 0;
	}
	for (guint i = 0; i < rows->len; i++) {
		if (__builtin_add_overflow(sum, g_array_index(rows, struct diagnostic_row, i).count, &sum)) {
			return UINT64_MAX;
		}
	}
	return sum;
}

void diagnostics_write(const struct diagnostics *diagnostics, struct table_writer *writer)
{
	for (size_t what = 0; what < DIAGNOSTIC_COUNT; what++) {
		const GArray *rows = diagnostics->rows[what];

		for (guint i = 0; rows && i < rows->len; i++) {
			const struct diagnostic_row *row = &g_array_index(rows, struct diagnostic_row, i);
			const struct cell cells[] = {
				cell_text(names[what]),
				cell_unsigned(row->count),
				cell_text(*row->detail ? row->detail : NULL),
			};

			table_row(writer, cells);
		}
	}
}
