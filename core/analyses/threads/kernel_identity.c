/* SPDX-License-Identifier: MIT */
#include "core/analyses/threads/kernel_identity.h"

#include "core/analyses/shared/row_process.h"
#include "core/model/execution_schedules.h"

static struct thread_identity ids_of(const struct analysis_context *context, uint32_t host,
				     const struct scheduled_thread *thread)
{
	const struct kernel_threads *identities = execution_schedules_threads(context->schedules);
	uint32_t index = kernel_threads_find(identities, host, thread->tid);
	const struct kernel_thread *known;

	if (thread->has_passed_tid || index == KERNEL_THREAD_NONE) {
		return thread->identity;
	}
	known = kernel_thread_at(identities, index);
	return (struct thread_identity){ known->pid, known->vpid, known->vtid, known->ns_inum };
}

struct kernel_identity kernel_identity_of(const struct analysis_context *context, uint32_t host,
					  const struct scheduled_thread *thread)
{
	struct kernel_identity identity = { .ids = ids_of(context, host, thread), .process = PROCESS_NONE };

	identity.vpid = identity.ids.vpid > 0 ? identity.ids.vpid : identity.ids.pid;
	for (uint32_t i = 0; i < recording_process_count(context->recording); i++) {
		if (process_has_ids(recording_process(context->recording, i), host, identity.vpid,
				    identity.ids.ns_inum) &&
		    object_model_has_definitions(context->model, i)) {
			identity.process = i;
			break;
		}
	}
	return identity;
}
