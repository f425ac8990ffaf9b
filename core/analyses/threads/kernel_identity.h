/* SPDX-License-Identifier: MIT */
/* Which thread of user space a thread of the kernel is, as known now. */
#ifndef ROS2BT_KERNEL_IDENTITY_H
#define ROS2BT_KERNEL_IDENTITY_H

#include "core/analyses/shared/analysis.h"
#include "core/model/scheduled_thread.h"

#define PROCESS_NONE UINT32_MAX

struct kernel_identity {
	struct thread_identity ids;
	int32_t vpid;	  /* <= 0: unknown */
	uint32_t process; /* with ROS 2, by index in the recording; else PROCESS_NONE */
};

/* O(processes) */
struct kernel_identity kernel_identity_of(const struct analysis_context *context, uint32_t host,
					  const struct scheduled_thread *thread);

#endif
