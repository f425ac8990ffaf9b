/* SPDX-License-Identifier: MIT */
#include "core/base/name_filter.h"

#include <glib.h>
#include <string.h>

#include "core/base/compare_texts.h"

struct name_filter {
	GPtrArray *included, *excluded; /* GPatternSpec *, owned */
	/* struct glob, owned: the included ones that have matched nothing so far; NULL: not noted */
	GPtrArray *unmatched;
	GHashTable *names; /* char *, owned: what was checked while there are such; NULL: not remembered */
};

struct glob {
	char *text;		/* owned */
	GPatternSpec *compiled; /* borrowed */
};

static void destroy_glob(gpointer data)
{
	struct glob *glob = data;

	g_free(glob->text);
	g_free(glob);
}

static void include(struct name_filter *filter, const char *text)
{
	GPatternSpec *pattern = g_pattern_spec_new(text);

	g_ptr_array_add(filter->included, pattern);
	if (filter->unmatched) {
		struct glob *glob = g_new(struct glob, 1);

		*glob = (struct glob){ g_strdup(text), pattern };
		g_ptr_array_add(filter->unmatched, glob);
	}
}

static struct name_filter *create(const char *const *globs, bool notes, bool remembers)
{
	struct name_filter *filter;

	if (!globs || !globs[0]) {
		return NULL;
	}
	filter = g_new0(struct name_filter, 1);
	filter->included = g_ptr_array_new_with_free_func((GDestroyNotify)g_pattern_spec_free);
	filter->excluded = g_ptr_array_new_with_free_func((GDestroyNotify)g_pattern_spec_free);
	if (notes) {
		filter->unmatched = g_ptr_array_new_with_free_func(destroy_glob);
	}
	if (remembers) {
		filter->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	}
	for (; *globs; globs++) {
		if (**globs == '!') {
			g_ptr_array_add(filter->excluded, g_pattern_spec_new(*globs + 1));
		} else {
			include(filter, *globs);
		}
	}
	return filter;
}

struct name_filter *name_filter_create(const char *const *globs)
{
	return create(globs, false, false);
}

struct name_filter *name_filter_create_noting(const char *const *globs)
{
	return create(globs, true, false);
}

struct name_filter *name_filter_create_remembering(const char *const *globs)
{
	return create(globs, true, true);
}

void name_filter_destroy(struct name_filter *filter)
{
	if (filter) {
		g_ptr_array_unref(filter->included);
		g_ptr_array_unref(filter->excluded);
		g_clear_pointer(&filter->unmatched, g_ptr_array_unref);
		g_clear_pointer(&filter->names, g_hash_table_unref);
		g_free(filter);
	}
}

static bool matches(GPatternSpec *pattern, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (names[i] && g_pattern_spec_match(pattern, strlen(names[i]), names[i], NULL)) {
			return true;
		}
	}
	return false;
}

static bool matches_any(const GPtrArray *patterns, const char *const *names, size_t count)
{
	for (guint i = 0; i < patterns->len; i++) {
		if (matches(patterns->pdata[i], names, count)) {
			return true;
		}
	}
	return false;
}

/* Globs that match one of the names are not misspelt. */
static void forget_matched(const struct name_filter *filter, const char *const *names, size_t count)
{
	for (guint i = filter->unmatched->len; i-- > 0;) {
		const struct glob *glob = filter->unmatched->pdata[i];

		if (matches(glob->compiled, names, count)) {
			g_ptr_array_remove_index(filter->unmatched, i);
		}
	}
}

static void remember(const struct name_filter *filter, const char *const *names, size_t count)
{
	forget_matched(filter, names, count);
	for (size_t i = 0; i < count && filter->names; i++) {
		if (names[i] && !g_hash_table_contains(filter->names, names[i])) {
			g_hash_table_add(filter->names, g_strdup(names[i]));
		}
	}
}

bool name_filter_passes(const struct name_filter *filter, const char *const *names, size_t count)
{
	if (!filter) {
		return true;
	}
	if (filter->unmatched && filter->unmatched->len > 0) {
		remember(filter, names, count);
	}
	return (filter->included->len == 0 || matches_any(filter->included, names, count)) &&
	       !matches_any(filter->excluded, names, count);
}

bool name_filter_excludes(const struct name_filter *filter, const char *name)
{
	return filter && matches_any(filter->excluded, &name, 1);
}

void name_filter_note(const struct name_filter *filter, const char *name)
{
	if (filter && filter->unmatched) {
		forget_matched(filter, &name, 1);
	}
}

const char **name_filter_unmatched(const struct name_filter *filter)
{
	bool is_known = filter && filter->unmatched && (!filter->names || g_hash_table_size(filter->names) > 0);
	guint count = is_known ? filter->unmatched->len : 0;
	const char **globs = g_new0(const char *, count + 1);

	for (guint i = 0; i < count; i++) {
		globs[i] = ((const struct glob *)filter->unmatched->pdata[i])->text;
	}
	return globs;
}

const char **name_filter_names(const struct name_filter *filter, size_t *count)
{
	GPtrArray *names = g_ptr_array_sized_new(g_hash_table_size(filter->names));
	GHashTableIter iterator;
	gpointer name;

	g_hash_table_iter_init(&iterator, filter->names);
	while (g_hash_table_iter_next(&iterator, &name, NULL)) {
		g_ptr_array_add(names, name);
	}
	g_ptr_array_sort(names, compare_texts);
	*count = names->len;
	return (const char **)g_ptr_array_free(names, FALSE);
}
