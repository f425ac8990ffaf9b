/* SPDX-License-Identifier: MIT */
/*
 * Since when each process is recorded (core/model/recorded_process.h), and what may have begun before.
 *
 * Cost: that of a question to the coverage.
 */
#ifndef ROS2BT_FLOW_BREAKS_H
#define ROS2BT_FLOW_BREAKS_H

#include "core/flow/state.h"

/*
 * A guess at the longest callback, needed only where the recording of a process begins: after this time a thread that
 * has shown no callback counts as one that only publishes.
 */
#define FLOW_CUT_EXECUTION_NS NS_PER_S

/* The recording of the process begins anew with its next runtime event: CARET's, or that of all after a pause. */
void flow_breaks_begin_phase(struct flow_linker *linker, struct flow_process *process);
void flow_breaks_pause(struct flow_process *process);
/* The first runtime event of the process, or of a phase. */
void flow_breaks_begin_runtime(struct flow_linker *linker, struct flow_process *process);
/* A callback starts or ends on the thread. */
static inline void flow_breaks_callback_seen(struct flow_thread *thread)
{
	thread->callback_phase = thread->process->phase + 1;
	thread->is_executing = false;
}

/*
 * Whether a thread without an open execution may be in one whose start was lost, or lay before the recording of its
 * process: no callback has started or ended on the thread since then, and FLOW_CUT_EXECUTION_NS have not passed.
 */
bool flow_breaks_may_hide_start(const struct flow_linker *linker, const struct flow_thread *thread);

/*
 * Events of the thread may be missing. If they are those that name the publisher of its open publication, it may be of
 * any publisher of the process, which is not recorded then.
 */
void flow_breaks_cut(const struct flow_linker *linker, const struct flow_thread *thread);

/* Whether events of the process may be missing somewhere from begin_ns to end_ns. */
bool flow_breaks_overlap(const struct flow_linker *linker, const struct flow_process *process, int64_t begin_ns,
			 int64_t end_ns);
/* Whether it would be false for any process and time so far. */
bool flow_breaks_are_none(const struct flow_linker *linker);

#endif
