/* SPDX-License-Identifier: MIT */
/*
 * The tables `lifecycle` (a row per state of each lifecycle node), `lifecycle_instances` (a row per transition),
 * `lifecycle_state_instances` (a row per stay in a state), `lifecycle_publications` (what nodes published in which
 * state) and `lifecycle_findings`.
 *
 * rcl_lifecycle_transition is recorded after the state changed. A change of state that a user requests is two such
 * events: into a state such as `configuring`, before the user's function, and out of it with its result; after an error
 * a third one, out of `errorprocessing`. The stay in such a state therefore encloses the user's function. A transition
 * that is not allowed in a state is not recorded, nor is one that a user's function refuses before it begins.
 *
 * - A node is `unconfigured` from its rcl_lifecycle_state_machine_init on. If that was not recorded, nothing is known
 *   before its first transition.
 * - Each transition must begin in the state in which the previous one ended. If not, transitions are missing, and the
 *   state in between is unknown (a row without state). If events may have been lost in between, the stay is doubtful.
 * - A stay counts with its part in the recording (from its first runtime event on) and in the range, an entry if it
 *   lies in the range. The last stay lasts until the end of the recording, unless another state machine gets the
 *   address: no event shows that a node or process ended.
 * - If a recording has no transition at all, the event may not have been enabled: states are unknown.
 * - Publications: rcl_publish or rclcpp_intra_publish, except on /rosout, /parameter_events and the node's
 *   transition_event. A lifecycle publisher that is not activated drops messages without any event.
 *
 *   events → lifecycle.c → lifecycle_nodes.h (states, topics, troubles of each node)
 *             lifecycle_states.h: labels and their order; lifecycle_tables.h, lifecycle_findings.h and
 *             lifecycle_timeline.h: what is written
 *
 * Cost: for each publication in a process with lifecycle nodes, a look-up by hash. Memory: nodes, their states and
 * publishers.
 */
#include <string.h>

#include "core/analyses/lifecycle/lifecycle_tables.h"
#include "core/analyses/lifecycle/lifecycle_timeline.h"
#include "core/base/arena_parts.h"
#include "core/base/slots.h"
#include "core/model/coverage.h"

/* --- transitions --- */

static void add_trouble(struct lifecycle *lifecycle, struct lifecycle_node *node, const char *transition,
			enum lifecycle_result result)
{
	struct lifecycle_trouble **link = &node->troubles;

	while (*link && ((*link)->transition != transition || (*link)->result != result)) {
		link = &(*link)->next;
	}
	if (!*link) {
		*link = arena_take(recording_arena(lifecycle->analysis.context.recording), sizeof(**link));
		(*link)->transition = transition;
		(*link)->result = result;
		(*link)->first_ns = node->since_ns;
	}
	(*link)->count++;
}

/* Ends the stay in the state that the event leaves. */
static void end_stay(struct lifecycle *lifecycle, struct lifecycle_node *node, const char *goal, int64_t time_ns)
{
	enum lifecycle_result result = lifecycle_result_of(node->state, goal);

	lifecycle_tables_write_stay(lifecycle, node, node->state, true, time_ns);
	lifecycle_timeline_add(lifecycle, lifecycle->analysis.writers[TABLE_LIFECYCLE_EVENTS], node, node->state,
			       time_ns);
	if (lifecycle_state_is_transition(node->state)) {
		lifecycle_tables_write_transition(lifecycle, node, goal, time_ns);
		if ((result == LIFECYCLE_FAILURE || result == LIFECYCLE_ERROR) &&
		    analysis_options_include(lifecycle->analysis.context.options, node->since_ns)) {
			add_trouble(lifecycle, node, node->state, result);
		}
	}
	lifecycle_node_end_stay(lifecycle, node, node->state, time_ns);
}

/* The event does not begin in the state in which the last one ended. */
static void break_chain(struct lifecycle *lifecycle, struct lifecycle_node *node, const char *start, const char *goal,
			int64_t time_ns)
{
	node->breaks++;
	lifecycle_tables_write_stay(lifecycle, node, NULL, true, time_ns);
	lifecycle_timeline_add(lifecycle, lifecycle->analysis.writers[TABLE_LIFECYCLE_EVENTS], node, NULL, time_ns);
	if (node->state && lifecycle_state_is_transition(node->state)) {
		lifecycle_tables_write_transition(lifecycle, node, NULL, 0);
	}
	if (lifecycle_state_is_transition(start)) {
		lifecycle_tables_write_end(lifecycle, node, start, goal, time_ns);
	}
	lifecycle_node_end_stay(lifecycle, node, NULL, time_ns);
}

static bool is_copy(const struct lifecycle_node *node, const struct event_record *record, const char *start,
		    const char *goal)
{
	return node->event_goal && node->event_ns == record->time_ns && node->event_start == start &&
	       node->event_goal == goal;
}

