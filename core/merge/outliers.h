/* SPDX-License-Identifier: MIT */
/*
 * Robots that are worse than the others: a table `thing_outliers` beside `things`, a row for each series (names and
 * statistic) and robot whose p99 is
 *
 * - more than OUTLIER_RATIO times the median of the p99s of all robots, and
 * - beyond their upper fence (Tukey): the third quartile and 1.5 times the distance of the quartiles.
 *
 * Only series with OUTLIER_SAMPLES samples of a robot count, and only where OUTLIER_ROBOTS have them: fewer say nothing
 * of what is usual. At most OUTLIERS_KEPT robots a series are listed, the worst.
 *
 * Memory: the series, not the robots. Rows by series, then the worst first.
 */
#ifndef ROS2BT_OUTLIERS_H
#define ROS2BT_OUTLIERS_H

#include "core/merge/merged_table.h"

#define OUTLIER_RATIO 2
#define OUTLIER_SAMPLES 10
#define OUTLIER_ROBOTS 5
#define OUTLIERS_KEPT 5

struct outliers;

/*
 * `attributes`: within equal ones of which robots are compared; `robot_attribute`: which names a robot. All is
 * borrowed.
 */
struct outliers *outliers_create(const struct table_schema *schema, const char *const *attributes,
				 size_t attribute_count, const char *robot_attribute);
void outliers_destroy(struct outliers *outliers); /* NULL is allowed */

/* Whether somebody asked for the table. */
bool outliers_open(struct outliers *outliers, struct table_output *tables);

/*
 * Notes in a row of `all`, the table over all robots, what the same row of a robot is. The name is borrowed for the
 * life of the outliers.
 */
void outliers_add(struct outliers *outliers, struct merged_table *all, struct merged_row *row, const char *robot,
		  const struct merged_row *of_robot);

/* Writes what the rows of the table have as notes. `values`: of the attributes. */
void outliers_write(struct outliers *outliers, const struct merged_table *all, const char *const *values);

#endif
