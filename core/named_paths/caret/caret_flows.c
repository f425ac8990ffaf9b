/* SPDX-License-Identifier: MIT */
#include "core/named_paths/caret/caret_flows.h"

#include "core/named_paths/caret/caret_nodes.h"
#include "core/named_paths/caret/caret_path.h"
#include "core/named_paths/caret/caret_tables.h"

struct caret_flows {
	struct object_model *model; /* borrowed, like the next two */
	struct flow_linker *linker;
	struct named_results *results;
	GHashTable *nodes, *topics; /* const char *, in the architecture: those on any path */
	struct caret_records *records;
	struct caret_tables tables;
};

/* --- the paths to evaluate --- */

static void add_names(struct caret_flows *flows, const struct architecture_path *path)
{
	for (guint i = 0; i < path->chain->len; i++) {
		const struct architecture_node_path *way =
			&g_array_index(path->chain, struct architecture_node_path, i);

		g_hash_table_add(flows->nodes, (gpointer)way->node);
		if (way->subscribed_topic) {
			g_hash_table_add(flows->topics, (gpointer)way->subscribed_topic);
		}
		if (way->published_topic) {
			g_hash_table_add(flows->topics, (gpointer)way->published_topic);
		}
	}
}

static void add_path(struct caret_flows *flows, const struct path_pattern *pattern)
{
	guint count = pattern->path->chain->len;
	g_autofree const char **nodes = g_new0(const char *, count + 1);
	g_autofree const char **topics = g_new0(const char *, count + 1);

	for (guint i = 0; i < count; i++) {
		const struct architecture_node_path *way =
			&g_array_index(pattern->path->chain, struct architecture_node_path, i);

		nodes[i] = way->node;
		topics[i] = way->subscribed_topic;
		topics[i + 1] = way->published_topic;
	}
	named_results_add(flows->results, pattern, count, nodes, topics);
}

static GHashTable *new_names(struct arena *arena)
{
	return arena_own(arena, g_hash_table_new(g_str_hash, g_str_equal), (GDestroyNotify)g_hash_table_unref);
}

struct caret_flows *caret_flows_create(const struct analysis_context *context, struct named_results *results)
{
	struct arena *arena = recording_arena(context->recording);
	struct caret_flows *flows = arena_take(arena, sizeof(*flows));
	const struct named_path_options *asked = results->asked;

	flows->model = context->model;
	flows->linker = context->flows;
	flows->results = results;
	flows->nodes = new_names(arena);
	flows->topics = new_names(arena);
	caret_tables_init(&flows->tables, results);
	for (guint i = 0; i < asked->patterns->len; i++) {
		const struct path_pattern *pattern = g_ptr_array_index(asked->patterns, i);

		if (pattern->path && pattern->path->chain->len > 1) {
			add_names(flows, pattern->path);
			add_path(flows, pattern);
		} else {
			named_path_set_reason(results,
					      named_results_add(results, pattern, 0, NULL, (const char *[]){ NULL }),
					      g_strdup("CARET knows only paths of architecture files, of two nodes or "
						       "more"));
		}
	}
	flows->records = caret_records_create(context, flows->nodes, flows->topics);
	return flows;
}

void caret_flows_feed(struct caret_flows *flows, const struct event_record *record)
{
	caret_records_feed(flows->records, record);
}

/* --- whether events are missing --- */

/* A path under evaluation. */
struct evaluation {
	const struct flow_linker *linker;
	struct named_path *named;
	const GArray *nodes; /* struct caret_node */
	const struct caret_path *path;
	GArray *processes;	       /* uint32_t, of all publishers and subscriptions on the path */
	struct caret_table **received; /* by node: when each message was published and received; NULL: not made yet */
};

static void add_processes(GArray *processes, const GPtrArray *objects)
{
	for (guint i = 0; i < objects->len; i++) {
		uint32_t process = ((const struct model_object *)g_ptr_array_index(objects, i))->process;
		bool is_known = false;

		for (guint j = 0; j < processes->len; j++) {
			is_known = is_known || g_array_index(processes, uint32_t, j) == process;
		}
		if (!is_known) {
			g_array_append_val(processes, process);
		}
	}
}

static bool may_miss(const struct flow_linker *linker, uint32_t process, int64_t begin_ns, int64_t end_ns)
{
	struct flow_process_life life = flow_linker_process_life(linker, process);

	return !life.has_run || life.first_ns > begin_ns || life.last_ns < end_ns ||
	       flow_linker_may_miss(linker, process, begin_ns, end_ns);
}

