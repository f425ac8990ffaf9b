/* SPDX-License-Identifier: MIT */
/* The state of the analysis services (services.c), its counts for each client and server, and its tables. */
#ifndef ROS2BT_SERVICES_H
#define ROS2BT_SERVICES_H

#include <glib.h>

#include "core/calls/service_calls.h"
#include "core/analyses/shared/analysis.h"
#include "core/model/object_numbers.h"
#include "core/statistics/duration_statistics.h"
#include "ros2bt/base/u64_map.h"

struct service_counts {
	uint64_t steps[CALL_STEPS]; /* calls with this step */
	uint64_t unanswered, lost;
};

static inline void service_counts_add(struct service_counts *counts, const struct service_calls *calls,
				      const struct service_call *call)
{
	for (size_t step = 0; step < CALL_STEPS; step++) {
		counts->steps[step] += call_has(call, step);
	}
	counts->unanswered += service_call_is_unanswered(call);
	counts->lost += service_call_is_lost(calls, call);
}

struct service_row {
	uint64_t id;			  /* from 1, in order of the first call that ended, or execution; 0: neither */
	struct service_counts counts;	  /* of calls that have ended, like all statistics except `callback` */
	uint64_t executions, without_end; /* of the service's callback */
	struct model_callback *handler;	  /* that callback, NULL: never executed */
	struct duration_statistics round_trip, request, service, response, callback;
};

struct services {
	struct analysis analysis; /* its rows are struct service_row, by index of the pair */
	struct service_calls *calls;
	uint64_t next_id;
	GPtrArray *taken; /* struct service_pair * by thread: whose request it took last; reset by its next execution */
	struct u64_map open;	  /* struct service_row * by struct execution *, of services */
	uint64_t execution_count; /* of services */
};

enum { TABLE_SERVICES, TABLE_SERVICE_INSTANCES, TABLE_SLOWEST_SERVICES };

/* --- tables --- */

extern const struct table_schema *const service_tables[]; /* ended by NULL */

/* A call that has ended. Does nothing if not wanted. */
void service_tables_write_instance(const struct services *services, const struct service_row *row,
				   const struct service_call *call);

/* For analysis_class. */
void service_tables_write(const void *data, struct table_writer *const *writers);

#endif
