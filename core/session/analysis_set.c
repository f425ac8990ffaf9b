/* SPDX-License-Identifier: MIT */
#include "core/session/analysis_set.h"

#include "core/analyses/analyses.h"
#include "ros2bt/flow/pipeline.h"

static bool is_asked_for(const struct chosen_analysis *chosen)
{
	for (size_t i = 0; chosen->class->tables[i]; i++) {
		if (chosen->writers[i]) {
			return true;
		}
	}
	return false;
}

/* Whether every recording is read for it: the diagnostics include what it finds even if nobody asked for its tables. */
static bool is_for_all_recordings(const struct chosen_analysis *chosen)
{
	const struct table_schema *main = chosen->class->tables[0];

	return main->presence == PRESENT_ALWAYS && !table_is_of_timeline(main);
}

static void open_tables(struct chosen_analysis *chosen, struct table_output *tables)
{
	for (size_t i = 0; chosen->class->tables[i]; i++) {
		chosen->writers[i] = tables->open(tables, chosen->class->tables[i]);
	}
}

static struct chosen_analysis choose(const struct analysis_class *class, struct table_output *tables)
{
	struct chosen_analysis chosen = { .class = class };
	size_t count = 0;

	while (class->tables[count]) {
		count++;
	}
	chosen.writers = g_new0(struct table_writer *, count);
	open_tables(&chosen, tables);
	return chosen;
}

static void clear(gpointer data)
{
	g_free(((struct chosen_analysis *)data)->writers);
}

static unsigned int needs_of(const struct analysis_set *set)
{
	unsigned int needs = 0;

	for (guint i = 0; i < set->chosen->len; i++) {
		needs |= analysis_set_at(set, i)->class->needs;
	}
	return needs;
}

struct analysis_set *analysis_set_choose(struct table_output *tables)
{
	struct analysis_set *set = g_new0(struct analysis_set, 1);
	unsigned int needs = 0;

	set->chosen = g_array_new(FALSE, FALSE, sizeof(struct chosen_analysis));
	g_array_set_clear_func(set->chosen, clear);
	for (size_t i = 0; tables && analyses[i]; i++) {
		struct chosen_analysis chosen = choose(analyses[i], tables);

		needs |= is_asked_for(&chosen) ? analyses[i]->needs : 0;
		g_array_append_val(set->chosen, chosen);
	}
	for (guint i = set->chosen->len; i-- > 0;) {
		const struct chosen_analysis *chosen = analysis_set_at(set, i);
		bool is_needed = (needs & ANALYSIS_NEEDS_ANALYSES) && is_for_all_recordings(chosen);

		if (!is_needed && !is_asked_for(chosen)) {
			g_array_remove_index(set->chosen, i);
		}
	}
	return set;
}

void analysis_set_destroy(struct analysis_set *set)
{
	if (set) {
		g_array_unref(set->chosen);
		g_free(set);
	}
}

unsigned int analysis_set_parts(const struct analysis_set *set)
{
	unsigned int needs = needs_of(set);

	return (needs & ANALYSIS_NEEDS_EXECUTIONS ? PIPELINE_EXECUTIONS | PIPELINE_INFERRED : 0) |
	       (needs & ANALYSIS_NEEDS_SCHEDULES ? PIPELINE_SCHEDULES | PIPELINE_INFERRED : 0) |
	       (needs & ANALYSIS_NEEDS_FLOWS ? PIPELINE_FLOWS | PIPELINE_INFERRED : 0) |
	       (needs & ANALYSIS_NEEDS_ANALYSES ? PIPELINE_DEFECTS : 0);
}

void analysis_set_open(struct analysis_set *set, struct table_output *tables)
{
	for (guint i = 0; i < set->chosen->len; i++) {
		open_tables(analysis_set_at(set, i), tables);
	}
}

void analysis_set_create(struct analysis_set *set, const struct analysis_context *context)
{
	for (guint i = 0; i < set->chosen->len; i++) {
		struct chosen_analysis *chosen = analysis_set_at(set, i);

		chosen->analysis = analysis_create(chosen->class, context, chosen->writers);
	}
}

void analysis_set_finish(const struct analysis_set *set)
{
	for (guint i = 0; i < set->chosen->len; i++) {
		const struct chosen_analysis *chosen = analysis_set_at(set, i);

		if (chosen->class->finish) {
			chosen->class->finish(chosen->analysis);
		}
	}
}

void analysis_set_diagnose(const struct analysis_set *set, struct diagnostics *findings)
{
	for (guint i = 0; i < set->chosen->len; i++) {
		const struct chosen_analysis *chosen = analysis_set_at(set, i);

		if (chosen->class->diagnose) {
			chosen->class->diagnose(chosen->analysis, findings);
		}
	}
}

void analysis_set_write(const struct analysis_set *set)
{
	for (guint i = 0; i < set->chosen->len; i++) {
		const struct chosen_analysis *chosen = analysis_set_at(set, i);

		if (is_asked_for(chosen)) {
			analysis_write(chosen->analysis, chosen->writers);
		}
	}
}
