/* SPDX-License-Identifier: MIT */
#include "core/output/page/page_flows.h"

#include <string.h>

#include "core/output/json_writer.h"
#include "core/output/page/page_rows.h"
#include "core/output/page/page_series_parts.h"
#include "ros2bt/base/u64_map.h"

/* The traversals of one row. */
struct flow {
	uint64_t id;
	uint64_t count;	   /* of all traversals */
	uint64_t stride;   /* one of so many runs is kept */
	GPtrArray *sample; /* struct page_traversal, owned; NULL: there was no room */
	size_t worst_count;
	struct page_traversal *worst[PAGE_WORST]; /* owned; the longest first */
};

struct flow_table {
	struct table_writer writer;
	struct page_flows *all;		   /* borrowed */
	const struct table_schema *schema; /* borrowed */
	size_t instance, moments[PAGE_FLOW_MOMENTS], moment_count;
	GPtrArray *flows; /* struct flow, owned */
	struct u64_map by_id;
	uint64_t id;		     /* of the traversal that is read */
	struct page_traversal *open; /* owned, with room for `room` hops; instance 0: none is read */
	size_t room;
};

struct page_flows {
	GPtrArray *tables;     /* struct flow_table, owned */
	size_t room;	       /* the most traversals of a sample */
	size_t parts;	       /* hops that are kept */
	uint64_t without_room; /* rows that have none */
};

static size_t size_of(size_t hops)
{
	return sizeof(struct page_traversal) + hops * PAGE_FLOW_MOMENTS * sizeof(int64_t);
}

static int64_t length_of(const struct page_traversal *traversal)
{
	return traversal->end_ns - traversal->begin_ns;
}

/* --- life --- */

static void clear_worst(struct flow *flow)
{
	for (size_t i = 0; i < flow->worst_count; i++) {
		g_free(flow->worst[i]);
	}
	flow->worst_count = 0;
}

static void destroy_flow(gpointer data)
{
	struct flow *flow = data;

	g_clear_pointer(&flow->sample, g_ptr_array_unref);
	clear_worst(flow);
	g_free(flow);
}

static void destroy_table(gpointer data)
{
	struct flow_table *table = data;

	g_ptr_array_unref(table->flows);
	u64_map_clear(&table->by_id);
	g_free(table->open);
	g_free(table);
}

struct page_flows *page_flows_create(void)
{
	struct page_flows *flows = g_new0(struct page_flows, 1);

	flows->tables = g_ptr_array_new_with_free_func(destroy_table);
	flows->room = PAGE_FLOW_TRAVERSALS;
	return flows;
}

void page_flows_destroy(struct page_flows *flows)
{
	g_ptr_array_unref(flows->tables);
	g_free(flows);
}

/* --- what is kept --- */

static bool is_of_sample(const struct flow *flow, uint64_t instance)
{
	return (instance - 1) / PAGE_FLOW_RUN % flow->stride == 0;
}

/* Drops every second run. */
static void thin_out(struct page_flows *all, struct flow *flow)
{
	guint count = 0;

	flow->stride *= 2;
	for (guint i = 0; i < flow->sample->len; i++) {
		struct page_traversal *traversal = flow->sample->pdata[i];

		if (is_of_sample(flow, traversal->instance)) {
			flow->sample->pdata[count++] = traversal;
		} else {
			all->parts -= traversal->count;
			g_free(traversal);
		}
	}
	memset(flow->sample->pdata + count, 0, (flow->sample->len - count) * sizeof(gpointer));
	g_ptr_array_set_size(flow->sample, (gint)count);
}

static void drop(struct page_flows *all, struct flow *flow)
{
	for (guint i = 0; i < flow->sample->len; i++) {
		all->parts -= ((const struct page_traversal *)flow->sample->pdata[i])->count;
	}
	for (size_t i = 0; i < flow->worst_count; i++) {
		all->parts -= flow->worst[i]->count;
	}
	g_clear_pointer(&flow->sample, g_ptr_array_unref);
	clear_worst(flow);
	all->without_room++;
}

static gint compare_lengths(gconstpointer a, gconstpointer b)
{
	int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

	return (one > other) - (one < other);
}

static bool has_traversals(const struct flow *flow)
{
	return flow->sample && flow->worst_count > 0;
}

/* Those rows have none from now on whose longest traversal is shorter than that of half of them. */
static void drop_half(struct page_flows *all)
{
	g_autoptr(GArray) lengths = g_array_new(FALSE, FALSE, sizeof(int64_t));
	guint left;

	for (guint i = 0; i < all->tables->len; i++) {
		const struct flow_table *table = all->tables->pdata[i];

		for (guint j = 0; j < table->flows->len; j++) {
			const struct flow *flow = table->flows->pdata[j];

			if (has_traversals(flow)) {
				int64_t length_ns = length_of(flow->worst[0]);

				g_array_append_val(lengths, length_ns);
			}
		}
	}
	g_array_sort(lengths, compare_lengths);
	left = (lengths->len + 1) / 2;
	for (guint i = 0; i < all->tables->len && left > 0; i++) {
		const struct flow_table *table = all->tables->pdata[i];

		for (guint j = 0; j < table->flows->len && left > 0; j++) {
			struct flow *flow = table->flows->pdata[j];

			if (has_traversals(flow) &&
			    length_of(flow->worst[0]) <= g_array_index(lengths, int64_t, (lengths->len - 1) / 2)) {
				drop(all, flow);
				left--;
			}
		}
	}
}

