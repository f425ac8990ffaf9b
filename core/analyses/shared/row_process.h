/* SPDX-License-Identifier: MIT */
/* The process that a row is about, with the name of its host: looked up once, to sort rows by it and to write it. */
#ifndef ROS2BT_ROW_PROCESS_H
#define ROS2BT_ROW_PROCESS_H

#include <string.h>

#include "core/base/compare_numbers.h"
#include "ros2bt/recording.h"

struct row_process {
	const struct recording_process *process; /* borrowed from the recording, as the name */
	const char *hostname;
};

static inline struct row_process row_process_of(const struct recording *recording, uint32_t index)
{
	const struct recording_process *process = recording_process(recording, index);

	return (struct row_process){ process, recording_host(recording, process->host)->hostname };
}

/* By host, name and vpid. */
static inline int compare_row_processes(const struct row_process *left, const struct row_process *right)
{
	int order = strcmp(left->hostname, right->hostname);

	order = order ? order : strcmp(left->process->procname, right->process->procname);
	return order ? order : compare_integers(left->process->vpid, right->process->vpid);
}

#endif
