/* SPDX-License-Identifier: MIT */
#include "core/named_paths/caret/caret_tables.h"

#include "core/named_paths/frequency.h"

#define CHAIN "callback_chain"

struct caret_element_row {
	uint32_t path_id, element;
	const char *kind, *name, *how; /* static, or the architecture's */
	uint64_t records, complete, by_others;
	struct duration_statistics latency, period;
};

static bool is_chain(const struct caret_element_row *row)
{
	return g_str_equal(row->how, CHAIN);
}

static struct cell by_others(const void *data)
{
	const struct caret_element_row *row = data;

	return is_chain(row) ? cell_unsigned(row->by_others) : CELL_NONE;
}

struct record_row {
	struct cell path_id, element, record, column, time;
};

/* clang-format off */
#define ROW struct caret_element_row
static const struct table_column element_columns[] = {
	{ .name = "named_path_id", .id_of = "named_paths", .role = COLUMN_ROLE_HIDDEN, CELL_OF(path_id) },
	{ .name = "element", CELL_OF(element) }, /* 0: the first node, 1: the communication to the next one, … */
	{ .name = "kind", .means = MEANS_KIND, CELL_OF(kind) },
	{ .name = "name", .format = COLUMN_NAME, CELL_OF(name) },
	{ .name = "how", CELL_OF(how) }, /* inter_process, intra_process; the context of a node */
	{ .name = "records", CELL_OF(records) },
	{ .name = "complete", CELL_OF(complete) },
	/* publications that CARET attributes to the chain, but another callback made */
	{ .name = "by_others", .hints = HINT_ONLY_IF_ANY, CELL_BY(by_others) },
	{ .name = "latency", .format = COLUMN_STATISTIC, CELL_OF(latency) },
	{ .name = "period", .format = COLUMN_STATISTIC, CELL_OF(period) },
};

const struct table_schema caret_element_schema = {
	TABLE("named_path_elements", element_columns), .title = "Elements of named paths, as CARET has them",
	.selection = "named_paths", .kind = KIND_DETAIL, .parent = "named_paths", .presence = PRESENT_IF_ANY, .key_count = 2,
};
#undef ROW

#define ROW struct record_row
static const struct table_column record_columns[] = {
	{ .name = "named_path_id", .id_of = "named_paths", CELL_OF(path_id) },
	{ .name = "element", CELL_OF(element) }, /* empty: the flows along the whole path */
	{ .name = "record", CELL_OF(record) }, /* from 1 */
	{ .name = "column", .format = COLUMN_NAME, CELL_OF(column) },
	{ .name = "time_ns", .format = COLUMN_TIME, CELL_OF(time) }, /* empty: there was no such event */
};

