/* SPDX-License-Identifier: MIT */
/* core/named_paths/caret/caret_records.c, caret_objects.c, caret_elements.c and caret_path.c: from events to
 * flows. */
#include "flow_records.h"

#include <inttypes.h>
#include <string.h>

#include "core/named_paths/caret/caret_path.h"
#include "core/named_paths/caret/caret_records.h"

/*
 * /talker publishes /in with a timer. /listener has two subscriptions: 1, whose callback publishes /out itself, and 2,
 * of /other. Times in the tests are numbers of moments, 1000 ns apart.
 */
static struct caret_records *records;
static GHashTable *nodes, *topics;

static void setup(void)
{
	struct analysis_context context;

	flow_setup_recording();
	flow_setup_analysis();
	context = (struct analysis_context){
		.recording = recording, .model = model, .executions = executions, .flows = linker
	};
	nodes = g_hash_table_new(g_str_hash, g_str_equal);
	topics = g_hash_table_new(g_str_hash, g_str_equal);
	g_hash_table_add(nodes, "/talker");
	g_hash_table_add(nodes, "/listener");
	g_hash_table_add(topics, "/in");
	g_hash_table_add(topics, "/out");
	records = caret_records_create(&context, nodes, topics);
	now_ns = -100000;
	define_node(talker, "talker");
	define_timer(talker, 1);
	define_publisher(talker, 1, "/in");
	define_node(listener, "listener");
	define_subscription(listener, 1, "/in");
	define_subscription(listener, 2, "/other");
	define_publisher(listener, 2, "/out");
	now_ns = 0;
	script = g_array_new(FALSE, FALSE, sizeof(struct event_record));
}

static void teardown(void)
{
	flow_teardown_analysis();
	g_hash_table_unref(nodes);
	g_hash_table_unref(topics);
	g_clear_pointer(&script, g_array_unref);
	recording_teardown();
}

TestSuite(caret_path, .init = setup, .fini = teardown);

/* The next event happens at this moment. */
static void at(int64_t moment)
{
	now_ns = (moment - 1) * STEP_NS;
}

static bool is_taken(uint8_t kind)
{
	for (size_t i = 0; caret_records_kinds[i] != EVENT_KIND_COUNT; i++) {
		if (caret_records_kinds[i] == kind) {
			return true;
		}
	}
	return false;
}

static const struct caret_objects *run_script(void)
{
	for (guint i = 0; i < script->len; i++) {
		const struct event_record *record = &g_array_index(script, struct event_record, i);

		pipeline_feed(pipeline, record);
		if (is_taken(record->kind)) {
			caret_records_feed(records, record);
		}
	}
	pipeline_finish(pipeline);
	caret_records_finish(records);
	return caret_records_objects(records);
}

static bool is_stamp(const GArray *columns, size_t index)
{
	return columns && caret_column_at(columns, index)->point == CARET_POINT_STAMP;
}

/* Moments, "." for none; stamps unchanged. */
static void expect_table(const struct caret_table *table, const GArray *columns, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; table && i < caret_table_count(table); i++) {
		const int64_t *row = caret_table_at(table, i);

		for (size_t j = 0; j < table->width; j++) {
			g_string_append(text, j ? " " : i ? "/" : "");
			if (row[j] == CARET_NO_TIME) {
				g_string_append_c(text, '.');
			} else {
				g_string_append_printf(text, "%" PRId64,
						       is_stamp(columns, j) ? row[j] : row[j] / STEP_NS);
			}
		}
	}
	cr_expect_str_eq(text->str, expected, "%s, not %s", text->str, expected);
}

static void expect_columns(const GArray *columns, const struct caret_node *path, bool is_of_flows, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < columns->len; i++) {
		g_autofree char *name = caret_column_name(caret_column_at(columns, i), path, is_of_flows);

		g_string_append_printf(text, "%s%s", i ? " " : "", name);
	}
	cr_expect_str_eq(text->str, expected, "%s, not %s", text->str, expected);
}

/* --- records --- */

