/* SPDX-License-Identifier: MIT */
#include "flow_records.h"

#include "core/named_paths/named_ways.h"
#include "ros2bt/flow/link_rules.h"

static struct named_path_options named;
static struct analysis_options options;
static struct named_results results;
static struct named_ways ways;
static GArray *links; /* struct link_rule */
static struct analysis_context context;

static void setup(void)
{
	named = (struct named_path_options){
		.patterns = g_ptr_array_new_with_free_func((GDestroyNotify)path_pattern_destroy),
	};
	options = (struct analysis_options){ .named_paths = &named };
	links = g_array_new(FALSE, FALSE, sizeof(struct link_rule));
	flow_setup_recording();
	flow_setup_analysis();
	context = (struct analysis_context){
		.recording = recording,
		.model = model,
		.diagnostics = diagnostics,
		.options = &options,
	};
}

static void teardown(void)
{
	named_path_options_clear(&named);
	g_array_unref(links);
	flow_teardown_analysis();
	recording_teardown();
}

TestSuite(named_ways, .init = setup, .fini = teardown);

/* Begins with a pattern; all others are added before. */
static void begin(const char *pattern)
{
	g_ptr_array_add(named.patterns, path_pattern_parse(pattern, NULL));
	named_results_init(&results, &context);
	named_ways_init(&ways, &context, &results, links);
}

/* A process with a node. */
static uint32_t add_process(int32_t vpid, const char *node)
{
	uint32_t thread = add_thread(0, vpid, vpid);

	define_node(thread, node);
	return thread;
}

/* Objects are numbered from 0, in the order of their definitions, in all processes together. */
static const struct model_publisher *publisher_at(size_t index)
{
	return object_model_publisher_at(model, index);
}

static const struct model_subscription *subscription_at(size_t index)
{
	return (const struct model_subscription *)object_model_at(model, MODEL_SUBSCRIPTION, index);
}

/* The only way that begins with a publisher. */
static struct named_way *first_way(size_t publisher)
{
	const GPtrArray *firsts = named_ways_from_publisher(&ways, publisher_at(publisher));

	cr_assert_eq(firsts->len, 1);
	return g_ptr_array_index(firsts, 0);
}

static struct named_way *next_way(struct named_way *way, size_t publisher, size_t subscription)
{
	return named_ways_next(&ways, way, publisher_at(publisher), subscription_at(subscription));
}

static void expect_paths(const char *expected)
{
	g_autoptr(GString) texts = g_string_new(NULL);

	for (guint i = 0; i < results.paths->len; i++) {
		const struct named_path *path = g_ptr_array_index(results.paths, i);

		g_string_append_printf(texts, "%s%s", i ? "; " : "", path->text);
	}
	cr_expect_str_eq(texts->str, expected, "%s", texts->str);
}

/* /a publishes /x; /b receives it and publishes /y; /c receives both and publishes /x and /y. */
enum { PUBLISHER_A, PUBLISHER_B, PUBLISHER_C_X, PUBLISHER_C_Y };
enum { SUBSCRIPTION_B, SUBSCRIPTION_C_X, SUBSCRIPTION_C_Y };

static void define_system(void)
{
	uint32_t a = add_process(10, "a"), b = add_process(11, "b"), c = add_process(12, "c");

	define_publisher(a, 1, "/x");
	define_publisher(b, 1, "/y");
	define_subscription(b, 1, "/x");
	define_subscription(c, 1, "/x");
	define_subscription(c, 2, "/y");
	define_publisher(c, 1, "/x");
	define_publisher(c, 2, "/y");
}

Test(named_ways, the_way_of_names_exists_before_any_message)
{
	struct named_way *way;

	define_system();
	begin("p: /a > /x > /b > /y > /c");
	expect_paths("/a > /x > /b > /y > /c");
	way = next_way(first_way(PUBLISHER_A), PUBLISHER_A, SUBSCRIPTION_B);
	cr_assert_not_null(way);
	cr_expect_str_eq(way->node, "/b");
	cr_expect_null(way->end);
	way = next_way(way, PUBLISHER_B, SUBSCRIPTION_C_Y);
	cr_assert_not_null(way);
	cr_expect_eq(way->end, g_ptr_array_index(results.paths, 0));
	cr_expect_eq(way->depth, 2);
	expect_paths("/a > /x > /b > /y > /c");
}

