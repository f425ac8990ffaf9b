/* SPDX-License-Identifier: MIT */
#include "flow_records.h"

#include "core/analyses/analyses.h"
#include "core/tables/statistics_columns.h"
#include "ros2bt/session/session.h"

/* Keeps the rows of tables as text, "table|cell|cell…\n"; rows of instances apart. */
struct keeper {
	struct table_writer writer;
	struct statistics_columns *columns;
	const struct table_schema *schema;
};

static const double quantiles[] = { 0.5 };
static const struct analysis_options options;
static const char *const *asked_for; /* names of tables; NULL: all */
static GPtrArray *keepers;
static GString *rows, *instance_rows;
static struct session *session;

static void append_cell(GString *text, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_TEXT:
		g_string_append(text, cell->text);
		break;
	case CELL_REAL:
		g_string_append_printf(text, "%.3f", cell->real);
		break;
	case CELL_EMPTY:
	case CELL_STATISTIC:
		break;
	default:
		g_string_append_printf(text, "%" G_GINT64_FORMAT, cell->integer);
	}
}

static void keep_row(struct table_writer *writer, const struct cell *cells)
{
	struct keeper *keeper = (struct keeper *)writer;
	GString *text = table_is_of_instances(keeper->schema) ? instance_rows : rows;

	cells = statistics_columns_cells(keeper->columns, cells);
	g_string_append(text, keeper->schema->name);
	for (size_t i = 0; i < keeper->schema->column_count; i++) {
		g_string_append_c(text, '|');
		append_cell(text, &cells[i]);
	}
	g_string_append_c(text, '\n');
}

static struct table_writer *open_table(struct table_output *output, const struct table_schema *schema)
{
	struct keeper *keeper;

	if (schema->kind == KIND_SUMMARY || table_is_of_timeline(schema) ||
	    (asked_for && !g_strv_contains(asked_for, schema->name))) {
		return NULL;
	}
	keeper = g_new0(struct keeper, 1);
	keeper->writer.row = keep_row;
	keeper->columns = statistics_columns_create(schema, quantiles, G_N_ELEMENTS(quantiles));
	keeper->schema = statistics_columns_schema(keeper->columns);
	g_ptr_array_add(keepers, keeper);
	return &keeper->writer;
}

static struct table_output output = { .open = open_table };

static void keeper_destroy(gpointer data)
{
	struct keeper *keeper = data;

	statistics_columns_destroy(keeper->columns);
	g_free(keeper);
}

/* A system that talks over /a, within one process and to another one, into a script that sessions are fed with. */
static void setup(void)
{
	flow_setup_recording();
	script = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	keepers = g_ptr_array_new_with_free_func(keeper_destroy);
	rows = g_string_new(NULL);
	instance_rows = g_string_new(NULL);
	asked_for = NULL;
	define_node(talker, "first");
	define_publisher(talker, 1, "/a");
	define_timer(talker, 1);
	define_timer(talker, 2);
	define_node(listener, "second");
	define_subscription(listener, 1, "/a");
	for (uint64_t stamp = 1; stamp <= 20; stamp++) {
		publish_in(talker, TIMER_CALLBACK + 1, 1, stamp);
		if (stamp % 5 != 0) {
			handle(listener, 1, stamp);
		}
		start(listener, 0x8000); /* nobody's callback */
		end(listener, 0x8000);
	}
	start(talker, TIMER_CALLBACK + 1); /* does not end */
}

static void teardown(void)
{
	session_destroy(session);
	g_ptr_array_unref(keepers);
	g_string_free(rows, TRUE);
	g_string_free(instance_rows, TRUE);
	g_array_free(script, TRUE);
	recording_teardown();
}

TestSuite(session, .init = setup, .fini = teardown);

static void begin(void)
{
	session_destroy(session);
	session = session_create_for_tables(recording, &options, &output);
	g_string_truncate(rows, 0);
	g_string_truncate(instance_rows, 0);
}

static void feed_script(guint first, guint end)
{
	session_feed(session, &g_array_index(script, struct event_record, first), end - first);
}

