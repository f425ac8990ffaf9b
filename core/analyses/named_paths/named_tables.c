/* SPDX-License-Identifier: MIT */
#include "core/analyses/named_paths/named_tables.h"

#include "core/analyses/named_paths/caret/caret_tables.h"
#include "core/analyses/named_paths/frequency_table.h"
#include "core/analyses/named_paths/named_path_times.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/path_columns.h"

/* --- schemas --- */

static const struct table_column columns[] = {
	{ .name = "named_path_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "lost", .merge = COLUMN_MERGE_SUM },
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY },
	{ .name = "latency", .format = COLUMN_STATISTIC },
	{ .name = "response_best", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_HIDDEN, .hints = HINT_BRIEF },
	{ .name = "response_worst", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "response_all", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_HIDDEN, .hints = HINT_BRIEF },
	{ .name = "response_external", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_HIDDEN, .hints = HINT_BRIEF },
	{ .name = "period", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_HIDDEN, .hints = HINT_BRIEF },
	{ .name = "path", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL },
	{ .name = "stopped", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY },
	{ .name = "rate_hz", .label = "rate", .format = COLUMN_RATE, .role = COLUMN_ROLE_DETAIL },
	{ .name = "reason", .format = COLUMN_NAME, .hints = HINT(.wraps = true, .only_if_any = true) },
};

