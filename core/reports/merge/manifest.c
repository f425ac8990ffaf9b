/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/manifest.h"

#include <string.h>

#include "core/reports/merge/csv_rows.h"

static void recording_destroy(gpointer data)
{
	struct manifest_recording *recording = data;

	g_free(recording->path);
	g_strfreev(recording->values);
	g_free(recording);
}

struct manifest *manifest_create_empty(void)
{
	struct manifest *manifest = g_new0(struct manifest, 1);

	manifest->attributes = g_new0(char *, 1);
	manifest->recordings = g_ptr_array_new_with_free_func(recording_destroy);
	return manifest;
}

void manifest_destroy(struct manifest *manifest)
{
	if (!manifest) {
		return;
	}
	g_strfreev(manifest->attributes);
	g_ptr_array_unref(manifest->recordings);
	g_free(manifest);
}

/* The cells of a row except the path. */
static char **take_values(const struct csv_rows *rows, const char *const *cells, size_t path_column)
{
	size_t count = csv_rows_column_count(rows);
	char **values = g_new0(char *, count);
	size_t next = 0;

	for (size_t i = 0; i < count; i++) {
		if (i != path_column) {
			values[next++] = g_strdup(cells[i]);
		}
	}
	return values;
}

static void take_names(struct manifest *manifest, const struct csv_rows *rows, size_t path_column)
{
	size_t count = csv_rows_column_count(rows);
	g_autofree const char **names = g_new0(const char *, count);

	for (size_t i = 0; i < count; i++) {
		names[i] = csv_rows_column_name(rows, i);
	}
	g_strfreev(manifest->attributes);
	manifest->attributes = take_values(rows, names, path_column);
	manifest->attribute_count = count - 1;
}

static void take_recording(struct manifest *manifest, const struct csv_rows *rows, const char *const *cells,
			   size_t path_column, const char *folder)
{
	struct manifest_recording *recording = g_new0(struct manifest_recording, 1);

	recording->path = g_path_is_absolute(cells[path_column]) ? g_strdup(cells[path_column])
								 : g_build_filename(folder, cells[path_column], NULL);
	recording->values = take_values(rows, cells, path_column);
	g_ptr_array_add(manifest->recordings, recording);
}

static bool read_rows(struct manifest *manifest, struct csv_rows *rows, const char *path, const char *path_column,
		      GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);
	int column = csv_rows_find(rows, path_column);
	const char *const *cells;

	if (column < 0) {
		return csv_rows_refuse(rows, error, "no column `%s`: the first line of a manifest names the columns",
				       path_column);
	}
	take_names(manifest, rows, (size_t)column);
	while ((cells = csv_rows_next(rows, error))) {
		take_recording(manifest, rows, cells, (size_t)column, strcmp(folder, ".") == 0 ? "" : folder);
	}
	return !csv_rows_are_refused(rows);
}

struct manifest *manifest_read(const char *path, const char *path_column, GError **error)
{
	struct csv_rows *rows = csv_rows_open(path, error);
	struct manifest *manifest;

	if (!rows) {
		return NULL;
	}
	manifest = manifest_create_empty();
	if (!read_rows(manifest, rows, path, path_column, error)) {
		g_clear_pointer(&manifest, manifest_destroy);
	}
	csv_rows_close(rows);
	return manifest;
}

static char **empty_values(const struct manifest *manifest)
{
	char **values = g_new0(char *, manifest->attribute_count + 1);

	for (size_t i = 0; i < manifest->attribute_count; i++) {
		values[i] = g_strdup("");
	}
	return values;
}

static GHashTable *recordings_by_path(const struct manifest *manifest)
{
	GHashTable *by_path = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < manifest->recordings->len; i++) {
		struct manifest_recording *recording = g_ptr_array_index(manifest->recordings, i);

		g_hash_table_insert(by_path, g_canonicalize_filename(recording->path, NULL), recording);
	}
	return by_path;
}

size_t manifest_choose(struct manifest *manifest, const char *const *paths, size_t count)
{
	g_autoptr(GHashTable) by_path = recordings_by_path(manifest);
	GPtrArray *chosen = g_ptr_array_new_with_free_func(recording_destroy);
	size_t unknown = 0;

	for (size_t i = 0; i < count; i++) {
		g_autofree char *canonical = g_canonicalize_filename(paths[i], NULL);
		const struct manifest_recording *known = g_hash_table_lookup(by_path, canonical);
		struct manifest_recording *recording = g_new0(struct manifest_recording, 1);

		recording->path = g_strdup(paths[i]);
		recording->values = known ? g_strdupv(known->values) : empty_values(manifest);
		g_ptr_array_add(chosen, recording);
		unknown += !known;
	}
	g_ptr_array_unref(manifest->recordings);
	manifest->recordings = chosen;
	return unknown;
}

int manifest_find(const struct manifest *manifest, const char *attribute)
{
	for (size_t i = 0; i < manifest->attribute_count; i++) {
		if (strcmp(manifest->attributes[i], attribute) == 0) {
			return (int)i;
		}
	}
	return -1;
}
