/* SPDX-License-Identifier: MIT */
/* Paths between nodes: which are found, in which order, and where the search ends. */
#include "ros2bt/named_paths/architecture_search.h"

#include <criterion/criterion.h>
#include <string.h>

static struct architecture *architecture;

static void setup(void)
{
	architecture = architecture_create();
}

static void teardown(void)
{
	architecture_destroy(architecture);
}

TestSuite(architecture_search, .init = setup, .fini = teardown);

static struct architecture_node *node_of(const char *name)
{
	struct architecture_node *node = architecture_find_node(architecture, name);

	return node ? node : architecture_add_node(architecture, name);
}

static void connect(const char *from, const char *topic, const char *to)
{
	if (!architecture_find_endpoint(node_of(from)->publishers, topic, 0)) {
		architecture_add_endpoint(architecture, node_of(from)->publishers, topic, 0);
	}
	if (!architecture_find_endpoint(node_of(to)->subscriptions, topic, 0)) {
		architecture_add_endpoint(architecture, node_of(to)->subscriptions, topic, 0);
	}
}

/* Connects nodes by topics, as "/a /topic /b /topic /c"; ended by NULL. */
static void connect_chains(const char *const *chains)
{
	for (; *chains; chains++) {
		g_auto(GStrv) names = g_strsplit(*chains, " ", -1);

		for (guint i = 0; names[i] && names[i + 1]; i += 2) {
			connect(names[i], names[i + 1], names[i + 2]);
		}
	}
}

#define CONNECT(...) connect_chains((const char *const[]){ __VA_ARGS__, NULL })

#define STOPS(...) ((const char *const[]){ __VA_ARGS__ }), sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

static struct architecture_search_result search(const char *const *stops, size_t stop_count)
{
	return architecture_search(architecture, &(struct architecture_search){
							 .stops = stops,
							 .stop_count = stop_count,
							 .hops_max = 15,
							 .paths_max = 1000,
							 .steps_max = 1000000,
						 });
}

/* "NAME: node >topic> node", a line each; valid until the next call. */
static const char *paths(void)
{
	static GString *text;

	if (text) {
		g_string_free(text, TRUE);
	}
	text = g_string_new(NULL);
	for (guint i = 0; i < architecture->named_paths->len; i++) {
		const struct architecture_path *path = g_ptr_array_index(architecture->named_paths, i);

		g_string_append_printf(text, "%s:", path->name);
		for (guint j = 0; j < path->chain->len; j++) {
			const struct architecture_node_path *element =
				&g_array_index(path->chain, struct architecture_node_path, j);

			cr_assert((j == 0) == (element->subscribed_topic == NULL));
			cr_assert((j + 1 == path->chain->len) == (element->published_topic == NULL));
			if (element->subscribed_topic) {
				g_string_append_printf(text, " >%s>", element->subscribed_topic);
			}
			g_string_append_printf(text, " %s", element->node);
		}
		g_string_append_c(text, '\n');
	}
	return text->str;
}

#define cr_assert_paths(expected) cr_assert(strcmp(paths(), expected) == 0, "%s", paths())

Test(architecture_search, shorter_paths_come_first_then_by_topic_and_node)
{
	CONNECT("/lidar /z /fusion", "/lidar /points /filter /b /fusion", "/filter /a /fusion",
		"/lidar /points /fusion");
	search(STOPS("/lidar", "/fusion"));
	cr_assert_paths("lidar_to_fusion_0: /lidar >/points> /fusion\n"
			"lidar_to_fusion_1: /lidar >/z> /fusion\n"
			"lidar_to_fusion_2: /lidar >/points> /filter >/a> /fusion\n"
			"lidar_to_fusion_3: /lidar >/points> /filter >/b> /fusion\n");
}

Test(architecture_search, a_path_ends_where_it_first_arrives)
{
	CONNECT("/a /1 /b /2 /c /3 /b");
	search(STOPS("/a", "/b"));
	cr_assert_paths("a_to_b_0: /a >/1> /b\n");
}

Test(architecture_search, no_path_goes_from_one_node_to_another_twice)
{
	CONNECT("/a /1 /b /2 /a", "/b /3 /c");
	search(STOPS("/a", "/c"));
	cr_assert_paths("a_to_c_0: /a >/1> /b >/3> /c\n");
}

Test(architecture_search, a_path_may_come_back_to_a_node_on_another_way)
{
	CONNECT("/a /1 /manager /2 /worker /3 /manager /4 /b");
	search(STOPS("/a", "/b"));
	cr_assert_paths("a_to_b_0: /a >/1> /manager >/4> /b\n"
			"a_to_b_1: /a >/1> /manager >/2> /worker >/3> /manager >/4> /b\n");
}

Test(architecture_search, a_node_may_send_to_itself)
{
	CONNECT("/a /1 /a /2 /b");
	search(STOPS("/a", "/a"));
	search(STOPS("/a", "/b"));
	cr_assert_paths("a_to_a_0: /a >/1> /a\n"
			"a_to_b_0: /a >/2> /b\n"
			"a_to_b_1: /a >/1> /a >/2> /b\n");
}

