/* SPDX-License-Identifier: MIT */
#include "core/output/prometheus/metrics.h"

#include <string.h>

#include "core/base/text/number_text.h"
#include "core/output/prometheus/exposition_text.h"

#define IN_SECONDS "_seconds"

static const char *things_of(const struct table_schema *schema)
{
	return schema->subject == SUBJECT_MESSAGES ? "messages" : schema->name;
}

/* "message", "callback", "frequency". To be freed. */
static char *thing_of(const struct table_schema *schema)
{
	const char *things = things_of(schema);
	int length = (int)strlen(things);

	if (g_str_has_suffix(things, "ies")) {
		return g_strdup_printf("%.*sy", length - 3, things);
	}
	return g_strndup(things, (gsize)(g_str_has_suffix(things, "s") ? length - 1 : length));
}

/* The name in Prometheus' units. To be freed. */
static char *name_in_seconds(const struct table_column *column)
{
	g_autofree char *name = column_name_without_ns(column);

	return column_is_in_ns(column) ? g_strconcat(name, IN_SECONDS, NULL) : g_steal_pointer(&name);
}

static void add_histogram(struct metrics *metrics, size_t index)
{
	g_autofree char *thing = thing_of(metrics->schema);
	struct metric metric = {
		.type = METRIC_HISTOGRAM,
		.column = index,
		.name = g_strdup_printf("ros2_%s_%s" IN_SECONDS, thing, metrics->schema->columns[index].name),
		.decimals = EXPOSITION_NS_DECIMALS,
	};

	g_array_append_val(metrics->metrics, metric);
}

static void add_counter(struct metrics *metrics, size_t index)
{
	const struct table_column *column = &metrics->schema->columns[index];
	const char *things = things_of(metrics->schema);
	g_autofree char *what = name_in_seconds(column);
	struct metric metric = {
		.type = METRIC_COUNTER,
		.column = index,
		.name = strcmp(what, "count") == 0 ? g_strdup_printf("ros2_%s_total", things)
						   : g_strdup_printf("ros2_%s_%s_total", things, what),
		.decimals = column_is_in_ns(column) ? EXPOSITION_NS_DECIMALS : 0,
	};

	g_array_append_val(metrics->metrics, metric);
}

/* A node on one of two sides is called by the side: publisher, client. */
static void add_label(struct metrics *metrics, size_t index, bool is_host)
{
	const struct table_column *column = &metrics->schema->columns[index];
	bool is_side = column->means == MEANS_NODE && column->side != SIDE_NONE;
	struct metric_label label = {
		.column = index,
		.name = is_side ? column_short_name(column) : name_in_seconds(column),
		.is_host = is_host,
	};

	g_array_append_val(metrics->labels, label);
}

static bool is_name(const struct table_column *column)
{
	return column->merge == COLUMN_MERGE_KEY && column->means != MEANS_SYMBOL;
}

void metrics_init(struct metrics *metrics, const struct table_schema *schema)
{
	metrics->schema = schema;
	metrics->metrics = g_array_new(FALSE, FALSE, sizeof(struct metric));
	metrics->labels = g_array_new(FALSE, FALSE, sizeof(struct metric_label));
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].format == COLUMN_STATISTIC) {
			add_histogram(metrics, i);
		} else if (schema->columns[i].merge == COLUMN_MERGE_SUM) {
			add_counter(metrics, i);
		} else if (is_name(&schema->columns[i])) {
			add_label(metrics, i, false);
		}
	}
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].means == MEANS_HOST && !is_name(&schema->columns[i])) {
			add_label(metrics, i, true);
		}
	}
}

void metrics_clear(struct metrics *metrics)
{
	for (guint i = 0; i < metrics->metrics->len; i++) {
		g_free(g_array_index(metrics->metrics, struct metric, i).name);
	}
	for (guint i = 0; i < metrics->labels->len; i++) {
		g_free(g_array_index(metrics->labels, struct metric_label, i).name);
	}
	g_array_unref(metrics->metrics);
	g_array_unref(metrics->labels);
}

bool metrics_are_useful(const struct metrics *metrics)
{
	return metrics->metrics->len > 0 && metrics->labels->len > 0 &&
	       !g_array_index(metrics->labels, struct metric_label, 0).is_host;
}

/* What is unknown is the empty text, which Prometheus takes for no label. */
static void append_cell(GString *text, const struct cell *cell, bool is_duration)
{
	char buffer[NUMBER_TEXT_SIZE];
	unsigned int decimals = is_duration ? EXPOSITION_NS_DECIMALS : 0;

	switch (cell->type) {
	case CELL_TEXT:
		g_string_append(text, cell->text);
		break;
	case CELL_INTEGER:
		exposition_append_decimal(text, cell->integer, decimals);
		break;
	case CELL_UNSIGNED:
		exposition_append_decimal(text, cell->unsigned_integer, decimals);
		break;
	case CELL_REAL:
		g_string_append(text, number_text_real(buffer, cell->real));
		break;
	case CELL_EMPTY:
	case CELL_ADDRESS:
	case CELL_STATISTIC: /* not names */
		break;
	}
}

void metrics_append_labels(const struct metrics *metrics, const struct cell *cells, bool of_hosts, GString *labels)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < metrics->labels->len; i++) {
		const struct metric_label *label = &g_array_index(metrics->labels, struct metric_label, i);

		if (label->is_host == of_hosts) {
			g_string_truncate(text, 0);
			append_cell(text, &cells[label->column],
				    metrics->schema->columns[label->column].format == COLUMN_DURATION);
			exposition_append_label(labels, label->name, text->str);
		}
	}
}
