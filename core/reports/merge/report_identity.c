/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/report_identity.h"

#include <string.h>

#include "ros2bt/reports/merged_table.h"

static void add_bytes(GChecksum *checksum, const void *bytes, size_t size)
{
	g_checksum_update(checksum, bytes, (gssize)size);
}

/* Returns whether it has samples. */
static bool add_statistic(GChecksum *checksum, const struct duration_statistics *statistic)
{
	struct duration_totals totals = duration_statistics_totals(statistic);

	add_bytes(checksum, &totals.count, sizeof(totals.count));
	if (totals.count == 0) {
		return false;
	}
	add_bytes(checksum, &totals.sum_ns, sizeof(totals.sum_ns));
	add_bytes(checksum, &totals.min_ns, sizeof(totals.min_ns));
	add_bytes(checksum, &totals.max_ns, sizeof(totals.max_ns));
	add_bytes(checksum, &statistic->longest_at_ns, sizeof(statistic->longest_at_ns));
	return true;
}

static bool add_cell(GChecksum *checksum, const struct cell *cell)
{
	add_bytes(checksum, &cell->type, sizeof(cell->type));
	switch (cell->type) {
	case CELL_TEXT:
		add_bytes(checksum, cell->text, strlen(cell->text) + 1);
		return false;
	case CELL_INTEGER:
		add_bytes(checksum, &cell->integer, sizeof(cell->integer));
		return false;
	case CELL_UNSIGNED:
		add_bytes(checksum, &cell->unsigned_integer, sizeof(cell->unsigned_integer));
		return false;
	case CELL_STATISTIC:
		return add_statistic(checksum, cell->statistic);
	default:
		return false;
	}
}

static bool add_table(GChecksum *checksum, const struct merged_table *table)
{
	size_t column_count = merged_table_column_count(table);
	g_autoptr(GPtrArray) rows = merged_table_rows(table);
	bool has_samples = false;

	add_bytes(checksum, &rows->len, sizeof(rows->len));
	for (guint i = 0; i < rows->len; i++) {
		const struct merged_row *row = g_ptr_array_index(rows, i);

		for (size_t j = 0; j < column_count; j++) {
			has_samples |= add_cell(checksum, &row->cells[j]);
		}
	}
	return has_samples;
}

char *report_identity(const GPtrArray *tables, const char *const *values, size_t value_count)
{
	GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA256);
	bool has_samples = false;
	char *identity;

	for (size_t i = 0; i < value_count; i++) {
		add_bytes(checksum, values[i], strlen(values[i]) + 1);
	}
	for (guint i = 0; i < tables->len; i++) {
		has_samples |= add_table(checksum, g_ptr_array_index(tables, i));
	}
	identity = has_samples ? g_strdup(g_checksum_get_string(checksum)) : NULL;
	g_checksum_free(checksum);
	return identity;
}
