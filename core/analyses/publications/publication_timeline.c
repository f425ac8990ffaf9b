/* SPDX-License-Identifier: MIT */
#include "core/analyses/publications/publications.h"

#include "core/analyses/shared/name_choice.h"
#include "core/analyses/timeline/timeline_lanes.h"
#include "core/base/text/hidden_names.h"

#define GAP_PERIODS 2

const struct table_schema publication_track_schema = { .name = "timeline_gap_tracks",
						       .title = "Timeline: rows of the longest gaps",
						       TIMELINE_SCHEMA_TRACKS };
const struct table_schema publication_label_schema = { .name = "timeline_gap_labels",
						       .title = "Timeline: publishers that were silent",
						       TIMELINE_SCHEMA_LABELS };
const struct table_schema publication_event_schema = { .name = "timeline_gap_events",
						       .title = "Timeline: the longest gap of each publisher",
						       TIMELINE_SCHEMA_EVENTS };

/* clang-format off */
#define ROW struct publication_row
static const struct table_column order_columns[] = {
	{ .name = "begin_ns", CELL_OF(period.longest_at_ns) },
	{ .name = "id", CELL_OF(id) },
};

static const struct table_schema gaps = { TABLE("gaps", order_columns), .order = "begin_ns id" };
#undef ROW
/* clang-format on */

static bool is_drawn(const struct analysis_context *context, const struct publication_row *row)
{
	const char *topic = row->publisher->topic;

	return publication_gap_periods(row) > GAP_PERIODS && topic && !name_is_hidden(topic) &&
	       names_are_chosen(context->options, object_model_publisher_node(context->model, row->publisher), topic);
}

/* In order of time. */
static struct row_list *drawn_rows(const struct publications *publications)
{
	const GPtrArray *all = publications->analysis.rows.rows;
	struct row_list *rows = row_list_create(&gaps);

	for (guint i = 0; i < all->len; i++) {
		if (all->pdata[i] && is_drawn(&publications->analysis.context, all->pdata[i])) {
			row_list_add(rows, all->pdata[i]);
		}
	}
	row_list_sort(rows, gaps.order);
	return rows;
}

static void write_label(const struct publications *publications, const struct publication_row *row, uint64_t id,
			struct table_writer *labels)
{
	const struct object_model *model = publications->analysis.context.model;
	g_autofree char *name = g_strdup_printf("no %s", row->publisher->topic);

	timeline_write_label(labels, id, "name", cell_text(name));
	timeline_write_label(labels, id, "category", cell_text("gap"));
	timeline_write_label(labels, id, "node", cell_text(object_model_publisher_node(model, row->publisher)));
	timeline_write_label(labels, id, "periods", cell_real(publication_gap_periods(row)));
	timeline_write_label(labels, id, "publication_id", cell_unsigned(row->id));
}

void publication_timeline_write(const struct publications *publications, struct table_writer *const *writers)
{
	const struct recording *recording = publications->analysis.context.recording;
	g_autoptr(row_list) rows = NULL;
	g_autoptr(GArray) lanes = NULL; /* struct timeline_lanes by index of the process */

	if (!writers[TABLE_PUBLICATION_EVENTS]) {
		return;
	}
	rows = drawn_rows(publications);
	lanes = g_array_new(FALSE, TRUE, sizeof(struct timeline_lanes));
	g_array_set_clear_func(lanes, (GDestroyNotify)timeline_lanes_clear);
	g_array_set_size(lanes, (guint)recording_process_count(recording));
	for (guint i = 0; i < row_list_count(rows); i++) {
		const struct publication_row *row = row_list_at(rows, i);
		int64_t begin_ns = row->period.longest_at_ns, end_ns = begin_ns + row->period.longest_ns;
		uint32_t process = row->publisher->process;
		unsigned int lane =
			timeline_lanes_take(&g_array_index(lanes, struct timeline_lanes, process), begin_ns, end_ns);
		uint64_t track = timeline_id(TIMELINE_SPACE_GAPS, process, lane);
		uint64_t label = timeline_id(TIMELINE_SPACE_GAPS, row->publisher->index, 0);

		if (lane == TIMELINE_LANES_MAX) {
			continue;
		}
		timeline_write_slice(writers[TABLE_PUBLICATION_EVENTS], track, label, begin_ns, end_ns, cell_none(),
				     cell_none(), cell_none());
		timeline_write_track(writers[TABLE_PUBLICATION_TRACKS],
				     &(struct timeline_track){
					     .id = track,
					     .parent = timeline_id(TIMELINE_SPACE_PROCESS, process, 0),
					     .kind = "row",
					     .name = "longest gaps",
					     .rank = recording_thread_count(recording),
				     });
		write_label(publications, row, label, writers[TABLE_PUBLICATION_LABELS]);
	}
}
