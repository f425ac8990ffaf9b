/* SPDX-License-Identifier: MIT */
/* Who asks for the publications that callbacks handle, and what of them the choice depends on. Times are in ns. */
#ifndef ROS2BT_UNTAKEN_USER_H
#define ROS2BT_UNTAKEN_USER_H

#include <glib.h>

#include "ros2bt/base/time_units.h"
#include "ros2bt/model/object_model.h"

#define UNTAKEN_KEPT 64
#define UNTAKEN_WAIT_NS NS_PER_S /* a callback is decided by then, at the latest */

/* What the choice depends on. */
struct untaken_publication {
	int64_t first_ns; /* the first publish event */
	uint32_t process, thread;
	const struct model_publisher *publisher;
	bool has_inter_leg; /* it goes to other processes */
};

/* The start of a callback whose message is to be decided. */
struct untaken_callback {
	struct model_subscription *subscription;
	uint32_t thread;
	int64_t start_ns;
	void *execution, *note; /* of the user, who alone knows what they are */
};

/* Who asks. Publications and executions are pointers of the user. All functions are called. */
struct untaken_user {
	void *data;
	struct untaken_publication (*describe)(void *data, const void *publication);
	/* The matcher keeps the publication, until the call of `forget`. */
	void (*keep)(void *data, void *publication);
	void (*forget)(void *data, void *publication);
	/* The publication may be that of an undecided callback, until the call of `put_down`: it is kept, too. */
	void (*hold)(void *data, void *publication);
	void (*put_down)(void *data, void *publication);
	/* Whether events of the process may be missing somewhere in between. */
	bool (*may_miss)(void *data, uint32_t process, int64_t from_ns, int64_t to_ns);
	/* Whether it would be false for any process and time so far. */
	bool (*misses_nothing)(void *data);
	/* The last call for a callback. NULL: which of the candidates it had is unknown. */
	void (*decided)(void *data, const struct untaken_callback *callback, void *publication, guint candidates);
};

#endif
