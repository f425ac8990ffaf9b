/* SPDX-License-Identifier: MIT */
#include "ros2bt/session/unmatched_globs.h"

#include "core/base/name_filter.h"
#include "ros2bt/base/nearest_name.h"

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
		g_autofree char *hint = nearest_glob_hint(globs[i], names, count);

		g_ptr_array_add(texts,
				g_strdup_printf("%s: no %s matches \"%s\"; %s", parameter, what, globs[i], hint));
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
