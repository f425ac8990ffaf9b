/* SPDX-License-Identifier: MIT */
#include "core/text/path_text.h"

#include <glib.h>
#include <string.h>

#include "core/text/human_text.h"

#define ELLIPSIS "…"

/* An element of a path, and the separator after it (path_names.c); nothing after the last one. */
struct element {
	const char *text;
	size_t length, separator_length;
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

static GArray *elements_of(const char *text)
{
	GArray *elements = g_array_new(FALSE, FALSE, sizeof(struct element));
	const char *start = text;

	for (; *text; text++) {
		size_t length = separator_length(text);

		if (length > 0) {
			struct element element = { start, (size_t)(text - start), length };

			g_array_append_val(elements, element);
			start = text + length;
			text = start - 1;
		}
	}
	g_array_append_val(elements, ((struct element){ .text = start, .length = (size_t)(text - start) }));
	return elements;
}

static const struct element *element_at(const GArray *elements, guint index)
{
	return &g_array_index(elements, struct element, index);
}

/* The first elements, an ellipsis, and the last ones; to be freed. */
static char *without_middle(const GArray *elements, guint first_count, guint last_count)
{
	const struct element *first = element_at(elements, 0);
	const struct element *head_end = element_at(elements, first_count - 1);
	const struct element *before_tail = element_at(elements, elements->len - last_count - 1);
	size_t head = (size_t)(head_end->text - first->text) + head_end->length + head_end->separator_length;

	return g_strdup_printf("%.*s" ELLIPSIS "%s", (int)head, first->text, before_tail->text + before_tail->length);
}

/* With as many elements as fit, of the beginning and of the end in turn; to be freed. NULL: not even two fit. */
static char *with_fitting_elements(const GArray *elements, size_t width)
{
	char *fitting = NULL;

	for (guint kept = 2; kept < elements->len; kept++) {
		char *text = without_middle(elements, (kept + 1) / 2, kept / 2);

		if (human_text_width(text) > width) {
			g_free(text);
			break;
		}
		g_free(fitting);
		fitting = text;
	}
	return fitting;
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
