/* SPDX-License-Identifier: MIT */
#include "core/reports/budget/budget_selection.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/name_filter.h"
#include "ros2bt/base/ascii_text.h"
#include "ros2bt/base/duration_text.h"
#include "ros2bt/base/nearest_name.h"
#include "core/base/text/hidden_names.h"
#include "core/base/text/human_text.h"

static void selector_clear(gpointer data)
{
	struct budget_selector *selector = data;

	g_array_unref(selector->columns);
	name_filter_destroy(selector->filter);
	g_strfreev(selector->patterns);
	g_ptr_array_unref(selector->names);
	g_ptr_array_unref(selector->made);
}

GArray *budget_selection_create(void)
{
	GArray *selection = g_array_new(FALSE, FALSE, sizeof(struct budget_selector));

	g_array_set_clear_func(selection, selector_clear);
	return selection;
}

void budget_selection_add(GArray *selection, GArray *columns, const char *const *patterns)
{
	struct budget_selector selector = {
		.columns = columns,
		.filter = name_filter_create_noting(patterns),
		.patterns = g_strdupv((char **)patterns),
		.names = g_ptr_array_new(),
		.made = g_ptr_array_new_with_free_func(g_free),
	};

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

/* Whether a pattern, without the `!` of an exclusion, is the same number in other words. */
static bool is_same_number(const char *pattern, int64_t number, const char *shown)
{
	g_autofree char *plain = g_strdup_printf("%" PRIi64, number), *ascii = in_ascii(shown);
	int64_t duration_ns;

	return strcmp(pattern, plain) == 0 || strcmp(pattern, ascii) == 0 ||
	       (duration_text_parse(pattern, &duration_ns) && duration_ns == number);
}

char *budget_selection_name(const struct table_column *column, const struct cell *cell)
{
	bool is_number = cell->type == CELL_INTEGER || cell->type == CELL_UNSIGNED;
	char buffer[HUMAN_TEXT_SIZE];

	if (is_number && column->format == COLUMN_DURATION) {
		return g_strdup(human_text_duration(buffer, cell->integer));
	}
	return is_number ? g_strdup_printf("%" PRIi64, cell->integer)
			 : g_strdup(cell->type == CELL_TEXT ? cell->text : NULL);
}

/* What is no text: as the report shows it, and durations also in the words of each pattern that means them. */
static void make_names(const struct budget_selector *selector, const struct table_column *column,
		       const struct cell *cell)
{
	char *shown = budget_selection_name(column, cell);

	if (!shown) {
		return;
	}
	g_ptr_array_add(selector->made, shown);
	g_ptr_array_add(selector->names, shown);
	for (guint i = 0; selector->patterns[i] && column->format == COLUMN_DURATION; i++) {
		char *pattern = selector->patterns[i] + (selector->patterns[i][0] == '!');

		if (is_same_number(pattern, cell->integer, shown)) {
			g_ptr_array_add(selector->names, pattern);
		}
	}
}

static bool selector_passes(const struct budget_selector *selector, const struct table_schema *schema,
			    const struct cell *cells)
{
	g_ptr_array_set_size(selector->names, 0);
	g_ptr_array_set_size(selector->made, 0);
	for (guint i = 0; i < selector->columns->len; i++) {
		size_t column = g_array_index(selector->columns, size_t, i);

		if (cells[column].type == CELL_TEXT) {
			g_ptr_array_add(selector->names, (gpointer)cells[column].text);
		} else {
			make_names(selector, &schema->columns[column], &cells[column]);
		}
	}
	return name_filter_passes(selector->filter, (const char *const *)selector->names->pdata, selector->names->len);
}

static char *selector_text(const struct budget_selector *selector)
{
	return g_strjoinv(", ", selector->patterns);
}

static bool names_hidden(const GArray *selection)
{
	for (guint i = 0; i < selection->len; i++) {
		g_autofree char *text = selector_text(&g_array_index(selection, struct budget_selector, i));

		if (name_is_hidden(text)) {
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

static char *text_of_first(const GArray *selection, guint count)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < count; i++) {
		g_autofree char *patterns = selector_text(&g_array_index(selection, struct budget_selector, i));

		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", patterns);
	}
	return g_string_free(text, FALSE);
}

char *budget_selection_text(const GArray *selection)
{
	return text_of_first(selection, selection->len);
}

/* The names in the columns of a selector; borrowed. */
static GPtrArray *names_in(const struct budget_selector *selector, budget_names_of names_of, const void *data)
{
	GPtrArray *all = g_ptr_array_new();

	for (guint i = 0; i < selector->columns->len; i++) {
		GPtrArray *names = names_of(data, g_array_index(selector->columns, size_t, i));

		g_ptr_array_extend_and_steal(all, names);
	}
	return all;
}

/* `before`: what the selectors before take; empty for the first. */
static void append_unmatched(GString *text, const char *before, const char *glob, const GPtrArray *names)
{
	struct name_filter *filter = name_filter_create((const char *const[]){ glob, NULL });
	bool is_elsewhere = name_filter_passes(filter, (const char *const *)names->pdata, names->len);
	g_autofree char *hint = names->len > 0 && !is_elsewhere
					? nearest_glob_hint(glob, (const char *const *)names->pdata, names->len)
					: NULL;

	g_string_append_printf(text, "%snothing %s%s matches \"%s\"%s%s", text->len > 0 ? "; " : "",
			       before[0] != '\0' ? "of " : "in the recording", before, glob, hint ? "; " : "",
			       hint ? hint : "");
	name_filter_destroy(filter);
}

char *budget_selection_unmatched(const GArray *selection, budget_names_of names_of, const void *data)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < selection->len && text->len == 0; i++) {
		const struct budget_selector *selector = &g_array_index(selection, struct budget_selector, i);
		g_autofree const char **globs = name_filter_unmatched(selector->filter);
		g_autofree char *before = text_of_first(selection, i);
		g_autoptr(GPtrArray) names = globs[0] ? names_in(selector, names_of, data) : NULL;

		for (size_t k = 0; globs[k]; k++) {
			append_unmatched(text, before, globs[k], names);
		}
	}
	return g_string_free(text, text->len == 0);
}