Test(named_ways, other_nodes_and_topics_are_on_no_way)
{
	struct named_way *way;

	define_system();
	begin("p: /a > /x > /b > /y > /c");
	cr_expect_eq(named_ways_from_publisher(&ways, publisher_at(PUBLISHER_B))->len, 0);
	cr_expect_null(next_way(first_way(PUBLISHER_A), PUBLISHER_A, SUBSCRIPTION_C_X));
	way = next_way(first_way(PUBLISHER_A), PUBLISHER_A, SUBSCRIPTION_B);
	cr_expect_null(next_way(way, PUBLISHER_B, SUBSCRIPTION_C_X), "another topic");
	cr_expect_null(named_ways_next(&ways, way, publisher_at(PUBLISHER_B), NULL), "no end with a publication");
}

Test(named_ways, globs_get_a_path_for_each_way_that_messages_take)
{
	struct named_way *first, *to_b, *to_c;

	define_system();
	begin("p: /a > * > *");
	expect_paths("");
	first = first_way(PUBLISHER_A);
	to_c = next_way(first, PUBLISHER_A, SUBSCRIPTION_C_X);
	to_b = next_way(first, PUBLISHER_A, SUBSCRIPTION_B);
	expect_paths("/a > /x > /c; /a > /x > /b");
	cr_expect_neq(to_b, to_c);
	cr_expect_eq(next_way(first, PUBLISHER_A, SUBSCRIPTION_B), to_b, "the same way again");
	cr_expect_eq(first->paths->len, 2, "both paths begin here");
	cr_expect_eq(to_b->paths->len, 1);
	expect_paths("/a > /x > /c; /a > /x > /b");
}

Test(named_ways, a_way_of_any_length_passes_no_node_twice)
{
	struct named_way *way;

	define_system();
	begin("p: /a > … > /d");
	way = next_way(first_way(PUBLISHER_A), PUBLISHER_A, SUBSCRIPTION_C_X);
	cr_assert_not_null(way);
	cr_expect(way->is_far);
	cr_expect_null(next_way(way, PUBLISHER_C_Y, SUBSCRIPTION_C_Y), "/c once more");
	way = next_way(way, PUBLISHER_C_X, SUBSCRIPTION_B);
	cr_assert_not_null(way);
	cr_expect_null(next_way(way, PUBLISHER_B, SUBSCRIPTION_C_Y), "/c once more");
	expect_paths("");
}

Test(named_ways, a_way_of_any_length_ends_at_the_first_match)
{
	struct named_way *way;

	define_system();
	begin("p: /a > … > /c");
	way = next_way(first_way(PUBLISHER_A), PUBLISHER_A, SUBSCRIPTION_C_X);
	cr_assert_not_null(way);
	cr_assert_not_null(way->end);
	cr_expect_null(next_way(way, PUBLISHER_C_X, SUBSCRIPTION_B), "the path has ended");
	way = next_way(first_way(PUBLISHER_A), PUBLISHER_A, SUBSCRIPTION_B);
	cr_assert_not_null(next_way(way, PUBLISHER_B, SUBSCRIPTION_C_Y));
	expect_paths("/a > /x > /c; /a > /x > /b > /y > /c");
}

/* CARET records definitions late: the subscription's comes with its first message. */
Test(named_ways, a_pair_that_was_on_no_way_is_looked_up_after_new_definitions)
{
	uint32_t a = add_process(10, "a"), b = add_thread(0, 11, 11);

	define_publisher(a, 1, "/x");
	define_subscription(b, 1, "/x");
	begin("p: /a > /x > /b");
	cr_expect_null(next_way(first_way(0), 0, 0));
	define_node(b, "b");
	cr_expect_not_null(next_way(first_way(0), 0, 0));
}

Test(named_ways, orders_distinguish_publishers_of_one_topic)
{
	struct architecture *architecture = architecture_create();
	struct architecture_path *path = architecture_add_path(architecture, "p");
	uint32_t a = add_process(10, "a"), b = add_process(11, "b");

	define_publisher(a, 1, "/x");
	define_publisher(a, 2, "/x");
	define_subscription(b, 1, "/x");
	define_subscription(b, 2, "/x");
	architecture_add_node_path(architecture, path, "/a")->publisher_order = 1;
	architecture_add_node_path(architecture, path, "/b")->subscribed_topic = "/x";
	g_ptr_array_add(named.patterns, path_pattern_of_architecture(path));
	begin("q: /elsewhere > /z > /nowhere");
	cr_expect_null(next_way(first_way(0), 0, 0), "the first publisher");
	cr_expect_null(next_way(first_way(1), 1, 1), "the second subscription");
	cr_expect_not_null(next_way(first_way(1), 1, 0));
	architecture_destroy(architecture);
}

