/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_chunk.h"

#include <string.h>

#include "core/base/compare_texts.h"
#include "core/ctf/ctf_metadata.h"

#define DIRECTORY_DEPTH_MAX 64

static void chunk_free(gpointer data)
{
	struct ctf_chunk *chunk = data;

	g_free(chunk->path);
	g_free(chunk->relative_path);
	ctf_trace_class_destroy(chunk->class);
	g_free(chunk);
}

GPtrArray *ctf_directory_entries(const char *path, GError **error)
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

static void add_chunk(GPtrArray *chunks, const char *path, const char *relative_path)
{
	struct ctf_chunk *chunk = g_new0(struct ctf_chunk, 1);

	chunk->path = g_strdup(path);
	chunk->relative_path = g_strdup(relative_path);
	g_ptr_array_add(chunks, chunk);
}

static char *join_relative(const char *relative_path, const char *name)
{
	return relative_path[0] == '\0' ? g_strdup(name) : g_build_filename(relative_path, name, NULL);
}

/* A directory with metadata is a trace and is not looked into further, as in babeltrace2. */
static bool find_chunks(GPtrArray *chunks, const char *path, const char *relative_path, unsigned int depth,
			GPtrArray *left_out, char **reason)
{
	g_autofree char *metadata = g_build_filename(path, "metadata", NULL);
	g_autoptr(GPtrArray) names = NULL;
	g_autoptr(GError) error = NULL;

	if (g_file_test(metadata, G_FILE_TEST_IS_REGULAR)) {
		add_chunk(chunks, path, relative_path);
		return true;
	}
	names = ctf_directory_entries(path, &error);
	if (!names && depth > 0 && g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_ACCES)) {
		g_ptr_array_add(left_out, g_strdup_printf("%s: permission denied", path));
		return true;
	}
	if (!names || depth == DIRECTORY_DEPTH_MAX) {
		*reason = names ? g_strdup_printf("%s: directories nested too deep to search; name the trace itself",
						  path)
				: g_strdup(error->message);
		return false;
	}
	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *child = g_build_filename(path, name, NULL);
		g_autofree char *relative_child = join_relative(relative_path, name);

		if (g_file_test(child, G_FILE_TEST_IS_DIR) &&
		    !find_chunks(chunks, child, relative_child, depth + 1, left_out, reason)) {
			return false;
		}
	}
	return true;
}

guint ctf_chunk_class_count(const struct ctf_trace_class *class)
{
	return class->streams->len + class->events->len;
}

static gint compare_chunks(gconstpointer a, gconstpointer b)
{
	const struct ctf_chunk *left = *(const struct ctf_chunk *const *)a;
	const struct ctf_chunk *right = *(const struct ctf_chunk *const *)b;
	int order = memcmp(left->class->uuid, right->class->uuid, sizeof(left->class->uuid));

	if (order != 0) {
		return order;
	}
	if (ctf_chunk_class_count(left->class) != ctf_chunk_class_count(right->class)) {
		return ctf_chunk_class_count(left->class) > ctf_chunk_class_count(right->class) ? -1 : 1;
	}
	return strcmp(left->path, right->path);
}

bool ctf_chunks_load(GPtrArray *chunks, char **reason)
{
	for (guint i = 0; i < chunks->len; i++) {
		struct ctf_chunk *chunk = g_ptr_array_index(chunks, i);
		g_autofree char *metadata = g_build_filename(chunk->path, "metadata", NULL);
		g_autofree char *why = NULL;

		chunk->class = ctf_metadata_load(metadata, &why);
		if (!chunk->class) {
			*reason = g_strdup_printf("%s: %s", chunk->path, why);
			return false;
		}
	}
	g_ptr_array_sort(chunks, compare_chunks);
	return true;
}

GPtrArray *ctf_chunks_create(void)
{
	return g_ptr_array_new_with_free_func(chunk_free);
}

bool ctf_chunks_find(GPtrArray *chunks, const char *path, GPtrArray *left_out, char **reason)
{
	return find_chunks(chunks, path, "", 0, left_out, reason);
}