Test(architecture_search, stops_between_are_passed_in_their_order)
{
	CONNECT("/a /1 /b", "/a /2 /c", "/b /3 /c /4 /b /5 /d", "/c /6 /d");
	search(STOPS("/a", "/c", "/b", "/d"));
	cr_assert_paths("a_to_d_0: /a >/2> /c >/4> /b >/5> /d\n"
			"a_to_d_1: /a >/1> /b >/3> /c >/4> /b >/5> /d\n"
			"a_to_d_2: /a >/2> /c >/4> /b >/3> /c >/6> /d\n");
}

Test(architecture_search, globs_match_several_nodes)
{
	CONNECT("/sensing/lidar /1 /fusion", "/sensing/camera /2 /fusion /3 /control/left",
		"/fusion /3 /control/right");
	search(STOPS("/sensing/*", "/control/*"));
	cr_assert_paths("sensing_camera_to_control_left_0: /sensing/camera >/2> /fusion >/3> /control/left\n"
			"sensing_camera_to_control_right_0: /sensing/camera >/2> /fusion >/3> /control/right\n"
			"sensing_lidar_to_control_left_0: /sensing/lidar >/1> /fusion >/3> /control/left\n"
			"sensing_lidar_to_control_right_0: /sensing/lidar >/1> /fusion >/3> /control/right\n");
}

Test(architecture_search, nodes_and_topics_may_be_left_out)
{
	CONNECT("/a /1 /b /2 /d", "/a /1 /c /2 /d", "/a /tf /d");
	architecture_search(architecture, &(struct architecture_search){
						  .stops = (const char *const[]){ "/a", "/d" },
						  .stop_count = 2,
						  .without = (const char *const[]){ "/c", "/tf*", NULL },
						  .hops_max = 15,
						  .paths_max = 1000,
						  .steps_max = 1000000,
					  });
	cr_assert_paths("a_to_d_0: /a >/1> /b >/2> /d\n");
}

Test(architecture_search, publishers_and_subscriptions_of_a_topic_between_are_paths_of_their_own)
{
	const struct architecture_path *path;
	const struct architecture_node_path *element;

	CONNECT("/a /1 /b /2 /c");
	architecture_add_endpoint(architecture, node_of("/b")->subscriptions, "/1", 1);
	architecture_add_endpoint(architecture, node_of("/b")->publishers, "/2", 1);
	/* at the ends there is one path: caret_analyze loads no other */
	architecture_add_endpoint(architecture, node_of("/a")->publishers, "/1", 1);
	architecture_add_endpoint(architecture, node_of("/c")->subscriptions, "/2", 1);
	cr_assert_eq(search(STOPS("/a", "/c")).path_count, 4);
	path = g_ptr_array_index(architecture->named_paths, 3);
	element = &g_array_index(path->chain, struct architecture_node_path, 1);
	cr_assert_eq(element->subscription_order, 1);
	cr_assert_eq(element->publisher_order, 1);
}

Test(architecture_search, names_of_the_file_stay)
{
	CONNECT("/a /1 /b");
	architecture_add_path(architecture, "a_to_b_0");
	search(STOPS("/a", "/b"));
	cr_assert_str_eq(((struct architecture_path *)g_ptr_array_index(architecture->named_paths, 1))->name,
			 "a_to_b_1");
}

Test(architecture_search, a_stop_that_matches_no_node_is_named)
{
	CONNECT("/a /1 /b");
	cr_assert_str_eq(search(STOPS("/a", "/nobody", "/b")).unmatched, "/nobody");
	cr_assert_paths("");
}

Test(architecture_search, without_a_way_there_is_no_path)
{
	struct architecture_search_result result;

	CONNECT("/a /1 /b");
	result = search(STOPS("/b", "/a"));
	cr_assert(!result.may_be_longer);
	cr_assert_eq(result.path_count, 0);
	cr_assert_null(result.unmatched);
}

Test(architecture_search, longer_paths_than_asked_for_are_not_there)
{
	struct architecture_search three = {
		.stops = (const char *const[]){ "/a", "/d" },
		.stop_count = 2,
		.hops_max = 3,
		.paths_max = 1000,
		.steps_max = 1000000,
	};
	struct architecture_search two = three;

	two.hops_max = 2;
	CONNECT("/a /1 /b /2 /c /3 /d");
	cr_assert_eq(architecture_search(architecture, &two).path_count, 0);
	cr_assert(architecture_search(architecture, &two).may_be_longer);
	cr_assert_eq(architecture_search(architecture, &three).path_count, 1);
}

