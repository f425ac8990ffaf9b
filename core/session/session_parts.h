/* SPDX-License-Identifier: MIT */
/* What a session is: for the files that are its parts, session.c and session_feed.c, and nobody else. */
#ifndef ROS2BT_SESSION_PARTS_H
#define ROS2BT_SESSION_PARTS_H

#include "core/analyses/shared/analysis.h"
#include "core/session/analysis_set.h"
#include "core/session/report_period.h"
#include "core/session/report_series.h"
#include "core/tables/window_tables.h"
#include "ros2bt/flow/pipeline.h"

struct session_window; /* ros2bt/session/session.h */

struct session {
	struct string_pool *pool; /* owned; NULL if the recording is borrowed */
	struct recording *recording;
	struct report *report; /* owned; NULL if there is a series, if the tables are borrowed, or if there are none */
	struct report_series *series;	     /* owned; NULL: one report at the end, or none */
	struct report_period *period;	     /* owned; NULL: tables are written at the end only */
	char *under_way;		     /* owned; of the report that is being written; NULL: none is */
	struct window_tables *window_tables; /* owned; between the analyses and tables of others; NULL: no windows */
	/* of tables of others; NULL: no windows */
	void (*window_ended)(void *data, const struct session_window *window);
	void *window_data;
	int64_t window_end_ns; /* of the last window; INT64_MAX: there was none */
	struct analysis_options options;
	struct analysis_span span; /* as of the last session_write() */
	struct analysis_set *set;  /* owned, as all below */
	struct pipeline *pipeline; /* of the parts that some analysis or listener needs */
	struct object_numbers *numbers;
	struct analysis_span points; /* of record_takers_add() */
	struct event_interest interest;
	struct diagnostics *findings; /* made anew by each session_write() */
	GPtrArray *hostnames;	      /* borrowed from the recording */
	GArray *versions;	      /* struct report_version */
	struct diagnostics *missing;  /* why the recording was not read to its end */
	GPtrArray *missing_lines;     /* char *: the same for report_trace.missing */
	bool has_finished;
};

#endif
