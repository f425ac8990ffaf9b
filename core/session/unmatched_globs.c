/* SPDX-License-Identifier: MIT */
#include "ros2bt/session/unmatched_globs.h"

#include <string.h>

#include "core/base/name_filter.h"
#include "ros2bt/base/nearest_name.h"

#define NAMES_LISTED 5

/* The most similar name, or the first that contains the glob, such as "/robot/planner" for "planner"; NULL: neither. */
static const char *meant_name(const char *glob, const char *const *names, size_t count)
{
	const char *nearest = nearest_name(glob, names, count);

	for (size_t i = 0; !nearest && i < count; i++) {
		nearest = strstr(names[i], glob) ? names[i] : NULL;
	}
	return nearest;
}

/* What could have been meant: one name, or the first of all. */
static void append_hint(GString *text, const char *glob, const char *const *names, size_t count)
{
	const char *meant = meant_name(glob, names, count);

	if (meant) {
		g_string_append_printf(text, "did you mean \"%s\"?", meant);
		return;
	}
	g_string_append(text, count == 1 ? "there is only" : "there are");
	for (size_t i = 0; i < count && i < NAMES_LISTED; i++) {
		g_string_append_printf(text, "%s \"%s\"", i > 0 ? "," : "", names[i]);
	}
	if (count > NAMES_LISTED) {
		g_string_append_printf(text, " and %zu more", count - NAMES_LISTED);
	}
}

/* `key`: the parameter; `what`: the kind of its names. */
static void describe(GPtrArray *texts, const struct session_params *params, const struct name_filter *filter,
		     const char *key, const char *what)
{
	g_autofree const char **globs = name_filter_unmatched(filter), **names = NULL;
	g_autofree char *parameter = NULL;
	size_t count = 0;

	if (!globs[0]) {
		return;
	}
	parameter = session_params_name(params, key);
	names = name_filter_names(filter, &count);
	for (size_t i = 0; globs[i]; i++) {
		GString *text = g_string_new(NULL);

		g_string_printf(text, "%s: no %s matches \"%s\"; ", parameter, what, globs[i]);
		append_hint(text, globs[i], names, count);
		g_ptr_array_add(texts, g_string_free(text, FALSE));
	}
}

char **unmatched_globs_describe(const struct session_params *params)
{
	GPtrArray *texts = g_ptr_array_new();

	describe(texts, params, params->nodes, "nodes", "node");
	describe(texts, params, params->topics, "topics", "topic or service");
	describe(texts, params, params->paths, "paths", "path");
	g_ptr_array_add(texts, NULL);
	return (char **)g_ptr_array_free(texts, FALSE);
}
