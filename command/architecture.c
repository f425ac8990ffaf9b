/* SPDX-License-Identifier: MIT */
/* ros2-latency architecture: writes an architecture file of CARET. */
#include <stdio.h>
#include <stdlib.h>

#include "command/commands.h"
#include "command/run.h"
#include "ros2bt/named_paths/architecture_build.h"
#include "ros2bt/named_paths/architecture_search.h"
#include "ros2bt/named_paths/architecture_write.h"

#define NAME "ros2-latency architecture"
#define HOPS 15		   /* as of caret_analyze */
#define LIMIT 1000	   /* paths of a search */
#define LIMIT_MAX 100000   /* the largest --limit */
#define STEPS_MAX 50000000 /* less than a second */
#define CONTEXTS_LISTED 5  /* of the contexts that are not known */

enum {
	OPTION_SEARCH = COMMAND_LINE_OWN,
	OPTION_WITHOUT,
	OPTION_HOPS,
	OPTION_LIMIT,
	OPTION_USE_LATEST,
};

struct architecture_options {
	struct command_options command;
	struct architecture_build_options build;
	GPtrArray *searches; /* char *, owned */
	GPtrArray *without;  /* char *, owned; ended by NULL */
	unsigned int hops_max;
	size_t limit;
	bool has_limit; /* was given, so reaching it is no failure */
};

static const struct own_option own_options[] = {
	{ .name = "search",
	  .number = OPTION_SEARCH,
	  .value = "'FROM > TO'",
	  .help = "Add all paths of messages from one node to another as named paths; 'FROM > VIA > TO' adds those "
		  "through a third node. Names are globs. May be given more than once." },
	{ .name = "without",
	  .number = OPTION_WITHOUT,
	  .value = "GLOB",
	  .help = "Find no paths through this node or topic. May be given more than once." },
	{ .name = "hops",
	  .number = OPTION_HOPS,
	  .value = "NUMBER",
	  .help = "The length of the longest paths to search, in hops from node to node. Default: 15." },
	{ .name = "limit",
	  .number = OPTION_LIMIT,
	  .value = "NUMBER",
	  .help = "The largest number of paths of a search; the shortest are kept. Default: 1000." },
	{ .name = "use-latest",
	  .number = OPTION_USE_LATEST,
	  .help = "If the recording does not show how a message passes through a node, write use_latest_message "
		  "instead of UNDEFINED." },
};

static bool take_number(const char *option, const char *value, guint64 most, guint64 *number, GError **error)
{
	g_autofree char *allowed = g_strdup_printf("a number from 1 to %" G_GUINT64_FORMAT, most);

	return g_ascii_string_to_unsigned(value, 10, 1, most, number, NULL) ||
	       command_line_refuse(error, option, value, allowed);
}

/* The globs in 'FROM > VIA > TO', ended by NULL; to be freed. NULL: the text is no such search. */
static char **stops_of(const char *search)
{
	g_auto(GStrv) stops = g_strsplit(search, ">", -1);
	guint count = g_strv_length(stops);

	for (guint i = 0; i < count; i++) {
		if (g_strstrip(stops[i])[0] == '\0') {
			return NULL;
		}
	}
	return count >= 2 && count <= ARCHITECTURE_SEARCH_STOPS_MAX ? g_steal_pointer(&stops) : NULL;
}

static bool take_search(struct architecture_options *options, const char *value, GError **error)
{
	g_auto(GStrv) stops = stops_of(value);

	if (!stops) {
		return command_line_refuse(error, "search", value, "'FROM > TO' or 'FROM > VIA > TO', of nodes");
	}
	g_ptr_array_add(options->searches, g_strdup(value));
	return true;
}

