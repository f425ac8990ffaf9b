/* SPDX-License-Identifier: MIT */
/*
 * The parameters of sink.ros2.latency, and the options they set.
 */
#ifndef ROS2BT_LATENCY_PARAMS_H
#define ROS2BT_LATENCY_PARAMS_H

#include "core/bt/params.h"
#include "core/analyses/latency_analysis.h"
#include "ros2bt/report.h"

#define LATENCY_PARAMS(PARAM)                                                                                          \
	PARAM(format, STRING, "text", "text|csv|json", "tables for a person, CSV files, or one JSON object")           \
	PARAM(output, STRING, "none", "any",                                                                           \
	      "directory to write to, created if missing; standard output without it (csv then needs one name in "     \
	      "tables)")                                                                                               \
	PARAM(tables, STRINGS, "callbacks,communications,paths,diagnostics",                                           \
	      "callbacks|communications|paths|diagnostics", "which tables")                                            \
	PARAM(instances, BOOL, "no", "any", "also one row per callback execution, message and path traversal")         \
	PARAM(quantiles, REALS, "0.5,0.9,0.99,0.999", "0..1", "which quantile columns")                                \
	PARAM(begin, STRING_OR_INTEGER, "none", "any",                                                                 \
	      "limits the statistics: ns since the Unix epoch (integer), \"SECONDS[.NS]\", or \"YYYY-MM-DD "           \
	      "hh:mm:ss.NS\" in local time, with Z at its end in UTC")                                                 \
	PARAM(end, STRING_OR_INTEGER, "none", "any", "like begin; initialization events outside still count")          \
	PARAM(links, STRINGS, "none", "any",                                                                           \
	      "indirect links that the trace does not record, \"NODE: SUBSCRIBED_TOPIC -> PUBLISHED_TOPIC: KIND\" "    \
	      "with "                                                                                                  \
	      "KIND periodic_async or partial_sync")

#define LATENCY_HELP                                                                                                   \
	"Reports the latencies of callbacks, communications and paths of the ROS 2 systems in a trace.\n\n"            \
	"Parameters:\n\n" LATENCY_PARAMS(PARAM_HELP) "Queries: schema (the events it knows), parameters."

struct latency_params {
	struct report_options report;
	struct latency_options options;
	char **tables;	   /* owned; of report */
	char *output;	   /* owned; of report */
	double *quantiles; /* owned; of options */
	GArray *links;	   /* owned; struct link_rule, of options */
};

/* False with an error that names the parameter and what is allowed. latency_params_clear() in any case. */
bool latency_params_read(struct latency_params *params, const bt_value *values, GError **error);
void latency_params_clear(struct latency_params *params);

/* The rows as a map, for a query; NULL if there is no memory. */
const bt_value *latency_params_describe(void);

#endif