const struct table_schema caret_record_schema = {
	TABLE_OF_CELLS("named_path_records", record_columns), .title = "Records of named paths, as CARET has them",
	.selection = "named_paths", .kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW
/* clang-format on */

void caret_tables_init(struct caret_tables *tables, const struct named_results *results)
{
	tables->results = results;
	row_store_init(&tables->elements, &caret_element_schema, results->arena);
}

/* --- elements --- */

static const char *how_of(const struct caret_element *element, const struct caret_node *node, bool is_node)
{
	if (is_node) {
		return node->context == CARET_CONTEXT_USE_LATEST ? "use_latest_message" : CHAIN;
	}
	return element->is_intra_process ? "intra_process" : "inter_process";
}

static void count_records(struct caret_element_row *row, const struct caret_table *records,
			  const struct analysis_options *options)
{
	int64_t before_ns = CARET_NO_TIME;

	for (size_t i = 0; i < caret_table_count(records); i++) {
		const int64_t *record = caret_table_at(records, i);
		int64_t first_ns = record[0], last_ns = record[records->width - 1];

		if (first_ns == CARET_NO_TIME || !analysis_options_include(options, first_ns)) {
			continue;
		}
		row->records++;
		row->complete += last_ns != CARET_NO_TIME;
		if (last_ns != CARET_NO_TIME && last_ns >= first_ns) {
			duration_statistics_add(&row->latency, last_ns - first_ns, first_ns);
		}
		if (before_ns != CARET_NO_TIME) {
			duration_statistics_add(&row->period, first_ns - before_ns, before_ns);
		}
		before_ns = first_ns;
	}
}

static void add_element(struct caret_tables *tables, uint32_t path_id, uint32_t index,
			const struct caret_element *element, const struct caret_node *nodes)
{
	struct caret_element_row *row = row_store_add(&tables->elements);
	bool is_node = index % 2 == 0;
	const struct caret_node *node = &nodes[(index + 1) / 2];

	row->path_id = path_id;
	row->element = index;
	row->kind = is_node ? "node" : "communication";
	row->name = is_node ? node->name : node->subscribed_topic;
	row->how = how_of(element, node, is_node);
	row->by_others = element->by_others;
	count_records(row, element->records, tables->results->options);
}

void caret_tables_diagnose(const struct caret_tables *tables, struct diagnostics *findings)
{
	for (guint i = 0; i < tables->elements.rows->len; i++) {
		const struct caret_element_row *row = tables->elements.rows->pdata[i];
		const struct named_path *path = g_ptr_array_index(tables->results->paths, row->path_id - 1);

		if (row->by_others > 0) {
			g_autofree char *text =
				g_strdup_printf("%s: publications of %s by other callbacks than its chain "
						"ends with; contexts=exact follows these",
						path->pattern->name, row->name);

			diagnostics_add(findings, DIAGNOSTIC_ARCHITECTURE_DIFFERS, text, row->by_others);
		}
	}
}

void caret_tables_write_elements(const struct caret_tables *tables, struct table_writer *writer)
{
	for (guint i = 0; i < tables->elements.rows->len; i++) {
		row_write(writer, &caret_element_schema, tables->elements.rows->pdata[i]);
	}
}

/* --- records --- */

static void write_records(const struct caret_tables *tables, struct table_writer *writer, struct cell id,
			  struct cell element, const struct caret_table *records, char *const *names)
{
	for (size_t i = 0; i < caret_table_count(records); i++) {
		const int64_t *record = caret_table_at(records, i);

		for (size_t j = 0; j < records->width && analysis_options_include(tables->results->options, record[0]);
		     j++) {
			row_write(writer, &caret_record_schema,
				  &(struct record_row){
					  .path_id = id,
					  .element = element,
					  .record = cell_unsigned(i + 1),
					  .column = cell_text(names[j]),
					  .time = record[j] == CARET_NO_TIME ? CELL_NONE : cell_integer(record[j]),
				  });
		}
	}
}

static void write_table(const struct caret_tables *tables, struct table_writer *writer, uint32_t path_id,
			struct cell element, const struct caret_table *records, const GArray *columns,
			const struct caret_node *nodes)
{
	g_auto(GStrv) names = g_new0(char *, columns->len + 1);

	for (guint i = 0; i < columns->len; i++) {
		names[i] = caret_column_name(caret_column_at(columns, i), nodes, element.type == CELL_EMPTY);
	}
	write_records(tables, writer, cell_unsigned(path_id), element, records, names);
}

/* --- frequencies --- */

static void write_frequencies(const struct caret_tables *tables, struct table_writer *writer, uint32_t path_id,
			      uint32_t index, const struct caret_table *records)
{
	g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(int64_t));

	for (size_t i = 0; i < caret_table_count(records); i++) {
		int64_t first_ns = *caret_table_at(records, i);

		if (first_ns != CARET_NO_TIME && analysis_options_include(tables->results->options, first_ns)) {
			g_array_append_val(times, first_ns);
		}
	}
	frequency_write(writer, path_id, cell_unsigned(index), times);
}

void caret_tables_add(struct caret_tables *tables, uint32_t path_id, const struct caret_path *path,
		      const struct caret_node *nodes, struct table_writer *records, struct table_writer *frequencies)
{
	for (guint i = 0; i < path->elements->len; i++) {
		const struct caret_element *element = &g_array_index(path->elements, struct caret_element, i);

		if (!element->records) {
			continue;
		}
		add_element(tables, path_id, i, element, nodes);
		if (records) {
			write_table(tables, records, path_id, cell_unsigned(i), element->records, element->columns,
				    nodes);
		}
		if (frequencies) {
			write_frequencies(tables, frequencies, path_id, i, element->records);
		}
	}
	if (path->flows && records) {
		write_table(tables, records, path_id, CELL_NONE, path->flows, path->columns, nodes);
	}
}
