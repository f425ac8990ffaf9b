/* SPDX-License-Identifier: MIT */
/* ros2-latency convert: a recording in CTF 2 as CTF 1.8. */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/commands.h"
#include "command/run.h"
#include "command/trace_inputs.h"
#include "ros2bt/ctf/ctf2_tsdl.h"
#include "ros2bt/events/directory_walk.h"

#define NAME "ros2-latency convert"
#define RECORD_SEPARATOR '\x1e' /* the first byte of metadata of CTF 2 */
#define BLOCK_SIZE (1 << 20)

struct convert_options {
	struct command_options command;
	char *output; /* owned */
};

/* A directory that is being copied. */
struct copy {
	const char *output;
	guint converted_count, other_count; /* traces */
	GError *error;
};

enum { OPTION_OUTPUT = COMMAND_LINE_OWN };

static const struct own_option own_options[] = {
	{ .name = "output",
	  .number = OPTION_OUTPUT,
	  .value = "DIRECTORY",
	  .help = "Write the recording to this directory, which must not exist yet. This option is required." },
};

static bool take_option(void *data, int number, const char *value, GError **error)
{
	struct convert_options *options = data;

	g_free(options->output);
	options->output = g_strdup(value);
	return true;
}

/* Where symbolic links lead: of its part that exists, with the rest behind. To be freed. */
static char *real_path(const char *path)
{
	char *real = realpath(path, NULL);
	g_autofree char *parent = real ? NULL : g_path_get_dirname(path);
	g_autofree char *name = real ? NULL : g_path_get_basename(path);
	g_autofree char *above = NULL;

	if (real || strcmp(parent, path) == 0) {
		return real ? real : g_strdup(path);
	}
	above = real_path(parent);
	return g_build_filename(above, name, NULL);
}

static bool is_below(const char *path, const char *directory)
{
	g_autofree char *below = real_path(path);
	g_autofree char *above = real_path(directory);

	return g_str_has_prefix(below, above) && (below[strlen(above)] == G_DIR_SEPARATOR || strcmp(above, "/") == 0);
}

static bool read_arguments(void *data, const struct arguments *arguments, GError **error)
{
	struct convert_options *options = data;

	if (!options->output || options->output[0] == '\0') {
		return command_refuse(error, "expected --output=DIRECTORY");
	}
	if (g_file_test(options->output, G_FILE_TEST_EXISTS)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "%s exists already: name another directory", options->output);
		return false;
	}
	if (arguments->count != 1) {
		return command_refuse(error, "expected one TRACE: name a directory or an archive that holds one");
	}
	if (is_below(options->output, arguments->items[0])) {
		return command_refuse(error, "the directory of --output is within TRACE");
	}
	return command_take_paths(&options->command, arguments, NULL, error);
}

/* --- copying --- */

static bool fail(GError **error, const char *what, const char *path)
{
	int number = errno;

	g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(number), "cannot %s %s: %s", what, path,
		    g_strerror(number));
	return false;
}

static bool copy_bytes(FILE *from, FILE *to, const char *from_path, const char *to_path, GError **error)
{
	g_autofree char *block = g_malloc(BLOCK_SIZE);
	size_t size;

	while ((size = fread(block, 1, BLOCK_SIZE, from)) > 0) {
		if (fwrite(block, 1, size, to) != size) {
			return fail(error, "write", to_path);
		}
	}
	return !ferror(from) || fail(error, "read", from_path);
}

static bool copy_file(const char *from_path, const char *to_path, GError **error)
{
	FILE *from = g_fopen(from_path, "rb");
	FILE *to = from ? g_fopen(to_path, "wb") : NULL;
	bool is_copied = to ? copy_bytes(from, to, from_path, to_path, error)
			    : fail(error, from ? "write" : "read", from ? to_path : from_path);

	if (from) {
		(void)fclose(from);
	}
	if (to && fclose(to) != 0 && is_copied) {
		is_copied = fail(error, "write", to_path);
	}
	return is_copied;
}

/* All files in a directory except metadata at its top, which comes last: without it, a directory is no trace. */
static bool copy_directory(const char *path, const char *relative_path, void *data)
{
	struct copy *copy = data;
	g_autofree char *output = g_build_filename(copy->output, relative_path, NULL);
	g_autoptr(GPtrArray) names = copy->error ? NULL : directory_entries(path, &copy->error);

	if (names && g_mkdir_with_parents(output, 0777) != 0) {
		fail(&copy->error, "make", output);
	}
	for (guint i = 0; names && !copy->error && i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *from = g_build_filename(path, name, NULL);
		g_autofree char *to = g_build_filename(output, name, NULL);

		if (g_file_test(from, G_FILE_TEST_IS_REGULAR) &&
		    (relative_path[0] != '\0' || strcmp(name, "metadata") != 0)) {
			copy_file(from, to, &copy->error);
		}
	}
	return !copy->error;
}

/* --- traces --- */

