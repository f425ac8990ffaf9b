/* SPDX-License-Identifier: MIT */
/*
 * What is known of the threads of a host where events of its kernel are missing.
 *
 * - While events of a CPU are missing (it is dark), a thread may run there unseen: only those that run on other CPUs
 * are in a known state. A thread that leaves one of these is in no known state from then on, whatever it waits for; a
 *   wake-up or an event in user space shows where it is at that moment only.
 * - When the CPU has events again, the state of a thread is known from its next event on; what leaves that CPU first
 * has run there since it has events.
 * - In a packet that lost events, the CPU is doubtful: nothing is missing up to its last switch, and that a switch was
 *   the last one shows at the end of the packet. What happens in between counts, for threads that may have been on the
 *   CPU, when the next switch or that end has come, and as unknown where it is asked for before (scheduled_thread.h).
 *
 * Sound, not complete: the recorded events may exclude more, such as that a thread ran on a dark CPU if all of its
 * switches on others follow one another without a wake-up in between. No account depends on that.
 *
 * Cost: O(threads) where a gap begins or ends, O(1) otherwise; O(CPUs) per switch of a doubtful one if there are
 * several.
 */
#ifndef ROS2BT_THREAD_LOSSES_H
#define ROS2BT_THREAD_LOSSES_H

#include "core/model/thread_states.h"

/*
 * The CPU has no events from a time on, which is not before any of its so far; and has them again. To be paired. A CPU
 * may be dark several times at once: by each of its streams.
 */
void thread_losses_darken(struct thread_states *states, struct scheduled_cpu *cpu, int64_t from_ns);
void thread_losses_lighten(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns);

/* The first stream of a CPU begins to have events; if the CPU is_missed, it is not any more. */
void thread_losses_resume_cpu(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns);

/*
 * The CPU becomes doubtful: a packet begins, or the gap in front of it, that lost events; and is not any more, when the
 * gap at the end of the packet has ended. To be paired.
 */
void thread_losses_doubt(struct thread_states *states, struct scheduled_cpu *cpu, int64_t from_ns);
void thread_losses_trust(struct thread_states *states, struct scheduled_cpu *cpu);

/* To be called before a switch of a doubtful CPU: nothing is missing up to its time. */
void thread_losses_be_certain(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns);

/* Events of the CPU are missing up to a time: since its last switch, or its last event if it is not doubtful. */
void thread_losses_end_gap(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns);

/* No CPU has events from a time on, which is not before any event so far; and all have them again. To be paired. */
void thread_losses_pause(struct thread_states *states, int64_t from_ns);
void thread_losses_resume(struct thread_states *states, int64_t time_ns);

#endif
