/* SPDX-License-Identifier: MIT */
#include "core/reports/budget/budget_selection.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/name_filter.h"
#include "ros2bt/base/ascii_text.h"
#include "ros2bt/base/duration_text.h"
#include "core/base/text/hidden_names.h"
#include "core/base/text/human_text.h"

/* A number, as CSV writes it, and as the text report shows it in UTF-8 and in ASCII. */
#define NAMES_MAX 3

static void selector_clear(gpointer data)
{
	struct budget_selector *selector = data;

	g_array_unref(selector->columns);
	name_filter_destroy(selector->filter);
	g_free(selector->text);
}

GArray *budget_selection_create(void)
{
	GArray *selection = g_array_new(FALSE, FALSE, sizeof(struct budget_selector));

	g_array_set_clear_func(selection, selector_clear);
	return selection;
}

/* For a pattern that is a duration, the pattern of the same duration as a number; else NULL. */
static char *number_pattern(const char *pattern)
{
	bool is_exclusion = pattern[0] == '!';
	int64_t duration_ns;

	return duration_text_parse(pattern + is_exclusion, &duration_ns)
		       ? g_strdup_printf("%s%" PRIi64, is_exclusion ? "!" : "", duration_ns)
		       : NULL;
}

static bool has_durations(const struct table_schema *schema, const GArray *columns)
{
	for (guint i = 0; i < columns->len; i++) {
		if (schema->columns[g_array_index(columns, size_t, i)].format == COLUMN_DURATION) {
			return true;
		}
	}
	return false;
}

void budget_selection_add(GArray *selection, const struct table_schema *schema, GArray *columns,
			  const char *const *patterns)
{
	bool may_be_durations = has_durations(schema, columns);
	struct budget_selector selector = { .columns = columns, .text = g_strjoinv(", ", (char **)patterns) };
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);

	for (; *patterns; patterns++) {
		char *number = may_be_durations ? number_pattern(*patterns) : NULL;

		g_ptr_array_add(all, g_strdup(*patterns));
		if (number) {
			g_ptr_array_add(all, number);
		}
	}
	g_ptr_array_add(all, NULL);
	selector.filter = name_filter_create((const char *const *)all->pdata);
	g_array_append_val(selection, selector);
}

static char *in_ascii(const char *text)
{
	char *ascii = g_strdup(text);
	size_t size = strlen(ascii);

	ascii_text_convert(ascii, &size);
	ascii[size] = '\0';
	return ascii;
}

static bool number_passes(const struct name_filter *filter, const struct table_column *column, int64_t number)
{
	char plain[HUMAN_TEXT_SIZE], duration[HUMAN_TEXT_SIZE];
	g_autofree char *ascii = NULL;
	const char *names[NAMES_MAX] = { plain };

	g_snprintf(plain, sizeof(plain), "%" PRIi64, number);
	if (column->format == COLUMN_DURATION) {
		names[1] = human_text_duration(duration, number);
		ascii = in_ascii(names[1]);
		names[2] = ascii;
	}
	return name_filter_passes(filter, names, NAMES_MAX);
}

static bool cell_passes(const struct name_filter *filter, const struct table_column *column, const struct cell *cell)
{
	const char *name = cell->type == CELL_TEXT ? cell->text : NULL;

	if (cell->type == CELL_INTEGER || cell->type == CELL_UNSIGNED) {
		return number_passes(filter, column, cell->integer);
	}
	return name_filter_passes(filter, &name, 1);
}

static bool selector_passes(const struct budget_selector *selector, const struct table_schema *schema,
			    const struct cell *cells)
{
	for (guint i = 0; i < selector->columns->len; i++) {
		size_t column = g_array_index(selector->columns, size_t, i);

		if (cell_passes(selector->filter, &schema->columns[column], &cells[column])) {
			return true;
		}
	}
	return false;
}

static bool names_hidden(const GArray *selection)
{
	for (guint i = 0; i < selection->len; i++) {
		if (name_is_hidden(g_array_index(selection, struct budget_selector, i).text)) {
			return true;
		}
	}
	return false;
}

bool budget_selection_is_hidden(const struct table_schema *schema, const struct cell *cells)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		bool is_name = schema->columns[i].merge == COLUMN_MERGE_KEY && cells[i].type == CELL_TEXT;

		if (is_name && name_is_hidden(cells[i].text)) {
			return true;
		}
	}
	return false;
}

bool budget_selection_takes(const GArray *selection, const struct table_schema *schema, const struct cell *cells)
{
	for (guint i = 0; i < selection->len; i++) {
		if (!selector_passes(&g_array_index(selection, struct budget_selector, i), schema, cells)) {
			return false;
		}
	}
	return !budget_selection_is_hidden(schema, cells) || names_hidden(selection);
}

char *budget_selection_text(const GArray *selection)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < selection->len; i++) {
		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "",
				       g_array_index(selection, struct budget_selector, i).text);
	}
	return g_string_free(text, FALSE);
}