static bool take_option(void *data, int number, const char *value, GError **error)
{
	struct architecture_options *options = data;
	guint64 taken = 0;
	bool is_taken = true;

	switch (number) {
	case OPTION_SEARCH:
		return take_search(options, value, error);
	case OPTION_WITHOUT:
		g_ptr_array_add(options->without, g_strdup(value));
		break;
	case OPTION_HOPS:
		is_taken = take_number("hops", value, ARCHITECTURE_SEARCH_HOPS_MAX, &taken, error);
		options->hops_max = (unsigned int)taken;
		break;
	case OPTION_LIMIT:
		is_taken = take_number("limit", value, LIMIT_MAX, &taken, error);
		options->limit = taken;
		options->has_limit = true;
		break;
	default: /* OPTION_USE_LATEST */
		options->build.assumes_latest = true;
		break;
	}
	return is_taken;
}

static bool read_arguments(void *data, const struct arguments *arguments, GError **error)
{
	struct architecture_options *options = data;

	g_ptr_array_add(options->without, NULL);
	return command_take_paths(&options->command, arguments, "no TRACE given: name a directory that holds one",
				  error);
}

/* --- searching --- */

static int report_search(const struct architecture_options *options, const char *text,
			 const struct architecture_search_result *result)
{
	if (result->unmatched) {
		fprintf(stderr, NAME ": --search='%s': no node matches '%s'; nothing is written\n", text,
			result->unmatched);
		return EXIT_NOTHING;
	}
	if (result->limit == ARCHITECTURE_SEARCH_STEPS) {
		fprintf(stderr,
			NAME ": --search='%s' was given up: it has %zu paths of up to %u hops; longer ones take too "
			     "long. Narrow it: FROM > VIA > TO, --without, --hops\n",
			text, result->path_count, result->hops);
		return EXIT_NOT_READ;
	}
	if (result->limit == ARCHITECTURE_SEARCH_PATHS) {
		fprintf(stderr,
			NAME
			": --search='%s' has more than %zu paths; the shortest ones are written. Narrow it: FROM > "
			"VIA > TO, --without, --hops; or set --limit\n",
			text, result->path_count);
		return options->has_limit ? EXIT_SUCCESS : EXIT_NOT_READ;
	}
	if (result->path_count == 0) {
		fprintf(stderr, NAME ": --search='%s': no path%s leads there; nothing is written\n", text,
			result->may_be_longer ? " of so few --hops" : "");
		return EXIT_NOTHING;
	}
	return EXIT_SUCCESS;
}

static bool is_known(const struct architecture *architecture, const struct architecture_node_path *element)
{
	const struct architecture_node *node = architecture_find_node(architecture, element->node);
	const struct architecture_context *context =
		architecture_find_context(node, element->subscribed_topic, element->subscription_order,
					  element->published_topic, element->publisher_order);

	return context && context->kind != ARCHITECTURE_CONTEXT_UNDEFINED;
}

static void add_unknown_contexts(const struct architecture *architecture, const struct architecture_path *path,
				 GHashTable *known, GPtrArray *unknown)
{
	for (guint i = 1; i + 1 < path->chain->len; i++) {
		const struct architecture_node_path *element =
			&g_array_index(path->chain, struct architecture_node_path, i);
		g_autofree char *text = g_strdup_printf("%s: %s -> %s", element->node, element->subscribed_topic,
							element->published_topic);

		if (!g_hash_table_contains(known, text)) {
			if (!is_known(architecture, element)) {
				g_ptr_array_add(unknown, g_strdup(text));
			}
			g_hash_table_add(known, g_steal_pointer(&text));
		}
	}
}

/* CARET evaluates a path up to the first node for which it does not know how messages go through. */
static void report_unknown_contexts(const struct architecture *architecture)
{
	g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GPtrArray) unknown = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < architecture->named_paths->len; i++) {
		add_unknown_contexts(architecture, g_ptr_array_index(architecture->named_paths, i), known, unknown);
	}
	for (guint i = 0; i < MIN(unknown->len, CONTEXTS_LISTED); i++) {
		fprintf(stderr, NAME ": on the paths, the recording does not show how messages go through %s\n",
			(const char *)g_ptr_array_index(unknown, i));
	}
	if (unknown->len > CONTEXTS_LISTED) {
		fprintf(stderr, NAME ": … nor through %u others\n", unknown->len - CONTEXTS_LISTED);
	}
	if (unknown->len > 0) {
		fputs(NAME ": edit message_contexts of these nodes, or give --use-latest\n", stderr);
	}
}

