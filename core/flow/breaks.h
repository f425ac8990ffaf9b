/* SPDX-License-Identifier: MIT */
/*
 * Breaks: times in which events of a process may be missing from the recording, so that the absence of a message proves
 * nothing:
 *
 *  - a stream of a trace in which the process has threads lost events or packets (RECORD_DISCARDED_*, RECORD_GAP)
 *  - CARET did not record the process: from its last runtime event before a caret_init to the first one after it
 *    (CARET, trace_node.cpp: runtime events only in the status RECORD, which begins after caret_init)
 *  - tracing was off (pipeline.h): likewise, since LTTng stops and starts one process after the other
 *
 * Outside of breaks a process is recorded from its first runtime event to its last one.
 *
 * Cost: O(BREAKS_MAX) for a question. Memory: BREAKS_MAX breaks of each trace and process; older ones count as one long
 * break.
 */
#ifndef ROS2BT_FLOW_BREAKS_H
#define ROS2BT_FLOW_BREAKS_H

#include "core/flow/state.h"

#define BREAKS_MAX 64 /* of a list */

struct flow_break {
	int64_t begin_ns, end_ns;
};

/* The last breaks, in order of time. */
struct break_list {
	struct flow_break breaks[BREAKS_MAX]; /* ring */
	unsigned int first, count;
	bool has_forgotten;
	int64_t forgotten_until_ns;
};

/*
 * A guess at the longest callback, needed only where the recording of a process begins: after this time a thread that
 * has shown no callback counts as one that only publishes.
 */
#define FLOW_CUT_EXECUTION_NS NS_PER_S

/* Takes losses (RECORD_*). */
void flow_breaks_feed(struct flow_linker *linker, const struct event_record *record);
/* The recording of the process begins anew with its next runtime event. */
void flow_breaks_begin_phase(struct flow_linker *linker, struct flow_process *process);
/* The first runtime event of the process, or of a phase. */
void flow_breaks_begin_runtime(struct flow_linker *linker, struct flow_process *process);
/* A callback starts or ends on the thread. */
static inline void flow_breaks_callback_seen(struct flow_thread *thread)
{
	thread->callback_phase = thread->process->phase + 1;
}

/*
 * Whether a thread without an open execution may be in one whose start was lost, or lay before the recording of its
 * process: no callback has started or ended on the thread since then, and FLOW_CUT_EXECUTION_NS have not passed.
 */
bool flow_breaks_may_hide_start(const struct flow_linker *linker, const struct flow_thread *thread);

/* Whether events of the process may be missing somewhere from begin_ns to end_ns. */
bool flow_breaks_overlap(const struct flow_linker *linker, const struct flow_process *process, int64_t begin_ns,
			 int64_t end_ns);

#endif
