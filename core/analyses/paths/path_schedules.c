/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_schedules.h"

#include "core/analyses/paths/path_names.h"
#include "core/analyses/shared/path_columns.h"
#include "core/analyses/shared/schedule_text.h"
#include "core/base/text/hidden_names.h"
#include "core/base/text/human_text.h"
#include "core/model/execution_schedules.h"

struct hop_row {
	uint32_t path_id;
	struct row_hop hop;
	struct cell start, middleware, wakeup, queue;
	struct cell states[THREAD_STATES];
	const char *why;
};

/* clang-format off */
#define ROW struct hop_row
static const struct table_column columns[] = {
	{ .name = "path_id", .id_of = "paths", .role = COLUMN_ROLE_HIDDEN, CELL_OF(path_id) },
	COLUMNS_OF_HOP(hop),
	{ .name = "start_ns", .label = "at", .format = COLUMN_MOMENT, CELL_OF(start) },
	{ .name = "middleware_ns", .label = "middleware", .format = COLUMN_DURATION, CELL_OF(middleware) },
	{ .name = "wakeup_ns", .label = "wake-up", .format = COLUMN_DURATION, CELL_OF(wakeup) },
	{ .name = "queue_ns", .label = "queue", .format = COLUMN_DURATION, CELL_OF(queue) },
	{ .name = "on_cpu_ns", .label = "on CPU", .format = COLUMN_DURATION, CELL_OF(states[THREAD_RUNNING]) },
	{ .name = "preempted_ns", .label = "preempted", .format = COLUMN_DURATION, CELL_OF(states[THREAD_PREEMPTED]) },
	{ .name = "woken_ns", .label = "woken", .format = COLUMN_DURATION, CELL_OF(states[THREAD_WOKEN]) },
	{ .name = "blocked_ns", .label = "blocked", .format = COLUMN_DURATION, CELL_OF(states[THREAD_BLOCKED]) },
	{ .name = "unknown_ns", .label = "unknown", .format = COLUMN_DURATION, .hints = HINT_ONLY_IF_ANY,
	  CELL_OF(states[THREAD_UNKNOWN]) },
	{ .name = "why", .role = COLUMN_ROLE_HIDDEN, CELL_OF(why) },
};

const struct table_schema path_schedule_schema = {
	TABLE("path_hop_scheduling", columns), .title = "Where the time of the slowest traversal goes",
	.selection = "scheduling", .is_of_kernel = true, .kind = KIND_DETAIL, .parent = "paths", .presence = PRESENT_IF_ANY,
};
#undef ROW
/* clang-format on */

static const struct table_column why_columns[] = { { .name = "why" } };

const struct table_schema path_why_schema = {
	.name = "why_paths",
	.title = "Why",
	.selection = "scheduling",
	.is_of_kernel = true,
	.kind = KIND_SUMMARY,
	.place = 5,
	.columns = why_columns,
	.column_count = G_N_ELEMENTS(why_columns),
};

/* What is known of a hop. */
struct hop_schedule {
	const struct path_node *node;
	bool is_known;
	int64_t publish_ns; /* not of the first hop */
	struct execution_schedule execution;
};

/* The slowest traversal of a path, by depth. */
struct path_schedule {
	int64_t origin_ns, end_ns;
	bool is_known; /* at least one hop */
	struct hop_schedule hops[];
};

static struct path_schedule *schedule_of(const struct path_tree *tree, struct path *path)
{
	if (!path->schedule) {
		path->schedule = arena_take(recording_arena(tree->recording),
					    sizeof(*path->schedule) +
						    (path->node->depth + 1U) * sizeof(path->schedule->hops[0]));
	}
	return path->schedule;
}

static const struct execution_schedule *execution_of(const struct execution_schedules *schedules,
						     const struct step *step)
{
	return step->node->callback && step->start_ns != NO_TIME
		       ? execution_schedules_find(schedules, step->node->callback, step->start_ns)
		       : NULL;
}

