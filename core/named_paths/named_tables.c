/* SPDX-License-Identifier: MIT */
#include "core/named_paths/named_tables.h"

#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/path_columns.h"
#include "core/base/int128.h"
#include "core/named_paths/caret/caret_tables.h"
#include "core/named_paths/frequency.h"
#include "core/named_paths/named_path_times.h"
#include "core/tables/row_list.h"

/* --- schemas --- */

static struct cell name_of(const void *row)
{
	return cell_text(((const struct named_path_times *)row)->path->pattern->name);
}

static struct cell rate_of(const void *row)
{
	double rate_hz = ((const struct named_path_times *)row)->rate_hz;

	return rate_hz > 0 ? cell_real(rate_hz) : CELL_NONE;
}

static struct cell worst_response(const void *row)
{
	return row_quantiles_of(&((const struct named_path_times *)row)->responses[RESPONSE_WORST]).max;
}

static struct cell is_empty(const void *row)
{
	return cell_integer(((const struct named_path_times *)row)->path->counts[NAMED_COMPLETE] == 0);
}

/* clang-format off */
#define ROW struct named_path_times
static const struct table_column columns[] = {
	{ .name = "named_path_id", .id_of = "named_paths", .role = COLUMN_ROLE_HIDDEN, CELL_VIA(path, id) },
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .budget = "named_path", CELL_BY(name_of) },
	{ .name = "count", .means = MEANS_COUNT, .merge = COLUMN_MERGE_SUM, CELL_VIA(path, counts[NAMED_COMPLETE]) },
	{ .name = "lost", .means = MEANS_LOST, .merge = COLUMN_MERGE_SUM, CELL_VIA(path, counts[NAMED_LOST]) },
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY,
	  CELL_VIA(path, counts[NAMED_UNKNOWN]) },
	{ .name = "latency", .format = COLUMN_STATISTIC, CELL_VIA(path, latency) },
	{ .name = "response_best", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_HIDDEN, .hints = HINT_BRIEF,
	  CELL_OF(responses[RESPONSE_BEST]) },
	{ .name = "response_worst", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF,
	  CELL_OF(responses[RESPONSE_WORST]) },
	{ .name = "response_all", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_HIDDEN, .hints = HINT_BRIEF,
	  CELL_OF(responses[RESPONSE_ALL]) },
	{ .name = "response_external", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_HIDDEN, .hints = HINT_BRIEF,
	  CELL_OF(responses[RESPONSE_EXTERNAL]) },
	{ .name = "period", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_HIDDEN, .hints = HINT_BRIEF,
	  CELL_OF(period) },
	{ .name = "path", .means = MEANS_PATH, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_DETAIL, CELL_VIA(path, text) },
	{ .name = "stopped", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY,
	  CELL_VIA(path, counts[NAMED_STOPPED]) },
	{ .name = "rate_hz", .label = "rate", .format = COLUMN_RATE, .role = COLUMN_ROLE_DETAIL, CELL_BY(rate_of) },
	{ .name = "reason", .format = COLUMN_NAME, .hints = HINT(.wraps = true, .only_if_any = true),
	  CELL_VIA(path, reason) },
	{ .name = "age", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_DETAIL, .hints = HINT_BRIEF,
	  CELL_OF(responses[RESPONSE_AGE]) },
	{ .name = "stamp_latency", .format = COLUMN_STATISTIC, .hints = HINT(.is_brief = true, .only_if_any = true),
	  CELL_VIA(path, stamp_latency) },
};

static const struct table_schema schema = {
	TABLE("named_paths", columns), .title = "Named paths", .selection = "named_paths", .presence = PRESENT_IF_ANY,
	.why_empty = "needs the name of a path or an architecture file, see docs/named-paths.md",
};

static const struct table_column summary_columns[] = {
	{ .name = "name", .label = "named path", .format = COLUMN_NAME, CELL_BY(name_of) },
	{ .name = "count", CELL_VIA(path, counts[NAMED_COMPLETE]) },
	{ .name = "lost", .means = MEANS_LOST, CELL_VIA(path, counts[NAMED_LOST]) },
	{ .name = "unknown", .hints = HINT_ONLY_IF_ANY, CELL_VIA(path, counts[NAMED_UNKNOWN]) },
	COLUMNS_OF_QUANTILES(quantiles),
	{ .name = "response_worst_ns", .label = "worst response", .format = COLUMN_DURATION, CELL_BY(worst_response) },
	{ .name = "reason", .format = COLUMN_NAME, .hints = HINT(.wraps = true, .only_if_any = true),
	  CELL_VIA(path, reason) },
};

static const struct table_column summary_order_columns[] = {
	{ .name = "is_empty", CELL_BY(is_empty) },
	{ .name = "id", CELL_VIA(path, id) },
};

