/* SPDX-License-Identifier: MIT */
/*
 * The process that a row is about, with the name of its host: looked up once, to sort rows by it and to write it
 * (COLUMNS_OF_PROCESS), or to call a node by it that has no known name; and whether it is the one that the kernel's
 * events identify.
 */
#ifndef ROS2BT_ROW_PROCESS_H
#define ROS2BT_ROW_PROCESS_H

#include <glib.h>

#include "core/analyses/shared/cells.h"
#include "ros2bt/events/recording.h"

struct row_process {
	const struct recording_process *process; /* borrowed from the recording, as the names */
	const char *hostname, *procname;
	struct cell vpid;
};

static inline struct row_process row_process_of(const struct recording *recording, uint32_t index)
{
	const struct recording_process *process = recording_process(recording, index);

	return (struct row_process){
		.process = process,
		.hostname = recording_host(recording, process->host)->hostname,
		.procname = process->procname,
		.vpid = vpid_cell(process),
	};
}

/*
 * The name by which reports call a node; if it is not known (NULL), its process as "[PROCNAME]", or "[?]" if that has
 * no name. To be freed.
 */
static inline char *node_or_process(const char *node, const struct recording_process *process)
{
	const char *name = process->procname[0] != '\0' ? process->procname : "?";

	return node ? g_strdup(node) : g_strdup_printf("[%s]", name);
}

/* Whether the ids of the kernel's events are those of the process. A namespace that is not known (0) may be any. */
static inline bool process_has_ids(const struct recording_process *process, uint32_t host, int32_t vpid,
				   uint64_t pid_ns)
{
	return process->host == host && process->has_vpid && process->vpid == vpid &&
	       (process->pid_ns == 0 || pid_ns == 0 || process->pid_ns == pid_ns);
}

#endif
