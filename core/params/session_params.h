/* SPDX-License-Identifier: MIT */
/*
 * The parameters of a session (ros2bt/session.h), declared once: the initialization parameters of sink.ros2.latency are
 * options of ros2-latency as well.
 */
#ifndef ROS2BT_SESSION_PARAMS_H
#define ROS2BT_SESSION_PARAMS_H

#include "core/bt/params.h"
#include "core/analyses/analyses.h"
#include "core/architecture/named_path_options.h"
#include "core/output/outputs.h"
#include "ros2bt/session.h"

/* clang-format off */ /* which would split keys at their hyphens */
#define SESSION_PARAMS(PARAM)                                                                                          \
	PARAM(format, STRING, "text", OUTPUTS(OUTPUT_NAME, "|"), OUTPUTS(OUTPUT_HELP, "; "))                           \
	PARAM(output, STRING, "none", "any",                                                                           \
	      "directory to write to, created if missing; standard output without it (csv then needs one name in "     \
	      "tables)")                                                                                               \
	PARAM(tables, STRINGS, ANALYSES(ANALYSIS_NAME, ","), ANALYSES(ANALYSIS_NAME, "|"),                             \
	      ANALYSES(ANALYSIS_HELP, "; "))                                                                           \
	PARAM(instances, BOOL, "no", "any", "also one row per callback execution, message and path traversal")         \
	PARAM(histograms, BOOL, "no", "any",                                                                           \
	      "csv, json: also the histogram of each statistic, a row for each bucket that was hit; those of many "    \
	      "recordings can be added")                                                                               \
	PARAM(buckets, INTEGER, "32", "1..512",                                                                        \
	      "of histograms: how many an octave, a power of 2; their middles are then within 1/64 of each duration, " \
	      "with 512 within 1/1024")                                                                                \
	PARAM(worst, INTEGER, "0", "0..1000",                                                                          \
	      "also so many of the longest executions of each callback and of the slowest traversals of each path, "   \
	      "with their moments and hops; html: 5 without it")                                                       \
	PARAM(nodes, STRINGS, "none", "any",                                                                           \
	      "only rows about nodes that match one of these globs, but none that matches one with `!` in front")      \
	PARAM(topics, STRINGS, "none", "any", "the same for topics, and for services")                                 \
	PARAM(paths, STRINGS, "none", "any", "the same for paths, as they are written in the report")                  \
	PARAM(sort, STRING, "none", "any",                                                                             \
	      "text: by which column, as it is called in CSV, rows are sorted, the largest first")                     \
	PARAM(top, INTEGER, "none", "0..1000000000",                                                                   \
	      "text: at most so many rows of each table, the worst; 0: all; without, as many as fit two screens")      \
	PARAM(hidden, BOOL, "no", "any",                                                                               \
	      "text: also rows of hidden topics (/rosout, /parameter_events, names with _ in front) and of what "      \
	      "never "                                                                                                 \
	      "happened")                                                                                              \
	PARAM(quantiles, REALS, "0.5,0.9,0.99,0.999", "0..1", "which quantile columns")                                \
	PARAM(begin, STRING_OR_INTEGER, "none", "any",                                                                 \
	      "limits the statistics: \"YYYY-MM-DD hh:mm:ss.NS\" in UTC, or with a zone such as +09:00; "              \
	      "\"hh:mm:ss\" of the recording's first day; \"+5s\" from its start, \"-5s\" from its end "               \
	      "(ros2-latency only); \"SECONDS[.NS]\" or an integer of ns since the Unix epoch")                        \
	PARAM(end, STRING_OR_INTEGER, "none", "any", "like begin; initialization events outside still count")          \
	PARAM(clocks, STRING, "report", "report|align",                                                                \
	      "report: times as each host's clock gave them; align: the clocks of all hosts on that of one, by the "   \
	      "messages between them, for which everything is read twice")                                             \
	PARAM(points, STRING, "none", "any",                                                                           \
	      "a YAML file that says which events of the application start and end its stages, and which of their "    \
	      "fields are keys and numbers")                                                                           \
	PARAM(architecture, STRING, "none", "any",                                                                     \
	      "file of CARET (YAML) with named paths, and with what their nodes do with messages; or a "               \
	      "target_path.json of caret_report")                                                                      \
	PARAM(named-paths, STRINGS, "none", "any",                                                                     \
	      "paths to evaluate, \"NAME: NODE > TOPIC > NODE > … > NODE\", with globs; `…` is any number of nodes "   \
	      "and topics")                                                                                            \
	PARAM(contexts, STRING, "exact", "exact|caret",                                                                \
	      "exact: named paths along the messages as recorded; caret: those of an architecture by the joins of "    \
	      "CARET, to compare with its figures")                                                                    \
	PARAM(first-callback, BOOL, "no", "any",                                                                       \
	      "named paths begin with the start of the callback that publishes first, not with the publication")       \
	PARAM(last-callback, BOOL, "no", "any",                                                                        \
	      "named paths end with the end of the callback that receives last, not with its start")                   \
	PARAM(links, STRINGS, "none", "any",                                                                           \
	      "indirect links that the trace does not record, \"NODE: SUBSCRIBED_TOPIC -> PUBLISHED_TOPIC: KIND\" "    \
	      "with "                                                                                                  \
	      "KIND periodic_async or partial_sync")
/* clang-format on */

#define LATENCY_HELP                                                                                                   \
	"Reports the latencies of callbacks, communications and paths of the ROS 2 systems in a trace.\n\n"            \
	"Parameters:\n\n" SESSION_PARAMS(PARAM_HELP) "Queries: schema (the events it knows), parameters."

struct session_params {
	struct report_options report;
	struct analysis_options options;
	char **tables;				    /* owned; of report */
	char *output;				    /* owned; of report */
	char *sort;				    /* owned; of report */
	double *quantiles;			    /* owned; of report */
	struct name_filter *nodes, *topics, *paths; /* owned; of options */
	GArray *links;				    /* owned; struct link_rule, of options */
	struct point_file *points;		    /* owned; of options */
	struct named_path_options named_paths;	    /* owned; of options */
};

/* False with an error that names the parameter, or the option if they are options, and what is allowed.
 * session_params_clear() in any case. */
bool session_params_read(struct session_params *params, const bt_value *values, bool are_options, GError **error);
void session_params_clear(struct session_params *params);

/* The rows as a map, for a query; NULL if there is no memory. */
const bt_value *session_params_describe(void);

#endif