/* Paths without complete flows first, then the slowest. */
static const struct table_schema summary_schema = {
	TABLE("slowest_named_paths", summary_columns), .title = "Named paths", .selection = "named_paths", .kind = KIND_SUMMARY, .place = 3,
	.order = "-is_empty -p99_ns id", UNWRITTEN(summary_order_columns),
};
#undef ROW
/* clang-format on */

struct hop_row {
	uint32_t path_id;
	struct row_hop hop;
	struct hop_time_cells times;
	struct cell share;
};

struct response_row {
	struct cell path_id, which, start, response;
};

/* clang-format off */
#define ROW struct hop_row
static const struct table_column hop_columns[] = {
	{ .name = "named_path_id", .id_of = "named_paths", .role = COLUMN_ROLE_HIDDEN, CELL_OF(path_id) },
	COLUMNS_OF_HOP(hop),
	COLUMNS_OF_HOP_TIMES(times, "_mean_ns", CELL_REAL),
	{ .name = "share_percent", .means = MEANS_SHARE, .label = "share", .format = COLUMN_PERCENT, CELL_OF(share) },
};

static const struct table_schema hop_schema = {
	TABLE("named_path_hops", hop_columns), .title = "Where the time of named paths goes",
	.selection = "named_paths", .kind = KIND_DETAIL, .parent = "named_paths", .presence = PRESENT_IF_ANY,
};
#undef ROW

#define ROW struct response_row
static const struct table_column response_columns[] = {
	{ .name = "named_path_id", .id_of = "named_paths", .role = COLUMN_ROLE_HIDDEN, CELL_OF(path_id) },
	{ .name = "case", CELL_OF(which) },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME, CELL_OF(start) },
	{ .name = "response_ns", .label = "response", .format = COLUMN_DURATION, CELL_OF(response) },
};

static const struct table_schema response_schema = {
	TABLE_OF_CELLS("response_instances", response_columns), .title = "Response times and ages of named paths",
	.selection = "named_paths", .kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW
/* clang-format on */

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

static int128 total_of(const struct named_hop *hop)
{
	return hop->transport_ns + hop->wait_ns + hop->callback_ns + hop->kept_ns;
}

static void write_hops(struct table_writer *writer, const struct named_path *path)
{
	uint64_t count = path->counts[NAMED_COMPLETE];
	int128 total_ns = 0;

	for (size_t i = 0; i < path->node_count; i++) {
		total_ns += total_of(&path->hops[i]);
	}
	for (size_t i = 0; count > 0 && i < path->node_count; i++) {
		const struct named_hop *hop = &path->hops[i];

		row_write(writer, &hop_schema,
			  &(struct hop_row){
				  .path_id = path->id,
				  .hop = { (uint32_t)i, path->topics[i], path->nodes[i] },
				  .times = {
					  .transport = i == 0 ? CELL_NONE : mean_cell(hop->transport_ns, count),
					  .wait = i == 0 ? CELL_NONE : mean_cell(hop->wait_ns, count),
					  .callback = mean_cell(hop->callback_ns, count),
					  .kept = hop->kept_ns > 0 ? mean_cell(hop->kept_ns, count) : CELL_NONE,
				  },
				  .share = share_cell(int128_to_double(total_of(hop)), int128_to_double(total_ns)),
			  });
	}
}

static void write_responses(struct table_writer *writer, const struct named_path_times *times)
{
	for (int which = 0; which < RESPONSE_CASE_COUNT; which++) {
		g_autoptr(GArray) responses = response_times(times->inputs, (enum response_case)which);

		for (guint i = 0; i < responses->len; i++) {
			const struct response_time *response = &g_array_index(responses, struct response_time, i);

			row_write(writer, &response_schema,
				  &(struct response_row){
					  .path_id = cell_unsigned(times->path->id),
					  .which = cell_text(response_case_name((enum response_case)which)),
					  .start = cell_integer(response->start_ns),
					  .response = cell_integer(response->duration_ns),
				  });
		}
	}
}

/* --- the summary --- */

#define NAMED_SUMMARY_ROWS 3

static void write_summary(struct table_writer *writer, const GArray *all)
{
	g_autoptr(row_list) rows = row_list_create(&summary_schema);

	for (guint i = 0; i < all->len; i++) {
		struct named_path_times *times = &g_array_index(all, struct named_path_times, i);

		times->quantiles = row_quantiles_of(&times->path->latency);
		row_list_add(rows, times);
	}
	row_list_write_first(rows, NAMED_SUMMARY_ROWS, writer);
}

void named_tables_write(const struct named_results *results, struct table_writer *const *writers)
{
	struct arena *arena = arena_create();
	GArray *all = named_path_times_of(results, arena);

	for (guint i = 0; i < all->len; i++) {
		const struct named_path_times *times = &g_array_index(all, struct named_path_times, i);

		row_write(writers[NAMED_TABLE_PATHS], &schema, times);
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
		frequency_write(writers[NAMED_TABLE_FREQUENCIES], times->path->id, CELL_NONE, times->starts);
	}
	g_array_unref(all);
	arena_destroy(arena);
}
