/* SPDX-License-Identifier: MIT */
/*
 * The terminal as a screen of lines, by the control sequences of ECMA-48 and xterm's alternate screen, which tmux,
 * screen and every terminal of the last decades understand. One thread uses it.
 *
 * What the terminal was before is restored by terminal_close(), at exit() and at signals that end the program; SIGKILL
 * cannot be helped. While it is open, standard error goes to a file, and what was written there comes after it.
 */
#ifndef ROS2BT_COMMAND_TERMINAL_H
#define ROS2BT_COMMAND_TERMINAL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* False with an error if standard input and output are no terminal. */
bool terminal_open(GError **error);

/* Once more does nothing. `tells`: what was written to standard error is, after all. */
void terminal_close(bool tells);

void terminal_size(guint *width, guint *height);

/* `lines`: struct top_line; those below are cleared. */
void terminal_draw(const GArray *lines);

/* A character or an enum top_key; 0: none came in that time, or it is unknown. */
uint32_t terminal_read_key(int timeout_ms);

/* Nothing can be read from it any more, or who started this program has died, and another program, a shell, has it. */
bool terminal_is_gone(void);

#endif