/* Layers of nodes: each node sends to all nodes of the next layer. */
static void connect_layers(unsigned int layers, unsigned int width)
{
	for (unsigned int i = 0; i + 1 < layers; i++) {
		for (unsigned int j = 0; j < width * width; j++) {
			g_autofree char *from = g_strdup_printf("/%u/%u", i, j / width);
			g_autofree char *to = g_strdup_printf("/%u/%u", i + 1, j % width);
			g_autofree char *topic = g_strdup_printf("/of/%u", i);

			connect(from, topic, to);
		}
	}
}

Test(architecture_search, of_too_many_paths_the_shortest_are_found)
{
	struct architecture_search_result result;

	connect_layers(8, 4);
	CONNECT("/0/0 /direct /7/0");
	result = architecture_search(architecture, &(struct architecture_search){
							   .stops = (const char *const[]){ "/0/0", "/7/0" },
							   .stop_count = 2,
							   .hops_max = 15,
							   .paths_max = 10,
							   .steps_max = 1000000,
						   });
	cr_assert_eq(result.limit, ARCHITECTURE_SEARCH_PATHS);
	cr_assert_eq(result.path_count, 10);
	cr_assert_eq(architecture->named_paths->len, 10);
	cr_assert_eq(((struct architecture_path *)g_ptr_array_index(architecture->named_paths, 0))->chain->len, 2);
	cr_assert_eq(result.hops, 6, "%u", result.hops);
}

Test(architecture_search, as_many_paths_as_the_limit_are_all)
{
	struct architecture_search_result result;

	connect_layers(3, 10);
	result = architecture_search(architecture, &(struct architecture_search){
							   .stops = (const char *const[]){ "/0/0", "/2/0" },
							   .stop_count = 2,
							   .hops_max = 15,
							   .paths_max = 10,
							   .steps_max = 1000000,
						   });
	cr_assert_eq(result.limit, ARCHITECTURE_SEARCH_COMPLETE);
	cr_assert_eq(result.path_count, 10);
}

Test(architecture_search, a_search_that_takes_too_long_is_given_up)
{
	struct architecture_search_result result;

	connect_layers(1, 1);
	for (unsigned int i = 0; i < 30; i++) {
		for (unsigned int j = 0; j < 30; j++) {
			g_autofree char *from = g_strdup_printf("/%u", i), *to = g_strdup_printf("/%u", j);
			g_autofree char *topic = g_strdup_printf("/%u/%u", i, j);

			if (i != j && j != 29) {
				connect(from, topic, to);
			}
		}
	}
	/* the last one can only be reached at the end */
	CONNECT("/28 /last /29");
	result = architecture_search(architecture, &(struct architecture_search){
							   .stops = (const char *const[]){ "/0", "/29" },
							   .stop_count = 2,
							   .hops_max = 100,
							   .paths_max = 1000000,
							   .steps_max = 100000,
						   });
	cr_assert_eq(result.limit, ARCHITECTURE_SEARCH_STEPS);
	cr_assert_geq(result.hops, 2);
	cr_assert_gt(result.path_count, 20);
}

/*
 * 300 nodes, each with subscriptions to 66 others: the number of steps is that of the hops of paths, not of reachable
 * nodes; and a search without result ends at once.
 */
Test(architecture_search, a_large_system_takes_few_steps)
{
	struct architecture_search_result result;
	struct architecture_search large = {
		.stops = (const char *const[]){ "/0", "/299" },
		.stop_count = 2,
		.hops_max = 15,
		.paths_max = 1000,
		.steps_max = 2000000,
	};

	for (unsigned int i = 0; i < 300; i++) {
		for (unsigned int j = 1; j <= 66; j++) {
			g_autofree char *from = g_strdup_printf("/%u", i);
			g_autofree char *to = g_strdup_printf("/%u", (i + j * j) % 300);
			g_autofree char *topic = g_strdup_printf("/topic/%u/%u", i, j % 30);

			connect(from, topic, to);
		}
	}
	CONNECT("/alone /alone /0");
	result = architecture_search(architecture, &large);
	cr_assert_eq(result.limit, ARCHITECTURE_SEARCH_PATHS);
	cr_assert_eq(result.path_count, 1000);
	large.stops = (const char *const[]){ "/0", "/alone" };
	large.steps_max = 1;
	result = architecture_search(architecture, &large);
	cr_assert_eq(result.limit, ARCHITECTURE_SEARCH_COMPLETE);
	cr_assert(!result.may_be_longer);
}

/* A topic that all nodes publish and subscribe to is visited once, not once for each pair. */
Test(architecture_search, a_topic_of_all_nodes_is_no_matter)
{
	struct architecture_search_result result;

	for (unsigned int i = 0; i < 2000; i++) {
		g_autofree char *name = g_strdup_printf("/%04u", i);

		connect(name, "/tf", name);
	}
	CONNECT("/1999 /end /end");
	result = architecture_search(architecture, &(struct architecture_search){
							   .stops = (const char *const[]){ "/0000", "/end" },
							   .stop_count = 2,
							   .hops_max = 3,
							   .paths_max = 10,
							   .steps_max = 100000,
						   });
	cr_assert_eq(result.path_count, 10);
}
