/* SPDX-License-Identifier: MIT */
/* The tables of the analysis services: a row for each client and server, one for each call, and the slowest. */
#ifndef ROS2BT_SERVICE_TABLES_H
#define ROS2BT_SERVICE_TABLES_H

#include "core/analyses/services/service_counts.h"

extern const struct table_schema *const service_tables[]; /* ended by NULL */

/* A call that has ended. Does nothing if not wanted. */
void service_tables_write_instance(const struct services *services, const struct service_row *row,
				   const struct service_call *call);

/* For analysis_class. */
void service_tables_write(const void *data, struct table_writer *const *writers);

#endif
