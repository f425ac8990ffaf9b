/* SPDX-License-Identifier: MIT */
#include "core/ctf/refusal.h"

void refusal_keep(char **reason, const char *place, unsigned int line, const char *format, va_list arguments)
{
	g_autofree char *what = *reason ? NULL : g_strdup_vprintf(format, arguments);

	if (what) {
		*reason = g_strdup_printf("%s %u: %s", place, line, what);
	}
}