/* Between the last one of a node and that of the record. */
static bool may_miss_transitions(const struct lifecycle *lifecycle, const struct event_record *record, int64_t since_ns)
{
	const struct executions *executions = lifecycle->analysis.context.executions;

	return executions_may_miss_events(executions, record->thread, since_ns, record->time_ns) ||
	       coverage_was_off(executions_coverage(executions), since_ns, record->time_ns);
}

static void feed_transition(struct lifecycle *lifecycle, const struct event_record *record, uint32_t process)
{
	const char *start = record_string(record, RCL_LIFECYCLE_TRANSITION__start_label);
	const char *goal = record_string(record, RCL_LIFECYCLE_TRANSITION__goal_label);
	struct lifecycle_node *node;

	if (!start || !goal) {
		return;
	}
	lifecycle->transitions++;
	node = lifecycle_node_at(lifecycle, process, record->word[RCL_LIFECYCLE_TRANSITION__state_machine],
				 record->time_ns);
	if (is_copy(node, record, start, goal)) {
		return;
	}
	node->is_doubtful = node->has_state && may_miss_transitions(lifecycle, record, node->since_ns);
	if (node->has_state && node->state == start && node->since_ns <= record->time_ns) {
		end_stay(lifecycle, node, goal, record->time_ns);
	} else if (node->has_state) {
		break_chain(lifecycle, node, start, goal, record->time_ns);
	} else if (lifecycle_state_is_transition(start)) {
		lifecycle_tables_write_end(lifecycle, node, start, goal, record->time_ns);
	}
	node->has_state = true;
	node->state = goal;
	node->from = start;
	node->since_ns = node->event_ns = record->time_ns;
	node->event_start = start;
	node->event_goal = goal;
}

/* --- publications --- */

static const char *last_part(const char *topic)
{
	const char *slash = strrchr(topic, '/');

	return slash ? slash + 1 : topic;
}

static bool is_of_interest(const struct model_publisher *publisher)
{
	return publisher->topic && strcmp(publisher->topic, "/rosout") != 0 &&
	       strcmp(publisher->topic, "/parameter_events") != 0 &&
	       strcmp(last_part(publisher->topic), "transition_event") != 0;
}

/* The newest lifecycle node with the publisher's node handle. O(lifecycle nodes of the process). */
static struct lifecycle_node *find_node(const struct lifecycle *lifecycle, const struct model_publisher *publisher)
{
	struct lifecycle_node *node = slot_get(lifecycle->by_process, publisher->process);

	while (node && !(node->machine && node->machine->node_handle == publisher->node_handle)) {
		node = node->before;
	}
	return publisher->node_handle ? node : NULL;
}

/* What the publisher publishes in the present stay of its node; NULL: nothing of interest. */
static struct lifecycle_topic *topic_of_publisher(struct lifecycle *lifecycle, const struct model_publisher *publisher)
{
	uint64_t version = object_model_version(lifecycle->analysis.context.model) + 1;
	struct lifecycle_publisher *known =
		array_at(lifecycle->publishers, struct lifecycle_publisher, publisher->index);

	if (G_UNLIKELY(known->version != version)) {
		struct lifecycle_node *node = is_of_interest(publisher) ? find_node(lifecycle, publisher) : NULL;

		known->version = version;
		known->topic = node ? lifecycle_topic_of(lifecycle, &node->stay, publisher, NULL) : NULL;
	}
	return known->topic;
}

/* rcl_publish or rclcpp_intra_publish. The first ignores a publication that went within the process just before. */
static void feed_publication(struct lifecycle *lifecycle, const struct event_record *record, uint32_t process)
{
	bool is_intra = record->kind == EVENT_RCLCPP_INTRA_PUBLISH;
	struct lifecycle_thread this = {
		.publisher_handle = record->word[is_intra ? (int)RCLCPP_INTRA_PUBLISH__publisher_handle
							  : (int)RCL_PUBLISH__publisher_handle],
		.message = record->word[is_intra ? (int)RCLCPP_INTRA_PUBLISH__message : (int)RCL_PUBLISH__message],
	};
	struct lifecycle_thread *last = array_at(lifecycle->threads, struct lifecycle_thread, record->thread);
	bool is_second = !is_intra && last->publisher_handle == this.publisher_handle && last->message == this.message;
	const struct model_publisher *publisher;
	struct lifecycle_topic *topic;

	*last = is_intra ? this : (struct lifecycle_thread){ 0 };
	if (is_second || !analysis_options_include(lifecycle->analysis.context.options, record->time_ns)) {
		return;
	}
	publisher = object_model_find_publisher(lifecycle->analysis.context.model, process, this.publisher_handle,
						record->time_ns);
	topic = publisher ? topic_of_publisher(lifecycle, publisher) : NULL;
	if (topic) {
		lifecycle_topic_add(topic, 1, record->time_ns);
	}
}

