/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/node_or_process.h"

#include <glib.h>

char *node_or_process(const char *node, const struct recording_process *process)
{
	const char *name = process->procname[0] != '\0' ? process->procname : "?";

	return node ? g_strdup(node) : g_strdup_printf("[%s]", name);
}
