/* SPDX-License-Identifier: MIT */
#include "core/named_paths/named_results.h"

#include "core/analyses/shared/path_columns.h"
#include "core/base/arena_parts.h"

/* --- tables --- */

struct instance {
	struct cell path_id;
	struct traversal_cells times;
	struct cell instance, outcome, last_publish, header_stamp;
};

struct hop_instance {
	struct cell path_id;
	struct hop_instance_cells of;
};

/* clang-format off */
#define ROW struct instance
static const struct table_column instance_columns[] = {
	{ .name = "named_path_id", .id_of = "named_paths", CELL_OF(path_id) },
	COLUMNS_OF_TRAVERSAL(times),
	/* from 1, of the path: as in named_path_hop_instances */
	{ .name = "instance", .means = MEANS_INSTANCE, CELL_OF(instance) },
	{ .name = "outcome", .means = MEANS_STATE, CELL_OF(outcome) }, /* complete, lost, stopped, unknown */
	/* of a path that ends with a publication */
	{ .name = "last_publish_ns", .format = COLUMN_TIME, CELL_OF(last_publish) },
	/* of the first message */
	{ .name = "header_stamp_ns", .format = COLUMN_TIME, CELL_OF(header_stamp) },
};

const struct table_schema named_instance_schema = {
	TABLE_OF_CELLS("named_path_instances", instance_columns), .title = "Flows along named paths",
	.selection = "named_paths", .kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW

#define ROW struct hop_instance
static const struct table_column hop_instance_columns[] = {
	{ .name = "named_path_id", .id_of = "named_paths", CELL_OF(path_id) },
	COLUMNS_OF_HOP_INSTANCE(of),
};

const struct table_schema named_hop_instance_schema = {
	TABLE_OF_CELLS("named_path_hop_instances", hop_instance_columns), .title = "Hops of flows along named paths",
	.selection = "named_paths", .kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW
/* clang-format on */

void named_results_init(struct named_results *results, const struct analysis_context *context)
{
	struct arena *arena = recording_arena(context->recording);

	*results = (struct named_results){
		.options = context->options,
		.asked = context->options->named_paths,
		.arena = arena,
		.paths = arena_pointers(arena),
	};
}

static char *text_of(const struct named_path *path)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < path->node_count; i++) {
		if (path->topics[i]) {
			g_string_append_printf(text, "%s%s", i > 0 ? " > " : "", path->topics[i]);
		}
		g_string_append_printf(text, "%s%s", text->len > 0 ? " > " : "", path->nodes[i]);
	}
	if (path->topics[path->node_count]) {
		g_string_append_printf(text, " > %s", path->topics[path->node_count]);
	}
	return g_string_free(text, FALSE);
}

struct named_path *named_results_add(struct named_results *results, const struct path_pattern *pattern,
				     size_t node_count, const char *const *nodes, const char *const *topics)
{
	struct arena *arena = results->arena;
	struct named_path *path = arena_take(arena, sizeof(*path));

	path->id = results->paths->len + 1;
	path->pattern = pattern;
	path->node_count = node_count;
	path->topics = arena_copy(arena, topics, (node_count + 1) * sizeof(*topics));
	path->text = pattern->text;
	if (node_count > 0) {
		path->nodes = arena_copy(arena, nodes, node_count * sizeof(*nodes));
		path->text = arena_own(arena, text_of(path), g_free);
	}
	path->hops = arena_take(arena, node_count * sizeof(struct named_hop));
	path->rows = arena_array(arena, sizeof(struct named_row));
	path->breaks = arena_array(arena, sizeof(int64_t));
	duration_statistics_init(&path->latency, arena);
	duration_statistics_init(&path->stamp_latency, arena);
	g_ptr_array_add(results->paths, path);
	return path;
}

/* --- flows --- */

/* 0 if the trace lacks one of the two. */
static int64_t between(int64_t begin_ns, int64_t end_ns)
{
	return begin_ns == NAMED_NO_TIME || end_ns == NAMED_NO_TIME ? 0 : end_ns - begin_ns;
}

