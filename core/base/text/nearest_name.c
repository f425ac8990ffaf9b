/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/nearest_name.h"

#include <glib.h>
#include <string.h>

/* The fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t height = strlen(a) + 1, width = strlen(b) + 1;
	g_autofree size_t *distance =
		g_new(size_t, height * width); /* of the first i and j characters: [i * width + j] */

	for (size_t i = 0; i < height; i++) {
		for (size_t j = 0; j < width; j++) {
			size_t *here = &distance[i * width + j];

			if (i == 0 || j == 0) {
				*here = i + j;
				continue;
			}
			*here = MIN(*(here - width), *(here - 1)) + 1;
			*here = MIN(*here, *(here - width - 1) + (a[i - 1] == b[j - 1] ? 0 : 1));
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
	size_t length = strlen(name), best = length > 2 ? length / 2 + 1 : MIN(length, 1);

	for (size_t i = 0; i < count; i++) {
		size_t distance = names[i] ? edit_distance(name, names[i]) : best;

		if (distance < best) {
			best = distance;
			nearest = names[i];
		}
	}
	return nearest;
}

char *nearest_choice(const char *name, const char *choices)
{
	g_auto(GStrv) names = g_strsplit(choices, "|", -1);

	return g_strdup(nearest_name(name, (const char *const *)names, g_strv_length(names)));
}
