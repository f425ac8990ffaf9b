/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/top_screen.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/text/human_text.h"

#define FILTER_MAX 64 /* characters */
#define KEYS "q quit  1-4 Tab table  <> sort  r reverse  / filter  Space freeze  Enter worst instance"

struct column {
	const char *label;
	guint width;	  /* of the column and a space; 0: what is left */
	guint least_room; /* the width of a screen that shows it */
};

static const struct column columns[TOP_COLUMNS] = {
	[TOP_RATE] = { "rate Hz", 9, 60 }, [TOP_P50] = { "p50", 9, 70 },   [TOP_P99] = { "p99", 9, 24 },
	[TOP_MAX] = { "max", 9, 40 },	   [TOP_LOST] = { "lost", 7, 50 }, [TOP_SHARE] = { "core %", 8, 80 },
	[TOP_NAME] = { "name", 0, 0 },
};

static const char *const table_names[TOP_TABLES] = {
	[TOP_CALLBACKS] = "Callbacks",
	[TOP_MESSAGES] = "Topics",
	[TOP_PATHS] = "Paths",
	[TOP_CALLS] = "Services",
};

void top_screen_init(struct top_screen *screen)
{
	*screen = (struct top_screen){ .sort = TOP_P99, .filter = g_string_new(NULL) };
}

void top_screen_clear(struct top_screen *screen)
{
	g_string_free(screen->filter, TRUE);
	g_free(screen->selected);
}

/* --- rows --- */

/* A larger number is worse; what is not known is best. */
static double badness(const struct top_row *row, enum top_column column)
{
	switch (column) {
	case TOP_RATE:
		return row->rate_hz;
	case TOP_P50:
		return row->has_durations ? (double)row->p50_ns : (double)INT64_MIN;
	case TOP_P99:
		return row->has_durations ? (double)row->p99_ns : (double)INT64_MIN;
	case TOP_MAX:
		return row->has_durations ? (double)row->max_ns : (double)INT64_MIN;
	case TOP_LOST:
		return (double)row->lost;
	case TOP_SHARE:
		return row->share;
	default:
		return 0;
	}
}

static int compare_rows(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct top_row *left = *(const struct top_row *const *)a, *right = *(const struct top_row *const *)b;
	const struct top_screen *screen = data;
	double difference = badness(right, screen->sort) - badness(left, screen->sort);
	int order = difference > 0 ? 1 : difference < 0 ? -1 : strcmp(left->name, right->name);

	return screen->is_reversed ? -order : order;
}

static bool is_wanted(const struct top_row *row, const char *wanted)
{
	g_autofree char *name = g_utf8_casefold(row->name, -1);

	return strstr(name, wanted) != NULL;
}

GPtrArray *top_screen_rows(const struct top_screen *screen, const struct top_model *model)
{
	const GPtrArray *all = top_model_rows(model, screen->table);
	g_autofree char *wanted = g_utf8_casefold(screen->filter->str, -1);
	GPtrArray *rows = g_ptr_array_new();

	for (guint i = 0; i < all->len; i++) {
		/* names of thousands of rows are only looked at if there is a filter */
		if (wanted[0] == '\0' || is_wanted(all->pdata[i], wanted)) {
			g_ptr_array_add(rows, all->pdata[i]);
		}
	}
	g_ptr_array_sort_with_data(rows, compare_rows, (gpointer)screen);
	return rows;
}

static guint selected_index(const struct top_screen *screen, const GPtrArray *rows)
{
	for (guint i = 0; i < rows->len; i++) {
		if (g_strcmp0(((const struct top_row *)rows->pdata[i])->name, screen->selected) == 0) {
			return i;
		}
	}
	return 0;
}

/* --- keys --- */

static void move(struct top_screen *screen, const struct top_model *model, int64_t by)
{
	GPtrArray *rows = top_screen_rows(screen, model);
	int64_t index = (int64_t)selected_index(screen, rows) + by;

	if (rows->len > 0) {
		index = CLAMP(index, 0, (int64_t)rows->len - 1);
		g_free(screen->selected);
		screen->selected = g_strdup(((const struct top_row *)rows->pdata[index])->name);
	}
	g_ptr_array_unref(rows);
}

static void show_table(struct top_screen *screen, enum top_table table)
{
	screen->table = table;
	screen->first = 0;
	screen->is_open = false;
	g_clear_pointer(&screen->selected, g_free);
}

static void type(struct top_screen *screen, uint32_t key)
{
	switch (key) {
	case TOP_KEY_ESCAPE:
		g_string_truncate(screen->filter, 0);
		screen->is_typing = false;
		break;
	case TOP_KEY_ENTER:
		screen->is_typing = false;
		break;
	case TOP_KEY_BACKSPACE:
		if (screen->filter->len > 0) {
			const char *last =
				g_utf8_find_prev_char(screen->filter->str, screen->filter->str + screen->filter->len);

			g_string_truncate(screen->filter, (gsize)(last - screen->filter->str));
		}
		break;
	default:
		if (key < TOP_KEY_UP && g_unichar_validate(key) && g_unichar_isprint(key) &&
		    g_utf8_strlen(screen->filter->str, -1) < FILTER_MAX) {
			g_string_append_unichar(screen->filter, key);
		}
		break;
	}
}

