/* SPDX-License-Identifier: MIT */
/*
 * write_page DIRECTORY ROWS SAMPLES: the page of a system that was never recorded: so many callbacks and as many pairs
 * of publisher and subscription, with so many executions together, of random durations, which do not compress well; in
 * names and texts what is markup elsewhere.
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/output/outputs.h"
#include "core/statistics/duration_statistics.h"
#include "ros2bt/output/report.h"

#define BEGIN_NS G_GINT64_CONSTANT(1700000000000000000)
#define SPAN_NS (G_GINT64_CONSTANT(600) * 1000 * 1000 * 1000)

static const struct text_hints may_be_hidden = { .may_be_hidden = true };
static const struct text_hints idle = { .idle = "never ran" };

static const struct table_column callback_columns[] = {
	{ .name = "callback_id", .id_of = "callbacks", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "hostname", .means = MEANS_HOST, .label = "on", .role = COLUMN_ROLE_GROUP },
	{ .name = "vpid", .means = MEANS_PROCESS, .label = "pid", .role = COLUMN_ROLE_GROUP },
	{ .name = "procname", .means = MEANS_PROCESS_NAME, .label = "process", .role = COLUMN_ROLE_GROUP },
	{ .name = "node", .means = MEANS_NODE, .role = COLUMN_ROLE_GROUP, .hints = &may_be_hidden },
	{ .name = "kind", .means = MEANS_KIND },
	{ .name = "source", .means = MEANS_SOURCE, .format = COLUMN_DURATION },
	{ .name = "symbol", .means = MEANS_SYMBOL, .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, .means = MEANS_COUNT, .hints = &idle },
	{ .name = "duration", .means = MEANS_DURATION, .format = COLUMN_STATISTIC },
	{ .name = "period", .format = COLUMN_STATISTIC },
};
static const struct table_schema callbacks = {
	.name = "callbacks",
	.title = "Callbacks",
	.selection = "callbacks",
	.subject = SUBJECT_CALLBACKS,
	.columns = callback_columns,
	.column_count = G_N_ELEMENTS(callback_columns),
};

static const struct table_column instance_columns[] = {
	{ .name = "callback_id", .id_of = "callbacks" },
	{ .name = "start_ns", .format = COLUMN_TIME },
	{ .name = "duration_ns", .format = COLUMN_DURATION },
};
static const struct table_schema instances = {
	.name = "callback_instances",
	.title = "Callback executions",
	.selection = "callbacks",
	.kind = KIND_INSTANCES,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

static const struct table_column communication_columns[] = {
	{ .name = "communication_id", .id_of = "communications", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "topic", .means = MEANS_TOPIC, .format = COLUMN_NAME },
	{ .name = "publisher_node",
	  .means = MEANS_NODE,
	  .side = SIDE_SENDER,
	  .label = "publisher",
	  .format = COLUMN_NAME },
	{ .name = "subscription_node",
	  .means = MEANS_NODE,
	  .side = SIDE_RECEIVER,
	  .label = "subscription",
	  .format = COLUMN_NAME },
	{ .name = "published", .merge = COLUMN_MERGE_SUM, .means = MEANS_SENT },
	{ .name = "received", .merge = COLUMN_MERGE_SUM, .means = MEANS_RECEIVED },
	{ .name = "lost", .merge = COLUMN_MERGE_SUM, .means = MEANS_LOST },
	{ .name = "rate_hz", .means = MEANS_RATE, .label = "rate", .format = COLUMN_RATE },
	{ .name = "latency", .means = MEANS_DURATION, .format = COLUMN_STATISTIC },
};
static const struct table_schema communications = {
	.name = "communications",
	.title = "Communication latency: from publish to callback",
	.selection = "communications",
	.subject = SUBJECT_MESSAGES,
	.columns = communication_columns,
	.column_count = G_N_ELEMENTS(communication_columns),
};

static const struct table_column summary_columns[] = {
	{ .name = "node", .means = MEANS_NODE, .format = COLUMN_NAME },
	{ .name = "kind", .means = MEANS_KIND },
	{ .name = "max_ns", .label = "max", .format = COLUMN_DURATION },
};
static const struct table_schema summary = {
	.name = "longest_executions",
	.title = "Longest executions",
	.selection = "callbacks",
	.kind = KIND_SUMMARY,
	.place = 1,
	.columns = summary_columns,
	.column_count = G_N_ELEMENTS(summary_columns),
};

/* "testing" for who does not isolate it, which compilers take for an attempt to mislead the reader of this file */
#define RIGHT_TO_LEFT ((const char[]){ '\xe2', '\x80', '\xae', 'g', 'n', 'i', 't', 's', 'e', 't', '\0' })

/* Of each row what is hostile somewhere: to HTML, to JavaScript, to JSON, to whoever reads from right to left. */
static const char *const hostile[] = {
	"",
	"</script><script>alert(1)</script>",
	"<img src=x onerror=alert(1)>",
	"\" onmouseover=\"alert(1)",
	"' + alert(1) + '",
	"]]>-->",
	"&lt;&amp;",
	"\xff\xfe\xc3",
	RIGHT_TO_LEFT,
	"\x01\x1b[31m\x7f\t\n",
	"${alert(1)} {{alert(1)}}",
	"javascript:alert(1)",
	"__proto__",
	"constructor",
	" > >> ",
};

