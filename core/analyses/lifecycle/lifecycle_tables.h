/* SPDX-License-Identifier: MIT */
/* The tables of the analysis lifecycle (lifecycle.c). */
#ifndef ROS2BT_LIFECYCLE_TABLES_H
#define ROS2BT_LIFECYCLE_TABLES_H

#include "core/analyses/lifecycle/lifecycle_nodes.h"

extern const struct table_schema *const lifecycle_tables[]; /* ended by NULL */

/* The stay in a transition. `goal` NULL: where it led and when it ended are unknown. */
void lifecycle_tables_write_transition(const struct lifecycle *lifecycle, const struct lifecycle_node *node,
				       const char *goal, int64_t end_ns);
/* A transition of which only the end was recorded. */
void lifecycle_tables_write_end(const struct lifecycle *lifecycle, const struct lifecycle_node *node, const char *label,
				const char *goal, int64_t end_ns);
/* The stay in any state; has_end: it has ended. */
void lifecycle_tables_write_stay(const struct lifecycle *lifecycle, const struct lifecycle_node *node,
				 const char *label, bool has_end, int64_t end_ns);

/* All tables except instances, as of now. */
void lifecycle_tables_write(const struct lifecycle *lifecycle, struct table_writer *const *writers);

#endif
