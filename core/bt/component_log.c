/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/component_log.h"

#include <stdio.h>

void component_log(const bt_component *component, bt_logging_level level, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	if (level < bt_component_get_logging_level(component)) {
		return;
	}
	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	fprintf(stderr, "%s: %s\n", bt_component_get_name(component), text);
}
