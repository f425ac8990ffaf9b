/* SPDX-License-Identifier: MIT */
/* Who asks for the publications that callbacks handle, and what of them the choice depends on. Times are in ns. */
#ifndef ROS2BT_UNTAKEN_USER_H
#define ROS2BT_UNTAKEN_USER_H

#include <glib.h>

#include "ros2bt/base/time_units.h"
#include "ros2bt/model/object_model.h"

#define UNTAKEN_KEPT 64
#define UNTAKEN_REST_NS (500 * NS_PER_US) /* a guess: longer than an executor needs from one callback to the next */
#define UNTAKEN_WAIT_NS NS_PER_S	  /* a callback is decided by then, at the latest */

/* What the choice depends on. */
struct untaken_publication {
	int64_t first_ns; /* the first publish event */
	uint32_t process, thread;
	const struct model_publisher *publisher;
	bool has_inter_leg; /* it goes to other processes */
};

/* A thread of the user, who keeps it: what it does as far as callbacks of any kind show it. Zeros: it has run none. */
struct untaken_thread {
	bool is_in_callback;
	int64_t free_ns;		  /* when the last callback ended */
	int64_t rest_begin_ns, rested_ns; /* the last rest: a callback started at its end */
};

/* A callback of any kind starts on the thread; before untaken_matcher_take() if that is called for it. */
static inline void untaken_thread_start(struct untaken_thread *thread, int64_t start_ns)
{
	if (!thread->is_in_callback && start_ns - thread->free_ns >= UNTAKEN_REST_NS) {
		thread->rest_begin_ns = thread->free_ns;
		thread->rested_ns = start_ns;
	}
	thread->is_in_callback = true;
}

/* A callback has ended on the thread. */
static inline void untaken_thread_end(struct untaken_thread *thread, int64_t now_ns)
{
	thread->is_in_callback = false;
	thread->free_ns = now_ns;
}

/* The start of a callback whose message is to be decided. */
struct untaken_callback {
	const struct untaken_thread *thread;
	int64_t start_ns;
	void *execution, *note; /* of the user, who alone knows what they are */
	const bool *has_ended;	/* of the user: whether its execution has, until it is decided */
};

/* The n-th undecided callback of a subscription, and the n-th candidate in hand: side by side, since most have one. */
struct untaken_place {
	struct untaken_callback callback;
	uint64_t published; /* publications of the topic before the callback */
	void *held;
};

/* Who asks. Publications and executions are pointers of the user. All functions are called. */
struct untaken_user {
	void *data;
	struct untaken_publication (*describe)(void *data, const void *publication);
	void (*forget)(void *data, void *publication);
	/* The publication may be that of an undecided callback, until `put_down` or `given`: it is kept, too. */
	void (*hold)(void *data, void *publication);
	void (*put_down)(void *data, void *publication);
	/*
	 * The last call for a callback, which had the publication unless events of a process may be missing since; also
	 * the `put_down` of the publication.
	 */
	void (*given)(void *data, struct model_subscription *subscription, const struct untaken_place *place,
		      void *publication);
	/* The last call for several callbacks: which of their candidates they had is unknown, or there were none. */
	void (*unknown)(void *data, struct model_subscription *subscription, const struct untaken_place *first,
			guint count, bool has_candidates);
};

#endif
