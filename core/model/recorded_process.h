/* SPDX-License-Identifier: MIT */
/*
 * Since when a process is recorded. Outside of breaks it is from its first runtime event to its last one, as far as its
 * streams are. A break is a time in which it is not recorded although its streams are; its end adds it to the coverage
 * (core/model/coverage.h):
 *
 *  - CARET did not record the process: from its last runtime event before a caret_init to the first one after it
 *    (CARET, trace_node.cpp: runtime events only in the status RECORD, which begins after caret_init)
 *  - tracing was off: likewise, since LTTng stops and starts one process after the other. That takes a moment only, so
 *    what lies outside of the pause counts as recorded where it is asked how long a process was
 *
 * Where events of a process may be missing, the absence of a message proves nothing.
 *
 * Embedded, zeroed. Times in ns since the Unix epoch. Cost: O(1), and that of a question to the coverage.
 */
#ifndef ROS2BT_RECORDED_PROCESS_H
#define ROS2BT_RECORDED_PROCESS_H

#include "core/model/coverage.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/events/recording.h"

struct recorded_process {
	bool has_run;
	bool is_recorded; /* it has run since its recording began anew */
	bool is_paused;	  /* not since the last pause, which is the only reason */
	int64_t last_ns;  /* its last runtime event */
};

/* Shorter silences of all processes are not looked at: stopping and starting LTTng takes longer. */
#define RECORDED_SILENCE_NS (NS_PER_S / 10)
/* Without packets a silence of this length counts as a pause: a guess, above the periods of most timers. */
#define RECORDED_PAUSE_NS (3 * NS_PER_S)

/*
 * The first time in which tracing was off between two runtime events that are more than RECORDED_SILENCE_NS apart: no
 * stream was in a packet. False: there is none.
 */
static inline bool recorded_silence_find_pause(const struct recording *recording, int64_t last_ns, int64_t time_ns,
					       struct apart *pause)
{
	if (recording_has_packets(recording)) {
		return recording_find_off(recording, last_ns, time_ns, pause);
	}
	*pause = (struct apart){ .begin_ns = last_ns, .end_ns = time_ns };
	return time_ns - last_ns >= RECORDED_PAUSE_NS;
}

/* CARET begins to record the process anew, with its next runtime event. */
static inline void recorded_process_stop(struct recorded_process *process)
{
	process->is_recorded = process->is_paused = false;
}

/* Tracing was off; the recording of the process begins anew with its next runtime event. */
static inline void recorded_process_pause(struct recorded_process *process)
{
	process->is_paused = process->is_recorded || process->is_paused;
	process->is_recorded = false;
}

/* The first runtime event of the process of an index, or since its recording began anew. */
static inline void recorded_process_begin(struct recorded_process *process, struct coverage *coverage, uint32_t index,
					  int64_t now_ns)
{
	if (process->has_run) {
		coverage_add_break(coverage, index, process->last_ns, now_ns, process->is_paused);
	}
	process->has_run = process->is_recorded = true;
	process->is_paused = false;
}

/* Whether events of the process may be missing somewhere from begin_ns to end_ns. */
static inline bool recorded_process_may_miss(const struct recorded_process *process, struct coverage *coverage,
					     uint32_t index, int64_t begin_ns, int64_t end_ns)
{
	return (process->has_run && !process->is_recorded && end_ns >= process->last_ns) ||
	       !coverage_process_misses_nothing(coverage, index, begin_ns, end_ns);
}

#endif
