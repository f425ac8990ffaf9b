/* SPDX-License-Identifier: MIT */
/*
 * Named paths and architectures made by hand, and a system for them, for unit tests of named paths:
 *
 *   /talker (timer 1, publisher 1) --/in--> /listener (subscription 1, publisher 2) --/out--> /sink (subscription 3)
 *
 * each node in a process of its own. Include it in one file of a test only, after flow_records.h and kept_tables.h.
 */
#ifndef TESTS_UNIT_NAMED_PATHS_H
#define TESTS_UNIT_NAMED_PATHS_H

#include "core/named_paths/architecture/named_path_options.h"

static struct named_path_options named;
static uint32_t sink; /* thread */

static inline void named_setup(void)
{
	named = (struct named_path_options){
		.architecture = architecture_create(),
		.patterns = g_ptr_array_new_with_free_func((GDestroyNotify)path_pattern_destroy),
	};
	kept_options = (struct analysis_options){ .named_paths = &named };
	flow_setup_recording();
	sink = add_thread(0, 5, 5);
	script = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	now_ns = 0;
}

static inline void named_teardown(void)
{
	g_clear_pointer(&script, g_array_unref);
	recording_teardown();
	named_path_options_clear(&named);
}

/* --- paths and architecture --- */

static inline struct architecture_node_path *add_node_path(struct architecture_path *path, const char *node,
							   const char *subscribed, const char *published)
{
	struct architecture_node_path *way = architecture_add_node_path(named.architecture, path, node);

	way->subscribed_topic = architecture_text(named.architecture, subscribed);
	way->published_topic = architecture_text(named.architecture, published);
	return way;
}

/* Asks for a path of the architecture. */
static inline void add_architecture_path(const struct architecture_path *path)
{
	g_ptr_array_add(named.patterns, path_pattern_of_architecture(path));
}

/* Asks for a path by a text, "NAME: NODE > TOPIC > NODE > …". */
static inline void add_pattern(const char *pattern_text)
{
	struct path_pattern *pattern = path_pattern_parse(pattern_text, NULL);

	cr_assert_not_null(pattern, "%s", pattern_text);
	g_ptr_array_add(named.patterns, pattern);
}

static inline struct architecture_node *add_node(const char *name)
{
	return architecture_add_node(named.architecture, name);
}

static inline struct architecture_callback *add_subscription_callback(struct architecture_node *node, const char *name,
								      const char *topic)
{
	struct architecture_callback *callback =
		architecture_add_callback(named.architecture, node, name, ARCHITECTURE_SUBSCRIPTION);

	callback->topic = architecture_text(named.architecture, topic);
	architecture_add_endpoint(named.architecture, node->subscriptions, topic, 0)->callback = callback->name;
	return callback;
}

/* A publisher of the node, and the callback that publishes by it; NULL: unknown. */
static inline void add_architecture_publisher(struct architecture_node *node, const char *topic, const char *callback)
{
	struct architecture_endpoint *publisher =
		architecture_add_endpoint(named.architecture, node->publishers, topic, 0);

	if (callback) {
		architecture_add_name(named.architecture, publisher->callbacks, callback);
	}
}

/* The path "chain": /talker > /in > /listener > /out > /sink. */
static inline struct architecture_path *add_chain(void)
{
	struct architecture_path *path = architecture_add_path(named.architecture, "chain");

	add_node_path(path, "/talker", NULL, "/in");
	add_node_path(path, "/listener", "/in", "/out");
	add_node_path(path, "/sink", "/out", NULL);
	add_architecture_path(path);
	return path;
}

/* --- the system --- */

static inline void define_chain(void)
{
	define_node(talker, "talker");
	define_timer(talker, 1);
	define_publisher(talker, 1, "/in");
	define_node(listener, "listener");
	define_subscription(listener, 1, "/in");
	define_timer(listener, 2);
	define_publisher(listener, 2, "/out");
	define_node(sink, "sink");
	define_subscription(sink, 3, "/out");
}

/* The system, its definitions done by 100 ms. */
static inline void chain_setup(void)
{
	named_setup();
	define_chain();
	now_ns = 100 * MS;
}

static inline void chain_teardown(void)
{
	destroy_session();
	named_teardown();
}

/* A message on /in: 3 steps. */
static inline void chain_send(uint64_t stamp)
{
	publish(talker, 1, stamp);
}

/* The listener takes it and publishes on /out from its callback: 8 steps. */
static inline void chain_pass_on(uint64_t stamp)
{
	pass_on(listener, 1, stamp, 2, 100 + stamp);
}

/* The sink handles the message: 5 steps. */
static inline void chain_arrive(uint64_t stamp)
{
	handle(sink, 3, 100 + stamp);
}

static inline void chain_send_all_the_way(uint64_t stamp)
{
	chain_send(stamp);
	chain_pass_on(stamp);
	chain_arrive(stamp);
}

/* --- results --- */

/* The session of the script, with the options as they are now. */
static inline void report(void)
{
	begin_session();
	session_feed(session, &g_array_index(script, struct event_record, 0), script->len);
	cr_assert(session_finish(session, NULL));
}

#endif
