/* SPDX-License-Identifier: MIT */
#include "core/analyses/lifecycle/lifecycle_tables.h"

#include "core/analyses/lifecycle/lifecycle_findings.h"
#include "core/analyses/lifecycle/lifecycle_timeline.h"
#include "core/analyses/shared/columns.h"
#include "core/tables/row_list.h"

/* What rows of states and of publications begin with. */
struct state_of_node {
	struct lifecycle_output of;
	const char *state;
	unsigned int rank; /* lifecycle_state_order() */
};

/* clang-format off */
#define ROW struct state_of_node
static const struct table_column order_columns[] = {
	{ .name = "since_ns", CELL_VIA(of.node, since_ns) },
	{ .name = "address", CELL_VIA(of.node, address) },
	{ .name = "rank", .means = MEANS_RANK, CELL_OF(rank) },
};
#undef ROW

#define ORDER "node vpid since_ns address rank state"

struct state_row {
	struct state_of_node state;
	struct lifecycle_state counts;
};

#define ROW struct state_row
static const struct table_column columns[] = {
	{ .name = "node", .means = MEANS_NODE, .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP,
	  CELL_OF(state.of.name) },
	{ COLUMN_IS_PROCESS("vpid"), CELL_OF(state.of.process.vpid) },
	{ .name = "state", .means = MEANS_STATE, .merge = COLUMN_MERGE_KEY, CELL_OF(state.state) },
	{ .name = "entries", .merge = COLUMN_MERGE_SUM, CELL_OF(counts.entries) },
	{ .name = "time", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_OF(counts.time) },
	{ .name = "published", .merge = COLUMN_MERGE_SUM, CELL_OF(counts.published) },
	{ .name = "doubtful", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN, CELL_OF(counts.doubtful) },
	{ COLUMN_IS_HOST("hostname", "on"), CELL_OF(state.of.process.hostname) },
	{ COLUMN_IS_WHICH("which", "which"), CELL_OF(state.of.which) },
};

static const struct table_schema schema = {
	TABLE("lifecycle", columns), .title = "Lifecycle: time in each state", .selection = "lifecycle",
	.presence = PRESENT_IF_ANY, .why_empty = "needs lifecycle nodes, see docs/lifecycle.md", .is_of_processes = true,
	.order = ORDER, UNWRITTEN(order_columns),
};
#undef ROW

struct topic_row {
	struct state_of_node state;
	struct lifecycle_topic topic;
};

#define ROW struct topic_row
static const struct table_column topic_columns[] = {
	{ .name = "node", .means = MEANS_NODE, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  CELL_OF(state.of.name) },
	{ COLUMN_IS_PROCESS("vpid"), CELL_OF(state.of.process.vpid) },
	{ .name = "state", .means = MEANS_STATE, .merge = COLUMN_MERGE_KEY, CELL_OF(state.state) },
	{ .name = "topic", .means = MEANS_TOPIC, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  CELL_VIA(topic.publisher, topic) },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, CELL_OF(topic.count) },
	{ .name = "first_ns", .label = "first", .format = COLUMN_MOMENT, CELL_OF(topic.first_ns) },
	{ COLUMN_IS_HOST("hostname", "on"), CELL_OF(state.of.process.hostname) },
	{ COLUMN_IS_WHICH("which", "which"), CELL_OF(state.of.which) },
};

static const struct table_schema topic_schema = {
	TABLE("lifecycle_publications", topic_columns), .title = "Lifecycle: what nodes published in each state",
	.selection = "lifecycle", .presence = PRESENT_IF_ANY,
	.why_empty = "needs lifecycle nodes that publish, see docs/lifecycle.md", .is_of_processes = true,
	.order = ORDER " topic first_ns", UNWRITTEN(order_columns),
};
#undef ROW

struct transition {
	struct cell node, vpid, from, to, start, end, result, transition, doubtful;
};

