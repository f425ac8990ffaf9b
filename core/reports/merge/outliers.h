/* SPDX-License-Identifier: MIT */
/*
 * Robots that are worse than the others: a table `thing_outliers` for the table `things`, with a row for each series
 * (names and statistic) and robot whose p99 is
 *
 * - more than OUTLIER_RATIO times the median of the p99s of all robots, and
 * - beyond their upper fence (Tukey): the third quartile and 1.5 times the distance of the quartiles.
 *
 * A robot counts if it has OUTLIER_SAMPLES samples of the series, and a series if OUTLIER_ROBOTS robots count: fewer do
 * not show what is usual. At most OUTLIERS_KEPT robots of a series are listed, the worst.
 *
 * Memory: the series, not the robots. Rows are in the order of series, then the worst first.
 */
#ifndef ROS2BT_OUTLIERS_H
#define ROS2BT_OUTLIERS_H

#include "ros2bt/reports/merged_table.h"

#define OUTLIER_RATIO 2
#define OUTLIER_SAMPLES 10
#define OUTLIER_ROBOTS 5
#define OUTLIERS_KEPT 5

struct outliers;

/*
 * `attributes`: robots are compared within equal values of these; `robot_attribute`: names a robot. All is borrowed.
 */
struct outliers *outliers_create(const struct table_schema *schema, const char *const *attributes,
				 size_t attribute_count, const char *robot_attribute);
void outliers_destroy(struct outliers *outliers); /* NULL is allowed */

/* Whether somebody asked for the table. */
bool outliers_open(struct outliers *outliers, struct table_output *tables);

/*
 * Notes in a row of `all`, the table over all robots, what the same row of one robot holds. The name is borrowed for
 * the life of the outliers.
 */
void outliers_add(struct outliers *outliers, struct merged_table *all, struct merged_row *row, const char *robot,
		  const struct merged_row *of_robot);

/* Writes the notes of the rows of the table. `values`: of the attributes. */
void outliers_write(struct outliers *outliers, const struct merged_table *all, const char *const *values);

#endif
