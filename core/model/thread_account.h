/* SPDX-License-Identifier: MIT */
/*
 * What a thread did with its time: on a CPU, ready for one, or blocked; and who or what kept it.
 *
 * The states of a thread add up to the time of the account, exactly. Times of interrupts are part of the running time.
 */
#ifndef ROS2BT_THREAD_ACCOUNT_H
#define ROS2BT_THREAD_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum thread_state {
	THREAD_UNKNOWN,	  /* before the thread's first event, and where events may have been lost */
	THREAD_RUNNING,	  /* on a CPU */
	THREAD_PREEMPTED, /* taken off its CPU while it could have gone on */
	THREAD_WOKEN,	  /* no longer blocked, but not yet on a CPU */
	THREAD_BLOCKED,	  /* it waits for something else than a CPU */
	THREAD_STATES,
	THREAD_GONE = THREAD_STATES, /* it does not exist: in no account */
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

/* What came to an account since it was `before`. */
struct thread_account thread_account_since(const struct thread_account *account, const struct thread_account *before);

void thread_account_add(struct thread_account *account, const struct thread_account *more);

/*
 * One who or what kept a thread: by name, and by tid if it is a thread (0: it is none). Names are interned: equal ones
 * have equal pointers.
 */
struct thread_cause {
	const char *name; /* NULL: free; "" if it is not known */
	int32_t tid;
	uint64_t count;
	int64_t time_ns;
	int64_t longest_ns;
	int64_t rank_ns; /* of the list: its time, and that of those whose place it took */
};

#define THREAD_CAUSES_MAX 4

/*
 * Those that kept a thread longest. Only a few are kept, as in core/analyses/shared/holders.h: a new one takes the
 * place of the one that ranks last, and its rank with it, so that one with more than a THREAD_CAUSES_MAX-th of all time
 * is there in the end, though with the time since it came back only. A struct of zeros is empty. O(THREAD_CAUSES_MAX).
 */
struct thread_causes {
	struct thread_cause list[THREAD_CAUSES_MAX];
	bool has_others; /* one has lost its place */
};

/* Adds what kept the thread so long; the name must not be NULL. rank_ns of the cause is not read. */
void thread_causes_add(struct thread_causes *causes, const struct thread_cause *cause);
void thread_causes_add_all(struct thread_causes *causes, const struct thread_causes *more);

/* The one of the longest time in all, NULL if there is none. */
const struct thread_cause *thread_causes_longest(const struct thread_causes *causes);

#endif