static void make_room(struct page_flows *all)
{
	if (all->room <= PAGE_FLOW_LEAST) {
		drop_half(all);
		return;
	}
	all->room /= 2;
	for (guint i = 0; i < all->tables->len; i++) {
		const struct flow_table *table = all->tables->pdata[i];

		for (guint j = 0; j < table->flows->len; j++) {
			struct flow *flow = table->flows->pdata[j];

			while (flow->sample && flow->sample->len > all->room) {
				thin_out(all, flow);
			}
		}
	}
}

static struct page_traversal *copy_of(struct page_flows *all, const struct page_traversal *traversal)
{
	all->parts += traversal->count;
	return g_memdup2(traversal, size_of(traversal->count));
}

static void keep_if_worst(struct page_flows *all, struct flow *flow, const struct page_traversal *traversal)
{
	size_t place = flow->worst_count;

	while (place > 0 && length_of(traversal) > length_of(flow->worst[place - 1])) {
		place--;
	}
	if (place == PAGE_WORST) {
		return;
	}
	if (flow->worst_count == PAGE_WORST) {
		all->parts -= flow->worst[--flow->worst_count]->count;
		g_free(flow->worst[flow->worst_count]);
	}
	for (size_t i = flow->worst_count++; i > place; i--) {
		flow->worst[i] = flow->worst[i - 1];
	}
	flow->worst[place] = copy_of(all, traversal);
}

/* The traversal that was read is whole. */
static void close_traversal(struct flow_table *table)
{
	struct page_flows *all = table->all;
	struct flow *flow = u64_map_get_pointer(&table->by_id, table->id);

	if (!table->open || table->open->instance == 0) {
		return;
	}
	if (!flow) {
		flow = g_new0(struct flow, 1);
		flow->id = table->id;
		flow->stride = 1;
		flow->sample = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(table->flows, flow);
		u64_map_set_pointer(&table->by_id, table->id, flow);
	}
	flow->count++;
	if (flow->sample && table->open->begin_ns <= table->open->end_ns) {
		if (is_of_sample(flow, table->open->instance)) {
			g_ptr_array_add(flow->sample, copy_of(all, table->open));
		}
		while (flow->sample->len > all->room) {
			thin_out(all, flow);
		}
		keep_if_worst(all, flow, table->open);
		while (all->parts > PAGE_FLOW_PARTS) {
			make_room(all);
		}
	}
	table->open->instance = 0;
}

/* --- rows --- */

static void open_traversal(struct flow_table *table, uint64_t id, uint64_t instance)
{
	if (!table->open) {
		table->room = 8;
		table->open = g_malloc(size_of(table->room));
	}
	table->id = id;
	table->open->instance = instance;
	table->open->count = 0;
	table->open->begin_ns = INT64_MAX;
	table->open->end_ns = INT64_MIN;
}

static void add_row(struct table_writer *writer, const struct cell *cells)
{
	struct flow_table *table = (struct flow_table *)writer;
	uint64_t id = cells[0].unsigned_integer, instance = cells[table->instance].unsigned_integer;
	struct page_traversal *open;

	if (cells[0].type != CELL_UNSIGNED || cells[table->instance].type != CELL_UNSIGNED || instance == 0) {
		return;
	}
	if (!table->open || table->id != id || table->open->instance != instance) {
		close_traversal(table);
		open_traversal(table, id, instance);
	}
	if (table->open->count == table->room) {
		table->room *= 2;
		table->open = g_realloc(table->open, size_of(table->room));
	}
	open = table->open;
	for (size_t i = 0; i < PAGE_FLOW_MOMENTS; i++) {
		const struct cell *cell = i < table->moment_count ? &cells[table->moments[i]] : NULL;
		bool is_known = cell && cell->type == CELL_INTEGER;

		open->moments[open->count * PAGE_FLOW_MOMENTS + i] = is_known ? cell->integer : PAGE_NO_MOMENT;
		if (is_known) {
			open->begin_ns = MIN(open->begin_ns, cell->integer);
			open->end_ns = MAX(open->end_ns, cell->integer);
		}
	}
	open->count++;
}

struct table_writer *page_flows_open(struct page_flows *flows, const struct table_schema *schema)
{
	int instance = table_find_meaning(schema, MEANS_INSTANCE, SIDE_NONE);
	struct flow_table *table;