/* Without the callbacks: their numbers mean nothing here. */
static struct caret_table *publications_of(const struct caret_objects *objects, const GPtrArray *publishers)
{
	g_autoptr(caret_table) all = caret_objects_publications(objects, publishers);

	return caret_table_select(all, (size_t[]){ 0, 1, 2, 3, 4 }, 5);
}

static GPtrArray *list_of(void *object)
{
	GPtrArray *list = g_ptr_array_new();

	cr_assert_not_null(object);
	g_ptr_array_add(list, object);
	return list;
}

static GPtrArray *publisher_list(uint32_t thread, uint64_t number)
{
	return list_of(object_model_find_publisher(model, process_of(thread), PUBLISHER + number, INT64_MAX));
}

static GPtrArray *callback_list(uint64_t address)
{
	return list_of(object_model_find_callback(model, process_of(listener), address, INT64_MAX));
}

Test(caret_path, a_publication_is_what_its_thread_does_until_the_next_one)
{
	g_autoptr(GPtrArray) publishers = publisher_list(talker, 1);
	g_autoptr(caret_table) table = NULL;

	at(1);
	start(talker, TIMER_CALLBACK + 1);
	at(2);
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(DDS_WRITE, talker, MESSAGE);
	NEXT(DDS_WRITE, talker, MESSAGE); /* of another writer */
	at(7);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, 0, 70 * STEP_NS);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, 0, 71 * STEP_NS);
	at(10); /* of a callback that has ended */
	end(talker, TIMER_CALLBACK + 1);
	at(20);
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE); /* never reaches rcl: without publisher */
	at(20);
	NEXT(RCLCPP_PUBLISH, talker_2, MESSAGE); /* outside any callback */
	NEXT(RCL_PUBLISH, talker_2, MESSAGE, PUBLISHER + 1);
	at(31);
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	table = publications_of(run_script(), publishers);
	expect_table(table, NULL, "2 3 4 70 1/20 21 . . ./31 32 . . 1");
}

Test(caret_path, a_publication_to_both_is_one_with_that_within_the_process)
{
	g_autoptr(GPtrArray) publishers = publisher_list(talker, 1);
	g_autoptr(caret_table) table = NULL;

	at(1);
	start(talker, TIMER_CALLBACK + 1);
	at(10);
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	at(12);
	publish(talker, 1, 120 * STEP_NS);
	at(20);
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	at(30);
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	at(32);
	publish(talker, 1, 320 * STEP_NS);
	at(40);
	publish(talker, 1, 400 * STEP_NS);
	table = publications_of(run_script(), publishers);
	expect_table(table, NULL, "10 13 14 120 1/20 . . . 1/30 33 34 320 1/40 41 42 400 1");
}

Test(caret_path, a_reception_is_the_next_start_after_a_take)
{
	g_autoptr(GPtrArray) callbacks = callback_list(SUBSCRIPTION_CALLBACK + 1);
	g_autoptr(caret_table) receptions = NULL;
	g_autoptr(caret_table) executed = NULL;

	at(10);
	handle(listener, 1, 100 * STEP_NS);
	at(20); /* no take */
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	at(25);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	at(30); /* the last take counts */
	take(listener, 2, 300 * STEP_NS);
	at(40);
	handle(listener, 1, 400 * STEP_NS);
	receptions = caret_objects_receptions(run_script(), callbacks);
	executed = caret_objects_executions(caret_records_objects(records), callbacks);
	expect_table(receptions, NULL, "13 100/43 400");
	expect_table(executed, NULL, "13 14/20 25/43 44");
}

/* CARET itself would attribute the ends to the last start. */
Test(caret_path, executions_are_paired_by_thread)
{
	g_autoptr(GPtrArray) callbacks = callback_list(SUBSCRIPTION_CALLBACK + 1);
	g_autoptr(caret_table) executed = NULL;

	at(10);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	at(20);
	start(listener_2, SUBSCRIPTION_CALLBACK + 1);
	at(30);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	at(40);
	end(listener_2, SUBSCRIPTION_CALLBACK + 1);
	executed = caret_objects_executions(run_script(), callbacks);
	expect_table(executed, NULL, "10 30/20 40");
}

