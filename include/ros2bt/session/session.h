/* SPDX-License-Identifier: MIT */
/*
 * A session: one run over a recording, from records to a report. It owns everything from the pool of strings to the
 * report, creates the analyses whose tables are asked for, and keeps the order of creating, feeding, finishing and
 * destroying. A sink or a command drives it:
 *
 *   create → a reader fills session_recording() and feeds records → session_check() now and then → finish → destroy
 *
 * With report_options.period_ns, it reports again and again while the recording goes on: as of the end of each period
 * of the recording's time, with what was read by then. Files of the report before are replaced; standard output gets
 * one after the other. A message that is under way is no loss yet. What session_finish() writes at the end is the same
 * as without reports before. Tables of instances are only for reports at the end. With has_windows, a report of the
 * window since the last one comes before each: in the folder `window`, or on standard output. All windows, with that
 * at the end, add up to the whole, with the exceptions in docs/live.md. Files that cannot be written are news, and the
 * next report is tried; an error of standard output is that of session_check() and session_finish() from then on, and
 * nothing is written any more.
 *
 * Only what is asked for is created: with `tables` = callbacks no message is linked. The kinds of events that feed the
 * model, executions and flows are the same nevertheless, since what a report states about the recording (its span, gaps
 * in it, missing contexts) must not depend on the tables in it. Kinds that only some analysis takes are read only if
 * that analysis is created, and only it receives them.
 */
#ifndef ROS2BT_SESSION_H
#define ROS2BT_SESSION_H

#include "core/analyses/shared/analysis.h"
#include "core/session/session_error.h"
#include "core/tables/table.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/output/report.h"

struct session;
struct pipeline; /* pipeline.h */

/*
 * NULL with an error if the output cannot be written. What the options point to is borrowed for the life of the
 * session.
 */
struct session *session_create(const struct report_options *report_options, const struct analysis_options *options,
			       GError **error);
/* The same into tables of the caller, which are borrowed. `recording` is borrowed; NULL: the session makes its own. */
struct session *session_create_for_tables(struct recording *recording, const struct analysis_options *options,
					  struct table_output *tables);

/* A window of time that is over, or, with a length of 0, a time in which nothing arrived: no rows were written then. */
struct session_window {
	int64_t as_of_ns; /* its end */
	int64_t length_ns;
	bool has_lag; /* the recording goes on */
	int64_t lag_ns;
};

struct session_windows {
	int64_t period_ns; /* > 0 */
	/* Called after the rows of a window were written; not before there is anything to report. */
	void (*ended)(void *data, const struct session_window *window);
	void *data;
};

/*
 * Into tables that get, at the end of each period of the recording's time, the rows of what happened in it
 * (core/tables/window_tables.h), and those of the whole recording at its end. Both are borrowed or copied.
 */
struct session *session_create_for_windows(const struct analysis_options *options, struct table_output *tables,
					   const struct session_windows *windows);
/*
 * Without tables, for listeners to the pipeline, which are added before the first record and must outlive the session.
 * `parts` of the pipeline are made (enum pipeline_parts). `recording`: as above.
 */
struct session *session_create_for_listeners(struct recording *recording, const struct analysis_options *options,
					     unsigned int parts);
struct pipeline *session_pipeline(struct session *session);
/* Unless session_finish() was called, nothing is written to a directory. NULL is allowed. */
void session_destroy(struct session *session);

struct recording *session_recording(struct session *session);

/* All tables that a session may write, ended by NULL. */
const struct table_schema *const *session_tables(void);

/*
 * Whether events of a process were lost so far, as far as can be told; false if no table of the session needs to know.
 * Parts of the recording that were not read aside (session_add_missing()).
 */
bool session_may_lack(const struct session *session, const char *hostname, int64_t vpid);

/* The kinds of events that the session is to be fed with; lives as long as the session. */
const struct event_interest *session_interest(const struct session *session);

void session_feed(struct session *session, const struct event_record *records, size_t count);

/* All records up to this time were fed: a period that ends by then is over. Does nothing without periods. */
void session_reach(struct session *session, int64_t time_ns);

/*
 * The recording goes on, and nothing has arrived for now: from now on, reports tell how far they are behind the clock
 * (their lag). Where none was written for one and a half periods of the machine's clock, one is. Called again and again
 * until records arrive. Does nothing without periods.
 */
void session_wait(struct session *session);

/* False with an error (see report.h) if something could not be written so far. */
bool session_check(const struct session *session, GError **error);

/* What users are to be told next about reports that could not be written; to be freed, NULL: nothing new. */
char *session_take_news(struct session *session);

/* Writes the tables as of now. The session continues as if nothing had happened. */
void session_write(struct session *session);

struct first_pass;

/* Takes the results of a first pass (ros2bt/session/first_pass.h), before the first record; borrowed. */
void session_take_first_pass(struct session *session, const struct first_pass *pass);

/* The clocks by which the session is to be fed; NULL: those that recorded it. */
const struct clock_alignment *session_clocks(const struct session *session);

/*
 * Notes that the report covers only a part of the recording; all its forms will state so. `what` is DIAGNOSTIC_NOT_READ
 * or DIAGNOSTIC_INTERRUPTED; `detail` names the place and the reason as far as they are known. Before the end, once for
 * each reason.
 */
void session_add_missing(struct session *session, enum diagnostic what, const char *detail);

/*
 * The end of the recording, or of what can be read of it: writes the report. Called once. Errors are those of the
 * report and SESSION_ERRORs. No report is written if the recording was read to its end and no event is in the requested
 * range, or if the range counts from a start that the recording does not have.
 */
bool session_finish(struct session *session, GError **error);

/* Describes the recording as a whole, as far as it was read; what the result points to is valid until the next call. */
struct report_trace session_describe(struct session *session);

/* Whether session_finish() was called and did not refuse the range. */
bool session_has_finished(const struct session *session);

/*
 * After the end: whether the recording has any runtime event, or any point event that the user chose, so that the
 * report has contents.
 */
bool session_has_events(const struct session *session);

/* After the report was written: whether the recording lacks a name of a named path that was given as text. */
bool session_lacks_names(const struct session *session);

#endif