/* Without events of the kernel it is of none. */
static bool is_known_of_any(const struct execution_schedules *schedules, const struct step *last)
{
	for (const struct step *step = last; step; step = step->before) {
		if (execution_of(schedules, step)) {
			return true;
		}
	}
	return false;
}

void path_schedules_note(const struct path_tree *tree, const struct execution_schedules *schedules, struct path *path,
			 const struct step *last, int64_t end_ns)
{
	struct path_schedule *schedule;

	if (!path->schedule && !is_known_of_any(schedules, last)) {
		return;
	}
	schedule = schedule_of(tree, path);
	schedule->origin_ns = last->origin_ns;
	schedule->end_ns = end_ns;
	schedule->is_known = false;
	for (const struct step *step = last; step; step = step->before) {
		struct hop_schedule *hop = &schedule->hops[step->node->depth];
		const struct execution_schedule *execution = execution_of(schedules, step);

		*hop = (struct hop_schedule){ .node = step->node, .publish_ns = step->publish_ns };
		if (execution) {
			hop->is_known = schedule->is_known = true;
			hop->execution = *execution;
		}
	}
}

enum hop_part {
	HOP_MIDDLEWARE,
	HOP_WAKEUP,
	HOP_QUEUE,
	HOP_STATES, /* enum thread_state follows */
	HOP_PARTS = HOP_STATES + THREAD_STATES,
};

/* Whether its thread waited when the message was published, until it was woken. */
static bool waits_at_publication(const struct hop_schedule *hop)
{
	const struct thread_wakeup *wakeup = &hop->execution.wakeup;

	return wakeup->is_known && wakeup->blocked_since_ns <= hop->publish_ns && wakeup->waking_ns >= hop->publish_ns;
}

static void split(const struct hop_schedule *hop, int64_t parts_ns[HOP_PARTS])
{
	const struct thread_wakeup *wakeup = &hop->execution.wakeup;
	int64_t start_ns = hop->execution.start_ns;
	int64_t since_ns = hop->publish_ns;

	parts_ns[HOP_MIDDLEWARE] = parts_ns[HOP_WAKEUP] = parts_ns[HOP_QUEUE] = 0;
	if (hop->node->depth > 0) {
		if (wakeup->is_known && wakeup->waking_ns >= since_ns && wakeup->switch_in_ns <= start_ns) {
			parts_ns[HOP_MIDDLEWARE] = waits_at_publication(hop) ? wakeup->waking_ns - since_ns : 0;
			parts_ns[HOP_WAKEUP] = wakeup->switch_in_ns - wakeup->waking_ns;
		}
		parts_ns[HOP_QUEUE] = start_ns - since_ns - parts_ns[HOP_MIDDLEWARE] - parts_ns[HOP_WAKEUP];
	}
	for (int state = 0; state < THREAD_STATES; state++) {
		parts_ns[HOP_STATES + state] = hop->execution.account.time_ns[state];
	}
}

static void write_hop(const struct path_tree *tree, struct table_writer *writer, const struct path *path,
		      const struct hop_schedule *hop)
{
	g_autofree char *name = path_node_name(tree, hop->node);
	g_autofree char *why = hop->is_known ? schedule_text(&hop->execution) : NULL;
	int64_t parts_ns[HOP_PARTS] = { 0 };
	bool is_known = hop->is_known, has_message = is_known && hop->node->depth > 0;
	struct hop_row row = {
		.path_id = path->id,
		.hop = { hop->node->depth, hop->node->depth > 0 ? path_node_via(tree, hop->node) : NULL, name },
		.start = is_known ? cell_integer(hop->execution.start_ns) : CELL_NONE,
		.why = why,
	};

	split(hop, parts_ns);
	if (has_message) {
		row.middleware = waits_at_publication(hop) ? cell_integer(parts_ns[HOP_MIDDLEWARE]) : CELL_NONE;
		row.wakeup = cell_integer(parts_ns[HOP_WAKEUP]);
		row.queue = cell_integer(parts_ns[HOP_QUEUE]);
	}
	for (int state = 0; is_known && state < THREAD_STATES; state++) {
		row.states[state] = cell_integer(parts_ns[HOP_STATES + state]);
	}
	row_write(writer, &path_schedule_schema, &row);
}