Test(caret_path, of_other_topics_and_nodes_nothing_is_kept)
{
	g_autoptr(GPtrArray) publishers = NULL;
	g_autoptr(caret_table) table = NULL;

	define_publisher(talker, 3, "/uninteresting");
	at(10);
	publish(talker, 3, 1);
	run_script();
	publishers = publisher_list(talker, 3);
	table = publications_of(caret_records_objects(records), publishers);
	expect_table(table, NULL, "");
}

Test(caret_path, what_is_defined_late_is_kept_until_then)
{
	g_autoptr(GPtrArray) publishers = NULL;
	g_autoptr(GPtrArray) others = NULL;
	g_autoptr(caret_table) table = NULL;
	g_autoptr(caret_table) nothing = NULL;

	at(10);
	publish(talker, 3, 1 * STEP_NS);
	at(20);
	publish(talker, 4, 2 * STEP_NS);
	feed(by_caret(RECORD(RCL_PUBLISHER_INIT, talker, 30 * STEP_NS, PUBLISHER + 3, NODE, RMW_PUBLISHER + 3,
			     text("/out"), 10),
		      0));
	feed(by_caret(RECORD(RCL_PUBLISHER_INIT, talker, 31 * STEP_NS, PUBLISHER + 4, NODE, RMW_PUBLISHER + 4,
			     text("/uninteresting"), 10),
		      0));
	at(40);
	publish(talker, 3, 3 * STEP_NS);
	at(50);
	publish(talker, 4, 4 * STEP_NS);
	run_script();
	publishers = publisher_list(talker, 3);
	others = publisher_list(talker, 4);
	table = publications_of(caret_records_objects(records), publishers);
	nothing = publications_of(caret_records_objects(records), others);
	expect_table(table, NULL, "10 11 12 1 ./40 41 42 3 .");
	expect_table(nothing, NULL, "");
}

/* --- flows --- */

static struct caret_callback callback(const char *name, uint64_t address)
{
	return (struct caret_callback){ name, callback_list(address) };
}

/* /talker > /in > /listener > /out > /sink, which is the listener's second subscription. */
static struct caret_node path[3];

static void make_path(enum caret_context context)
{
	struct caret_callback chain = callback("/listener/callback_0", SUBSCRIPTION_CALLBACK + 1);

	path[0] = (struct caret_node){
		.name = "/talker",
		.published_topic = "/in",
		.publishers = publisher_list(talker, 1),
		.subscriptions = g_ptr_array_new(),
		.subscription = { NULL, g_ptr_array_new() },
		.chain = g_array_new(FALSE, FALSE, sizeof(struct caret_callback)),
	};
	path[1] = (struct caret_node){
		.name = "/listener",
		.subscribed_topic = "/in",
		.published_topic = "/out",
		.publishers = publisher_list(listener, 2),
		.subscriptions = list_of(
			object_model_find_subscription(model, process_of(listener), SUBSCRIPTION + 1, INT64_MAX)),
		.subscription = callback("/listener/callback_0", SUBSCRIPTION_CALLBACK + 1),
		.context = context,
		.chain = g_array_new(FALSE, FALSE, sizeof(struct caret_callback)),
	};
	g_array_append_val(path[1].chain, chain);
	path[2] = (struct caret_node){
		.name = "/sink",
		.subscribed_topic = "/out",
		.publishers = g_ptr_array_new(),
		.subscriptions = list_of(
			object_model_find_subscription(model, process_of(listener), SUBSCRIPTION + 2, INT64_MAX)),
		.subscription = callback("/sink/callback_0", SUBSCRIPTION_CALLBACK + 2),
		.chain = g_array_new(FALSE, FALSE, sizeof(struct caret_callback)),
	};
}

static void free_path(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(path); i++) {
		for (guint j = 0; j < path[i].chain->len; j++) {
			g_ptr_array_unref(g_array_index(path[i].chain, struct caret_callback, j).callbacks);
		}
		g_ptr_array_unref(path[i].publishers);
		g_ptr_array_unref(path[i].subscriptions);
		g_ptr_array_unref(path[i].subscription.callbacks);
		g_array_unref(path[i].chain);
	}
}