/* `objects` are publishers or subscriptions. */
static bool any_may_miss(const struct evaluation *evaluation, const GPtrArray *objects, int64_t begin_ns,
			 int64_t end_ns)
{
	for (guint i = 0; i < objects->len; i++) {
		const struct model_object *object = g_ptr_array_index(objects, i);

		if (may_miss(evaluation->linker, object->process, begin_ns, end_ns)) {
			return true;
		}
	}
	return objects->len == 0;
}

/* Adds the breaks of any process between two flows. */
static void add_breaks(const struct evaluation *evaluation)
{
	const struct caret_table *flows = evaluation->path->flows;

	for (size_t i = 1; i < caret_table_count(flows); i++) {
		int64_t before_ns = *caret_table_at(flows, i - 1), start_ns = *caret_table_at(flows, i);
		bool is_broken = false;

		for (guint j = 0; j < evaluation->processes->len && before_ns != start_ns && !is_broken; j++) {
			uint32_t process = g_array_index(evaluation->processes, uint32_t, j);
			struct flow_process_life life = flow_linker_process_life(evaluation->linker, process);

			is_broken = (life.first_ns > before_ns && life.first_ns <= start_ns) ||
				    flow_linker_may_miss(evaluation->linker, process, before_ns, start_ns);
		}
		if (is_broken) {
			named_path_add_break(evaluation->named, start_ns);
		}
	}
}

/* --- outcomes --- */

static const struct caret_table *received_by(const struct evaluation *evaluation, uint32_t node)
{
	const struct caret_element *element =
		&g_array_index(evaluation->path->elements, struct caret_element, 2 * node - 1);
	const size_t ends[] = { 0, element->columns->len - 1 };

	if (!evaluation->received[node]) {
		struct caret_table *received = caret_table_create(2);

		for (size_t i = 0; i < caret_table_count(element->records); i++) {
			const int64_t *record = caret_table_at(element->records, i);

			if (record[ends[0]] != CARET_NO_TIME && record[ends[1]] != CARET_NO_TIME) {
				int64_t *row = caret_table_add(received);

				row[0] = record[ends[0]];
				row[1] = record[ends[1]];
			}
		}
		evaluation->received[node] = received;
	}
	return evaluation->received[node];
}

/* The outcome of a message that a node did not receive. */
static enum named_outcome outcome_of(const struct evaluation *evaluation, uint32_t node, int64_t publish_ns)
{
	const struct caret_table *received = received_by(evaluation, node);
	size_t low = 0, high = caret_table_count(received);

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (*caret_table_at(received, middle) <= publish_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	if (low == 0 || low == caret_table_count(received)) {
		return NAMED_UNKNOWN;
	}
	return any_may_miss(evaluation, caret_nodes_of(evaluation->nodes)[node].subscriptions, publish_ns,
			    caret_table_at(received, low)[1])
		       ? NAMED_UNKNOWN
		       : NAMED_LOST;
}

/* Whether a node may have received another message, unrecorded, between that of the flow and its publication. */
static bool crosses_break(const struct evaluation *evaluation, const struct named_point *points)
{
	for (guint i = 0; i + 1 < evaluation->nodes->len; i++) {
		const struct caret_node *node = &caret_nodes_of(evaluation->nodes)[i];
		int64_t begin_ns = points[i].start_ns, end_ns = points[i + 1].publish_ns;

		if (node->context != CARET_CONTEXT_NONE && begin_ns != NAMED_NO_TIME && end_ns != NAMED_NO_TIME &&
		    any_may_miss(evaluation, node->publishers, begin_ns, end_ns)) {
			return true;
		}
	}
	return false;
}

static void set_once(int64_t *to, int64_t time_ns)
{
	*to = *to == NAMED_NO_TIME ? time_ns : *to;
}

static void add_point(struct named_flow *flow, struct named_point *points, size_t node_count,
		      const struct caret_column *column, int64_t time_ns)
{
	size_t at = column->point == CARET_POINT_PUBLISH ? column->node + 1 : column->node;

	if (at == node_count) {
		flow->last_publish_ns = time_ns;
		return;
	}
	switch (column->point) {
	case CARET_POINT_PUBLISH:
		points[at].publish_ns = time_ns;
		break;
	case CARET_POINT_CALLBACK_START:
		set_once(&points[at].start_ns, time_ns);
		break;
	case CARET_POINT_CALLBACK_END:
		set_once(&points[at].end_ns, time_ns);
		break;
	case CARET_POINT_TAKE:
		points[at].take_ns = time_ns;
		break;
	default:
		return;
	}
	flow->point_count = MAX(flow->point_count, at + 1);
}

static void add_flow(const struct evaluation *evaluation, struct named_results *results, const int64_t *row,
		     struct named_point *points)
{
	const GArray *columns = evaluation->path->columns;
	size_t node_count = evaluation->nodes->len;
	size_t last = columns->len - 1;
	struct named_flow flow = {
		.start_ns = row[0], .end_ns = row[last], .points = points, .last_publish_ns = NAMED_NO_TIME
	};
	size_t reached = 0;

