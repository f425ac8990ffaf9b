/* SPDX-License-Identifier: MIT */
/*
 * The analyses of a session, chosen from the list (core/analyses/analyses.h) by the tables that are asked for:
 *
 *   analysis_set_choose() → analysis_set_parts() → the pipeline → analysis_set_create() → … records … →
 *   analysis_set_finish() → analysis_set_diagnose() and analysis_set_write() → destroy
 *
 * An analysis is chosen if one of its tables is asked for, or if a chosen analysis reports on what the others find
 * (ANALYSIS_NEEDS_ANALYSES). Then all analyses that every recording is read for are chosen, whatever the tables, so
 * that the diagnostics do not depend on them.
 */
#ifndef ROS2BT_ANALYSIS_SET_H
#define ROS2BT_ANALYSIS_SET_H

#include <glib.h>

#include "core/analyses/shared/analysis.h"

/* A chosen analysis. */
struct chosen_analysis {
	const struct analysis_class *class;
	struct table_writer *
		*writers;	   /* owned by the set, by index of class->tables; NULL: nobody asked for the table */
	struct analysis *analysis; /* owned by the set; NULL before analysis_set_create() */
};

struct analysis_set {
	GArray *chosen; /* struct chosen_analysis, in the order of the list */
};

/* Opens the tables of all analyses and chooses. The tables are borrowed; NULL: there are none, and no analysis. */
struct analysis_set *analysis_set_choose(struct table_output *tables);
/* NULL is allowed. */
void analysis_set_destroy(struct analysis_set *set);

static inline struct chosen_analysis *analysis_set_at(const struct analysis_set *set, guint index)
{
	return &g_array_index(set->chosen, struct chosen_analysis, index);
}

/* The parts of the pipeline that the chosen analyses listen to (enum pipeline_parts). */
unsigned int analysis_set_parts(const struct analysis_set *set);

/*
 * From now on the analyses write to other tables, of the same output and options; those before are used no more. Tables
 * of instances must not be among them.
 */
void analysis_set_open(struct analysis_set *set, struct table_output *tables);

/* Creates the chosen analyses, which add their listeners. Once. */
void analysis_set_create(struct analysis_set *set, const struct analysis_context *context);

/* The end of the recording. Once. */
void analysis_set_finish(const struct analysis_set *set);

/* Adds what each analysis finds in the recording as a whole, as of now. */
void analysis_set_diagnose(const struct analysis_set *set, struct diagnostics *findings);

/* Writes the tables that are asked for, as of now. */
void analysis_set_write(const struct analysis_set *set);

#endif