static void expect_flows(bool first_callback, bool last_callback, const char *flows)
{
	struct caret_path *result = caret_path_create(caret_records_objects(records), path, G_N_ELEMENTS(path),
						      first_callback, last_callback);

	expect_table(result->flows, result->columns, flows);
	caret_path_destroy(result);
}

/* A timer callback from 10 k that publishes at 10 k + 1 with the stamp k. */
static void tick(int64_t k)
{
	at(10 * k);
	publish_in(talker, TIMER_CALLBACK + 1, 1, (uint64_t)k);
}

/* Subscription 1 runs from a moment on, and publishes stamps after it, two moments apart. */
static void forward(int64_t moment, uint64_t stamp, uint64_t first, uint64_t count)
{
	at(moment - 3);
	take(listener, 1, stamp);
	at(moment);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	for (uint64_t i = 0; i < count; i++) {
		at(moment + 1 + 3 * (int64_t)i);
		publish(listener, 2, first + i);
	}
	end(listener, SUBSCRIPTION_CALLBACK + 1);
}

static void sink(int64_t moment, uint64_t stamp)
{
	at(moment - 3);
	take(listener_2, 2, stamp);
	at(moment);
	start(listener_2, SUBSCRIPTION_CALLBACK + 2);
	at(moment + 2);
	end(listener_2, SUBSCRIPTION_CALLBACK + 2);
}

/* The second message is not received; the third one leads to two publications, the fourth to none. */
static void play(void)
{
	tick(1);
	forward(17, 1, 101, 1);
	tick(2);
	sink(26, 101);
	tick(3);
	forward(37, 3, 103, 2);
	sink(48, 103);
	sink(56, 104);
	tick(6);
	forward(67, 6, 0, 0);
	tick(7);
	forward(77, 7, 107, 1);
	run_script();
}

Test(caret_path, flows_branch_and_end_where_messages_do)
{
	struct caret_path *result;

	make_path(CARET_CONTEXT_CALLBACK_CHAIN);
	play();
	result = caret_path_create(caret_records_objects(records), path, 3, true, true);
	cr_expect_null(result->problem);
	cr_expect_eq(result->end, 2);
	expect_columns(result->columns, path, true,
		       "/talker/callback_x/callback_start_timestamp/0 /in/rclcpp_publish_timestamp/0 "
		       "/in/rcl_publish_timestamp/0 /in/dds_write_timestamp/0 "
		       "/listener/callback_0/callback_start_timestamp/0 /out/rclcpp_publish_timestamp/0 "
		       "/out/rcl_publish_timestamp/0 /out/dds_write_timestamp/0 "
		       "/sink/callback_0/callback_start_timestamp/0 /sink/callback_0/callback_end_timestamp/0");
	expect_table(result->flows, result->columns,
		     "10 11 12 13 17 18 19 20 26 28/"
		     "20 21 22 23 . . . . . ./"
		     "30 31 32 33 37 38 39 40 48 50/"
		     "30 31 32 33 37 41 42 43 56 58/"
		     "60 61 62 63 67 . . . . ./"
		     "70 71 72 73 77 78 79 80 . .");
	caret_path_destroy(result);
	expect_flows(false, false,
		     "11 12 13 17 18 19 20 26/21 22 23 . . . . ./31 32 33 37 38 39 40 48/31 32 33 37 41 42 43 56/"
		     "61 62 63 67 . . . ./71 72 73 77 78 79 80 .");
	free_path();
}

/* Likewise with use_latest_message, which goes on with publications of any callback and thread. */
Test(caret_path, the_latest_message_is_used_by_all_publications_until_the_next)
{
	make_path(CARET_CONTEXT_USE_LATEST);
	at(90);
	NEXT(RCLCPP_PUBLISH, listener_2, MESSAGE);
	NEXT(RCL_PUBLISH, listener_2, MESSAGE, PUBLISHER + 2);
	play();
	expect_flows(false, false,
		     "11 12 13 17 18 19 20 26/21 22 23 . . . . ./31 32 33 37 38 39 40 48/31 32 33 37 41 42 43 56/"
		     "61 62 63 67 . . . ./71 72 73 77 78 79 80 ./71 72 73 77 90 91 . .");
	free_path();
}