	for (size_t i = 0; i < node_count; i++) {
		const struct caret_node *node = &caret_nodes_of(evaluation->nodes)[i];

		points[i] = (struct named_point){ NAMED_NO_TIME, NAMED_NO_TIME, NAMED_NO_TIME, NAMED_NO_TIME,
						  node->chain->len > 1 };
	}
	for (size_t i = 0; i <= last; i++) {
		if (row[i] != CARET_NO_TIME) {
			add_point(&flow, points, node_count, caret_column_at(columns, i), row[i]);
			reached = i;
		}
	}
	if (reached < last) {
		const struct caret_column *column = caret_column_at(columns, reached);
		bool is_published = column->point == CARET_POINT_PUBLISH || column->point == CARET_POINT_RCL_PUBLISH ||
				    column->point == CARET_POINT_WRITE;

		flow.outcome = is_published
				       ? outcome_of(evaluation, column->node + 1, points[column->node + 1].publish_ns)
				       : NAMED_STOPPED;
		flow.end_ns = NAMED_NO_TIME;
	} else if (crosses_break(evaluation, points)) {
		flow.outcome = NAMED_UNKNOWN;
		flow.end_ns = NAMED_NO_TIME;
	}
	named_results_add_flow(results, evaluation->named, &flow);
}

/* --- the paths --- */

static void add_flows(struct caret_flows *flows, struct named_path *named, const GArray *nodes,
		      const struct caret_path *path)
{
	g_autoptr(GArray) processes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autofree struct caret_table **received = g_new0(struct caret_table *, nodes->len);
	g_autofree struct named_point *points = g_new(struct named_point, nodes->len);
	const struct evaluation evaluation = { flows->linker, named, nodes, path, processes, received };

	for (guint i = 0; i < nodes->len; i++) {
		add_processes(processes, caret_nodes_of(nodes)[i].publishers);
		add_processes(processes, caret_nodes_of(nodes)[i].subscriptions);
	}
	add_breaks(&evaluation);
	for (size_t i = 0; i < caret_table_count(path->flows); i++) {
		add_flow(&evaluation, flows->results, caret_table_at(path->flows, i), points);
	}
	for (guint i = 0; i < nodes->len; i++) {
		caret_table_destroy(received[i]);
	}
}

static void evaluate(struct caret_flows *flows, struct named_path *named, struct table_writer *records,
		     struct table_writer *frequencies)
{
	const struct named_path_options *asked = flows->results->asked;
	const struct path_pattern *pattern = named->pattern;
	char *problem;
	GArray *nodes = caret_nodes_create(asked->architecture, pattern->path, flows->model, &problem);
	struct caret_path *path = caret_path_create(caret_records_objects(flows->records), caret_nodes_of(nodes),
						    nodes->len, named_path_has_first_callback(asked, pattern),
						    named_path_has_last_callback(asked, pattern));

	if (path->flows) {
		add_flows(flows, named, nodes, path);
	}
	caret_tables_add(&flows->tables, named->id, path, caret_nodes_of(nodes), records, frequencies);
	if (problem) {
		named_path_set_reason(flows->results, named, problem);
	}
	if (path->problem) {
		named_path_set_reason(flows->results, named, g_strdup(path->problem));
	}
	caret_path_destroy(path);
	caret_nodes_destroy(nodes);
}

void caret_flows_finish(struct caret_flows *flows, struct table_writer *records, struct table_writer *frequencies)
{
	caret_records_finish(flows->records);
	for (guint i = 0; i < flows->results->paths->len; i++) {
		struct named_path *named = g_ptr_array_index(flows->results->paths, i);

		if (named->node_count > 0) {
			evaluate(flows, named, records, frequencies);
		}
	}
}

void caret_flows_write(const struct caret_flows *flows, struct table_writer *elements)
{
	caret_tables_write_elements(&flows->tables, elements);
}

void caret_flows_diagnose(const struct caret_flows *flows, struct diagnostics *findings)
{
	caret_tables_diagnose(&flows->tables, findings);
}
