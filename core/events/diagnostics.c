/* SPDX-License-Identifier: MIT */
#include "ros2bt/events/diagnostics.h"

#include <glib.h>
#include <string.h>

struct diagnostic_row {
	char *detail; /* owned */
	uint64_t count;
	uint64_t number; /* in the order of adding */
	bool is_of_release;
};

struct diagnostics {
	GArray *rows[DIAGNOSTIC_COUNT]; /* struct diagnostic_row, sorted by detail; NULL: none */
	uint64_t last_number;
};

static const struct diagnostic_kind kinds[DIAGNOSTIC_COUNT] = {
#define ROW(constant, severity, name, details, detail, text, remedy)                                                   \
	{ name, SEVERITY_##severity, DETAILS_ARE_##details, detail, text, remedy },
	DIAGNOSTICS(ROW)
#undef ROW
};

static const char *const severity_names[SEVERITY_COUNT] = {
#define ROW(name, text) text,
	DIAGNOSTIC_SEVERITIES(ROW)
#undef ROW
};

const struct diagnostic_kind *diagnostic_kind(enum diagnostic what)
{
	return &kinds[what];
}

const char *diagnostic_name(enum diagnostic what)
{
	return kinds[what].name;
}

bool diagnostic_is_of_files(const struct diagnostic_kind *kind)
{
	return kind->details == DETAILS_ARE_FILES;
}

const char *diagnostic_severity_name(enum diagnostic_severity severity)
{
	return severity_names[severity];
}

const struct diagnostic_kind *diagnostic_kind_of_name(const char *name)
{
	for (size_t what = 0; what < DIAGNOSTIC_COUNT; what++) {
		if (strcmp(kinds[what].name, name) == 0) {
			return &kinds[what];
		}
	}
	return NULL;
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
	diagnostics_clear(diagnostics);
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

static struct diagnostic_row *rows_add(GArray *rows, const char *detail, uint64_t number)
{
	struct diagnostic_row row = { .detail = g_strdup(detail), .number = number };
	guint index = rows_search(rows, detail);

	g_array_insert_val(rows, index, row);
	return &g_array_index(rows, struct diagnostic_row, index);
}

static struct diagnostic_row *add_to_row(struct diagnostics *diagnostics, enum diagnostic what, const char *detail,
					 uint64_t count)
{
	GArray **rows = &diagnostics->rows[what];
	struct diagnostic_row *row;

	if (!*rows) {
		*rows = g_array_new(FALSE, FALSE, sizeof(struct diagnostic_row));
		g_array_set_clear_func(*rows, row_clear);
	}
	row = rows_find(*rows, detail);
	if (!row) {
		row = rows_add(*rows, detail, ++diagnostics->last_number);
	}
	if (__builtin_add_overflow(row->count, count, &row->count)) {
		row->count = UINT64_MAX;
	}
	return row;
}

void diagnostics_add(struct diagnostics *diagnostics, enum diagnostic what, const char *detail, uint64_t count)
{
	if (count > 0) {
		add_to_row(diagnostics, what, detail, count);
	}
}

void diagnostics_add_of_release(struct diagnostics *diagnostics, enum diagnostic what, const char *detail,
				uint64_t count)
{
	if (count > 0) {
		add_to_row(diagnostics, what, detail, count)->is_of_release = true;
	}
}

bool diagnostics_is_of_release(const struct diagnostics *diagnostics, enum diagnostic what, const char *detail)
{
	const struct diagnostic_row *row = diagnostics->rows[what] ? rows_find(diagnostics->rows[what], detail) : NULL;

	return row && row->is_of_release;
}

const char *diagnostics_first(const struct diagnostics *diagnostics, enum diagnostic what)
{
	const GArray *rows = diagnostics->rows[what];
	const struct diagnostic_row *first = NULL;

	for (guint i = 0; rows && i < rows->len; i++) {
		const struct diagnostic_row *row = &g_array_index(rows, struct diagnostic_row, i);

		first = !first || row->number < first->number ? row : first;
	}
	return first ? first->detail : NULL;
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

bool diagnostics_has_part_only(const struct diagnostics *diagnostics)
{
	for (size_t what = 0; what < DIAGNOSTIC_COUNT; what++) {
		if (diagnostics->rows[what] && kinds[what].severity == SEVERITY_PART) {
			return true;
		}
	}
	return false;
}

void diagnostics_foreach(const struct diagnostics *diagnostics, diagnostics_visitor visit, void *data)
{
	for (size_t what = 0; what < DIAGNOSTIC_COUNT; what++) {
		const GArray *rows = diagnostics->rows[what];

		for (guint i = 0; rows && i < rows->len; i++) {
			const struct diagnostic_row *row = &g_array_index(rows, struct diagnostic_row, i);

			visit(data, (enum diagnostic)what, row->detail, row->count);
		}
	}
}

/* The numbers of new rows are those of `from`, after all that there are. */
void diagnostics_add_all(struct diagnostics *into, const struct diagnostics *from)
{
	uint64_t before = into->last_number;

	for (size_t what = 0; what < DIAGNOSTIC_COUNT; what++) {
		const GArray *rows = from->rows[what];

		for (guint i = 0; rows && i < rows->len; i++) {
			const struct diagnostic_row *row = &g_array_index(rows, struct diagnostic_row, i);
			struct diagnostic_row *added = add_to_row(into, (enum diagnostic)what, row->detail, row->count);

			added->number = added->number > before ? before + row->number : added->number;
			added->is_of_release |= row->is_of_release;
		}
	}
	into->last_number = before + from->last_number;
}

void diagnostics_clear(struct diagnostics *diagnostics)
{
	for (size_t what = 0; what < DIAGNOSTIC_COUNT; what++) {
		g_clear_pointer(&diagnostics->rows[what], g_array_unref);
	}
	diagnostics->last_number = 0;
}
