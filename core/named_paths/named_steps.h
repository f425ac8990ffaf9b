/* SPDX-License-Identifier: MIT */
/*
 * How far flows have come on named paths. Each execution carries steps (flow_execution.data): one for each way on
 * which a flow reached it. A step refers to the step before it, so flows that part later share what lies before.
 *
 * An execution also carries sends: the fates of messages that it published and that may be on a path. They are
 * evaluated when the execution has finished: which of its flows went on, and why the others did not.
 *
 * O(1) for each step and send, without allocation. Memory: the steps and sends of open flows.
 */
#ifndef ROS2BT_NAMED_STEPS_H
#define ROS2BT_NAMED_STEPS_H

#include "core/base/object_pool.h"
#include "core/named_paths/named_stamps.h"
#include "core/named_paths/named_ways.h"
#include "ros2bt/flow/flow_linker.h"

#define NAMED_STEPS_MAX 256  /* of one execution; the others are counted in diagnostics */
#define NAMED_SENDS_MAX 1024 /* likewise */

struct named_step {
	struct named_way *way;
	struct named_step *before; /* reference, NULL at the first node */
	unsigned int references;
	uint32_t taken;	  /* a bit for each of the way's first 32 children: the flow went on there */
	bool is_indirect; /* the execution before kept the message, and another one published */
	bool is_released; /* the linker has released the execution, or there is none */
	union {
		const struct flow_execution *execution; /* unless is_released */
		int64_t end_ns;				/* else: its end, or NAMED_NO_TIME */
	};
	int64_t origin_ns;	     /* when the flow began */
	int64_t stamp_ns;	     /* in the header of its first message; 0: unknown */
	int64_t publish_ns, take_ns; /* of the message that led here; NAMED_NO_TIME at the first node */
	int64_t start_ns;	     /* of the execution, or NAMED_NO_TIME */
};

/* The fate of a message. */
enum named_fate {
	NAMED_SENT_ON,	  /* received by a callback, which carries a step */
	NAMED_SENT_TAKEN, /* received without a callback */
	NAMED_SENT_LOST,
	NAMED_SENT_OVERWRITTEN, /* replaced before it was taken */
	NAMED_SENT_UNKNOWN,
	NAMED_SENT_OUT, /* published: for paths that end with a publication */
};

struct named_send {
	enum named_fate fate;
	const struct model_publisher *publisher;
	const struct model_subscription *subscription; /* NULL for NAMED_SENT_OUT */
	int64_t publish_ns, take_ns;
};

struct named_carry {
	bool is_finished; /* the execution has ended, and all its publications are concluded */
	uint16_t step_count, step_room;
	uint16_t send_count, send_room;
	struct named_step **steps; /* in the arena; references */
	struct named_send *sends;  /* in the arena */
};

struct named_steps {
	struct arena *arena; /* borrowed */
	struct object_pool steps, carries;
	struct named_stamps stamps;
	struct diagnostics *diagnostics; /* borrowed */
	unsigned int data_index;	 /* of flow_execution.data */
};

void named_steps_init(struct named_steps *steps, const struct analysis_context *context);

/* What an execution carries; made at the first call. */
struct named_carry *named_steps_carry(struct named_steps *steps, struct flow_execution *execution);

/* A step with a reference; `execution` and `before` may be NULL. */
struct named_step *named_steps_create(struct named_steps *steps, struct named_way *way, struct named_step *before,
				      const struct flow_execution *execution);
/* The first step of the flow that begins with a publication; NULL: the trace does not show when it begins. */
struct named_step *named_steps_begin(struct named_steps *steps, struct named_way *first,
				     const struct flow_publication *publication);
void named_steps_release(struct named_steps *steps, struct named_step *step);

/* Takes over the reference. */
void named_steps_add(struct named_steps *steps, struct named_carry *carry, struct named_step *step);
void named_steps_add_send(struct named_steps *steps, struct named_carry *carry, const struct named_send *send);

/* Releases what an execution carries. */
void named_steps_forget(struct named_steps *steps, struct flow_execution *execution);

static inline bool named_step_went(const struct named_step *step, const struct named_way *child)
{
	return child->ordinal >= 32 || (step->taken & 1U << child->ordinal) != 0;
}

static inline void named_step_go(struct named_step *step, const struct named_way *child)
{
	step->taken |= child->ordinal < 32 ? 1U << child->ordinal : 0;
}

/* NAMED_NO_TIME if unknown. */
static inline int64_t named_step_end_ns(const struct named_step *step)
{
	if (step->is_released) {
		return step->end_ns;
	}
	return step->execution->is_complete ? step->execution->end_ns : NAMED_NO_TIME;
}

#endif
