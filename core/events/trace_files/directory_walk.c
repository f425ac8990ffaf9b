/* SPDX-License-Identifier: MIT */
#include "ros2bt/events/directory_walk.h"

#include <glib/gstdio.h>
#include <inttypes.h>

#include "core/base/compare_texts.h"

#define DEPTH_MAX 64

static bool (*is_stopped)(void);

struct state {
	const struct directory_walk *walk;
	GHashTable *entered; /* char *, "DEVICE:INODE" */
	char **reason;
};

void directory_walk_watch(bool (*new_is_stopped)(void))
{
	is_stopped = new_is_stopped;
}

GPtrArray *directory_entries(const char *path, GError **error)
{
	g_autoptr(GDir) directory = g_dir_open(path, 0, error);
	GPtrArray *names;
	const char *name;

	if (!directory) {
		return NULL;
	}
	names = g_ptr_array_new_with_free_func(g_free);
	while ((name = g_dir_read_name(directory))) {
		g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, compare_texts);
	return names;
}

/* One that has just gone counts as new: listing it tells. */
static bool is_new(const struct state *state, const char *path)
{
	GStatBuf status;

	return g_stat(path, &status) != 0 ||
	       g_hash_table_add(state->entered, g_strdup_printf("%" PRIuMAX ":%" PRIuMAX, (uintmax_t)status.st_dev,
								(uintmax_t)status.st_ino));
}

static char *join_relative(const char *relative_path, const char *name)
{
	return relative_path[0] == '\0' ? g_strdup(name) : g_build_filename(relative_path, name, NULL);
}

static bool fail(const struct state *state, const char *path, const char *why)
{
	*state->reason = g_strdup_printf("%s: %s", path, why);
	return false;
}

/* A directory below that may not be read is left out; everything else that goes wrong ends the walk. */
static bool cannot_list(const struct state *state, const char *path, unsigned int depth, const GError *error)
{
	if (depth == 0 || !g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_ACCES)) {
		*state->reason = g_strdup(error->message);
		return false;
	}
	g_ptr_array_add(state->walk->left_out, g_strdup_printf("%s: permission denied", path));
	return true;
}

static bool visit(const struct state *state, const char *path, const char *relative_path, unsigned int depth)
{
	g_autoptr(GPtrArray) names = NULL;
	g_autoptr(GError) error = NULL;

	if (!state->walk->enters(path, relative_path, state->walk->data) || !is_new(state, path)) {
		return true;
	}
	names = directory_entries(path, &error);
	if (!names) {
		return cannot_list(state, path, depth, error);
	}
	if (depth == DEPTH_MAX) {
		return fail(state, path, "directories nested too deep to search; name the trace itself");
	}
	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *child = g_build_filename(path, name, NULL);
		g_autofree char *relative_child = join_relative(relative_path, name);

		if (is_stopped && is_stopped()) {
			return fail(state, child, "interrupted in the search for traces");
		}
		if (g_file_test(child, G_FILE_TEST_IS_DIR) && !visit(state, child, relative_child, depth + 1)) {
			return false;
		}
	}
	return true;
}

bool directory_walk(const struct directory_walk *walk, const char *path, char **reason)
{
	g_autoptr(GHashTable) entered = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	const struct state state = { .walk = walk, .entered = entered, .reason = reason };

	return visit(&state, path, "", 0);
}