	if (instance < 1 || !table_has_id(schema)) {
		return NULL;
	}
	table = g_new0(struct flow_table, 1);
	table->writer.row = add_row;
	table->all = flows;
	table->schema = schema;
	table->instance = (size_t)instance;
	table->flows = g_ptr_array_new_with_free_func(destroy_flow);
	u64_map_init(&table->by_id);
	for (size_t i = 0; i < schema->column_count && table->moment_count < PAGE_FLOW_MOMENTS; i++) {
		if (schema->columns[i].format == COLUMN_TIME) {
			table->moments[table->moment_count++] = i;
		}
	}
	if (table->moment_count < 2) {
		destroy_table(table);
		return NULL;
	}
	g_ptr_array_add(flows->tables, table);
	return &table->writer;
}

/* --- the results --- */

/* The last traversal of each table is whole. This may make room: what is found stays where it is only after that. */
static void close_traversals(const struct page_flows *flows)
{
	for (guint i = 0; i < flows->tables->len; i++) {
		close_traversal(flows->tables->pdata[i]);
	}
}

const struct page_traversal *page_flows_find(const struct page_flows *flows, const char *main, uint64_t id,
					     int64_t begin_ns, int64_t end_ns)
{
	close_traversals(flows);
	for (guint i = 0; i < flows->tables->len; i++) {
		const struct flow_table *table = flows->tables->pdata[i];
		const struct flow *flow;

		if (!g_str_equal(table->schema->columns[0].id_of, main)) {
			continue;
		}
		flow = u64_map_get_pointer(&table->by_id, id);
		for (size_t j = 0; flow && j < flow->worst_count; j++) {
			if (flow->worst[j]->begin_ns == begin_ns && flow->worst[j]->end_ns == end_ns) {
				return flow->worst[j];
			}
		}
	}
	return NULL;
}

/* Its number, its begin, and its moments since then, null where they are not known. */
static void write_traversal(struct json_writer *json, const struct page_traversal *traversal, size_t moment_count,
			    int64_t begin_ns)
{
	json_writer_begin_array(json);
	json_writer_unsigned(json, traversal->instance);
	json_writer_integer(json, traversal->begin_ns - begin_ns);
	for (size_t i = 0; i < traversal->count; i++) {
		for (size_t j = 0; j < moment_count; j++) {
			int64_t at_ns = traversal->moments[i * PAGE_FLOW_MOMENTS + j];

			if (at_ns == PAGE_NO_MOMENT) {
				json_writer_null(json);
			} else {
				json_writer_integer(json, at_ns - traversal->begin_ns);
			}
		}
	}
	json_writer_end_array(json);
}

static void write_flow(struct json_writer *json, const struct flow *flow, size_t moment_count, int64_t begin_ns)
{
	json_writer_line_break(json);
	json_writer_begin_object(json);
	json_writer_member_unsigned(json, "id", flow->id);
	json_writer_member_unsigned(json, "count", flow->count);
	json_writer_member_unsigned(json, "stride", flow->stride);
	json_writer_member_array(json, "traversals");
	for (guint i = 0; i < flow->sample->len; i++) {
		write_traversal(json, flow->sample->pdata[i], moment_count, begin_ns);
	}
	for (size_t i = 0; i < flow->worst_count; i++) {
		if (!is_of_sample(flow, flow->worst[i]->instance)) {
			write_traversal(json, flow->worst[i], moment_count, begin_ns);
		}
	}
	json_writer_end_array(json);
	json_writer_end_object(json);
}

static void write_table(struct json_writer *json, const struct flow_table *table, int64_t begin_ns,
			const struct page_choice *choice)
{
	json_writer_line_break(json);
	json_writer_begin_object(json);
	json_writer_member_text(json, "instances", table->schema->name);
	json_writer_member_text(json, "selection", table->schema->selection);
	json_writer_member_text(json, "key", table->schema->columns[0].name);
	json_writer_member_unsigned(json, "run", PAGE_FLOW_RUN);
	json_writer_member_unsigned(json, "without_room", table->all->without_room);
	json_writer_member_array(json, "moments");
	for (size_t i = 0; i < table->moment_count; i++) {
		json_writer_text(json, table->schema->columns[table->moments[i]].name);
	}
	json_writer_end_array(json);
	json_writer_member_array(json, "rows");
	for (guint i = 0; i < table->flows->len; i++) {
		const struct flow *flow = table->flows->pdata[i];

		if (has_traversals(flow) && choice->has_row(choice->data, table->schema, flow->id)) {
			write_flow(json, flow, table->moment_count, begin_ns);
		}
	}
	json_writer_end_array(json);
	json_writer_end_object(json);
}

void page_flows_write(struct page_flows *flows, struct json_writer *json, int64_t begin_ns,
		      const struct page_choice *choice)
{
	close_traversals(flows);
	json_writer_begin_array(json);
	for (guint i = 0; i < flows->tables->len; i++) {
		const struct flow_table *table = flows->tables->pdata[i];

		if (table->flows->len > 0) {
			write_table(json, table, begin_ns, choice);
		}
	}
	json_writer_end_array(json);
}
