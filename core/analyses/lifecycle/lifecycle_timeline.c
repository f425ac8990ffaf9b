/* SPDX-License-Identifier: MIT */
#include "core/analyses/lifecycle/lifecycle_timeline.h"

#include "core/analyses/shared/name_choice.h"

/* Parts of the ids. */
enum { PART_TRACK, PART_LABEL };

const struct table_schema lifecycle_track_schema = { .name = "timeline_lifecycle_tracks",
						     .title = "Timeline: rows of lifecycle nodes",
						     TIMELINE_SCHEMA_TRACKS };
const struct table_schema lifecycle_label_schema = { .name = "timeline_lifecycle_labels",
						     .title = "Timeline: states of lifecycle nodes",
						     TIMELINE_SCHEMA_LABELS };
const struct table_schema lifecycle_event_schema = { .name = "timeline_lifecycle_events",
						     .title = "Timeline: stays in states",
						     TIMELINE_SCHEMA_EVENTS };

static uint64_t track_of(const struct lifecycle_node *node)
{
	return timeline_id(TIMELINE_SPACE_LIFECYCLE, node->index, PART_TRACK);
}

/* States are few: rcl_lifecycle has ten. */
static uint64_t label_of(const struct lifecycle *lifecycle, const char *state)
{
	guint index;

	if (!g_ptr_array_find(lifecycle->drawn_states, state, &index)) {
		index = lifecycle->drawn_states->len;
		g_ptr_array_add(lifecycle->drawn_states, (gpointer)state);
	}
	return timeline_id(TIMELINE_SPACE_LIFECYCLE, index, PART_LABEL);
}

void lifecycle_timeline_add(const struct lifecycle *lifecycle, struct table_writer *events,
			    const struct lifecycle_node *node, const char *label, int64_t end_ns)
{
	const char *name = lifecycle_node_name(lifecycle, node);
	int64_t begin_ns = node->since_ns;

	if (events && node_is_chosen(lifecycle->analysis.context.options, name) &&
	    lifecycle_clip(lifecycle, &begin_ns, &end_ns)) {
		timeline_write_slice(events, track_of(node), label_of(lifecycle, label), begin_ns, end_ns, cell_none(),
				     cell_none(), cell_none());
	}
}

static void write_track(const struct lifecycle *lifecycle, const struct lifecycle_node *node,
			struct table_writer *tracks)
{
	const char *name = lifecycle_node_name(lifecycle, node);
	g_autofree char *title = g_strdup_printf("%s lifecycle", name ? name : "?");

	timeline_write_track(tracks, &(struct timeline_track){
					     .id = track_of(node),
					     .parent = timeline_id(TIMELINE_SPACE_PROCESS, node->process, 0),
					     .kind = "row",
					     .name = title,
					     .rank = node->index,
				     });
}

void lifecycle_timeline_write(const struct lifecycle *lifecycle, struct table_writer *events,
			      struct table_writer *tracks, struct table_writer *labels)
{
	for (guint i = 0; i < lifecycle_node_count(lifecycle); i++) {
		const struct lifecycle_node *node = lifecycle_node(lifecycle, i);

		if (node->has_state && !node->has_ended) {
			lifecycle_timeline_add(lifecycle, events, node, lifecycle_node_present_state(lifecycle, node),
					       lifecycle->analysis.context.span->end_ns);
		}
		write_track(lifecycle, node, tracks);
	}
	for (guint i = 0; i < lifecycle->drawn_states->len; i++) {
		uint64_t id = timeline_id(TIMELINE_SPACE_LIFECYCLE, i, PART_LABEL);

		timeline_write_label(labels, id, "name",
				     cell_text(lifecycle_state_text(lifecycle->drawn_states->pdata[i])));
		timeline_write_label(labels, id, "category", cell_text("lifecycle"));
	}
}