#define ROW struct transition
static const struct table_column transition_columns[] = {
	{ .name = "node", .means = MEANS_NODE, CELL_OF(node) },
	{ .name = "vpid", .means = MEANS_PROCESS, CELL_OF(vpid) },
	{ .name = "from_state", .cells = CELL_TEXT, CELL_OF(from) },
	{ .name = "to_state", .cells = CELL_TEXT, CELL_OF(to) },
	{ .name = "start_ns", .format = COLUMN_TIME, CELL_OF(start) },
	{ .name = "end_ns", .format = COLUMN_TIME, CELL_OF(end) },
	{ .name = "result", .means = MEANS_STATE, CELL_OF(result) },
	{ .name = "transition", .cells = CELL_TEXT, CELL_OF(transition) },
	{ .name = "doubtful", CELL_OF(doubtful) },
};

static const struct table_schema transition_schema = {
	TABLE_OF_CELLS("lifecycle_instances", transition_columns), .title = "Transitions of lifecycle nodes",
	.selection = "lifecycle", .kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW

struct stay {
	struct cell node, vpid, state, start, end;
};

#define ROW struct stay
static const struct table_column stay_columns[] = {
	{ .name = "node", .means = MEANS_NODE, CELL_OF(node) },
	{ .name = "vpid", .means = MEANS_PROCESS, CELL_OF(vpid) },
	{ .name = "state", .means = MEANS_STATE, CELL_OF(state) },
	{ .name = "start_ns", .format = COLUMN_TIME, CELL_OF(start) },
	{ .name = "end_ns", .format = COLUMN_TIME, CELL_OF(end) },
};

static const struct table_schema stay_schema = {
	TABLE_OF_CELLS("lifecycle_state_instances", stay_columns), .title = "States of lifecycle nodes",
	.selection = "lifecycle", .kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW
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

static struct cell process_cell(const struct lifecycle *lifecycle, const struct lifecycle_node *node)
{
	return vpid_cell(recording_process(lifecycle->analysis.context.recording, node->process));
}

/* --- instances --- */

/* Writes an instance that a node had at a time, if the report is about both. */
static void write_instance(const struct lifecycle *lifecycle, struct table_writer *writer,
			   const struct table_schema *instances, const void *instance, int64_t time_ns)
{
	const struct analysis_options *options = lifecycle->analysis.context.options;

	if (analysis_options_include(options, time_ns) && row_is_chosen(&options->names, instances, instance)) {
		row_write(writer, instances, instance);
	}
}

void lifecycle_tables_write_transition(const struct lifecycle *lifecycle, const struct lifecycle_node *node,
				       const char *goal, int64_t end_ns)
{
	enum lifecycle_result result = goal ? lifecycle_result_of(node->state, goal) : LIFECYCLE_RESULT_UNKNOWN;

	write_instance(lifecycle, lifecycle->analysis.writers[TABLE_LIFECYCLE_INSTANCES], &transition_schema,
		       &(struct transition){
			       .node = cell_text(lifecycle_node_name(lifecycle, node)),
			       .vpid = process_cell(lifecycle, node),
			       .from = cell_text(node->from),
			       .to = cell_text(goal),
			       .start = cell_integer(node->since_ns),
			       .end = goal ? cell_integer(end_ns) : CELL_NONE,
			       .result = cell_text(lifecycle_result_name(result)),
			       .transition = cell_text(node->state),
			       .doubtful = cell_integer(node->is_doubtful),
		       },
		       node->since_ns);
}

void lifecycle_tables_write_end(const struct lifecycle *lifecycle, const struct lifecycle_node *node, const char *label,
				const char *goal, int64_t end_ns)
{
	write_instance(lifecycle, lifecycle->analysis.writers[TABLE_LIFECYCLE_INSTANCES], &transition_schema,
		       &(struct transition){
			       .node = cell_text(lifecycle_node_name(lifecycle, node)),
			       .vpid = process_cell(lifecycle, node),
			       .to = cell_text(goal),
			       .end = cell_integer(end_ns),
			       .result = cell_text(lifecycle_result_name(lifecycle_result_of(label, goal))),
			       .transition = cell_text(label),
			       .doubtful = cell_integer(node->is_doubtful),
		       },
		       end_ns);
}

void lifecycle_tables_write_stay(const struct lifecycle *lifecycle, const struct lifecycle_node *node,
				 const char *label, bool has_end, int64_t end_ns)
{
	write_instance(lifecycle, lifecycle->analysis.writers[TABLE_LIFECYCLE_STATE_INSTANCES], &stay_schema,
		       &(struct stay){
			       .node = cell_text(lifecycle_node_name(lifecycle, node)),
			       .vpid = process_cell(lifecycle, node),
			       .state = cell_text(lifecycle_state_text(label)),
			       .start = cell_integer(node->since_ns),
			       .end = has_end ? cell_integer(end_ns) : CELL_NONE,
		       },
		       node->since_ns);
}

/* --- rows --- */

static GArray *nodes_of(const struct lifecycle *lifecycle)
{
	const struct analysis_context *context = &lifecycle->analysis.context;
	GArray *nodes = g_array_new(FALSE, FALSE, sizeof(struct lifecycle_output));

	for (guint i = 0; i < lifecycle_node_count(lifecycle); i++) {
		const struct lifecycle_node *node = lifecycle_node(lifecycle, i);
		const struct model_state_machine *machine = node->machine;
		const struct lifecycle_output output = {
			.node = node,
			.name = lifecycle_node_name(lifecycle, node),
			.process = row_process_of(context->recording, node->process),
			.which = machine ? object_numbers_cell(context->numbers, MODEL_STATE_MACHINE, &machine->object)
					 : CELL_NONE,
		};

		g_array_append_val(nodes, output);
	}
	return nodes;
}

static struct state_of_node state_of(const struct lifecycle_output *output, const char *label)
{
	const char *state = lifecycle_state_text(label);

	return (struct state_of_node){ *output, state, lifecycle_state_order(state) };
}

static void add_state(struct row_list *rows, const struct lifecycle_output *output, const struct lifecycle_state *state)
{
	if (state->entries > 0 || state->published > 0 || duration_statistics_count(&state->time) > 0) {
		*(struct state_row *)row_list_make(rows) = (struct state_row){ state_of(output, state->label), *state };
	}
}

/* Including the present stay as of now, whose statistics live in the arena. */
static void add_states(const struct lifecycle *lifecycle, struct row_list *rows, const struct lifecycle_output *output,
		       struct arena *statistics)
{
	const struct lifecycle_node *node = output->node;
	const char *label = lifecycle_node_present_state(lifecycle, node);
	int64_t begin_ns = node->since_ns;
	int64_t end_ns = node->has_ended ? node->end_ns : MAX(lifecycle->analysis.context.span->end_ns, node->since_ns);
	struct lifecycle_state present = { .label = label };

	duration_statistics_init(&present.time, statistics);
	if (node->has_state) {
		present.entries = analysis_options_include(lifecycle->analysis.context.options, begin_ns);
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
			add_state(rows, output, state);
		}
	}
	add_state(rows, output, &present);
}

static void add_topics(const struct lifecycle *lifecycle, struct row_list *rows, const struct lifecycle_output *output)
{
	g_autoptr(GArray) topics = lifecycle_topics_of(lifecycle, output->node);

	for (guint i = 0; i < topics->len; i++) {
		const struct lifecycle_topic *topic = &g_array_index(topics, struct lifecycle_topic, i);

		*(struct topic_row *)row_list_make(rows) = (struct topic_row){ state_of(output, topic->state), *topic };
	}
}

static void write_rows(const struct lifecycle *lifecycle, const GArray *nodes, struct table_writer *const *writers)
{
	struct arena *statistics = arena_create();
	g_autoptr(row_list) states = analysis_rows(&lifecycle->analysis, &schema);
	g_autoptr(row_list) topics = analysis_rows(&lifecycle->analysis, &topic_schema);

	for (guint i = 0; i < nodes->len; i++) {
		const struct lifecycle_output *node = &g_array_index(nodes, struct lifecycle_output, i);

		add_states(lifecycle, states, node, statistics);
		add_topics(lifecycle, topics, node);
	}
	row_list_write(states, writers[TABLE_LIFECYCLE]);
	row_list_write(topics, writers[TABLE_LIFECYCLE_PUBLICATIONS]);
	arena_destroy(statistics);
}

void lifecycle_tables_write(const struct lifecycle *lifecycle, struct table_writer *const *writers)
{
	GArray *nodes = nodes_of(lifecycle);

	write_rows(lifecycle, nodes, writers);
	lifecycle_findings_write(lifecycle, writers[TABLE_LIFECYCLE_FINDINGS], nodes);
	g_array_unref(nodes);
}
