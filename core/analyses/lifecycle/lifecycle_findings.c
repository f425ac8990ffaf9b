/* SPDX-License-Identifier: MIT */
#include "core/analyses/lifecycle/lifecycle_findings.h"

#include <string.h>

#include "core/tables/row_list.h"

#define SUMMARY_FINDINGS 3

/* The worst first. */
enum severity {
	FINDING_ERROR,
	FINDING_FAILURE,
	FINDING_PUBLISHED,
};

struct finding {
	enum severity severity;
	const char *node;
	char *what; /* of the list */
	uint64_t count;
	int64_t first_ns;
};

/* clang-format off */
#define ROW struct finding
static const struct table_column finding_columns[] = {
	{ .name = "node", .means = MEANS_NODE, .format = COLUMN_NAME, CELL_OF(node) },
	{ .name = "what", .format = COLUMN_NAME, CELL_OF(what) },
	{ .name = "count", .label = "times", CELL_OF(count) },
	{ .name = "first_ns", .label = "first at", .format = COLUMN_MOMENT, CELL_OF(first_ns) },
};

static const struct table_column order_columns[] = {
	{ .name = "severity", CELL_OF(severity) },
};

const struct table_schema lifecycle_finding_schema = {
	TABLE("lifecycle_findings", finding_columns), .title = "Lifecycle nodes", .selection = "lifecycle", .kind = KIND_SUMMARY, .place = 5,
	.order = "severity -count node what first_ns", UNWRITTEN(order_columns),
};
#undef ROW
/* clang-format on */

static void add(struct row_list *findings, const struct finding *finding)
{
	row_list_keep(findings, finding->what);
	*(struct finding *)row_list_make(findings) = *finding;
}

static void add_troubles(struct row_list *findings, const struct lifecycle_output *output)
{
	for (const struct lifecycle_trouble *trouble = output->node->troubles; trouble; trouble = trouble->next) {
		bool is_error = trouble->result == LIFECYCLE_ERROR;

		add(findings, &(struct finding){
				      .severity = is_error ? FINDING_ERROR : FINDING_FAILURE,
				      .node = output->name,
				      .what = g_strdup_printf("%s %s", trouble->transition,
							      is_error ? "ended in an error" : "failed"),
				      .count = trouble->count,
				      .first_ns = trouble->first_ns,
			      });
	}
}

/* Publications while the node was not active, transitions left out: by a publisher that is not managed. */
static void add_publications(struct row_list *findings, const struct lifecycle *lifecycle,
			     const struct lifecycle_output *output)
{
	g_autoptr(GArray) topics = lifecycle_topics_of(lifecycle, output->node);

	for (guint i = 0; i < topics->len; i++) {
		const struct lifecycle_topic *topic = &g_array_index(topics, struct lifecycle_topic, i);

		if (topic->state && strcmp(topic->state, LIFECYCLE_ACTIVE_STATE) != 0 &&
		    !lifecycle_state_is_transition(topic->state)) {
			add(findings, &(struct finding){
					      .severity = FINDING_PUBLISHED,
					      .node = output->name,
					      .what = g_strdup_printf("published %s while %s", topic->publisher->topic,
								      topic->state),
					      .count = topic->count,
					      .first_ns = topic->first_ns,
				      });
		}
	}
}

void lifecycle_findings_write(const struct lifecycle *lifecycle, struct table_writer *writer, const GArray *nodes)
{
	g_autoptr(row_list) findings = analysis_rows(&lifecycle->analysis, &lifecycle_finding_schema);

	for (guint i = 0; i < nodes->len; i++) {
		add_troubles(findings, &g_array_index(nodes, struct lifecycle_output, i));
		add_publications(findings, lifecycle, &g_array_index(nodes, struct lifecycle_output, i));
	}
	row_list_write_first(findings, SUMMARY_FINDINGS, writer);
}
