/* SPDX-License-Identifier: MIT */
#include "core/analyses/lifecycle/lifecycle_findings.h"

#include <string.h>

#include "core/base/compare_numbers.h"

#define SUMMARY_FINDINGS 3

static const struct table_column finding_columns[] = {
	{ .name = "node", .format = COLUMN_NAME },
	{ .name = "what", .format = COLUMN_NAME },
	{ .name = "count", .label = "times" },
	{ .name = "first_ns", .label = "first at", .format = COLUMN_MOMENT },
};

const struct table_schema lifecycle_finding_schema = {
	.name = "lifecycle_findings",
	.title = "Lifecycle nodes",
	.selection = "lifecycle",
	.summary = 5,
	.columns = finding_columns,
	.column_count = G_N_ELEMENTS(finding_columns),
};

/* The worst first. */
enum severity {
	FINDING_ERROR,
	FINDING_FAILURE,
	FINDING_PUBLISHED,
};

struct finding {
	enum severity severity;
	const char *node;
	char *what; /* owned */
	uint64_t count;
	int64_t first_ns;
};

static void finding_clear(gpointer data)
{
	g_free(((struct finding *)data)->what);
}

static gint compare_findings(gconstpointer a, gconstpointer b)
{
	const struct finding *left = a;
	const struct finding *right = b;
	int order = (int)left->severity - (int)right->severity;

	order = order ? order : compare_unsigned(right->count, left->count);
	order = order ? order : g_strcmp0(left->node, right->node);
	order = order ? order : strcmp(left->what, right->what);
	return order ? order : compare_integers(left->first_ns, right->first_ns);
}

static void add_troubles(GArray *findings, const struct lifecycle_output *output)
{
	for (const struct lifecycle_trouble *trouble = output->node->troubles; trouble; trouble = trouble->next) {
		bool is_error = trouble->result == LIFECYCLE_ERROR;
		const struct finding finding = {
			.severity = is_error ? FINDING_ERROR : FINDING_FAILURE,
			.node = output->name,
			.what = g_strdup_printf("%s %s", trouble->transition,
						is_error ? "ended in an error" : "failed"),
			.count = trouble->count,
			.first_ns = trouble->first_ns,
		};

		g_array_append_val(findings, finding);
	}
}

/* Publications while the node was not active, transitions left out: by a publisher that is not managed. */
static void add_publications(GArray *findings, const struct lifecycle *lifecycle, const struct lifecycle_output *output)
{
	g_autoptr(GArray) topics = lifecycle_topics_of(lifecycle, output->node);

	for (guint i = 0; i < topics->len; i++) {
		const struct lifecycle_topic *topic = &g_array_index(topics, struct lifecycle_topic, i);

		if (topic->state && strcmp(topic->state, LIFECYCLE_ACTIVE_STATE) != 0 &&
		    !lifecycle_state_is_transition(topic->state)) {
			const struct finding finding = {
				.severity = FINDING_PUBLISHED,
				.node = output->name,
				.what = g_strdup_printf("published %s while %s", topic->publisher->topic, topic->state),
				.count = topic->count,
				.first_ns = topic->first_ns,
			};

			g_array_append_val(findings, finding);
		}
	}
}

void lifecycle_findings_write(const struct lifecycle *lifecycle, struct table_writer *writer, const GArray *nodes)
{
	g_autoptr(GArray) findings = g_array_new(FALSE, FALSE, sizeof(struct finding));

	g_array_set_clear_func(findings, finding_clear);
	for (guint i = 0; i < nodes->len; i++) {
		add_troubles(findings, &g_array_index(nodes, struct lifecycle_output, i));
		add_publications(findings, lifecycle, &g_array_index(nodes, struct lifecycle_output, i));
	}
	g_array_sort(findings, compare_findings);
	for (guint i = 0; i < MIN(findings->len, SUMMARY_FINDINGS); i++) {
		const struct finding *finding = &g_array_index(findings, struct finding, i);

		TABLE_ROW(writer, finding_columns,
			  (struct cell[]){
				  cell_text(finding->node),
				  cell_text(finding->what),
				  cell_unsigned(finding->count),
				  cell_integer(finding->first_ns),
			  });
	}
}
