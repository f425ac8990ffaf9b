/* SPDX-License-Identifier: MIT */
#include "core/analyses/lifecycle/lifecycle_tables.h"

#include "core/analyses/lifecycle/lifecycle_findings.h"
#include "core/analyses/lifecycle/lifecycle_timeline.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/compare_numbers.h"
#include "core/base/name_filter.h"
#include <string.h>

static const struct table_column columns[] = {
	{ .name = "node", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP },
	{ .name = "vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "state", .merge = COLUMN_MERGE_KEY },
	{ .name = "entries", .merge = COLUMN_MERGE_SUM },
	{ .name = "time", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "published", .merge = COLUMN_MERGE_SUM },
	{ .name = "doubtful", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	COLUMN_HOST("hostname", "on"),
	COLUMN_WHICH("which", "which"),
};

static const struct table_schema schema = {
	.name = "lifecycle",
	.title = "Lifecycle: time in each state",
	.selection = "lifecycle",
	.is_optional = true,
	.why_empty = "needs lifecycle nodes, see docs/lifecycle.md",
	.is_of_processes = true,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column transition_columns[] = {
	{ .name = "node" },
	{ .name = "vpid" },
	{ .name = "from_state" },
	{ .name = "to_state" },
	{ .name = "start_ns", .format = COLUMN_TIME },
	{ .name = "end_ns", .format = COLUMN_TIME },
	{ .name = "result" },
	{ .name = "transition" },
	{ .name = "doubtful" },
};

static const struct table_schema transition_schema = {
	.name = "lifecycle_instances",
	.title = "Transitions of lifecycle nodes",
	.selection = "lifecycle",
	.is_instances = true,
	.is_optional = true,
	.columns = transition_columns,
	.column_count = G_N_ELEMENTS(transition_columns),
};

static const struct table_column stay_columns[] = {
	{ .name = "node" },
	{ .name = "vpid" },
	{ .name = "state" },
	{ .name = "start_ns", .format = COLUMN_TIME },
	{ .name = "end_ns", .format = COLUMN_TIME },
};

static const struct table_schema stay_schema = {
	.name = "lifecycle_state_instances",
	.title = "States of lifecycle nodes",
	.selection = "lifecycle",
	.is_instances = true,
	.is_optional = true,
	.columns = stay_columns,
	.column_count = G_N_ELEMENTS(stay_columns),
};

static const struct table_column topic_columns[] = {
	{ .name = "node", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
	{ .name = "vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "state", .merge = COLUMN_MERGE_KEY },
	{ .name = "topic", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "first_ns", .label = "first", .format = COLUMN_MOMENT },
	COLUMN_HOST("hostname", "on"),
	COLUMN_WHICH("which", "which"),
};

static const struct table_schema topic_schema = {
	.name = "lifecycle_publications",
	.title = "Lifecycle: what nodes published in each state",
	.selection = "lifecycle",
	.is_optional = true,
	.why_empty = "needs lifecycle nodes that publish, see docs/lifecycle.md",
	.is_of_processes = true,
	.columns = topic_columns,
	.column_count = G_N_ELEMENTS(topic_columns),
};

/* clang-format off */
const struct table_schema *const lifecycle_tables[] = {
	[TABLE_LIFECYCLE] = &schema,
	[TABLE_LIFECYCLE_INSTANCES] = &transition_schema,
	[TABLE_LIFECYCLE_STATE_INSTANCES] = &stay_schema,
	[TABLE_LIFECYCLE_PUBLICATIONS] = &topic_schema,
	[TABLE_LIFECYCLE_FINDINGS] = &lifecycle_finding_schema,
	[TABLE_LIFECYCLE_TRACKS] = &lifecycle_track_schema,
	[TABLE_LIFECYCLE_LABELS] = &lifecycle_label_schema,
	[TABLE_LIFECYCLE_EVENTS] = &lifecycle_event_schema,
	NULL,
};
/* clang-format on */

static bool is_chosen(const struct lifecycle *lifecycle, const char *name)
{
	return name_filter_passes(lifecycle->options->nodes, &name, 1);
}

static struct cell process_cell(const struct lifecycle *lifecycle, const struct lifecycle_node *node)
{
	return vpid_cell(recording_process(lifecycle->recording, node->process));
}

static struct cell host_cell(const struct lifecycle *lifecycle, const struct lifecycle_node *node)
{
	return cell_text(row_process_of(lifecycle->recording, node->process).hostname);
}

static struct cell which_cell(const struct lifecycle *lifecycle, const struct lifecycle_node *node)
{
	return node->machine ? object_numbers_cell(lifecycle->numbers, MODEL_STATE_MACHINE, &node->machine->object)
			     : CELL_NONE;
}

/* --- instances --- */

void lifecycle_tables_write_transition(const struct lifecycle *lifecycle, const struct lifecycle_node *node,
				       const char *goal, int64_t end_ns)
{
	const char *name = lifecycle_node_name(lifecycle, node);

	if (!lifecycle->transition_writer || !is_chosen(lifecycle, name) ||
	    !analysis_options_include(lifecycle->options, node->since_ns)) {
		return;
	}
	TABLE_ROW(lifecycle->transition_writer, transition_columns,
		  (struct cell[]){
			  cell_text(name),
			  process_cell(lifecycle, node),
			  cell_text(node->from),
			  cell_text(goal),
			  cell_integer(node->since_ns),
			  goal ? cell_integer(end_ns) : CELL_NONE,
			  cell_text(goal ? lifecycle_result_name(lifecycle_result_of(node->state, goal)) : NULL),
			  cell_text(node->state),
			  cell_integer(node->is_doubtful),
		  });
}

void lifecycle_tables_write_end(const struct lifecycle *lifecycle, const struct lifecycle_node *node, const char *label,
				const char *goal, int64_t end_ns)
{
	const char *name = lifecycle_node_name(lifecycle, node);

	if (!lifecycle->transition_writer || !is_chosen(lifecycle, name) ||
	    !analysis_options_include(lifecycle->options, end_ns)) {
		return;
	}
	TABLE_ROW(lifecycle->transition_writer, transition_columns,
		  (struct cell[]){
			  cell_text(name),
			  process_cell(lifecycle, node),
			  CELL_NONE,
			  cell_text(goal),
			  CELL_NONE,
			  cell_integer(end_ns),
			  cell_text(lifecycle_result_name(lifecycle_result_of(label, goal))),
			  cell_text(label),
			  cell_integer(node->is_doubtful),
		  });
}

void lifecycle_tables_write_stay(const struct lifecycle *lifecycle, const struct lifecycle_node *node,
				 const char *label, bool has_end, int64_t end_ns)
{
	const char *name = lifecycle_node_name(lifecycle, node);

	if (!lifecycle->state_writer || !is_chosen(lifecycle, name) ||
	    !analysis_options_include(lifecycle->options, node->since_ns)) {
		return;
	}
	TABLE_ROW(lifecycle->state_writer, stay_columns,
		  (struct cell[]){
			  cell_text(name),
			  process_cell(lifecycle, node),
			  cell_text(lifecycle_state_text(label)),
			  cell_integer(node->since_ns),
			  has_end ? cell_integer(end_ns) : CELL_NONE,
		  });
}

/* --- rows --- */

static gint compare_nodes(gconstpointer a, gconstpointer b)
{
	const struct lifecycle_output *left = a;
	const struct lifecycle_output *right = b;
	int order = g_strcmp0(left->name, right->name);

	order = order ? order : compare_integers(left->vpid, right->vpid);
	order = order ? order : compare_integers(left->node->since_ns, right->node->since_ns);
	return order ? order : compare_unsigned(left->node->address, right->node->address);
}

static GArray *nodes_of(const struct lifecycle *lifecycle)
{
	GArray *nodes = g_array_new(FALSE, FALSE, sizeof(struct lifecycle_output));

	for (guint i = 0; i < lifecycle->nodes->len; i++) {
		const struct lifecycle_node *node = lifecycle->nodes->pdata[i];
		const struct lifecycle_output output = {
			.node = node,
			.name = lifecycle_node_name(lifecycle, node),
			.vpid = recording_process(lifecycle->recording, node->process)->vpid,
		};

		if (is_chosen(lifecycle, output.name)) {
			g_array_append_val(nodes, output);
		}
	}
	g_array_sort(nodes, compare_nodes);
	return nodes;
}

static gint compare_states(gconstpointer a, gconstpointer b)
{
	const struct lifecycle_state *left = a;
	const struct lifecycle_state *right = b;
	unsigned int left_order = lifecycle_state_order(lifecycle_state_text(left->label));
	unsigned int right_order = lifecycle_state_order(lifecycle_state_text(right->label));

	return left_order != right_order
		       ? compare_unsigned(left_order, right_order)
		       : strcmp(lifecycle_state_text(left->label), lifecycle_state_text(right->label));
}

/* The states of a node, including the present stay as of now. They live in the arena `statistics`. */
static GArray *states_of(const struct lifecycle *lifecycle, const struct lifecycle_node *node, struct arena *statistics)
{
	GArray *states = g_array_new(FALSE, FALSE, sizeof(struct lifecycle_state));
	const char *label = lifecycle_node_present_state(lifecycle, node);
	int64_t begin_ns = node->since_ns;
	int64_t end_ns = node->has_ended ? node->end_ns : MAX(lifecycle->span->end_ns, node->since_ns);
	struct lifecycle_state present = { .label = label };

	duration_statistics_init(&present.time, statistics);
	if (node->has_state) {
		present.entries = analysis_options_include(lifecycle->options, begin_ns);
		if (lifecycle_clip(lifecycle, &begin_ns, &end_ns)) {
			duration_statistics_add(&present.time, end_ns - begin_ns, begin_ns);
		}
	}
	for (const struct lifecycle_topic *topic = node->stay; topic; topic = topic->next) {
		present.published += topic->count;
	}
	for (const struct lifecycle_state *state = node->states; state; state = state->next) {
		if (state->label == label) {
			present.entries += state->entries;
			present.doubtful += state->doubtful;
			present.published += state->published;
			duration_statistics_add_all(&present.time, &state->time);
		} else {
			g_array_append_val(states, *state);
		}
	}
	g_array_append_val(states, present);
	g_array_sort(states, compare_states);
	return states;
}

static void write_states(const struct lifecycle *lifecycle, struct table_writer *writer,
			 const struct lifecycle_output *output)
{
	struct arena *statistics = arena_create();
	g_autoptr(GArray) states = states_of(lifecycle, output->node, statistics);

	for (guint i = 0; i < states->len; i++) {
		const struct lifecycle_state *state = &g_array_index(states, struct lifecycle_state, i);

		if (state->entries == 0 && state->published == 0 &&
		    duration_statistics_totals(&state->time).count == 0) {
			continue;
		}
		TABLE_ROW(writer, columns,
			  (struct cell[]){
				  cell_text(output->name),
				  process_cell(lifecycle, output->node),
				  cell_text(lifecycle_state_text(state->label)),
				  cell_unsigned(state->entries),
				  cell_statistic(&state->time),
				  cell_unsigned(state->published),
				  cell_unsigned(state->doubtful),
				  host_cell(lifecycle, output->node),
				  which_cell(lifecycle, output->node),
			  });
	}
	arena_destroy(statistics);
}

/* --- publications --- */

static void write_topics(const struct lifecycle *lifecycle, struct table_writer *writer,
			 const struct lifecycle_output *output)
{
	g_autoptr(GArray) topics = lifecycle_topics_of(lifecycle, output->node);

	for (guint i = 0; i < topics->len; i++) {
		const struct lifecycle_topic *topic = &g_array_index(topics, struct lifecycle_topic, i);

		TABLE_ROW(writer, topic_columns,
			  (struct cell[]){
				  cell_text(output->name),
				  process_cell(lifecycle, output->node),
				  cell_text(lifecycle_state_text(topic->state)),
				  cell_text(topic->publisher->topic),
				  cell_unsigned(topic->count),
				  cell_integer(topic->first_ns),
				  host_cell(lifecycle, output->node),
				  which_cell(lifecycle, output->node),
			  });
	}
}

void lifecycle_tables_write(const struct lifecycle *lifecycle, struct table_writer *const *writers)
{
	g_autoptr(GArray) nodes = nodes_of(lifecycle);

	for (guint i = 0; i < nodes->len; i++) {
		const struct lifecycle_output *node = &g_array_index(nodes, struct lifecycle_output, i);

		if (writers[TABLE_LIFECYCLE]) {
			write_states(lifecycle, writers[TABLE_LIFECYCLE], node);
		}
		if (writers[TABLE_LIFECYCLE_PUBLICATIONS]) {
			write_topics(lifecycle, writers[TABLE_LIFECYCLE_PUBLICATIONS], node);
		}
	}
	if (writers[TABLE_LIFECYCLE_FINDINGS]) {
		lifecycle_findings_write(lifecycle, writers[TABLE_LIFECYCLE_FINDINGS], nodes);
	}
}