Test(named_ways, a_path_may_begin_with_a_subscription_and_end_with_a_publication)
{
	struct architecture *architecture = architecture_create();
	struct architecture_path *path = architecture_add_path(architecture, "p");
	struct architecture_node_path *node = architecture_add_node_path(architecture, path, "/b");
	const GPtrArray *firsts;
	struct named_way *last;

	define_system();
	node->subscribed_topic = "/x";
	node->published_topic = "/y";
	g_ptr_array_add(named.patterns, path_pattern_of_architecture(path));
	begin("q: /elsewhere > /z > /nowhere");
	cr_expect_eq(named_ways_from_publisher(&ways, publisher_at(PUBLISHER_A))->len, 0);
	cr_expect_eq(named_ways_from_subscription(&ways, subscription_at(SUBSCRIPTION_C_X))->len, 0);
	firsts = named_ways_from_subscription(&ways, subscription_at(SUBSCRIPTION_B));
	cr_assert_eq(firsts->len, 1);
	last = named_ways_next(&ways, g_ptr_array_index(firsts, 0), publisher_at(PUBLISHER_B), NULL);
	cr_assert_not_null(last);
	cr_expect_not_null(last->end);
	cr_expect_null(last->node);
	architecture_destroy(architecture);
}

Test(named_ways, publishers_off_all_paths_are_known)
{
	define_system();
	begin("p: /a > /x > /b > /y > /c");
	cr_expect(named_ways_may_pass(&ways, publisher_at(PUBLISHER_A)));
	cr_expect(named_ways_may_pass(&ways, publisher_at(PUBLISHER_B)));
	cr_expect_not(named_ways_may_pass(&ways, publisher_at(PUBLISHER_C_X)), "from the last node");
}

Test(named_ways, a_publisher_leads_to_the_children_of_its_topic)
{
	const struct named_way *first;

	define_system();
	begin("p: /a > /x > /b > /y > /c");
	first = first_way(PUBLISHER_A);
	cr_expect(named_ways_leaves_by(&ways, g_ptr_array_index(first->children, 0), publisher_at(PUBLISHER_A)));
	cr_expect_not(named_ways_leaves_by(&ways, g_ptr_array_index(first->children, 0), publisher_at(PUBLISHER_B)));
}

Test(named_ways, indirect_links_mark_messages_that_are_kept)
{
	struct link_rule link = { .node = (char *)"/b",
				  .subscribed_topic = (char *)"/x",
				  .published_topic = (char *)"/y" };
	const struct named_way *to_b;

	g_array_append_val(links, link);
	define_system();
	begin("p: /a > /x > /b > /y > /c");
	to_b = next_way(first_way(PUBLISHER_A), PUBLISHER_A, SUBSCRIPTION_B);
	cr_expect_not(to_b->is_kept, "/a keeps nothing");
	cr_expect(((const struct named_way *)g_ptr_array_index(to_b->children, 0))->is_kept);
}

Test(named_ways, a_pattern_with_a_problem_is_a_path_with_a_reason)
{
	struct path_pattern *pattern = path_pattern_parse("p: /a > /x > /b", NULL);
	const struct named_path *path;

	pattern->problem = g_strdup("this one");
	g_ptr_array_add(named.patterns, pattern);
	define_system();
	begin("q: /a > /x > /c");
	path = g_ptr_array_index(results.paths, 0);
	cr_expect_str_eq(path->reason, "this one");
	cr_expect_eq(path->node_count, 0);
	cr_expect_eq(first_way(PUBLISHER_A)->pattern, g_ptr_array_index(named.patterns, 1));
}

/* 200 nodes that publish, 150 that receive: 200 + 30000 ways, more than there may be. */
Test(named_ways, their_number_is_limited)
{
	size_t refused = 0;

	for (int i = 0; i < 350; i++) {
		g_autofree char *name = g_strdup_printf("n%d", i);
		uint32_t thread = add_process(1000 + i, name);

		if (i < 200) {
			define_publisher(thread, 1, "/x");
		} else {
			define_subscription(thread, 1, "/x");
		}
	}
	begin("p: * > * > *");
	for (size_t i = 0; i < 200; i++) {
		const GPtrArray *firsts = named_ways_from_publisher(&ways, publisher_at(i));

		for (size_t j = 0; j < 150; j++) {
			refused += firsts->len == 0 || !next_way(g_ptr_array_index(firsts, 0), i, j);
		}
	}
	cr_expect_eq(ways.all->len, NAMED_WAYS_MAX);
	cr_expect_gt(refused, 0);
	cr_expect_gt(diagnostics_count(diagnostics, DIAGNOSTIC_PATHS_CAPPED, "ways of named paths"), 0);
}