static const struct table_schema schema = {
	.name = "named_paths",
	.title = "Named paths",
	.selection = "named_paths",
	.is_optional = true,
	.why_empty = "needs the name of a path or an architecture file, see docs/named-paths.md",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column hop_columns[] = {
	{ .name = "named_path_id", .role = COLUMN_ROLE_HIDDEN },
	COLUMNS_OF_HOP,
	COLUMNS_OF_HOP_TIMES("_mean_ns"),
	{ .name = "share_percent", .label = "share", .format = COLUMN_PERCENT },
};

static const struct table_schema hop_schema = {
	.name = "named_path_hops",
	.title = "Where the time of named paths goes",
	.selection = "named_paths",
	.parent = "named_paths",
	.is_optional = true,
	.columns = hop_columns,
	.column_count = G_N_ELEMENTS(hop_columns),
};

static const struct table_column response_columns[] = {
	{ .name = "named_path_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "case" },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME },
	{ .name = "response_ns", .label = "response", .format = COLUMN_DURATION },
};

static const struct table_schema response_schema = {
	.name = "response_instances",
	.title = "Response times of named paths",
	.selection = "named_paths",
	.is_instances = true,
	.is_optional = true,
	.columns = response_columns,
	.column_count = G_N_ELEMENTS(response_columns),
};

static const struct table_column summary_columns[] = {
	{ .name = "name", .label = "named path", .format = COLUMN_NAME },
	{ .name = "count" },
	{ .name = "lost" },
	{ .name = "unknown", .hints = HINT_ONLY_IF_ANY },
	COLUMNS_OF_QUANTILES,
	{ .name = "response_worst_ns", .label = "worst response", .format = COLUMN_DURATION },
	{ .name = "reason", .format = COLUMN_NAME, .hints = HINT(.wraps = true, .only_if_any = true) },
};

static const struct table_schema summary_schema = {
	.name = "slowest_named_paths",
	.title = "Named paths",
	.selection = "named_paths",
	.summary = 3,
	.columns = summary_columns,
	.column_count = G_N_ELEMENTS(summary_columns),
};

const struct table_schema *const named_tables[] = {
	[NAMED_TABLE_PATHS] = &schema,
	[NAMED_TABLE_HOPS] = &hop_schema,
	[NAMED_TABLE_INSTANCES] = &named_instance_schema,
	[NAMED_TABLE_HOP_INSTANCES] = &named_hop_instance_schema,
	[NAMED_TABLE_RESPONSES] = &response_schema,
	[NAMED_TABLE_FREQUENCIES] = &frequency_schema,
	[NAMED_TABLE_SUMMARY] = &summary_schema,
	[NAMED_TABLE_ELEMENTS] = &caret_element_schema,
	[NAMED_TABLE_RECORDS] = &caret_record_schema,
	NULL,
};

/* --- rows --- */

static void write_path(struct table_writer *writer, const struct named_path_times *times)
{
	const struct named_path *path = times->path;

	TABLE_ROW(writer, columns,
		  (struct cell[]){
			  cell_unsigned(path->id),
			  cell_text(path->pattern->name),
			  cell_unsigned(path->counts[NAMED_COMPLETE]),
			  cell_unsigned(path->counts[NAMED_LOST]),
			  cell_unsigned(path->counts[NAMED_UNKNOWN]),
			  cell_statistic(&path->latency),
			  cell_statistic(&times->responses[RESPONSE_BEST]),
			  cell_statistic(&times->responses[RESPONSE_WORST]),
			  cell_statistic(&times->responses[RESPONSE_ALL]),
			  cell_statistic(&times->responses[RESPONSE_EXTERNAL]),
			  cell_statistic(&times->period),
			  cell_text(path->text),
			  cell_unsigned(path->counts[NAMED_STOPPED]),
			  times->rate_hz > 0 ? cell_real(times->rate_hz) : CELL_NONE,
			  cell_text(path->reason),
		  });
}

static __int128 total_of(const struct named_hop *hop)
{
	return hop->transport_ns + hop->wait_ns + hop->callback_ns + hop->kept_ns;
}

static struct cell mean_cell(__int128 sum_ns, uint64_t count)
{
	return cell_real((double)sum_ns / (double)count);
}

static void write_hops(struct table_writer *writer, const struct named_path *path)
{
	uint64_t count = path->counts[NAMED_COMPLETE];
	__int128 total_ns = 0;

	for (size_t i = 0; i < path->node_count; i++) {
		total_ns += total_of(&path->hops[i]);
	}
	for (size_t i = 0; count > 0 && i < path->node_count; i++) {
		const struct named_hop *hop = &path->hops[i];

		TABLE_ROW(writer, hop_columns,
			  (struct cell[]){
				  cell_unsigned(path->id),
				  cell_unsigned(i),
				  cell_text(path->topics[i]),
				  cell_text(path->nodes[i]),
				  i == 0 ? CELL_NONE : mean_cell(hop->transport_ns, count),
				  i == 0 ? CELL_NONE : mean_cell(hop->wait_ns, count),
				  mean_cell(hop->callback_ns, count),
				  hop->kept_ns > 0 ? mean_cell(hop->kept_ns, count) : CELL_NONE,
				  share_cell((double)total_of(hop), (double)total_ns),
			  });
	}
}

static void write_responses(struct table_writer *writer, const struct named_path_times *times)
{
	for (int which = 0; which < RESPONSE_CASE_COUNT; which++) {
		g_autoptr(GArray) responses = response_times(times->inputs, (enum response_case)which);

		for (guint i = 0; i < responses->len; i++) {
			const struct response_time *response = &g_array_index(responses, struct response_time, i);

			TABLE_ROW(writer, response_columns,
				  (struct cell[]){
					  cell_unsigned(times->path->id),
					  cell_text(response_case_name((enum response_case)which)),
					  cell_integer(response->start_ns),
					  cell_integer(response->duration_ns),
				  });
		}
	}
}

/* --- the summary --- */

#define NAMED_SUMMARY_ROWS 3

/* Paths without complete flows first, then the slowest. */
static gint compare_slowness(gconstpointer a, gconstpointer b)
{
	const struct named_path_times *left = a, *right = b;
	bool left_is_empty = left->path->counts[NAMED_COMPLETE] == 0;
	bool right_is_empty = right->path->counts[NAMED_COMPLETE] == 0;
	int64_t left_ns, right_ns;

	if (left_is_empty || right_is_empty) {
		return left_is_empty != right_is_empty ? (left_is_empty ? -1 : 1)
						       : (left->path->id < right->path->id ? -1 : 1);
	}
	left_ns = duration_statistics_quantile(&left->path->latency, 0.99);
	right_ns = duration_statistics_quantile(&right->path->latency, 0.99);
	return left_ns != right_ns ? (left_ns > right_ns ? -1 : 1) : (left->path->id < right->path->id ? -1 : 1);
}

static void write_slow(struct table_writer *writer, const struct named_path_times *times)
{
	const struct named_path *path = times->path;
	const struct duration_statistics *worst = &times->responses[RESPONSE_WORST];
	bool has_any = path->counts[NAMED_COMPLETE] > 0;

	TABLE_ROW(writer, summary_columns,
		  (struct cell[]){
			  cell_text(path->pattern->name),
			  cell_unsigned(path->counts[NAMED_COMPLETE]),
			  cell_unsigned(path->counts[NAMED_LOST]),
			  cell_unsigned(path->counts[NAMED_UNKNOWN]),
			  has_any ? cell_integer(duration_statistics_quantile(&path->latency, 0.5)) : CELL_NONE,
			  has_any ? cell_integer(duration_statistics_quantile(&path->latency, 0.99)) : CELL_NONE,
			  has_any ? cell_integer(path->latency.longest_ns) : CELL_NONE,
			  duration_statistics_totals(worst).count > 0 ? cell_integer(worst->longest_ns) : CELL_NONE,
			  cell_text(path->reason),
		  });
}

static void write_summary(struct table_writer *writer, GArray *all)
{
	g_array_sort(all, compare_slowness);
	for (guint i = 0; i < MIN(all->len, NAMED_SUMMARY_ROWS); i++) {
		write_slow(writer, &g_array_index(all, struct named_path_times, i));
	}
}

void named_tables_write(const struct named_results *results, struct table_writer *const *writers)
{
	struct arena *arena = arena_create();
	GArray *all = named_path_times_of(results, arena);

	for (guint i = 0; i < all->len; i++) {
		const struct named_path_times *times = &g_array_index(all, struct named_path_times, i);

		write_path(writers[NAMED_TABLE_PATHS], times);
		write_hops(writers[NAMED_TABLE_HOPS], times->path);
	}
	if (writers[NAMED_TABLE_SUMMARY]) {
		write_summary(writers[NAMED_TABLE_SUMMARY], all);
	}
	g_array_unref(all);
	arena_destroy(arena);
}

void named_tables_write_instances(const struct named_results *results, struct table_writer *const *writers)
{
	struct arena *arena;
	GArray *all;

	if (!writers[NAMED_TABLE_RESPONSES] && !writers[NAMED_TABLE_FREQUENCIES]) {
		return;
	}
	arena = arena_create();
	all = named_path_times_of(results, arena);
	for (guint i = 0; i < all->len; i++) {
		const struct named_path_times *times = &g_array_index(all, struct named_path_times, i);

		write_responses(writers[NAMED_TABLE_RESPONSES], times);
		frequency_table_write(writers[NAMED_TABLE_FREQUENCIES], times->path->id, CELL_NONE, times->starts);
	}
	g_array_unref(all);
	arena_destroy(arena);
}