static uint64_t next_random(void)
{
	static uint64_t state = 88172645463325252U;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static char *name_of(const char *prefix, uint64_t number)
{
	return g_strdup_printf("/%s_%" G_GUINT64_FORMAT "%s", prefix, number,
			       number < G_N_ELEMENTS(hostile) ? hostile[number] : "");
}

static void write_callback(struct table_writer *writer, uint64_t id, const struct duration_statistics *duration)
{
	g_autofree char *node = name_of("node", id / 4), *topic = name_of("topic", id);
	g_autofree char *symbol = g_strdup_printf("void library_%d::Node_%d::callback(std::shared_ptr<Message_%d>)",
						  (int)(id % 97), (int)(id / 4), (int)id);

	table_row(writer, (struct cell[]){
				  cell_unsigned(id),
				  cell_text("host"),
				  cell_unsigned(1000 + id / 40),
				  cell_text("process"),
				  cell_text(node),
				  cell_text(id % 4 ? "subscription" : "timer"),
				  id % 4 ? cell_text(topic) : cell_integer(10000000),
				  cell_text(symbol),
				  cell_unsigned(duration_statistics_totals(duration).count),
				  cell_statistic(duration),
				  cell_statistic(duration),
			  });
}

static void write_communication(struct table_writer *writer, uint64_t id, const struct duration_statistics *latency)
{
	g_autofree char *publisher = name_of("node", id / 8), *subscription = name_of("node", id / 4 + 1);
	g_autofree char *topic = name_of("topic", id);
	uint64_t count = duration_statistics_totals(latency).count;

	table_row(writer, (struct cell[]){
				  cell_unsigned(id),
				  cell_text(topic),
				  cell_text(publisher),
				  cell_text(subscription),
				  cell_unsigned(count),
				  cell_unsigned(count - id % 3),
				  cell_unsigned(id % 3),
				  cell_real((double)count * 1e9 / (double)SPAN_NS),
				  cell_statistic(latency),
			  });
}

static void write_samples(struct table_writer *writer, struct duration_statistics *durations, uint64_t rows,
			  uint64_t samples)
{
	for (uint64_t i = 0; i < samples; i++) {
		uint64_t row = i % rows;
		int64_t at_ns = BEGIN_NS + (int64_t)((double)i / (double)samples * (double)SPAN_NS);
		int64_t duration_ns = (int64_t)(next_random() % (UINT64_C(1) << (10 + next_random() % 14)));

		duration_statistics_add(&durations[row], duration_ns, at_ns);
		table_row(writer,
			  (struct cell[]){ cell_unsigned(row), cell_integer(at_ns), cell_integer(duration_ns) });
	}
}

static void write_tables(struct table_output *output, uint64_t rows, uint64_t samples)
{
	struct table_writer *instance_writer = output->open(output, &instances);
	struct table_writer *callback_writer = output->open(output, &callbacks);
	struct table_writer *communication_writer = output->open(output, &communications);
	struct table_writer *summary_writer = output->open(output, &summary);
	g_autofree struct duration_statistics *durations = g_new0(struct duration_statistics, rows);
	struct arena *arena = arena_create();

	for (uint64_t i = 0; i < rows; i++) {
		duration_statistics_init(&durations[i], arena);
	}
	write_samples(instance_writer, durations, rows, samples);
	for (uint64_t i = 0; i < rows; i++) {
		write_callback(callback_writer, i, &durations[i]);
		write_communication(communication_writer, i, &durations[i]);
	}
	for (uint64_t i = 0; i < 5 && i < rows; i++) {
		g_autofree char *node = name_of("node", i);

		table_row(summary_writer, (struct cell[]){ cell_text(node), cell_text("timer"),
							   cell_integer(durations[4 * i % rows].longest_ns) });
	}
	arena_destroy(arena);
}

int main(int argc, char **argv)
{
	static const char *const hosts[] = { "host</script><script>alert(1)</script>" };
	static const char *const missing[] = { "<b>interrupted</b>" };
	const struct report_trace trace = {
		.hostnames = hosts,
		.hostname_count = G_N_ELEMENTS(hosts),
		.trace_count = 1,
		.process_count = 250,
		.has_runtime_events = true,
		.begin_ns = BEGIN_NS,
		.end_ns = BEGIN_NS + SPAN_NS,
		.missing = missing,
		.missing_count = G_N_ELEMENTS(missing),
	};
	const double quantiles[] = { 0.5, 0.9, 0.99, 0.999 };
	struct report_options options = {
		.format = &html_output,
		.directory = argv[1],
		.quantiles = quantiles,
		.quantile_count = G_N_ELEMENTS(quantiles),
	};
	g_autoptr(GError) error = NULL;
	struct report *report;

	if (argc != 4) {
		fprintf(stderr, "usage: write_page DIRECTORY ROWS SAMPLES\n");
		return 2;
	}
	report = report_create(&options, &error);
	if (report) {
		write_tables(report_tables(report), g_ascii_strtoull(argv[2], NULL, 10),
			     g_ascii_strtoull(argv[3], NULL, 10));
		(void)report_finish(report, &trace, &error);
		report_destroy(report);
	}
	if (error) {
		fprintf(stderr, "%s\n", error->message);
	}
	return error ? 1 : 0;
}
