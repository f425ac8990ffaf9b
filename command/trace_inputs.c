/* SPDX-License-Identifier: MIT */
#include "command/trace_inputs.h"

#include <errno.h>
#include <sys/stat.h>

#include "command/archive.h"
#include "command/progress.h"
#include "command/temporary_folder.h"
#include "command/trace_sessions.h"

/* Some space is left to the other programs. */
#define SPACE_SHARE 10

struct trace_inputs {
	const char *const *given;
	size_t count;
	GPtrArray *paths;		 /* char *, owned: where each is read */
	struct temporary_folder *folder; /* NULL: there are no archives */
	GPtrArray *left_out;
};

struct unpacking_progress {
	struct progress progress;
	bool (*is_interrupted)(void);
};

static bool show_progress(void *data, uint64_t bytes)
{
	struct unpacking_progress *unpacking = data;

	if (progress_is_due(&unpacking->progress)) {
		progress_show(&unpacking->progress, bytes, 0);
	}
	return !unpacking->is_interrupted();
}

static uint64_t file_size(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static bool make_directory(const char *path, GError **error)
{
	if (mkdir(path, 0700) == 0) {
		return true;
	}
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot make %s: %s", path, g_strerror(errno));
	return false;
}

/* All names of these directories are of one length, so that none is the beginning of another. */
static bool unpack(struct trace_inputs *inputs, const char *archive, bool (*is_interrupted)(void), GError **error)
{
	char *directory = g_strdup_printf("%s/%08u", temporary_folder_path(inputs->folder), inputs->paths->len);
	struct unpacking_progress data = { .is_interrupted = is_interrupted };
	uint64_t space = temporary_folder_space(inputs->folder);
	struct archive_unpacking task = {
		.path = archive,
		.directory = directory,
		.bytes_max = space - space / SPACE_SHARE,
		.progress = show_progress,
		.data = &data,
	};
	char *left_out = NULL;
	bool is_unpacked;

	g_ptr_array_add(inputs->paths, directory);
	progress_start(&data.progress, file_size(archive));
	is_unpacked = make_directory(directory, error) && archive_unpack(&task, &left_out, error);
	progress_clear(&data.progress);
	if (left_out) {
		g_ptr_array_add(inputs->left_out, left_out);
	}
	return is_unpacked;
}

static bool add(struct trace_inputs *inputs, const char *path, bool (*is_interrupted)(void), GError **error)
{
	g_autofree char *problem = trace_session_problem(path);

	if (problem) {
		g_set_error_literal(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, problem);
		return false;
	}
	if (!archive_is_at(path)) {
		g_ptr_array_add(inputs->paths, g_strdup(path));
		return true;
	}
	inputs->folder = inputs->folder ? inputs->folder : temporary_folder_create(error);
	return inputs->folder && unpack(inputs, path, is_interrupted, error);
}

struct trace_inputs *trace_inputs_open(const char *const *paths, size_t count, bool (*is_interrupted)(void),
				       GError **error)
{
	struct trace_inputs *inputs = g_new0(struct trace_inputs, 1);

	inputs->given = paths;
	inputs->count = count;
	inputs->paths = g_ptr_array_new_with_free_func(g_free);
	inputs->left_out = g_ptr_array_new_with_free_func(g_free);
	for (size_t i = 0; i < count; i++) {
		if (!add(inputs, paths[i], is_interrupted, error)) {
			trace_inputs_close(inputs);
			return NULL;
		}
	}
	return inputs;
}

const char *const *trace_inputs_paths(const struct trace_inputs *inputs)
{
	return (const char *const *)inputs->paths->pdata;
}

const GPtrArray *trace_inputs_left_out(const struct trace_inputs *inputs)
{
	return inputs->left_out;
}

char *trace_inputs_text(const struct trace_inputs *inputs, const char *text)
{
	GString *result = g_string_new(text);

	for (size_t i = 0; inputs->folder && i < inputs->count; i++) {
		const char *path = g_ptr_array_index(inputs->paths, i);

		if (g_str_has_prefix(path, temporary_folder_path(inputs->folder))) {
			g_string_replace(result, path, inputs->given[i], 0);
		}
	}
	return g_string_free(result, FALSE);
}

void trace_inputs_close(struct trace_inputs *inputs)
{
	if (!inputs) {
		return;
	}
	temporary_folder_remove(inputs->folder);
	g_ptr_array_unref(inputs->paths);
	g_ptr_array_unref(inputs->left_out);
	g_free(inputs);
}
