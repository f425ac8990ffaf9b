/* SPDX-License-Identifier: MIT */
/*
 * Ends reading a live session while its relay daemon does not answer: source.ctf.lttng-live waits for each answer, also
 * to leave the session, and goes on waiting after a signal, unless its graph is interrupted.
 */
#ifndef ROS2BT_LIVE_INTERRUPTION_H
#define ROS2BT_LIVE_INTERRUPTION_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/*
 * From now on: in a handler of a signal that the thread that reads gets, waiting ends at once, else within a second.
 * May be called before a session is read, and by any thread.
 */
void live_interruption_ask(void);
bool live_interruption_is_asked(void);

/* Of the thread that reads a session, around all of it, destroying the graph included. SIGALRM is taken. */
const bt_interrupter *live_interruption_begin(void);
void live_interruption_end(void);

#endif