/* --- the line --- */

#define WHY_PARTS 3

/* "in the queue of /sink" */
static const char *const part_texts[HOP_PARTS] = {
	[HOP_MIDDLEWARE] = "in the middleware before",
	[HOP_WAKEUP] = "until a CPU was free for",
	[HOP_QUEUE] = "in the queue of",
	[HOP_STATES + THREAD_UNKNOWN] = "unknown in",
	[HOP_STATES + THREAD_RUNNING] = "on CPU in",
	[HOP_STATES + THREAD_PREEMPTED] = "preempted in",
	[HOP_STATES + THREAD_WOKEN] = "woken and waiting for a CPU in",
	[HOP_STATES + THREAD_BLOCKED] = "blocked in",
};

struct why_part {
	int64_t time_ns;
	const char *text;
	const struct path_node *node;
};

/* Puts it in its place among those of the longest time. */
static void add_part(struct why_part parts[WHY_PARTS], struct why_part part)
{
	for (size_t i = 0; i < WHY_PARTS; i++) {
		if (part.time_ns > parts[i].time_ns) {
			struct why_part less = parts[i];

			parts[i] = part;
			part = less;
		}
	}
}

static void find_parts(const struct path *path, struct why_part parts[WHY_PARTS])
{
	for (unsigned int i = 0; i <= path->node->depth; i++) {
		const struct hop_schedule *hop = &path->schedule->hops[i];
		int64_t parts_ns[HOP_PARTS] = { 0 };

		if (!hop->is_known) {
			continue;
		}
		split(hop, parts_ns);
		for (int part = 0; part < HOP_PARTS; part++) {
			add_part(parts, (struct why_part){ parts_ns[part], part_texts[part], hop->node });
		}
	}
}

static void write_why(const struct path_tree *tree, struct table_writer *writer, const struct path *path,
		      int64_t begin_ns)
{
	const struct path_schedule *schedule = path->schedule;
	struct why_part parts[WHY_PARTS] = { { 0 } };
	char at[HUMAN_TEXT_SIZE], took[HUMAN_TEXT_SIZE];
	g_autofree char *text = path_text(tree, path->node);
	g_autoptr(GString) line = g_string_new(text);

	find_parts(path, parts);
	g_string_append_printf(line, " at %s took %s", human_text_moment(at, schedule->origin_ns - begin_ns),
			       human_text_duration(took, schedule->end_ns - schedule->origin_ns));
	for (size_t i = 0; i < WHY_PARTS && parts[i].time_ns > 0; i++) {
		g_autofree char *name = path_node_name(tree, parts[i].node);
		char buffer[HUMAN_TEXT_SIZE];

		g_string_append_printf(line, "%s %s %s %s", i == 0 ? ":" : ",",
				       human_text_duration(buffer, parts[i].time_ns), parts[i].text, name);
	}
	TABLE_ROW(writer, why_columns, (struct cell[]){ cell_text(line->str) });
}

static bool is_hidden(const struct path_tree *tree, const struct path *path)
{
	g_autofree char *text = path_text(tree, path->node);

	return name_is_hidden(text);
}

void path_schedules_write(const struct path_tree *tree, struct table_writer *hops, struct table_writer *why,
			  int64_t begin_ns)
{
	const struct path *slowest = NULL;

	for (guint i = 0; i < tree->all->len; i++) {
		const struct path *path = tree->all->pdata[i];

		if (!path->schedule || !path->schedule->is_known || !path_is_chosen(tree, path->node)) {
			continue;
		}
		for (unsigned int hop = 0; hops && hop <= path->node->depth; hop++) {
			write_hop(tree, hops, path, &path->schedule->hops[hop]);
		}
		if ((!slowest || path->latency.longest_ns > slowest->latency.longest_ns) && !is_hidden(tree, path)) {
			slowest = path;
		}
	}
	if (why && slowest) {
		write_why(tree, why, slowest, begin_ns);
	}
}