/* Returns the worst status of all searches. */
static int search_all(const struct architecture_options *options, struct architecture *architecture)
{
	int worst = EXIT_SUCCESS;

	for (guint i = 0; i < options->searches->len; i++) {
		const char *text = g_ptr_array_index(options->searches, i);
		g_auto(GStrv) stops = stops_of(text);
		const struct architecture_search search = {
			.stops = (const char *const *)stops,
			.stop_count = g_strv_length(stops),
			.without = (const char *const *)options->without->pdata,
			.hops_max = options->hops_max,
			.paths_max = options->limit,
			.steps_max = STEPS_MAX,
		};
		struct architecture_search_result result = architecture_search(architecture, &search);
		int status = report_search(options, text, &result);

		worst = MAX(worst, status);
	}
	report_unknown_contexts(architecture);
	return worst;
}

/* --- writing --- */

static bool write_file(const struct architecture *architecture, GError **error)
{
	g_autoptr(GString) yaml = g_string_new(NULL);
	struct output_stream *stream = command_open_output();

	architecture_write(architecture, yaml);
	output_stream_bytes(stream, yaml->str, yaml->len);
	return command_close_output(stream, error);
}

static int write_architecture(const struct architecture_options *options, struct architecture *architecture,
			      GError **error)
{
	int status;

	if (architecture->nodes->len == 0) {
		fputs(NAME ": the recording shows no node: were the nodes started before it began?\n", stderr);
	}
	status = search_all(options, architecture);
	if (status == EXIT_NOTHING) {
		return status;
	}
	return write_file(architecture, error) ? status : EXIT_NOT_READ;
}

static int run(void *data, GError **error)
{
	const struct architecture_options *options = data;
	struct session *session = session_create_for_listeners(NULL, &options->command.params.options, PIPELINE_ALL);
	struct publishing_callbacks *publishing = publishing_callbacks_create(session_pipeline(session));
	int status;

	catch_signals();
	status = run_recording(&options->command, session, NULL);
	if (session_has_finished(session) && status != EXIT_NOTHING) {
		struct architecture *architecture;
		int written;

		publishing_callbacks_finish(publishing);
		architecture = architecture_build(session_pipeline(session), publishing, &options->build);
		written = write_architecture(options, architecture, error);
		status = MAX(status, written);
		architecture_destroy(architecture);
	}
	session_destroy(session);
	publishing_callbacks_destroy(publishing);
	return status;
}

static void initialize(void *data)
{
	struct architecture_options *options = data;

	options->hops_max = HOPS;
	options->limit = LIMIT;
	options->searches = g_ptr_array_new_with_free_func(g_free);
	options->without = g_ptr_array_new_with_free_func(g_free);
}

static void clear(void *data)
{
	const struct architecture_options *options = data;

	g_ptr_array_unref(options->searches);
	g_ptr_array_unref(options->without);
}

static const char *const params[] = { "links", NULL };

const struct command architecture_command = {
	.line = {
		.name = NAME,
	.usage =
		"Usage: ros2-latency architecture [OPTION]... TRACE... > architecture.yaml\n"
		"\nWrites an architecture file of CARET from a recording: nodes, callbacks, executors, and how messages "
		"pass\nthrough each node. See docs/architecture.md.\n\nOptions:\n",
	.closing = "\nExit status: 0 written, 1 not all was read, searched or written, 2 the command line is wrong, 3 "
		   "the trace has\nno events of ROS 2, or a search found no path: nothing is written.\n",
		.params = params,
		.options = own_options,
		.option_count = G_N_ELEMENTS(own_options),
	},
	.takes_traces = true,
	.options_size = sizeof(struct architecture_options),
	.initialize = initialize,
	.take = take_option,
	.read = read_arguments,
	.run = run,
	.clear = clear,
};
