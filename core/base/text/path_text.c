/* SPDX-License-Identifier: MIT */
#include "core/base/text/path_text.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/text/human_text.h"

#define ELLIPSIS "…"
#define ELLIPSIS_WIDTH 1

/* An element of a path, and the separator after it (path_names.c); nothing after the last one. */
struct element {
	const char *text;
	size_t length, separator_length;
	size_t end; /* in terminal columns of the path */
};

/* The length of the separator at the start of the text, 0 if there is none: a name follows, unlike in symbols of C++.
 */
static size_t separator_length(const char *text)
{
	static const char *const separators[] = { " > ", " >> ", " ~> " };

	for (size_t i = 0; *text == ' ' && i < G_N_ELEMENTS(separators); i++) {
		size_t length = strlen(separators[i]);

		if (g_str_has_prefix(text, separators[i]) && (text[length] == '/' || text[length] == '[')) {
			return length;
		}
	}
	return 0;
}

static const struct element *element_at(const GArray *elements, guint index)
{
	return &g_array_index(elements, struct element, index);
}

static void add_element(GArray *elements, const char *start, const char *end, size_t separator_length)
{
	const struct element *before = elements->len > 0 ? element_at(elements, elements->len - 1) : NULL;
	struct element element = { start, (size_t)(end - start), separator_length, human_text_width_to(start, end) };

	element.end += before ? before->end + before->separator_length : 0;
	g_array_append_val(elements, element);
}

static GArray *elements_of(const char *text)
{
	GArray *elements = g_array_new(FALSE, FALSE, sizeof(struct element));
	const char *start = text;

	for (; *text; text++) {
		size_t length = separator_length(text);

		if (length > 0) {
			add_element(elements, start, text, length);
			start = text + length;
			text = start - 1;
		}
	}
	add_element(elements, start, text, 0);
	return elements;
}

/* What is left of a path: its beginning and its end, which have this many elements together. */
struct ends {
	const struct element *head_end;	   /* the last one of the beginning */
	const struct element *before_tail; /* the last one that is left out */
};

static struct ends ends_of(const GArray *elements, guint kept)
{
	return (struct ends){
		.head_end = element_at(elements, (kept + 1) / 2 - 1),
		.before_tail = element_at(elements, elements->len - kept / 2 - 1),
	};
}

static bool do_ends_fit(const GArray *elements, guint kept, size_t width)
{
	struct ends ends = ends_of(elements, kept);
	size_t tail = element_at(elements, elements->len - 1)->end - ends.before_tail->end;

	return ends.head_end->end + ends.head_end->separator_length + ELLIPSIS_WIDTH + tail <= width;
}

/* With as many elements as fit, of the beginning and of the end in turn; to be freed. NULL: not even two fit. */
static char *with_fitting_elements(const GArray *elements, size_t width)
{
	const char *path = element_at(elements, 0)->text;
	struct ends ends;
	size_t head;
	guint kept = 1;

	while (kept + 1 < elements->len && do_ends_fit(elements, kept + 1, width)) {
		kept++;
	}
	if (kept < 2) {
		return NULL;
	}
	ends = ends_of(elements, kept);
	head = (size_t)(ends.head_end->text - path) + ends.head_end->length + ends.head_end->separator_length;
	return g_strdup_printf("%.*s" ELLIPSIS "%s", (int)head, path,
			       ends.before_tail->text + ends.before_tail->length);
}

/* In less room than this, what separates the two ends of a path is short, too. */
#define WIDTH_OF_SEPARATORS_MIN 20
/* In less room than this, the two ends of a path are no names any more. */
#define WIDTH_OF_ENDS_MIN 8

/* What is between the first and the last element if all others are left out; to be freed. */
static char *between_ends(const GArray *elements, size_t width)
{
	const struct element *first = element_at(elements, 0);
	const struct element *before = element_at(elements, elements->len - 2);

	if (elements->len == 2) {
		return g_strndup(first->text + first->length, first->separator_length);
	}
	if (width < WIDTH_OF_SEPARATORS_MIN) {
		return g_strdup(" " ELLIPSIS " ");
	}
	return g_strdup_printf("%.*s" ELLIPSIS "%.*s", (int)first->separator_length, first->text + first->length,
			       (int)before->separator_length, before->text + before->length);
}

/* The first and the last element, each of them shortened; to be freed. */
static char *ends_shortened(const GArray *elements, size_t width)
{
	const struct element *first = element_at(elements, 0);
	g_autofree char *head = g_strndup(first->text, first->length);
	g_autofree char *between = between_ends(elements, width);
	size_t room = width - human_text_width(between);
	size_t half = MIN(room / 2, human_text_width(head));
	g_autofree char *tail = human_text_shorten(element_at(elements, elements->len - 1)->text, room - half);
	g_autofree char *short_head = human_text_shorten(head, room - human_text_width(tail));

	return g_strconcat(short_head, between, tail, NULL);
}

char *path_text_shorten(const char *text, size_t width)
{
	g_autoptr(GArray) elements = NULL;
	char *fitting;

	if (human_text_width(text) <= width) {
		return g_strdup(text);
	}
	elements = elements_of(text);
	if (elements->len < 2 || width < WIDTH_OF_ENDS_MIN) {
		return human_text_shorten(text, width);
	}
	fitting = with_fitting_elements(elements, width);
	return fitting ? fitting : ends_shortened(elements, width);
}
