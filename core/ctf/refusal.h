/* SPDX-License-Identifier: MIT */
/* Why a text of metadata is refused: the first reason counts, with its line. */
#ifndef ROS2BT_CTF_REFUSAL_H
#define ROS2BT_CTF_REFUSAL_H

#include <glib.h>
#include <stdarg.h>

/* Sets *reason, to be freed, unless there is one: "PLACE LINE: …". */
void refusal_keep(char **reason, const char *place, unsigned int line, const char *format, va_list arguments)
	G_GNUC_PRINTF(4, 0);

#endif
