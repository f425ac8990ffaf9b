/* SPDX-License-Identifier: MIT */
/* The tables of the analysis communications: their columns, and how rows are written (see communications.c). */
#ifndef ROS2BT_COMMUNICATION_TABLES_H
#define ROS2BT_COMMUNICATION_TABLES_H

#include "core/analyses/communications/communication_counts.h"
#include "core/tables/table.h"

enum { TABLE_COMMUNICATIONS, TABLE_INSTANCES, TABLE_LOST };

extern const struct table_schema *const communication_tables[]; /* by the enumerators; ended by NULL */

/* Writes nothing if nobody asked for it. delivery: NULL if the message was not received. */
void communication_tables_write_instance(struct communications *communications,
					 const struct communication *communication,
					 const struct flow_publication *publication,
					 const struct flow_delivery *delivery, const char *outcome);

/* Writes all tables except communication_instances; `data`: struct communications. */
void communication_tables_write(const void *data, struct table_writer *const *writers);

#endif