static void move_by_key(struct top_screen *screen, const struct top_model *model, uint32_t key)
{
	int64_t page = MAX(screen->room, 1);

	switch (key) {
	case TOP_KEY_UP:
	case 'k':
		move(screen, model, -1);
		break;
	case TOP_KEY_DOWN:
	case 'j':
		move(screen, model, 1);
		break;
	case TOP_KEY_PAGE_UP:
		move(screen, model, -page);
		break;
	case TOP_KEY_PAGE_DOWN:
		move(screen, model, page);
		break;
	case TOP_KEY_HOME:
		move(screen, model, -(int64_t)G_MAXINT32);
		break;
	case TOP_KEY_END:
		move(screen, model, G_MAXINT32);
		break;
	default:
		break;
	}
}

void top_screen_key(struct top_screen *screen, const struct top_model *model, uint32_t key)
{
	if (screen->is_typing) {
		type(screen, key);
		return;
	}
	switch (key) {
	case 'q':
		screen->is_over = true;
		break;
	case '1':
	case '2':
	case '3':
	case '4':
		show_table(screen, (enum top_table)(key - '1'));
		break;
	case TOP_KEY_TAB:
		show_table(screen, (enum top_table)((screen->table + 1) % TOP_TABLES));
		break;
	case TOP_KEY_LEFT:
	case '<':
		screen->sort = (enum top_column)((screen->sort + TOP_COLUMNS - 1) % TOP_COLUMNS);
		break;
	case TOP_KEY_RIGHT:
	case '>':
		screen->sort = (enum top_column)((screen->sort + 1) % TOP_COLUMNS);
		break;
	case 'r':
		screen->is_reversed = !screen->is_reversed;
		break;
	case ' ':
		screen->is_frozen = !screen->is_frozen;
		break;
	case '/':
		screen->is_typing = true;
		break;
	case TOP_KEY_ENTER:
		screen->is_open = !screen->is_open;
		move(screen, model, 0);
		break;
	case TOP_KEY_ESCAPE:
		screen->is_open = false;
		g_string_truncate(screen->filter, 0);
		break;
	default:
		move_by_key(screen, model, key);
		break;
	}
}

/* --- lines --- */

static void line_clear(gpointer data)
{
	g_free(((struct top_line *)data)->text);
}

struct page {
	GArray *lines; /* struct top_line */
	guint width, height;
};

/* Takes the text over; what is too long is cut. Nothing if the page is full. */
static void add_line(struct page *page, char *text, enum top_style style)
{
	struct top_line line = { text, style };

	if (page->lines->len >= page->height) {
		g_free(text);
		return;
	}
	*(char *)human_text_fitting(text, page->width) = '\0';
	g_array_append_val(page->lines, line);
}

/* To the right of a column. */
static void append_right(GString *line, const char *text, guint width)
{
	size_t taken = human_text_width(text);

	for (size_t i = taken + 1; i < width; i++) {
		g_string_append_c(line, ' ');
	}
	g_string_append_printf(line, "%s ", text);
}

static bool is_shown(enum top_column column, guint width)
{
	return width >= columns[column].least_room;
}

static const char *cell_text_of(const struct top_row *row, enum top_column column, char buffer[HUMAN_TEXT_SIZE])
{
	switch (column) {
	case TOP_P50:
		return row->has_durations ? human_text_duration(buffer, row->p50_ns) : "-";
	case TOP_P99:
		return row->has_durations ? human_text_duration(buffer, row->p99_ns) : "-";
	case TOP_MAX:
		return row->has_durations ? human_text_duration(buffer, row->max_ns) : "-";
	case TOP_LOST:
		(void)g_snprintf(buffer, HUMAN_TEXT_SIZE, "%" PRId64, row->lost);
		return row->lost >= 0 ? buffer : "-";
	case TOP_RATE:
		(void)g_snprintf(buffer, HUMAN_TEXT_SIZE, "%.4g", row->rate_hz);
		return row->rate_hz >= 0 ? buffer : "-";
	default:
		(void)g_snprintf(buffer, HUMAN_TEXT_SIZE, "%.2f", row->share);
		return row->share >= 0 ? buffer : "-";
	}
}

static char *row_text(const struct top_row *row, guint width)
{
	GString *line = g_string_new(NULL);
	char buffer[HUMAN_TEXT_SIZE];
	size_t taken;

	for (int i = 0; i < TOP_NAME; i++) {
		if (is_shown((enum top_column)i, width)) {
			append_right(line, cell_text_of(row, (enum top_column)i, buffer), columns[i].width);
		}
	}
	taken = human_text_width(line->str);
	if (taken < width) {
		g_autofree char *name = human_text_shorten(row->name, width - taken);

		g_string_append(line, name);
	}
	return g_string_free(line, FALSE);
}