/* Adds where the time of a complete flow went. The parts add up to its latency, unless the trace lacks moments. */
static void add_hops(struct named_path *path, const struct named_flow *flow)
{
	for (size_t i = 0; i < flow->point_count; i++) {
		const struct named_point *point = &flow->points[i];
		bool is_last = i + 1 == flow->point_count;
		/* the time between these two is the node's */
		int64_t leave_ns = !is_last		 ? flow->points[i + 1].publish_ns
				   : path->topics[i + 1] ? flow->last_publish_ns
							 : flow->end_ns;
		int64_t enter_ns = point->start_ns;
		struct named_hop *hop = &path->hops[i];

		if (i > 0) {
			/* CARET's flows have no takes */
			int64_t take_ns = point->take_ns == NAMED_NO_TIME ? point->start_ns : point->take_ns;

			hop->transport_ns += between(point->publish_ns, take_ns);
			enter_ns = enter_ns == NAMED_NO_TIME ? take_ns : enter_ns;
			hop->wait_ns += between(take_ns, enter_ns);
		}
		if (enter_ns == NAMED_NO_TIME || (i == 0 && enter_ns != flow->start_ns)) {
			continue;
		}
		if (point->is_kept && point->end_ns != NAMED_NO_TIME && leave_ns != NAMED_NO_TIME &&
		    point->end_ns < leave_ns) {
			hop->kept_ns += leave_ns - point->end_ns;
			leave_ns = point->end_ns;
		}
		hop->callback_ns += between(enter_ns, leave_ns);
	}
}

static struct cell time_cell(int64_t time_ns)
{
	return time_ns == NAMED_NO_TIME ? CELL_NONE : cell_integer(time_ns);
}

static const char *named_outcome_name(enum named_outcome outcome)
{
	static const char *const names[] = { "complete", "lost", "stopped", "unknown" };

	return names[outcome];
}

static void write_instance(struct named_results *results, const struct named_path *path, const struct named_flow *flow)
{
	bool is_complete = flow->outcome == NAMED_COMPLETE;
	const struct named_point *last =
		is_complete && flow->point_count > 0 ? &flow->points[flow->point_count - 1] : NULL;
	const struct named_point *second = flow->point_count > 1 ? &flow->points[1] : NULL;

	row_write(results->instances, &named_instance_schema,
		  &(struct instance){
			  .path_id = cell_unsigned(path->id),
			  .times = {
				  .origin_start = cell_integer(flow->start_ns),
				  .first_publish = second ? time_cell(second->publish_ns) : CELL_NONE,
				  .last_callback_start = last ? time_cell(last->start_ns) : CELL_NONE,
				  .last_callback_end = last ? time_cell(last->end_ns) : CELL_NONE,
				  .latency = is_complete ? cell_integer(flow->end_ns - flow->start_ns) : CELL_NONE,
			  },
			  .instance = cell_unsigned(path->rows->len),
			  .outcome = cell_text(named_outcome_name(flow->outcome)),
			  .last_publish = time_cell(flow->last_publish_ns),
			  .header_stamp = flow->stamp_ns != 0 ? cell_integer(flow->stamp_ns) : CELL_NONE,
		  });
}

static void write_hop_instances(struct named_results *results, const struct named_path *path,
				const struct named_flow *flow)
{
	for (size_t i = 0; i < flow->point_count; i++) {
		const struct named_point *point = &flow->points[i];

		row_write(results->hop_instances, &named_hop_instance_schema,
			  &(struct hop_instance){
				  .path_id = cell_unsigned(path->id),
				  .of = {
					  .instance = cell_unsigned(path->rows->len),
					  .hop = cell_unsigned(i),
					  .publish = time_cell(point->publish_ns),
					  .take = time_cell(point->take_ns),
					  .callback_start = time_cell(point->start_ns),
					  .callback_end = time_cell(point->end_ns),
				  },
			  });
	}
}

void named_results_add_flow(struct named_results *results, struct named_path *path, const struct named_flow *flow)
{
	struct named_row row = { flow->start_ns, NAMED_NO_TIME, flow->outcome };

	if (!analysis_options_include(results->options, flow->start_ns)) {
		return;
	}
	if (flow->outcome == NAMED_COMPLETE) {
		row.end_ns = flow->end_ns;
		duration_statistics_add(&path->latency, flow->end_ns - flow->start_ns, flow->start_ns);
		add_hops(path, flow);
	}
	if (flow->outcome == NAMED_COMPLETE && flow->stamp_ns != 0) {
		duration_statistics_add(&path->stamp_latency, flow->end_ns - flow->stamp_ns, flow->start_ns);
	}
	path->counts[flow->outcome]++;
	g_array_append_vals(path->rows, &row, 1);
	if (results->instances) {
		write_instance(results, path, flow);
	}
	if (results->hop_instances) {
		write_hop_instances(results, path, flow);
	}
}

void named_path_add_break(struct named_path *path, int64_t start_ns)
{
	g_array_append_vals(path->breaks, &start_ns, 1);
}

void named_path_set_reason(const struct named_results *results, struct named_path *path, char *reason)
{
	arena_own(results->arena, reason, g_free);
	path->reason = path->reason ? path->reason : reason;
}
