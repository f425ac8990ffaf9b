/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer: the architecture of any records. Its names must refer to its own objects, because caret_analyze leaves out
 * a node with a name that does not; the file must be read back as it was written; a search must end within its limits,
 * and its paths must consist of existing publishers and subscriptions.
 *
 * An input: eight bytes of options, of which the first one is used, then a script of records (record_script.h).
 */
#include <unistd.h>

#include "core/named_paths/architecture/architecture_file.h"
#include "fuzz_input.h"
#include "record_script.h"
#include "ros2bt/named_paths/architecture_build.h"
#include "ros2bt/named_paths/architecture_search.h"
#include "ros2bt/named_paths/architecture_write.h"

#define OPTION_BYTES 8
#define PATHS_MAX 20
#define HOPS_MAX 6

static void check_callbacks(const struct architecture_node *node, const GPtrArray *names)
{
	for (guint i = 0; i < names->len; i++) {
		FUZZ_MUST(architecture_find_callback(node, g_ptr_array_index(names, i)), "%s has %s", node->name,
			  (const char *)g_ptr_array_index(names, i));
	}
}

static void check_node(const struct architecture_node *node)
{
	for (guint i = 0; i < node->callbacks->len; i++) {
		const struct architecture_callback *callback = g_ptr_array_index(node->callbacks, i);

		FUZZ_MUST(architecture_find_group(node, callback->name), "%s has a group", callback->name);
	}
	for (guint i = 0; i < node->publishers->len; i++) {
		check_callbacks(node,
				((struct architecture_endpoint *)g_ptr_array_index(node->publishers, i))->callbacks);
	}
	for (guint i = 0; i < node->contexts->len; i++) {
		check_callbacks(node, ((struct architecture_context *)g_ptr_array_index(node->contexts, i))->callbacks);
	}
	for (guint i = 0; i < node->subscriptions->len; i++) {
		const struct architecture_endpoint *subscription = g_ptr_array_index(node->subscriptions, i);

		FUZZ_MUST(subscription->callback && architecture_find_callback(node, subscription->callback),
			  "the subscription of %s has a callback", subscription->topic);
	}
}

static void check_path(const struct architecture *architecture, const struct architecture_path *path)
{
	FUZZ_MUST(path->chain->len >= 2 && path->chain->len <= HOPS_MAX + 1, "%s has %u nodes", path->name,
		  path->chain->len);
	for (guint i = 0; i < path->chain->len; i++) {
		const struct architecture_node_path *element =
			&g_array_index(path->chain, struct architecture_node_path, i);
		const struct architecture_node *node = architecture_find_node(architecture, element->node);

		FUZZ_MUST(node, "%s is there", element->node);
		FUZZ_MUST(i == 0 || architecture_find_endpoint(node->subscriptions, element->subscribed_topic,
							       element->subscription_order),
			  "%s subscribes", element->node);
		FUZZ_MUST(i + 1 == path->chain->len ||
				  architecture_find_endpoint(node->publishers, element->published_topic,
							     element->publisher_order),
			  "%s publishes", element->node);
	}
}

static void check_search(struct architecture *architecture)
{
	const struct architecture_search search = {
		.stops = (const char *const[]){ "*", "*" },
		.stop_count = 2,
		.hops_max = HOPS_MAX,
		.paths_max = PATHS_MAX,
		.steps_max = 10000,
	};
	struct architecture_search_result result = architecture_search(architecture, &search);

	FUZZ_MUST(result.path_count == architecture->named_paths->len && result.path_count <= PATHS_MAX, "%zu paths",
		  result.path_count);
	for (guint i = 0; i < architecture->named_paths->len; i++) {
		check_path(architecture, g_ptr_array_index(architecture->named_paths, i));
	}
}

static void check_file(const struct architecture *architecture)
{
	g_autofree char *path = g_strdup_printf("%s/fuzz-architecture-%d", g_get_tmp_dir(), getpid());
	g_autoptr(GString) written = g_string_new(NULL);
	g_autoptr(GString) again = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	struct architecture *read;

	architecture_write(architecture, written);
	FUZZ_MUST(g_file_set_contents(path, written->str, (gssize)written->len, NULL), "%s", path);
	read = architecture_file_read(path, &error);
	FUZZ_MUST(read, "%s:\n%s", error->message, written->str);
	FUZZ_MUST(read->remarks->len == 0, "%s:\n%s", (char *)g_ptr_array_index(read->remarks, 0), written->str);
	architecture_write(read, again);
	FUZZ_MUST(strcmp(written->str, again->str) == 0, "read back:\n%s\n%s", written->str, again->str);
	architecture_destroy(read);
	unlink(path);
}

static struct architecture *architecture_of(struct recording *recording, const GArray *records, bool assumes_latest)
{
	const struct architecture_build_options options = { .assumes_latest = assumes_latest };
	struct pipeline *pipeline = pipeline_create(recording, PIPELINE_ALL);
	struct publishing_callbacks *publishing = publishing_callbacks_create(pipeline);
	struct architecture *architecture;

	for (guint i = 0; i < records->len; i++) {
		pipeline_feed(pipeline, &g_array_index(records, struct event_record, i));
	}
	pipeline_finish(pipeline);
	publishing_callbacks_finish(publishing);
	architecture = architecture_build(pipeline, publishing, &options);
	pipeline_destroy(pipeline);
	publishing_callbacks_destroy(publishing);
	return architecture;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fuzz_input input = { bytes, size };
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	bool assumes_latest = fuzz_input_byte(&input) & 1;
	g_autoptr(GArray) records = NULL;
	struct architecture *architecture;

	for (int i = 1; i < OPTION_BYTES; i++) {
		fuzz_input_byte(&input);
	}
	records = record_script_read(&input, recording);
	architecture = architecture_of(recording, records, assumes_latest);
	for (guint i = 0; i < architecture->nodes->len; i++) {
		check_node(g_ptr_array_index(architecture->nodes, i));
	}
	check_search(architecture);
	check_file(architecture);
	architecture_destroy(architecture);
	recording_destroy(recording);
	string_pool_destroy(pool);
	return 0;
}
