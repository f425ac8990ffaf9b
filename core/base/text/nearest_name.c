/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/nearest_name.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#define NAMES_LISTED 5 /* where none is near */

/* The characters of a glob that stand for themselves, or for one other. */
static size_t length_without_stars(const char *glob)
{
	size_t length = 0;

	for (; *glob; glob++) {
		length += *glob != '*';
	}
	return length;
}

/* The fewest insertions, deletions, replacements and swaps of neighbours that turn `b` into what the glob `a` matches.
 */
static size_t edit_distance(const char *a, const char *b)
{
	size_t height = strlen(a) + 1, width = strlen(b) + 1;
	g_autofree size_t *distance =
		g_new(size_t, height * width); /* of the first i and j characters: [i * width + j] */

	for (size_t i = 0; i < height; i++) {
		for (size_t j = 0; j < width; j++) {
			size_t *here = &distance[i * width + j];
			bool is_any = i > 0 && a[i - 1] == '*';

			if (i == 0) {
				*here = j;
				continue;
			}
			*here = *(here - width) + !is_any;
			if (j == 0) {
				continue;
			}
			*here = MIN(*here, *(here - 1) + !is_any);
			*here = MIN(*here, *(here - width - 1) + (a[i - 1] != b[j - 1] && a[i - 1] != '?'));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
				*here = MIN(*here, *(here - 2 * width - 2) + 1);
			}
		}
	}
	return distance[height * width - 1];
}

const char *nearest_name(const char *name, const char *const *names, size_t count)
{
	const char *nearest = NULL;
	size_t length = length_without_stars(name), best = length > 2 ? length / 2 + 1 : MIN(length, 1);

	for (size_t i = 0; i < count; i++) {
		/* a shorter name lacks at least the difference */
		bool is_too_short = !names[i] || strlen(names[i]) + best <= length;
		size_t distance = is_too_short ? best : edit_distance(name, names[i]);

		if (distance < best) {
			best = distance;
			nearest = names[i];
		}
	}
	return nearest;
}

char *nearest_name_hint(const char *name, const char *const *names, size_t count)
{
	const char *nearest = nearest_name(name, names, count);

	return nearest ? g_strdup_printf(" (did you mean \"%s\"?)", nearest) : g_strdup("");
}

static const char *meant_name(const char *glob, const char *const *names, size_t count)
{
	const char *nearest = nearest_name(glob, names, count);

	for (size_t i = 0; !nearest && i < count; i++) {
		nearest = strstr(names[i], glob) ? names[i] : NULL;
	}
	return nearest;
}

char *nearest_glob_hint(const char *glob, const char *const *names, size_t count)
{
	const char *meant = meant_name(glob, names, count);
	GString *text = g_string_new(NULL);

	if (meant) {
		g_string_printf(text, "did you mean \"%s\"?", meant);
		return g_string_free(text, FALSE);
	}
	g_string_append(text, count == 1 ? "there is only" : "there are");
	for (size_t i = 0; i < count && i < NAMES_LISTED; i++) {
		g_string_append_printf(text, "%s \"%s\"", i > 0 ? "," : "", names[i]);
	}
	if (count > NAMES_LISTED) {
		g_string_append_printf(text, " and %zu more", count - NAMES_LISTED);
	}
	return g_string_free(text, FALSE);
}

char *nearest_choice_hint(const char *name, const char *choices, const char *separators)
{
	g_auto(GStrv) names = g_strsplit_set(choices, separators, -1);

	return nearest_name_hint(name, (const char *const *)names, g_strv_length(names));
}
