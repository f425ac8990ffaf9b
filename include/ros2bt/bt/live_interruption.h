/* SPDX-License-Identifier: MIT */
/*
 * Ends reading a live session while its relay daemon does not answer: source.ctf.lttng-live waits for each answer, also
 * to leave the session. Its connection is shut down, which ends each wait as when the relay daemon dies. Interrupting
 * its graph does not: babeltrace2 2.0 asks for a packet again and again then, and aborts where it waits for metadata.
 */
#ifndef ROS2BT_LIVE_INTERRUPTION_H
#define ROS2BT_LIVE_INTERRUPTION_H

#include <stdbool.h>

/*
 * From now on, waiting ends at once; while connecting, within a second. May be called in a signal handler, by any
 * thread, and before a session is read.
 */
void live_interruption_ask(void);
bool live_interruption_is_asked(void);

/*
 * Of the thread that reads a session, around all of it, destroying the graph included. SIGALRM is taken, and
 * connections over IP that are made in the meantime by this process are those of the session.
 */
void live_interruption_begin(void);
void live_interruption_end(void);

#endif
