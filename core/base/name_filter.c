/* SPDX-License-Identifier: MIT */
#include "core/base/name_filter.h"

#include <glib.h>
#include <string.h>

struct name_filter {
	GPtrArray *included, *excluded; /* GPatternSpec *, owned */
};

static void destroy_glob(gpointer glob)
{
	g_pattern_spec_free(glob);
}

struct name_filter *name_filter_create(const char *const *globs)
{
	struct name_filter *filter;

	if (!globs || !globs[0]) {
		return NULL;
	}
	filter = g_new0(struct name_filter, 1);
	filter->included = g_ptr_array_new_with_free_func(destroy_glob);
	filter->excluded = g_ptr_array_new_with_free_func(destroy_glob);
	for (; *globs; globs++) {
		if (**globs == '!') {
			g_ptr_array_add(filter->excluded, g_pattern_spec_new(*globs + 1));
		} else {
			g_ptr_array_add(filter->included, g_pattern_spec_new(*globs));
		}
	}
	return filter;
}

void name_filter_destroy(struct name_filter *filter)
{
	if (filter) {
		g_ptr_array_unref(filter->included);
		g_ptr_array_unref(filter->excluded);
		g_free(filter);
	}
}

static bool matches_any(const GPtrArray *globs, const char *const *names, size_t count)
{
	for (guint i = 0; i < globs->len; i++) {
		for (size_t j = 0; j < count; j++) {
			if (names[j] && g_pattern_spec_match(globs->pdata[i], strlen(names[j]), names[j], NULL)) {
				return true;
			}
		}
	}
	return false;
}

bool name_filter_passes(const struct name_filter *filter, const char *const *names, size_t count)
{
	return !filter || ((filter->included->len == 0 || matches_any(filter->included, names, count)) &&
			   !matches_any(filter->excluded, names, count));
}