static char *heading(const struct top_screen *screen, guint width)
{
	GString *line = g_string_new(NULL);

	for (int i = 0; i < TOP_COLUMNS; i++) {
		g_autofree char *label = g_strdup_printf("%s%s", columns[i].label,
							 i != (int)screen->sort ? ""
							 : screen->is_reversed	? "^"
										: "v");

		if (i == TOP_NAME) {
			g_string_append(line, label);
		} else if (is_shown((enum top_column)i, width)) {
			append_right(line, label, columns[i].width);
		}
	}
	return g_string_free(line, FALSE);
}

static char *headline(const struct top_screen *screen, const struct top_span *span, const char *title)
{
	g_autofree char *clean = human_text_clean(title);
	GString *line = g_string_new(screen->is_frozen ? "FROZEN  " : "");
	char buffer[HUMAN_TEXT_SIZE];

	g_string_append(line, span->state ? span->state : "waiting for events");
	if (span->length_ns > 0) {
		g_string_append_printf(line, "  as of %.19s UTC", human_text_time(buffer, span->as_of_ns));
		g_string_append_printf(line, ", %s %s", span->is_whole ? "all of" : "the last",
				       human_text_duration(buffer, span->length_ns));
	}
	if (span->has_lag) {
		g_string_append_printf(line, ", %s behind", human_text_duration(buffer, span->lag_ns));
	}
	g_string_append_printf(line, "  %s", clean);
	return g_string_free(line, FALSE);
}

static char *tabs(const struct top_screen *screen, const struct top_model *model)
{
	GString *line = g_string_new(NULL);

	for (int i = 0; i < TOP_TABLES; i++) {
		bool is_chosen = i == (int)screen->table;

		g_string_append_printf(line, "%s%s%d %s %u%s", i > 0 ? " " : "", is_chosen ? "[" : " ", i + 1,
				       table_names[i], top_model_rows(model, (enum top_table)i)->len,
				       is_chosen ? "]" : " ");
	}
	if (screen->filter->len > 0) {
		g_string_append_printf(line, "  filter: %s", screen->filter->str);
	}
	return g_string_free(line, FALSE);
}

/* A text on as many lines as it takes; there is room for the heading and a row below. */
static void add_wrapped(struct page *page, const char *text, enum top_style style)
{
	while (*text != '\0' && page->lines->len + 3 < page->height) {
		const char *end = human_text_fitting(text, page->width);

		end = end > text ? end : g_utf8_next_char(text);
		add_line(page, g_strndup(text, (gsize)(end - text)), style);
		text = end;
	}
}

/* The selected row in full. */
static void add_details(struct page *page, const struct top_row *row)
{
	g_autofree char *worst =
		g_strdup_printf("worst since the beginning: %s", row->worst ? row->worst : "nothing is known of it");

	add_wrapped(page, row->name, TOP_BOLD);
	add_wrapped(page, worst, TOP_PLAIN);
	add_wrapped(page, " ", TOP_PLAIN);
}

/* Scrolls so far that the selected row is shown. */
static void scroll(struct top_screen *screen, guint selected, guint count)
{
	guint last = count > screen->room ? count - screen->room : 0;

	screen->first = MIN(screen->first, last);
	screen->first = MIN(screen->first, selected);
	if (screen->room > 0 && selected >= screen->first + screen->room) {
		screen->first = selected - screen->room + 1;
	}
}

static void add_rows(struct top_screen *screen, struct page *page, const GPtrArray *rows)
{
	guint selected = selected_index(screen, rows);

	screen->room = page->height > page->lines->len + 1 ? page->height - page->lines->len - 1 : 0;
	scroll(screen, selected, rows->len);
	for (guint i = 0; i < screen->room; i++) {
		guint index = screen->first + i;

		if (index < rows->len) {
			add_line(page, row_text(rows->pdata[index], page->width),
				 index == selected ? TOP_INVERSE : TOP_PLAIN);
		} else {
			add_line(page, g_strdup(""), TOP_PLAIN);
		}
	}
}

GArray *top_screen_lines(struct top_screen *screen, const struct top_model *model, const char *title, guint width,
			 guint height)
{
	GPtrArray *rows = top_screen_rows(screen, model);
	struct page page = { g_array_new(FALSE, FALSE, sizeof(struct top_line)), width, height };

	g_array_set_clear_func(page.lines, line_clear);
	add_line(&page, headline(screen, top_model_span(model), title), TOP_PLAIN);
	add_line(&page, tabs(screen, model), TOP_BOLD);
	if (screen->is_open && rows->len > 0) {
		add_details(&page, rows->pdata[selected_index(screen, rows)]);
	}
	add_line(&page, heading(screen, width), TOP_BOLD);
	add_rows(screen, &page, rows);
	add_line(&page, screen->is_typing ? g_strdup_printf("filter: %s_", screen->filter->str) : g_strdup(KEYS),
		 TOP_PLAIN);
	g_ptr_array_unref(rows);
	return page.lines;
}
