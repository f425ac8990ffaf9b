/* SPDX-License-Identifier: MIT */
/*
 * A call of a timer: what is known at its start, what its schedule decides later (timer_schedule.h), and how much of
 * its lateness nothing explains. Times in ns.
 */
#ifndef ROS2BT_TIMER_CALL_H
#define ROS2BT_TIMER_CALL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define TIMER_HELD_UNKNOWN INT64_MAX

/* What is known of a call at its start. */
struct timer_call_facts {
	int64_t start_ns;	/* of the callback */
	int64_t now_ns;		/* when rcl read its clock at the latest */
	int64_t earliest_ns;	/* when rcl read its clock at the earliest */
	int64_t idle_ns;	/* when the timer was not due, as its executor shows; INT64_MIN: not known */
	int64_t seems_idle_ns;	/* when it seems not to have been: its thread may have been preempted; as idle_ns */
	int64_t may_be_idle_ns; /* when it may not have been (struct timer_idle); as idle_ns */
	bool has_wait;		/* the last wait for work of the executor that called it is known: */
	int64_t wait_begin_ns, wait_end_ns;
	int64_t pause_ns;	 /* since the thread's last execution; INT64_MAX: there was none, or it is not known */
	int64_t held_ns;	 /* executions that delayed the call since it was expected, or TIMER_HELD_UNKNOWN */
	int64_t in_turn_ns;	 /* all those of an executor's threads that may have, if they did one after another */
	int64_t silent_since_ns; /* another thread may have called the timer since, and not recorded it yet; or
				    INT64_MAX */
	uint32_t overtaken;	 /* other threads called it before, if this call may have missed slots, and have not
				    recorded it yet */
	int64_t wake_up_ns;	 /* by how much calls on this thread were late at least */
	bool is_after_loss;	 /* calls may have been lost since the last one */
	bool has_executor;	 /* the thread records events of its executor */
	bool has_no_queue; /* its executor calls timers when it executes their callbacks, as the thread has shown */
	bool is_nested;	   /* within another execution, by an executor that looks only when that spins it */
};

struct timer_call {
	struct timer_call_facts facts;
	const void *execution; /* set by the caller, as the next four; NULL once it has ended (timer_schedule_end()) */
	uint32_t thread;
	int64_t free_since_ns; /* as known at its start, nothing has delayed it since then; INT64_MAX: not known */
	int64_t end_ns;
	bool has_end;
	bool is_judged;	   /* what follows is decided */
	bool has_expected; /* false: neither the expected time nor what was missed is known */
	bool is_unsure;	   /* unknown, unless a later call shows that the creation was not recorded late */
	bool is_early;	   /* before expected_ns */
	bool shows_none;   /* calls after it have shown that what it missed does not wait in a queue */
	bool begins_anew;  /* the first call of a new schedule, … */
	bool is_first;	   /* … which is the first call of all and precedes what its creation shows */
	bool seems_idle;   /* it seems that the timer was not due some time after expected_ns, … */
	bool is_vague;	   /* … or that is only possible (may_be_idle_ns) */
	int64_t expected_ns;
	uint64_t missed; /* slots that passed without a call: after expected_ns, before the next expected call */
};

/* Neither when it was expected nor what it missed is known. */
static inline void timer_call_doubt(struct timer_call *call)
{
	call->has_expected = false;
	call->is_early = false;
	call->missed = 0;
}

/* Whether its callback may have waited in a queue after rcl had made it (timer_queue.h). */
static inline bool timer_call_may_be_queued(const struct timer_call *call)
{
	return !call->facts.has_executor && !call->facts.has_no_queue;
}

/*
 * The part of the time since a call was expected that nothing explains: that in which its executor waited for work, or
 * if that is not known, no callback delayed it. While an executor does not wait, it calls no timer.
 */
static inline int64_t timer_call_unexplained_since(const struct timer_call *call, int64_t expected_ns)
{
	const struct timer_call_facts *facts = &call->facts;
	int64_t late_ns = MAX(0, facts->now_ns - expected_ns);

	if (facts->has_wait) {
		return CLAMP(facts->wait_end_ns - MAX(facts->wait_begin_ns, expected_ns), 0, late_ns);
	}
	return late_ns - CLAMP(facts->held_ns, 0, late_ns);
}

static inline int64_t timer_call_unexplained_ns(const struct timer_call *call)
{
	return timer_call_unexplained_since(call, call->expected_ns);
}

#endif
