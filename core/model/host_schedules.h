/* SPDX-License-Identifier: MIT */
/*
 * What the threads and CPUs of each host do, from the records of its kernel: translates records to the calls of
 * thread_states.h, one struct thread_states per host, and feeds kernel_threads.h.
 *
 * - A host's states end with the last of its streams that record switches or wake-ups.
 * - A stream whose packets do not name a CPU is treated as a CPU of its own.
 * - Where streams have no events: host_streams.h.
 *
 * Embedded: init and clear. Cost: O(1) per record; O(threads) at a loss, at a limit of the range and at the end of a
 * stream. Memory: the threads and CPUs of the hosts.
 */
#ifndef ROS2BT_HOST_SCHEDULES_H
#define ROS2BT_HOST_SCHEDULES_H

#include "core/model/kernel_threads.h"
#include "core/model/host_streams.h"
#include "core/model/thread_states.h"
#include "core/base/time_range.h"

/* A sched_waking, until anything else happens, but for system calls. */
struct last_waking {
	const char *name; /* of the thread, in the pool; NULL: it was another event */
	int32_t tid;
	uint16_t stream;
};

struct host_schedules {
	struct recording *recording;	 /* borrowed */
	struct kernel_threads *threads;	 /* owned */
	const struct time_range *limits; /* borrowed; NULL: none */
	enum thread_range range;
	int64_t next_limit_ns; /* where the range begins or is over; INT64_MAX: never, or not known yet */
	GPtrArray *hosts;      /* struct schedule_host *, owned, by host index; NULL: no event of its kernel so far */
	GPtrArray *streams;    /* struct schedule_stream * by index, in the arena; NULL: none of a kernel so far */
	struct thread_watch watch; /* of all hosts; passed NULL: nobody watches */
	struct last_waking waking;
	bool has_expected; /* the streams that will record switches are known */
};

/* The recording is borrowed and must outlive the schedules. */
void host_schedules_init(struct host_schedules *schedules, struct recording *recording);
void host_schedules_clear(struct host_schedules *schedules);

/* The kinds of events to be fed, ended by EVENT_KIND_COUNT; and adds them to what is read. */
extern const enum event_kind host_schedules_kinds[];
void host_schedules_add_interest(struct event_interest *interest);

/* The range of thread_states_in_range(), borrowed; see execution_schedules_set_range(). */
void host_schedules_set_range(struct host_schedules *schedules, const struct time_range *limits, bool is_known);

/* From now on, which is before the first event: hears of the threads of all hosts. The watch is copied. */
void host_schedules_watch(struct host_schedules *schedules, const struct thread_watch *watch);

/* Takes the events of class SYSTEM of those kinds, and the records about the recording itself. */
void host_schedules_feed(struct host_schedules *schedules, const struct event_record *record);

/*
 * Whether the kernel of any host recorded an event, or will. The first call, which must not be before the first record,
 * looks at all streams.
 */
bool host_schedules_look(struct host_schedules *schedules);
static inline bool host_schedules_has_any(struct host_schedules *schedules)
{
	return schedules->hosts->len > 0 || (!schedules->has_expected && host_schedules_look(schedules));
}

/* The threads of a host; NULL: no event of its kernel so far, and none that may come. */
struct thread_states *host_schedules_states(const struct host_schedules *schedules, uint32_t host);

/*
 * A thread of a host with states recorded an event in a stream of its program: its CPU, NULL if that is not known. To
 * be called before thread_states_see().
 */
struct scheduled_cpu *host_schedules_see(struct host_schedules *schedules, uint32_t host, uint16_t stream,
					 int64_t time_ns);

/* Adds the CPUs whose events of the kernel end before those of others. */
void host_schedules_diagnose(const struct host_schedules *schedules, struct diagnostics *findings);

#endif