Test(caret_path, elements_have_a_record_for_everything_that_happened)
{
	struct caret_path *result;
	const struct caret_element *elements;

	make_path(CARET_CONTEXT_USE_LATEST);
	play();
	result = caret_path_create(caret_records_objects(records), path, 3, false, false);
	elements = &g_array_index(result->elements, struct caret_element, 0);
	cr_assert_eq(result->elements->len, 5);
	cr_expect_eq(elements[0].columns->len, 0);
	expect_columns(elements[1].columns, path, false,
		       "/in/rclcpp_publish_timestamp /in/rcl_publish_timestamp /in/dds_write_timestamp "
		       "/in/source_timestamp /listener/callback_0/callback_start_timestamp");
	expect_table(elements[1].records, elements[1].columns,
		     "11 12 13 1 17/21 22 23 2 ./31 32 33 3 37/61 62 63 6 67/71 72 73 7 77");
	expect_columns(elements[2].columns, path, false,
		       "/listener/callback_0/callback_start_timestamp /in/source_timestamp "
		       "/out/rclcpp_publish_timestamp");
	expect_table(elements[2].records, elements[2].columns, "17 1 18/37 3 38/37 3 41/67 6 ./77 7 78");
	expect_table(elements[3].records, elements[3].columns,
		     "18 19 20 101 26/38 39 40 103 48/41 42 43 104 56/78 79 80 107 .");
	cr_expect_eq(elements[4].columns->len, 0);
	caret_path_destroy(result);
	free_path();
}

Test(caret_path, flows_end_where_nothing_is_known_of_a_node)
{
	struct caret_path *result;

	make_path(CARET_CONTEXT_NONE);
	play();
	result = caret_path_create(caret_records_objects(records), path, 3, false, false);
	cr_expect_str_eq(result->problem, "flows end at /listener: it is not known how a message from /in comes to be "
					  "one of /out there");
	cr_expect_eq(result->end, 1);
	expect_table(result->flows, result->columns, "11 12 13 17/21 22 23 ./31 32 33 37/61 62 63 67/71 72 73 77");
	caret_path_destroy(result);
	result = caret_path_create(caret_records_objects(records), path, 3, false, true);
	cr_expect_not_null(result->problem);
	cr_expect_null(result->flows, "there is no last callback");
	caret_path_destroy(result);
	free_path();
}

/* A path may begin within: with the start of the subscription's callback. */
Test(caret_path, a_first_node_with_a_context_is_the_begin)
{
	struct caret_path *result;

	make_path(CARET_CONTEXT_CALLBACK_CHAIN);
	play();
	result = caret_path_create(caret_records_objects(records), path + 1, 2, false, false);
	expect_table(result->flows, result->columns,
		     "17 18 19 20 26/37 38 39 40 48/37 41 42 43 56/67 . . . ./77 78 79 80 .");
	caret_path_destroy(result);
	free_path();
}

/* A variable counts from the end of the callback that wrote it, for each start of the reader, until it is overwritten.
 */
Test(caret_path, a_chain_passes_variables_on_from_the_end_of_a_callback)
{
	struct caret_callback second;
	struct caret_path *result;
	const struct caret_element *element;

	make_path(CARET_CONTEXT_CALLBACK_CHAIN);
	second = callback("/listener/callback_1", SUBSCRIPTION_CALLBACK + 2);
	g_array_append_val(path[1].chain, second);
	forward(10, 1, 0, 0); /* from 10 to 11 */
	sink(20, 99);	      /* from 20 to 22 */
	at(23);
	publish(listener, 2, 1); /* outside any callback */
	sink(30, 98);
	forward(41, 2, 0, 0); /* unread */
	forward(51, 3, 0, 0);
	at(60);
	start(listener_2, SUBSCRIPTION_CALLBACK + 2);
	publish(listener_2, 2, 2);
	publish(listener_2, 2, 3); /* the first one counts */
	end(listener_2, SUBSCRIPTION_CALLBACK + 2);
	run_script();
	result = caret_path_create(caret_records_objects(records), path, 3, false, false);
	element = &g_array_index(result->elements, struct caret_element, 2);
	expect_columns(element->columns, path, false,
		       "/listener/callback_0/callback_start_timestamp /listener/callback_0/callback_end_timestamp "
		       "/listener/callback_1/callback_start_timestamp /out/rclcpp_publish_timestamp");
	expect_table(element->records, element->columns, "10 11 20 23/10 11 30 ./41 42 . ./51 52 60 61");
	cr_expect_eq(element->by_others, 1); /* that of 23 */
	caret_path_destroy(result);
	free_path();
}

