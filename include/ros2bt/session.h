/* SPDX-License-Identifier: MIT */
/*
 * A session: one run over a recording, from records to a report. It owns the chain from the pool of strings to the
 * report, makes those analyses whose tables were asked for, and keeps the order in which everything is made, fed,
 * finished and destroyed. What a sink or a command drives:
 *
 *   create → a reader fills session_recording() and feeds records → session_check() now and then → finish → destroy
 *
 * What nobody asked for is not made: with `tables` = callbacks no message is linked. The kinds of events that the
 * model, executions and flows are fed with are the same nevertheless, since what a report says of the recording (its
 * span, gaps in it, missing contexts) must not depend on the tables in it. Kinds that only some analysis takes are read
 * only if it is made, and only it sees them.
 */
#ifndef ROS2BT_SESSION_H
#define ROS2BT_SESSION_H

#include "ros2bt/analysis.h"
#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"
#include "ros2bt/report.h"
#include "ros2bt/table.h"

struct session;
struct pipeline; /* pipeline.h */

/* NULL with an error if the output cannot be written. What the options point to is borrowed for the session's life. */
struct session *session_create(const struct report_options *report_options, const struct analysis_options *options,
			       GError **error);
/* The same into tables of the caller, which are borrowed. `recording` is borrowed; NULL: the session makes its own. */
struct session *session_create_for_tables(struct recording *recording, const struct analysis_options *options,
					  struct table_output *tables);
/*
 * Without tables, for listeners to the pipeline, which are added before the first record and must outlive the session.
 * `parts` of the pipeline are made (enum pipeline_parts). `recording`: as above.
 */
struct session *session_create_for_listeners(struct recording *recording, const struct analysis_options *options,
					     unsigned int parts);
struct pipeline *session_pipeline(struct session *session);
/* Without session_finish() before, nothing is written to a directory. NULL is allowed. */
void session_destroy(struct session *session);

struct recording *session_recording(struct session *session);

/* All tables that a session may write, ended by NULL. */
const struct table_schema *const *session_tables(void);

/* The kinds of events that the session is to be fed with; lives as long as the session. */
const struct event_interest *session_interest(const struct session *session);

void session_feed(struct session *session, const struct event_record *records, size_t count);

/* False with an error (see report.h) if something could not be written so far. */
bool session_check(const struct session *session, GError **error);

/* Writes the tables as of now. The session goes on as if nothing had happened. */
void session_write(struct session *session);

struct first_pass;

/* What was learnt by reading the recording before (core/session/first_pass.h): before the first record; borrowed. */
void session_take_first_pass(struct session *session, const struct first_pass *pass);

/* That the session is to be fed by; NULL: by the clocks that recorded it. */
const struct clock_alignment *session_clocks(const struct session *session);

/*
 * The report covers a part of the recording only, and will say so in all its forms: `what` is DIAGNOSTIC_NOT_READ or
 * DIAGNOSTIC_INTERRUPTED, `detail` names the place and the reason as far as they are known. Before the end, once a
 * reason.
 */
void session_add_missing(struct session *session, enum diagnostic what, const char *detail);

/* Errors of session_finish() that are not those of the report. */
#define SESSION_ERROR (session_error_quark())
GQuark session_error_quark(void);

enum session_error {
	SESSION_ERROR_NOTHING_IN_RANGE, /* the message names the range of the recording */
	SESSION_ERROR_NO_START,		/* the range counts from the start, and the recording has none */
};

/*
 * The end of the recording, or of what can be read of it: writes the report. Called once. No report is written if the
 * recording was read to its end and none of its events is in the range that was asked for, or the range counts from a
 * start that the recording does not have.
 */
bool session_finish(struct session *session, GError **error);

/* What the recording is as a whole, as far as it was read; what it points to is valid until the next call. */
struct report_trace session_describe(struct session *session);

/* Whether the end was reached: session_finish() was called, and not refused for the range. */
bool session_has_finished(const struct session *session);

/* After the end: whether the recording has any runtime event, or one that the user chose, and so the report anything to
 * say. */
bool session_has_events(const struct session *session);

/* After the report was written: what people should know before they open it, NULL if nothing. */
const char *session_advice(const struct session *session);

#endif