/* The rows that session_write() writes now; free them. */
static char *written(void)
{
	g_string_truncate(rows, 0);
	session_write(session);
	return g_strdup(rows->str);
}

Test(session, writes_the_same_tables_twice)
{
	g_autofree char *first = NULL, *second = NULL;

	begin();
	feed_script(0, script->len);
	first = written();
	second = written();
	cr_assert_str_eq(first, second);
	cr_assert(strstr(first, "communications|1|/a|"));
	cr_assert(strstr(first, "paths|1|"));
	cr_assert(strstr(first, "path_hops|1|"));
	cr_assert(strstr(first, "diagnostics|callback without owner|1|"), "%s", first);
	cr_assert(session_finish(session, NULL));
}

Test(session, goes_on_after_writing_as_if_nothing_had_happened)
{
	g_autofree char *expected = NULL, *expected_instances = NULL;

	begin();
	feed_script(0, script->len);
	cr_assert(session_finish(session, NULL));
	expected = g_strdup(rows->str);
	expected_instances = g_strdup(instance_rows->str);
	begin();
	for (guint i = 0; i < script->len; i++) {
		g_autofree char *as_of_now = NULL;

		feed_script(i, i + 1);
		as_of_now = written();
	}
	g_string_truncate(rows, 0);
	cr_assert(session_finish(session, NULL));
	cr_assert_str_eq(rows->str, expected);
	cr_assert_str_eq(instance_rows->str, expected_instances);
}

Test(session, nodes_of_one_name_on_two_hosts_are_two)
{
	uint32_t trace =
		recording_add_trace(recording, &(struct recording_trace_info){ .name = "robot", .hostname = "robot" });

	recording_add_stream(recording, trace);
	define_node(add_thread(trace, 9, 9), "first");
	define_node(talker, "first");
	begin();
	feed_script(0, script->len);
	cr_assert_eq(session_describe(session).node_count, 3);
	cr_assert_eq(session_describe(session).topic_count, 1);
}

Test(session, versions_of_tracetools_are_told_once_and_sorted)
{
	static const char *const versions[] = { "8.2.2", "4.1.1", "8.2.2", "" };
	struct report_trace trace;

	for (size_t i = 0; i < G_N_ELEMENTS(versions); i++) {
		NEXT(RCL_INIT, talker, 1, text(versions[i]));
	}
	NEXT(RCL_INIT, listener, 1, 0);
	begin();
	feed_script(0, script->len);
	trace = session_describe(session);
	cr_assert_eq(trace.version_count, 2);
	cr_expect_str_eq(trace.versions[0].version, "4.1.1");
	cr_expect_str_eq(trace.versions[1].version, "8.2.2");
	cr_expect_str_eq(trace.versions[1].release, "Jazzy");
}

/* From the definition of a node to the first execution of its timer. */
static int64_t described_startup(bool was_off)
{
	g_array_set_size(script, 0);
	recording_packet_begins(recording, 0, now_ns);
	define_node(talker, "late");
	define_timer(talker, 3);
	if (was_off) {
		recording_packet_ends(recording, 0, now_ns);
	}
	now_ns += 5000 * MS;
	if (was_off) {
		recording_packet_begins(recording, 0, now_ns);
	}
	run_callback(talker, TIMER_CALLBACK + 3);
	begin();
	feed_script(0, script->len);
	return session_describe(session).startup_ns;
}

Test(session, start_up_is_from_the_first_node_to_the_first_execution)
{
	cr_assert_geq(described_startup(false), 5000 * MS);
}

Test(session, while_tracing_was_off_nobody_knows_how_long_start_up_was)
{
	cr_assert_eq(described_startup(true), 0);
}

