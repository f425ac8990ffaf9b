/* SPDX-License-Identifier: MIT */
/*
 * Merges the reports of a fleet: recordings of many robots, listed in a manifest. Writes
 *
 * - `reports`: a row for each, with its attributes, how many rows it has, and what is wrong with it;
 * - each table that can be merged (merged_table.h), for each combination of the attributes asked for (`by`);
 * - its `…_outliers` (outliers.h): robots are compared with those of the same attributes.
 *
 * A report that cannot be read, or contradicts itself, counts for nothing. One that is given twice counts once, by
 * whatever path (report_identity.h). The tables do not depend on the order of the reports. Memory: the series of one
 * combination of attributes, twice; not the reports.
 */
#ifndef ROS2BT_FLEET_H
#define ROS2BT_FLEET_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/reports/merge/manifest.h"
#include "core/tables/table.h"

#define FLEET_REPORTS_TABLE "reports"

enum fleet_problem {
	FLEET_MERGED,	  /* none */
	FLEET_PARTIAL,	  /* merged, but it covers only a part of its recording */
	FLEET_TWICE,	  /* the same report was merged already */
	FLEET_NOT_MERGED, /* it cannot be read, or contradicts itself */
};

/* All is borrowed for the life of the fleet. */
struct fleet_options {
	const struct table_schema *const *schemas; /* of the reports; ended by NULL */
	const char *const *by; /* attributes by which rows are kept apart; ended by NULL; NULL: all of the manifest */
	const char
		*robot; /* the attribute that names a robot; NULL: `robot`, else the first attribute, else the report */
	/* Called for each report that is not merged as a whole, and once. `problem` names it. */
	void (*found)(enum fleet_problem kind, const char *problem, void *data);
	void *data;
};

struct fleet;

/* NULL with a G_OPTION_ERROR if an attribute is not in the manifest. The manifest is borrowed. */
struct fleet *fleet_create(struct manifest *manifest, const struct fleet_options *options, GError **error);
void fleet_destroy(struct fleet *fleet); /* NULL is allowed */

/* Returns how many reports were merged. Called once; sorts the recordings of the manifest. */
size_t fleet_merge(struct fleet *fleet, struct table_output *tables);

#endif
