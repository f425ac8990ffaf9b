/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_timeline.h"

#include "core/analyses/paths/path_names.h"
#include "core/analyses/timeline/timeline_lanes.h"
#include "core/base/arena_parts.h"
#include "core/base/slots.h"
#include "core/base/text/hidden_names.h"

/* Paths over hidden topics come last. */
#define HIDDEN_RANK (1U << 24)

/* Parts of the ids of labels. */
enum { PART_CALLBACK, PART_MESSAGE };

const struct table_schema path_track_schema = { .name = "timeline_path_tracks",
						.title = "Timeline: rows of paths",
						TIMELINE_SCHEMA_TRACKS };
const struct table_schema path_label_schema = { .name = "timeline_path_labels",
						.title = "Timeline: labels of paths",
						TIMELINE_SCHEMA_LABELS };
const struct table_schema path_event_schema = { .name = "timeline_path_events",
						.title = "Timeline: traversals of paths",
						TIMELINE_SCHEMA_EVENTS };

void path_timeline_init(struct path_timeline *timeline, struct table_writer *events, struct arena *arena)
{
	timeline->events = events;
	timeline->lanes = arena_array(arena, sizeof(struct timeline_lanes));
	g_array_set_clear_func(timeline->lanes, (GDestroyNotify)timeline_lanes_clear);
}

/* --- traversals --- */

static void write_slice(const struct path_timeline *timeline, uint64_t track, uint64_t label, int64_t begin_ns,
			int64_t end_ns)
{
	timeline_write_slice(timeline->events, track, label, begin_ns, end_ns, cell_none(), cell_none(), cell_none());
}

static bool is_in_order(const struct step *last, int64_t end_ns)
{
	for (const struct step *step = last; step; step = step->before) {
		int64_t begin_ns = step->start_ns == NO_TIME ? end_ns : step->start_ns;

		if (begin_ns > end_ns || (step->before && step->publish_ns > begin_ns)) {
			return false;
		}
		end_ns = step->before ? step->publish_ns : begin_ns;
	}
	return true;
}

/* Parts of no duration would end behind the traversal where they are its last. */
static void write_part(const struct path_timeline *timeline, uint64_t track, const struct step *step, unsigned int part,
		       int64_t begin_ns, int64_t end_ns)
{
	if (begin_ns < end_ns) {
		write_slice(timeline, track, timeline_id(TIMELINE_SPACE_PATH_NODE, step->node->index, part), begin_ns,
			    end_ns);
	}
}

static void write_parts(const struct path_timeline *timeline, uint64_t track, const struct step *last, int64_t end_ns)
{
	const struct step *steps[PATH_DEPTH_MAX];
	unsigned int count = 0;

	for (const struct step *step = last; step && count < PATH_DEPTH_MAX; step = step->before) {
		steps[count++] = step;
	}
	while (count-- > 0) {
		const struct step *step = steps[count];
		int64_t next_ns = count > 0 ? steps[count - 1]->publish_ns : end_ns;

		if (step->start_ns == NO_TIME) {
			continue;
		}
		if (step->before) {
			write_part(timeline, track, step, PART_MESSAGE, step->publish_ns, step->start_ns);
		}
		write_part(timeline, track, step, PART_CALLBACK, step->start_ns, next_ns);
	}
}

void path_timeline_add(struct path_timeline *timeline, const struct path *path, const struct step *last, int64_t end_ns)
{
	int64_t origin_ns = last->origin_ns;
	unsigned int lane;
	uint64_t track;

	if (origin_ns > end_ns || (path->node->is_hidden && timeline->events->only_counts_hidden)) {
		return;
	}
	lane = timeline_lanes_take(array_at(timeline->lanes, struct timeline_lanes, path->id), origin_ns, end_ns);
	if (lane == TIMELINE_LANES_MAX) {
		return;
	}
	track = timeline_id(TIMELINE_SPACE_PATH, path->id, lane);
	write_slice(timeline, track, timeline_id(TIMELINE_SPACE_PATH, path->id, 0), origin_ns, end_ns);
	if (is_in_order(last, end_ns)) {
		write_parts(timeline, track, last, end_ns);
	}
}

/* --- names --- */

static void write_label(struct table_writer *labels, uint64_t id, const char *category, const char *name)
{
	timeline_write_label(labels, id, "name", cell_text(name));
	timeline_write_label(labels, id, "category", cell_text(category));
}

static void write_path(const struct path_timeline *timeline, const struct path_tree *tree, const struct path *path,
		       struct table_writer *tracks, struct table_writer *labels)
{
	unsigned int count = timeline_lanes_count(&g_array_index(timeline->lanes, struct timeline_lanes, path->id));
	g_autofree char *name = path_text(tree, path->node);
	uint64_t label = timeline_id(TIMELINE_SPACE_PATH, path->id, 0);

	for (unsigned int lane = 0; lane < count; lane++) {
		timeline_write_track(tracks, &(struct timeline_track){
						     .id = timeline_id(TIMELINE_SPACE_PATH, path->id, lane),
						     .parent = TIMELINE_HEADING_PATHS,
						     .kind = "row",
						     .name = name,
						     .rank = path->id + (name_is_hidden(name) ? HIDDEN_RANK : 0),
					     });
	}
	write_label(labels, label, "path", name);
	timeline_write_label(labels, label, "path_id", cell_unsigned(path->id));
}

void path_timeline_write_names(const struct path_timeline *timeline, const struct path_tree *tree,
			       struct table_writer *tracks, struct table_writer *labels)
{
	timeline_write_track(tracks, &(struct timeline_track){
					     .id = TIMELINE_HEADING_PATHS, .kind = "row", .name = "Paths", .rank = 0 });
	for (guint i = 0; i < tree->all->len; i++) {
		const struct path *path = tree->all->pdata[i];

		if (path->id < timeline->lanes->len) {
			write_path(timeline, tree, path, tracks, labels);
		}
	}
	for (guint i = 0; i < tree->nodes.all->len; i++) {
		const struct path_node *node = tree->nodes.all->pdata[i];
		g_autofree char *name = path_node_name(tree, node);

		write_label(labels, timeline_id(TIMELINE_SPACE_PATH_NODE, i, PART_CALLBACK), "path callback", name);
		write_label(labels, timeline_id(TIMELINE_SPACE_PATH_NODE, i, PART_MESSAGE), "path message",
			    path_node_via(tree, node));
	}
}