/* Those that every recording has: the others add to the diagnostics only if they were asked for. */
Test(session, a_table_is_the_same_alone_and_among_all_others)
{
	static const char *const tables[] = { "callbacks", "communications", "paths", "path_hops",
					      "usage",	   "diagnostics",    NULL };
	g_autofree char *all = NULL;
	g_autoptr(GString) alone = g_string_new(NULL);

	asked_for = tables;
	begin();
	feed_script(0, script->len);
	cr_assert(session_finish(session, NULL));
	all = g_strdup(rows->str);
	for (size_t i = 0; tables[i]; i++) {
		asked_for = (const char *const[]){ tables[i], NULL };
		begin();
		feed_script(0, script->len);
		cr_assert(session_finish(session, NULL));
		cr_assert(g_str_has_prefix(rows->str, tables[i]));
		g_string_append(alone, rows->str);
	}
	cr_assert_str_eq(alone->str, all);
}

Test(session, reads_the_same_events_for_every_table_that_all_recordings_have)
{
	struct event_interest interest;

	asked_for = (const char *const[]){ "paths", NULL };
	begin();
	interest = *session_interest(session);
	cr_assert(interest.wants[EVENT_CALLBACK_START]);
	cr_assert_not(interest.wants[EVENT_RCL_LIFECYCLE_TRANSITION]);
	asked_for = (const char *const[]){ "callbacks", NULL };
	begin();
	cr_assert_arr_eq(&interest, session_interest(session), sizeof(interest));
}

Test(session, reads_further_events_for_those_who_ask)
{
	asked_for = (const char *const[]){ "lifecycle", NULL };
	begin();
	cr_assert(session_interest(session)->wants[EVENT_RCL_LIFECYCLE_TRANSITION]);
}

Test(session, reads_counters_only_for_those_who_take_them)
{
	asked_for = (const char *const[]){ "counters", NULL };
	begin();
	cr_assert(session_interest(session)->wants_counters[EVENT_CALLBACK_START]);
	asked_for = (const char *const[]){ "usage", NULL };
	begin();
	cr_assert_not(session_interest(session)->wants_counters[EVENT_CALLBACK_START]);
}

Test(session, reads_polls_only_where_executions_matter)
{
	asked_for = (const char *const[]){ "usage", NULL };
	begin();
	cr_assert(session_interest(session)->wants[EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK]);
	cr_assert(session_interest(session)->joins_polls);
	asked_for = (const char *const[]){ "pages", NULL };
	begin();
	cr_assert_not(session_interest(session)->wants[EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK]);
	cr_assert_not(session_interest(session)->joins_polls);
}

/* An empty table that was chosen by name says why. */
Test(session, each_optional_table_says_why_it_is_empty)
{
	for (size_t i = 0; analyses[i]; i++) {
		for (const struct table_schema *const *table = analyses[i]->tables; *table; table++) {
			if ((*table)->kind == KIND_MAIN && (*table)->presence == PRESENT_IF_ANY) {
				cr_expect((*table)->why_empty && g_str_has_prefix((*table)->why_empty, "needs "), "%s",
					  (*table)->name);
			}
		}
	}
}

/* docs/budgets.md lists them. */
Test(session, tables_of_processes_name_the_host_of_each)
{
	static const char *const names[] = {
		"callbacks", "communications", "counters", "lifecycle", "lifecycle_publications",
		"memory",    "publications",   "services", "timers",	"usage"
	};
	guint count = 0;

	for (const struct table_schema *const *schema = session_tables(); *schema; schema++) {
		guint processes = 0;

		if (!(*schema)->is_of_processes) {
			continue;
		}
		cr_assert_lt(count, G_N_ELEMENTS(names));
		count++;
		for (size_t i = 0; i < (*schema)->column_count; i++) {
			const char *name = (*schema)->columns[i].name;

			if (g_str_has_suffix(name, "vpid")) {
				g_autofree char *host = g_strdup_printf("%.*shostname", (int)(strlen(name) - 4), name);

				cr_assert_geq(table_find_column(*schema, host), 0, "%s.%s", (*schema)->name, host);
				processes++;
			}
		}
		cr_assert_gt(processes, 0, "%s", (*schema)->name);
	}
	cr_assert_eq(count, G_N_ELEMENTS(names));
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		const struct table_schema *const *schema = session_tables();

		while (*schema && strcmp((*schema)->name, names[i]) != 0) {
			schema++;
		}
		cr_assert(*schema && (*schema)->is_of_processes, "%s", names[i]);
	}
}
