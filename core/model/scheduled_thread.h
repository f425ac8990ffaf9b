/* SPDX-License-Identifier: MIT */
/*
 * A thread of the kernel: its state, the account of its time, its last wake-up, and what it does within spans of time,
 * such as the execution of a callback. thread_states.h decides from the events which state it is in.
 *
 * - The account covers the time up to counted_ns, and does not change any more up to there.
 * - Spans of a thread nest. The states of a closed span add up to its duration, exactly.
 * - While some CPU is doubtful (struct thread_doubt), the time since then of a thread that may have been on that CPU is
 *   pending: it counts once it is certain (scheduled_thread_resolve()), and as unknown where it is asked for before.
 *
 * Times in ns since the Unix epoch. Cost: O(1), plus O(open spans) where a preemption, a block or a system call ends.
 */
#ifndef ROS2BT_SCHEDULED_THREAD_H
#define ROS2BT_SCHEDULED_THREAD_H

#include "core/base/arena.h"
#include "core/model/thread_account.h"
#include "core/statistics/duration_statistics.h"

/*
 * What is missing now of the events of a host. A CPU is dark while its events are lost or not recorded. It is doubtful
 * in a packet that lost events after some event of it: which one that was shows only at the end of the packet.
 */
struct thread_doubt {
	uint32_t dark;	   /* CPUs, by streams */
	uint32_t doubtful; /* CPUs, by streams */
	int64_t since_ns;  /* while some are doubtful: up to here nothing is missing on any of these */
};

/* Owned by struct thread_states, like the threads. */
struct scheduled_cpu {
	struct scheduled_thread *current; /* NULL: none, or unknown */
	bool is_idle;			  /* the last switch was to the idle thread */
	bool is_vacated;		  /* the thread of the last switch has left it, nobody knows when */
	bool has_stream;		  /* of the kernel's switches */
	bool is_missed;			  /* it has none, but programs run on it: it is dark */
	uint32_t dark, doubtful;	  /* streams of it, see struct thread_doubt */
	int64_t certain_ns;		  /* while it is doubtful: up to here nothing is missing */
	bool has_switch;
	int64_t last_switch_ns;
	int64_t last_ns; /* of its last event */
	uint32_t irq_depth;
	int64_t irq_since_ns;
	uint64_t number; /* that of thread_states_cpu() */
};

/* The ids of a thread, see struct kernel_thread. */
struct thread_identity {
	int32_t pid, vpid, vtid; /* -1: unknown */
	uint64_t ns_inum;	 /* 0: unknown */
};

/*
 * Hears of the time of threads as it is counted: what it hears of a thread adds up to the account of that thread.
 * Known to the threads of a host from their beginning on, or never.
 */
struct thread_watch {
	void *data;
	uint32_t host;
	/*
	 * The thread was in its state from one time to another. The causes are those of the state: `ran_on`,
	 * `taken_by`, `woken_by`, `call`. is_pending: only if settled() says so next of this thread.
	 */
	void (*passed)(const struct thread_watch *watch, const struct scheduled_thread *thread, int64_t from_ns,
		       int64_t to_ns, bool is_pending);
	/* All that was pending of a thread is certain, or its state was unknown all that time. */
	void (*settled)(const struct thread_watch *watch, const struct scheduled_thread *thread, bool is_certain);
};

/* What the trace shows of how a thread began. */
enum thread_beginning {
	THREAD_FOUND,  /* nothing: it was there already, or its beginning is not recorded */
	THREAD_FORKED, /* sched_process_fork, but not yet sched_wakeup_new */
	THREAD_BEGUN,
};

/* What a thread does within a part of its time. */
struct thread_span {
	struct thread_span *outer;
	int64_t start_ns;
	struct thread_account account; /* while open: that of the thread at the start; once closed: of the span */
	struct thread_causes preempted_by;
	struct thread_causes blocked_in; /* system calls, by the time blocked in them */
	struct thread_causes calls;	 /* system calls that ended in the span, by their time */
	uint64_t call_count;
	int64_t call_ns;
};

