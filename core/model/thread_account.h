/* SPDX-License-Identifier: MIT */
/*
 * What a thread did with its time: running on a CPU, ready for one, or blocked; and the causes of what kept it from
 * running.
 *
 * The states add up to the time of the account, exactly. Times of interrupts are part of the running time. All times
 * are in ns.
 */
#ifndef ROS2BT_THREAD_ACCOUNT_H
#define ROS2BT_THREAD_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum thread_state {
	THREAD_UNKNOWN,	  /* before the thread's first event, and where events may have been lost */
	THREAD_RUNNING,	  /* on a CPU */
	THREAD_PREEMPTED, /* taken off its CPU while it was ready to run */
	THREAD_WOKEN,	  /* no longer blocked, but not yet on a CPU */
	THREAD_BLOCKED,	  /* waiting for something other than a CPU */
	THREAD_STATES,
	THREAD_GONE = THREAD_STATES, /* it has ended; in no account */
};

struct thread_account {
	int64_t time_ns[THREAD_STATES];
	int64_t irq_ns; /* in interrupts on its CPU, a part of THREAD_RUNNING */
	uint64_t preemptions, blocks;
};

static inline int64_t thread_account_total(const struct thread_account *account)
{
	int64_t total_ns = 0;

	for (int state = 0; state < THREAD_STATES; state++) {
		total_ns += account->time_ns[state];
	}
	return total_ns;
}

/* The difference of an account and an earlier state of it. */
struct thread_account thread_account_since(const struct thread_account *account, const struct thread_account *before);

void thread_account_add(struct thread_account *account, const struct thread_account *more);

/*
 * A cause: a thread by its tid, with its latest name, or anything else by its name (tid 0). Names are interned: equal
 * names have equal pointers.
 */
struct thread_cause {
	const char *name; /* NULL: no cause; "" if unknown */
	int32_t tid;
	uint64_t count;
	int64_t time_ns;
	int64_t longest_ns;
	int64_t rank_ns; /* its time, and that of the causes whose place it took; set by the list */
};

#define THREAD_CAUSES_MAX 4

/*
 * The causes with the longest times. A new cause takes the place and the rank of the one that ranks last, as in
 * core/analyses/shared/holders.h. A cause with more than a THREAD_CAUSES_MAX-th of all time is therefore in the list at
 * the end, although possibly only with the time since it last entered. A struct of zeros is empty. O(THREAD_CAUSES_MAX)
 * per call.
 */
struct thread_causes {
	struct thread_cause list[THREAD_CAUSES_MAX];
	bool has_others; /* some cause has lost its place */
};

/* Adds a time of a cause. The name must not be NULL; rank_ns is not read. */
void thread_causes_add(struct thread_causes *causes, const struct thread_cause *cause);
void thread_causes_add_all(struct thread_causes *causes, const struct thread_causes *more);

/* The cause with the longest time, NULL if there is none. */
const struct thread_cause *thread_causes_longest(const struct thread_causes *causes);

#endif