static void convert_metadata(struct copy *copy, const char *from, const char *to)
{
	g_autofree char *text = NULL, *tsdl = NULL, *reason = NULL;
	size_t length;

	if (!g_file_get_contents(from, &text, &length, &copy->error)) {
		return;
	}
	if (length == 0 || text[0] != RECORD_SEPARATOR) {
		copy->other_count++;
		copy_file(from, to, &copy->error);
		return;
	}
	tsdl = ctf2_to_tsdl(text, length, &reason);
	if (!tsdl) {
		g_set_error(&copy->error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: %s", from, reason);
	} else if (g_file_set_contents(to, tsdl, -1, &copy->error)) {
		copy->converted_count++;
	}
}

static void convert_trace(struct copy *copy, const char *path, const char *relative_path, const char *metadata)
{
	g_autofree char *output = g_build_filename(copy->output, relative_path, NULL);
	g_autofree char *converted = g_build_filename(output, "metadata", NULL);
	g_autofree char *reason = NULL;
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
	struct copy files = { .output = output };
	const struct directory_walk walk = { .enters = copy_directory, .data = &files, .left_out = left_out };

	if (!directory_walk(&walk, path, &reason) && !files.error) {
		g_set_error_literal(&copy->error, G_FILE_ERROR, G_FILE_ERROR_FAILED, reason);
	} else if (files.error) {
		g_propagate_error(&copy->error, files.error);
	} else {
		convert_metadata(copy, metadata, converted);
	}
}

static bool convert_or_enter(const char *path, const char *relative_path, void *data)
{
	struct copy *copy = data;
	g_autofree char *metadata = g_build_filename(path, "metadata", NULL);
	bool is_trace = g_file_test(metadata, G_FILE_TEST_IS_REGULAR);

	if (is_trace && !copy->error) {
		convert_trace(copy, path, relative_path, metadata);
	}
	return !is_trace && !copy->error;
}

/* The exit status. `given`: the path in the words of the user. */
static int convert(const char *path, const char *given, const char *output, GError **error)
{
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *reason = NULL;
	struct copy copy = { .output = output };
	const struct directory_walk walk = { .enters = convert_or_enter, .data = &copy, .left_out = left_out };
	bool is_searched = directory_walk(&walk, path, &reason);

	if (copy.error) {
		g_propagate_error(error, copy.error);
		return EXIT_NOT_READ;
	}
	if (!is_searched || left_out->len > 0) {
		g_set_error_literal(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
				    reason ? reason : g_ptr_array_index(left_out, 0));
		return EXIT_NOT_READ;
	}
	if (copy.converted_count == 0) {
		fprintf(stderr, NAME ": %s%s\n", given,
			copy.other_count > 0 ? " is not in CTF 2: it was copied as it is" : ": no trace found there");
		return EXIT_NOTHING;
	}
	return EXIT_SUCCESS;
}

static int convert_inputs(const struct trace_inputs *inputs, const struct convert_options *options, GError **error)
{
	const GPtrArray *left_out = trace_inputs_left_out(inputs);
	GError *of_copy = NULL;
	int status = convert(trace_inputs_paths(inputs)[0], options->command.paths[0], options->output, &of_copy);

	for (guint i = 0; i < left_out->len; i++) {
		fprintf(stderr, NAME ": %s\n", (const char *)g_ptr_array_index(left_out, i));
	}
	if (of_copy) {
		g_autofree char *text = trace_inputs_text(inputs, of_copy->message);

		g_set_error_literal(error, of_copy->domain, of_copy->code, text);
		g_error_free(of_copy);
	}
	return left_out->len > 0 ? EXIT_NOT_READ : status;
}

static int run(void *data, GError **error)
{
	const struct convert_options *options = data;
	struct trace_inputs *inputs = trace_inputs_open(options->command.paths, 1, is_interrupted, error);
	int status = inputs ? convert_inputs(inputs, options, error) : EXIT_NOT_READ;

	trace_inputs_close(inputs);
	return status;
}

static void clear(void *data)
{
	g_free(((struct convert_options *)data)->output);
}

static const char *const params[] = { NULL };

const struct command convert_command = {
	.line = {
		.name = NAME,
		.usage = "Usage: ros2-latency convert --output=DIRECTORY TRACE\n"
			 "\nWrites a recording in CTF 2, which LTTng 2.15 and later make, as CTF 1.8, for Trace Compass and "
			 "babeltrace2 2.0:\nother metadata for the same data, which is copied. Nothing is lost of what a report "
			 "needs.\n\nOptions:\n",
		.closing = "\nExit status: 0 the recording was written, 1 something could not be read or written, 2 the command line "
			   "is wrong,\n3 the recording has nothing in CTF 2.\n",
		.params = params,
		.options = own_options,
		.option_count = G_N_ELEMENTS(own_options),
	},
	.takes_traces = true,
	.options_size = sizeof(struct convert_options),
	.take = take_option,
	.read = read_arguments,
	.run = run,
	.clear = clear,
};