/* Owned by struct thread_states, which sets members, too. All others only read them. */
struct scheduled_thread {
	int32_t tid;
	const char *name; /* the latest one; "" if unknown */
	enum thread_state state;
	enum thread_beginning beginning;
	int64_t first_ns;		 /* its first event */
	bool is_exiting;		 /* it has called exit, and runs until a switch says that it has ended */
	bool has_passed_tid;		 /* another thread has its tid now */
	struct thread_identity identity; /* if so: that which it had */
	int64_t state_since_ns;
	int64_t counted_ns;	       /* end of the time that `account` covers */
	int64_t uncounted_irq_ns;      /* in interrupts since counted_ns */
	struct thread_account account; /* without the interrupt that is in progress, and what is pending */
	struct thread_account pending;
	int64_t pending_until_ns;		/* INT64_MIN: nothing is pending */
	const struct thread_doubt *doubt;	/* borrowed; that of its host */
	const struct thread_watch *watch;	/* borrowed; NULL: nobody watches */
	struct thread_account before, in_range; /* before the range; within it, once it is over */
	struct scheduled_cpu *cpu;		/* where it runs; NULL unless it does */
	const struct scheduled_cpu *ran_on;	/* where it ran last; NULL: not known */
	const char *taken_by;			/* while preempted: the thread that took its CPU */
	int32_t taken_by_tid;
	const struct scheduled_thread
		*woken_by;    /* while woken: the thread on the CPU that did it; NULL: unknown, idle */
	bool is_woken_in_irq; /* while woken: an interrupt of that thread did it */
	const char *call;     /* the system call that it is in; NULL: none, as far as recorded */
	int64_t call_since_ns;
	int64_t blocked_since_ns; /* before the last waking; INT64_MAX: unknown */
	bool has_wakeup;	  /* the next two are of its last wake-up */
	int64_t waking_ns, switch_in_ns;
	struct duration_statistics wakeup; /* from waking to running */
	struct thread_span *innermost;	   /* open span; NULL: none */
};

/* A thread of unknown state since a time; it belongs to the arena. The doubt is borrowed. */
struct scheduled_thread *scheduled_thread_create(struct arena *arena, const struct thread_doubt *doubt, int32_t tid,
						 int64_t since_ns);

/* NULL or "" keeps the name. The name is borrowed from the string pool. */
void scheduled_thread_set_name(struct scheduled_thread *thread, const char *name);

/* Extends the account to a time. */
void scheduled_thread_count(struct scheduled_thread *thread, int64_t time_ns);

/* What is pending becomes unknown unless it is certain by now. */
void scheduled_thread_resolve(struct scheduled_thread *thread);

/* Begins a state at a time, or at counted_ns if that is later. */
void scheduled_thread_set_state(struct scheduled_thread *thread, enum thread_state state, int64_t time_ns);

/* The thread runs on no CPU any more. Its state remains. */
void scheduled_thread_take_off(struct scheduled_thread *thread);

/* The state of the thread is unknown from a time on, or from counted_ns if that is later. */
void scheduled_thread_forget(struct scheduled_thread *thread, int64_t from_ns);

/* A woken thread comes to a CPU. */
void scheduled_thread_note_wakeup(struct scheduled_thread *thread, int64_t switch_in_ns);

/* Counts the system call that the thread is in, which ends. */
void scheduled_thread_count_call(const struct scheduled_thread *thread, int64_t time_ns);

/* The account up to a time that is not before any event so far. The part after counted_ns may still change. */
struct thread_account scheduled_thread_account(const struct scheduled_thread *thread, int64_t time_ns);

/* The span belongs to the caller and must live until it is closed. Spans may be closed in any order. */
void scheduled_thread_open_span(struct scheduled_thread *thread, struct thread_span *span, int64_t time_ns);
void scheduled_thread_close_span(struct scheduled_thread *thread, struct thread_span *span, int64_t time_ns);

#endif
