/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/report_partial.h"

#include <glib.h>

#include "core/reports/merge/csv_rows.h"
#include "ros2bt/events/diagnostics.h"

#define DIAGNOSTICS_FILE "diagnostics.csv"

static bool is_partial(const char *what)
{
	const struct diagnostic_kind *kind = diagnostic_kind_of_name(what);

	return kind && kind->severity == SEVERITY_PART;
}

char *report_partial(const char *directory)
{
	g_autofree char *path = g_build_filename(directory, DIAGNOSTICS_FILE, NULL);
	struct csv_rows *rows = csv_rows_open(path, NULL);
	const char *const *cells;
	char *problem = NULL;
	int what, detail;

	if (!rows) {
		return NULL;
	}
	what = csv_rows_find(rows, "what");
	detail = csv_rows_find(rows, "detail");
	while (what >= 0 && !problem && (cells = csv_rows_next(rows, NULL)) != NULL) {
		if (is_partial(cells[what])) {
			problem = g_strdup_printf("%s: partial: %s%s%s", directory, cells[what],
						  detail >= 0 && cells[detail][0] != '\0' ? ": " : "",
						  detail >= 0 ? cells[detail] : "");
		}
	}
	csv_rows_close(rows);
	return problem;
}
