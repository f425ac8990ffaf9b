/* SPDX-License-Identifier: MIT */
/*
 * A recording session of LTTng, by the command `lttng`: its channels, events and contexts are those that ros2-latency
 * reads, its format one that every version of babeltrace2 reads, its buffers as large as the machine affords.
 *
 * No session is left behind: whatever fails, or is interrupted, destroys it. That of a process that was killed is
 * destroyed when the next one starts; its name says which process made it, in which namespace, and when that started,
 * so that none that is in use is taken for one of these.
 */
#ifndef ROS2BT_LTTNG_SESSION_H
#define ROS2BT_LTTNG_SESSION_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct lttng_plan {
	const char *directory; /* absolute; where the trace is written */
	bool is_snapshot;      /* the last of what happened is kept in memory, and written when the session ends */
	bool has_caret;	       /* events of CARET, too */
	bool has_kernel;       /* the kernel's scheduler, too */
};

/*
 * Destroys what killed processes left, and starts a session. Its name, to be freed; NULL with an error, or without one
 * if `is_interrupted` returned true before the session was started.
 */
char *lttng_session_start(const struct lttng_plan *plan, bool (*is_interrupted)(void), GError **error);

/* How many events were lost so far. False if LTTng does not know the session, or cannot be asked. */
bool lttng_session_lost(const char *name, uint64_t *lost);

/* Stops the session, writes what it has, and destroys it. */
bool lttng_session_finish(const struct lttng_plan *plan, const char *name, GError **error);

#endif
