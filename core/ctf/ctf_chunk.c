/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_chunk.h"

#include <string.h>

#include "core/ctf/ctf_metadata.h"
#include "ros2bt/events/directory_walk.h"

static void chunk_free(gpointer data)
{
	struct ctf_chunk *chunk = data;

	g_free(chunk->path);
	g_free(chunk->relative_path);
	ctf_trace_class_destroy(chunk->class);
	g_free(chunk);
}

static void add_chunk(GPtrArray *chunks, const char *path, const char *relative_path)
{
	struct ctf_chunk *chunk = g_new0(struct ctf_chunk, 1);

	chunk->path = g_strdup(path);
	chunk->relative_path = g_strdup(relative_path);
	g_ptr_array_add(chunks, chunk);
}

/* A directory with metadata is a trace and is not looked into further, as in babeltrace2. */
static bool add_or_enter(const char *path, const char *relative_path, void *data)
{
	g_autofree char *metadata = g_build_filename(path, "metadata", NULL);
	bool is_trace = g_file_test(metadata, G_FILE_TEST_IS_REGULAR);

	if (is_trace) {
		add_chunk(data, path, relative_path);
	}
	return !is_trace;
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
	const struct directory_walk walk = { .enters = add_or_enter, .data = chunks, .left_out = left_out };

	return directory_walk(&walk, path, reason);
}
