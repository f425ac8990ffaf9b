/* SPDX-License-Identifier: MIT */
/*
 * The parameters of a session (ros2bt/session/session.h), declared once: the initialization parameters of
 * sink.ros2.latency are options of ros2-latency as well.
 */
#ifndef ROS2BT_SESSION_PARAMS_H
#define ROS2BT_SESSION_PARAMS_H

#include "ros2bt/base/params.h"
#include "core/analyses/analyses.h"
#include "core/named_paths/architecture/named_path_options.h"
#include "core/output/outputs.h"
#include "ros2bt/session/session.h"

/* clang-format off */ /* which would split keys at their hyphens */
#define SESSION_PARAMS(PARAM)                                                                                          \
	PARAM(format, STRING, "text", OUTPUTS(OUTPUT_NAME, "|"),                                                       \
	      "The format of the report:" OUTPUTS(PARAM_CHOICE, ))                                                     \
	PARAM(output, STRING, "none", "DIRECTORY",                                                                     \
	      "Write files to this directory, which is created if missing. Without it, the report goes to standard "   \
	      "output; csv then requires a single table.")                                                             \
	PARAM(tables, STRINGS, "all except timeline", ANALYSES(ANALYSIS_NAME, "|"),                                    \
	      "Report only these tables:" ANALYSES(PARAM_CHOICE, ))                                                    \
	PARAM(instances, BOOL, "no", "yes|no",                                                                         \
	      "Also write one row per callback execution, message and path traversal.")                                \
	PARAM(histograms, BOOL, "no", "yes|no",                                                                        \
	      "In csv and json: also write the histogram of each statistic, one row for each bucket with samples. "    \
	      "Histograms of several recordings can be added.")                                                        \
	PARAM(buckets, INTEGER, "32", "1..512",                                                                        \
	      "For histograms: the number of buckets per octave, a power of 2 up to 512. With 32, the middle of a "    \
	      "bucket is within 1/64 of every duration in it; with 512, within 1/1024.")                               \
	PARAM(period, DURATION, "none", "DURATION",                                                                    \
	      "Write the report again once a period of the recording's time, of all that was read by then, until the " \
	      "recording ends: with output, the files are replaced. For recordings that go on.")                       \
	PARAM(windows, BOOL, "no", "yes|no",                                                                           \
	      "With period: also write a report of each period alone, with output to its folder `window`.")            \
	PARAM(worst, INTEGER, "0 (html: 5)", "0..1000",                                                                \
	      "Also list this many of the longest executions of each callback and of the slowest traversals of "       \
	      "each path, with their times and hops.")                                                                 \
	PARAM(nodes, STRINGS, "none", "GLOB",                                                                          \
	      "Report only rows about nodes that match one of these globs and none of those preceded by !. * "         \
	      "matches any characters, including /; ? matches one character.")                                         \
	PARAM(topics, STRINGS, "none", "GLOB",                                                                         \
	      "Report only rows about topics or services that match one of these globs and none of those preceded "    \
	      "by !.")                                                                                                 \
	PARAM(paths, STRINGS, "none", "GLOB",                                                                          \
	      "Report only rows about paths that match one of these globs and none of those preceded by !. Paths "     \
	      "are matched as the report writes them.")                                                                \
	PARAM(sort, STRING, "none", "COLUMN",                                                                          \
	      "In text and markdown: sort rows by this column in descending order. It is named as in csv; _ns at its " \
	      "end may be left out.")                                                                                  \
	PARAM(top, INTEGER, "as many as fit two screens (markdown: ten)", "0..1000000000",                             \
	      "In text and markdown: list at most this many rows of each table, the worst first; 0 lists all. In dot: " \
	      "draw at most this many connections of a large graph; 0 draws all.")                                     \
	PARAM(hidden, BOOL, "no", "yes|no",                                                                            \
	      "In text, markdown and prometheus: also list rows with hidden names (/rosout, /parameter_events, names " \
	      "with a part that begins with _), and rows of things that never happened.")                              \
	PARAM(quantiles, REALS, "0.5,0.9,0.99,0.999", "0..1",                                                          \
	      "Report these quantiles, from 0 to 1.")                                                                  \
	PARAM(begin, STRING_OR_INTEGER, "none", "TIME",                                                                \
	      "Count only what begins at this time or later. It is \"YYYY-MM-DD hh:mm:ss.NS\" in UTC, or with an "     \
	      "offset such as +09:00 at its end; \"hh:mm:ss\" of the day on which the recording starts; \"+5s\", 5 "   \
	      "s after its start; \"-5s\", 5 s before its end; or the time since the Unix epoch, as \"SECONDS.NS\" "   \
	      "or as an integer of nanoseconds. Objects that were created earlier are still known.")                   \
	PARAM(end, STRING_OR_INTEGER, "none", "TIME",                                                                  \
	      "Count only what begins at this time or earlier. It has the same forms.")                                \
	PARAM(clocks, STRING, "report", "report|align",                                                                \
	      "How to treat the clocks of several hosts:"                                                              \
	      PARAM_CHOICE(report, "leave times as each host recorded them")                                           \
	      PARAM_CHOICE(align, "convert the times of all hosts to the clock of one of them, by means of the "       \
				  "messages between them; the trace is read twice"))                                   \
	PARAM(points, STRING, "none", "FILE",                                                                          \
	      "A YAML file that describes events of the application: which of them start and end stages, and which "   \
	      "of their fields are keys and numbers.")                                                                 \
	PARAM(architecture, STRING, "none", "FILE",                                                                    \
	      "Evaluate the named paths of a file: an architecture file of CARET (YAML), or a target_path.json of "    \
	      "caret_report.")                                                                                         \
	PARAM(named-paths, STRINGS, "none", "PATH",                                                                    \
	      "Evaluate paths of the form \"NAME: NODE > TOPIC > NODE > … > NODE\". * matches any characters, ? one "  \
	      "character, … (or ...) any number of nodes and topics.")                                                 \
	PARAM(contexts, STRING, "exact", "exact|caret",                                                                \
	      "How to evaluate named paths:"                                                                           \
	      PARAM_CHOICE(exact, "along the messages as recorded")                                                    \
	      PARAM_CHOICE(caret, "those of an architecture file by the joins of CARET, for comparison with its "      \
				  "figures"))                                                                          \
	PARAM(first-callback, BOOL, "no", "yes|no",                                                                    \
	      "Named paths begin with the start of the callback that publishes first, not with the publication.")      \
	PARAM(last-callback, BOOL, "no", "yes|no",                                                                     \
	      "Named paths end with the end of the callback that receives last, not with its start.")                  \
	PARAM(links, STRINGS, "none", "LINK",                                                                          \
	      "Indirect links that the trace does not record, \"NODE: SUBSCRIBED_TOPIC -> PUBLISHED_TOPIC: "           \
	      "KIND\" with KIND periodic_async or partial_sync; or \"proposed\": those that the report proposes, where " \
	      "paths end at nodes that begin others by themselves. Then the trace is read twice.")
/* clang-format on */

/* Among `links`. */
#define LINKS_PROPOSED "proposed"

#define LATENCY_HELP                                                                                                   \
	"Reports the latencies of callbacks, communications and paths of the ROS 2 systems in a trace.\n\n"            \
	"Parameters:\n\n" SESSION_PARAMS(                                                                              \
		PARAM_HELP) "The sink reads the trace once: times before its end (\"-5s\") require ros2-latency.\n\n"  \
			    "Queries: schema (the events it knows), parameters."

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
bool session_params_read(struct session_params *params, const struct param_values *values, bool are_options,
			 GError **error);
void session_params_clear(struct session_params *params);

/* The name of a parameter in messages, as params_name() gives it. To be freed. */
char *session_params_name(const struct session_params *params, const char *key);

#endif