/* If the callback never runs, the node takes its messages by hand. */
Test(caret_path, a_node_that_takes_by_hand_uses_the_message_of_its_last_take)
{
	make_path(CARET_CONTEXT_USE_LATEST);
	path[1].takes_by_hand = true;
	tick(1);
	tick(2);
	at(30);
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 1, 1);
	at(32);
	publish(listener, 2, 201);
	at(40); /* nothing to take: the message before */
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 0, 0);
	at(42);
	publish(listener, 2, 202);
	sink(50, 201);
	run_script();
	expect_flows(false, false, "11 12 13 32 33 34 50/11 12 13 42 43 44 ./21 22 23 . . . .");
	free_path();
}

Test(caret_path, at_a_last_node_that_takes_by_hand_the_take_is_the_end)
{
	struct caret_path *result;

	make_path(CARET_CONTEXT_CALLBACK_CHAIN);
	path[2].takes_by_hand = true;
	tick(1);
	forward(17, 1, 101, 1);
	g_hash_table_add(topics, "/other"); /* of the subscription in place of the sink's */
	at(30);
	NEXT(RMW_TAKE, listener_2, MESSAGE, RMW_SUBSCRIPTION + 2, 101, 1);
	run_script();
	result = caret_path_create(caret_records_objects(records), path, 3, false, true);
	expect_table(result->flows, result->columns, "11 12 13 17 18 19 20 30");
	cr_expect_eq(caret_column_at(result->columns, 7)->point, CARET_POINT_TAKE);
	caret_path_destroy(result);
	free_path();
}

/* Ring buffers: messages published within the process, and taken out of the slot by any thread. */
Test(caret_path, within_a_process_messages_go_by_the_slots_of_ring_buffers)
{
	struct caret_path *result;
	const struct caret_element *element;

	g_clear_pointer(&script, g_array_unref);
	define_intra_process(listener, 1);
	script = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	make_path(CARET_CONTEXT_CALLBACK_CHAIN);
	g_ptr_array_unref(path[0].publishers);
	path[0].publishers = publisher_list(listener, 2); /* of the same process */
	g_ptr_array_add(path[1].subscription.callbacks,
			object_model_find_callback(model, process_of(listener), INTRA_CALLBACK + 1, INT64_MAX));
	for (uint64_t i = 0; i < 3; i++) {
		at(10 + 10 * (int64_t)i);
		NEXT(RCLCPP_INTRA_PUBLISH, listener, MESSAGE, PUBLISHER + 2);
		NEXT(RCLCPP_RING_BUFFER_ENQUEUE, listener, BUFFER + 1, i % 2, 1, i == 2);
	}
	at(40); /* slot 0 was overwritten by the third */
	NEXT(RCLCPP_RING_BUFFER_DEQUEUE, listener_2, BUFFER + 1, 1, 1);
	run_callback(listener_2, INTRA_CALLBACK + 1);
	at(50);
	NEXT(RCLCPP_RING_BUFFER_DEQUEUE, listener_2, BUFFER + 1, 0, 0);
	run_callback(listener_2, INTRA_CALLBACK + 1);
	run_script();
	result = caret_path_create(caret_records_objects(records), path, 3, false, false);
	element = &g_array_index(result->elements, struct caret_element, 1);
	cr_expect(element->is_intra_process);
	expect_table(element->records, element->columns, "20 41/30 51");
	caret_path_destroy(result);
	free_path();
}
