/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>

#include "core/analyses/analyses.h"
#include "core/output/prometheus/metrics.h"
#include "core/output/prometheus/series.h"
#include "core/statistics/duration_statistics.h"
#include "ros2bt/base/time_units.h"

static const struct table_column columns[] = {
	{ .name = "topic", .means = MEANS_TOPIC, .merge = COLUMN_MERGE_KEY },
	{ .name = "client_node", .means = MEANS_NODE, .side = SIDE_SENDER, .merge = COLUMN_MERGE_KEY },
	{ .name = "symbol", .means = MEANS_SYMBOL, .merge = COLUMN_MERGE_KEY },
	{ .name = "period_ns", .merge = COLUMN_MERGE_KEY, .format = COLUMN_DURATION },
	{ .name = "vpid", .means = MEANS_PROCESS },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "lost", .merge = COLUMN_MERGE_SUM },
	{ .name = "busy_ns", .merge = COLUMN_MERGE_SUM, .format = COLUMN_DURATION },
	{ .name = "longest", .merge = COLUMN_MERGE_MAX },
	{ .name = "latency", .format = COLUMN_STATISTIC },
	{ .name = "hostname", .means = MEANS_HOST },
};
static const struct table_schema schema = {
	.name = "batteries",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

Test(metrics, follow_from_the_schema)
{
	static const char *const names[] = { "ros2_batteries_total", "ros2_batteries_lost_total",
					     "ros2_batteries_busy_seconds_total", "ros2_battery_latency_seconds" };
	static const char *const labels[] = { "topic", "client", "period_seconds", "hostname" };
	struct metrics metrics;

	metrics_init(&metrics, &schema);
	cr_assert(metrics_are_useful(&metrics));
	cr_assert_eq(metrics.metrics->len, G_N_ELEMENTS(names));
	for (guint i = 0; i < metrics.metrics->len; i++) {
		cr_expect_str_eq(g_array_index(metrics.metrics, struct metric, i).name, names[i]);
	}
	cr_assert_eq(metrics.labels->len, G_N_ELEMENTS(labels));
	for (guint i = 0; i < metrics.labels->len; i++) {
		cr_expect_str_eq(g_array_index(metrics.labels, struct metric_label, i).name, labels[i]);
	}
	metrics_clear(&metrics);
}

static struct series *series_of(const struct metrics *metrics, struct arena *arena, uint64_t count, struct cell lost,
				int64_t duration_ns)
{
	struct duration_statistics latency;

	duration_statistics_init(&latency, arena);
	for (uint64_t i = 0; i < count; i++) {
		duration_statistics_add(&latency, duration_ns, 0);
	}
	return series_create(metrics, (struct cell[]){
					      cell_text("/a"),
					      cell_text("/b"),
					      cell_text("f(int)"),
					      cell_integer(NS_PER_S / 20),
					      cell_integer((int64_t)count),
					      cell_unsigned(count),
					      lost,
					      cell_real(0.5),
					      cell_unsigned(9),
					      cell_statistic(&latency),
					      cell_text("robot"),
				      });
}

Test(metrics, rows_with_the_same_labels_are_added_up)
{
	struct arena *arena = arena_create();
	struct metrics metrics;
	struct series *first, *second;

	metrics_init(&metrics, &schema);
	first = series_of(&metrics, arena, 2, CELL_NONE, 3 * NS_PER_MS);
	second = series_of(&metrics, arena, 100, cell_unsigned(7), 11 * NS_PER_S);
	cr_expect_str_eq(first->labels, "topic=\"/a\",client=\"/b\",period_seconds=\"0.05\"");
	cr_expect_str_eq(first->hosts, "hostname=\"robot\"");
	cr_expect_str_eq(first->labels, second->labels);
	cr_expect_not(first->values[1].is_known);
	series_add(first, second, &metrics);
	cr_expect(first->values[0].whole == 102);
	cr_expect_not(first->values[1].is_known, "one of them is unknown");
	cr_expect_eq(first->values[2].real, 1.0);
	cr_expect_eq(first->values[3].count, 102);
	cr_expect(first->values[3].sum_ns == 6 * NS_PER_MS + 1100 * NS_PER_S);
	for (size_t i = 0; i < SERIES_BOUNDS; i++) {
		bool is_first_above = series_bounds_ns[i] == 5 * NS_PER_MS;

		cr_expect_eq(first->values[3].buckets[i], is_first_above ? 2 : 0);
	}
	cr_expect_not(series_is_idle(first, &metrics));
	series_destroy(first);
	series_destroy(second);
	metrics_clear(&metrics);
	arena_destroy(arena);
}

/* node_exporter refuses a file in which two families have one name. */
Test(metrics, of_all_analyses_have_names_of_their_own)
{
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t i = 0; analyses[i]; i++) {
		for (size_t j = 0; analyses[i]->tables[j]; j++) {
			struct metrics metrics;

			metrics_init(&metrics, analyses[i]->tables[j]);
			for (guint k = 0; analyses[i]->tables[j]->kind == KIND_MAIN && k < metrics.metrics->len; k++) {
				char *name = g_strdup(g_array_index(metrics.metrics, struct metric, k).name);

				cr_expect(g_regex_match_simple("^ros2_[a-z0-9_]+(_seconds|_total)$", name, 0, 0), "%s",
					  name);
				cr_expect(g_hash_table_add(names, name), "twice: %s", name);
			}
			metrics_clear(&metrics);
		}
	}
	cr_expect(g_hash_table_contains(names, "ros2_message_latency_seconds"));
	cr_expect(g_hash_table_contains(names, "ros2_messages_lost_total"));
}