/* --- the analysis --- */

static void begin(void *analysis)
{
	struct lifecycle *lifecycle = analysis;

	lifecycle->drawn_states = arena_pointers(analysis_arena(analysis));
	lifecycle->by_machine = arena_pointers(analysis_arena(analysis));
	lifecycle->by_process = arena_pointers(analysis_arena(analysis));
	lifecycle->publishers = arena_array(analysis_arena(analysis), sizeof(struct lifecycle_publisher));
	lifecycle->threads = arena_array(analysis_arena(analysis), sizeof(struct lifecycle_thread));
}

static void feed_definition(struct lifecycle *lifecycle, const struct event_record *record, uint32_t process)
{
	struct model_state_machine *machine = object_model_find_state_machine(
		lifecycle->analysis.context.model, process,
		record->word[RCL_LIFECYCLE_STATE_MACHINE_INIT__state_machine], record_since_ns(record));

	if (machine) {
		lifecycle_node_of(lifecycle, machine);
	}
}

static void feed(void *analysis, const struct event_record *record)
{
	struct lifecycle *lifecycle = analysis;
	uint32_t process = recording_thread(lifecycle->analysis.context.recording, record->thread)->process;

	switch (record->kind) {
	case EVENT_RCL_LIFECYCLE_STATE_MACHINE_INIT:
		feed_definition(lifecycle, record, process);
		break;
	case EVENT_RCL_LIFECYCLE_TRANSITION:
		feed_transition(lifecycle, record, process);
		break;
	case EVENT_RCLCPP_INTRA_PUBLISH:
	case EVENT_RCL_PUBLISH:
		if (slot_get(lifecycle->by_process, process)) {
			feed_publication(lifecycle, record, process);
		}
		break;
	default:
		break;
	}
}

/* Writes the stays that have not ended. */
static void finish(void *analysis)
{
	struct lifecycle *lifecycle = analysis;

	for (guint i = 0; i < lifecycle_node_count(lifecycle); i++) {
		const struct lifecycle_node *node = lifecycle_node(lifecycle, i);
		const char *label = lifecycle->transitions > 0 ? node->state : NULL;

		if (!node->has_state) {
			continue;
		}
		lifecycle_tables_write_stay(lifecycle, node, label, node->has_ended, node->end_ns);
		if (node->has_ended) {
			lifecycle_timeline_add(lifecycle, lifecycle->analysis.writers[TABLE_LIFECYCLE_EVENTS], node,
					       label, node->end_ns);
		}
		if (label && lifecycle_state_is_transition(label)) {
			lifecycle_tables_write_transition(lifecycle, node, NULL, 0);
		}
	}
}

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	const struct lifecycle *lifecycle = analysis;

	if (lifecycle->transitions == 0) {
		diagnostics_add(findings, DIAGNOSTIC_STATE_UNKNOWN, "no ros2:rcl_lifecycle_transition was recorded",
				lifecycle_node_count(lifecycle));
		return;
	}
	for (guint i = 0; i < lifecycle_node_count(lifecycle); i++) {
		const struct lifecycle_node *node = lifecycle_node(lifecycle, i);
		g_autofree char *process = recording_process_text(lifecycle->analysis.context.recording, node->process);
		const char *name = lifecycle_node_name(lifecycle, node);

		diagnostics_add(findings, DIAGNOSTIC_STATE_UNKNOWN, name ? name : process, node->breaks);
	}
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	lifecycle_tables_write(analysis, writers);
	if (writers[TABLE_LIFECYCLE_EVENTS]) {
		lifecycle_timeline_write(analysis, writers[TABLE_LIFECYCLE_EVENTS], writers[TABLE_LIFECYCLE_TRACKS],
					 writers[TABLE_LIFECYCLE_LABELS]);
	}
}

const struct analysis_class lifecycle_analysis = {
	.name = "lifecycle",
	.tables = lifecycle_tables,
	.kinds = (const enum event_kind[]){ EVENT_RCL_LIFECYCLE_STATE_MACHINE_INIT, EVENT_RCL_LIFECYCLE_TRANSITION,
					    EVENT_RCLCPP_INTRA_PUBLISH, EVENT_RCL_PUBLISH, EVENT_KIND_COUNT },
	.needs = ANALYSIS_NEEDS_EXECUTIONS,
	.size = sizeof(struct lifecycle),
	.row_size = sizeof(struct lifecycle_node),
	.begin = begin,
	.feed = feed,
	.finish = finish,
	.diagnose = diagnose,
	.write = write_tables,
};
