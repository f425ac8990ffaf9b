/* SPDX-License-Identifier: MIT */
/*
 * Flows under way on named paths. Each execution carries steps (flow_execution.named_data): one for each way on which a
 * flow has come to it. A step refers to the step before it, so flows that part later share what is before.
 *
 * An execution also carries what became of the messages that it published, as far as they may be on a path: sends. Once
 * it has finished, these tell which of its flows went on.
 */
#ifndef ROS2BT_NAMED_STEPS_H
#define ROS2BT_NAMED_STEPS_H

#include "core/analyses/named_paths/named_ways.h"
#include "core/base/object_pool.h"
#include "ros2bt/flow_linker.h"

#define NAMED_STEPS_MAX 256  /* ways to one execution */
#define NAMED_SENDS_MAX 1024 /* of one execution */

struct named_step {
	struct named_way *way;
	struct named_step *before; /* reference, NULL at the first node */
	unsigned int references;
	uint32_t taken;	  /* a bit for each child of the way on which the flow went on; of the first 32 */
	bool is_indirect; /* the execution before kept its message */
	bool is_released; /* the execution; true where there is none */
	union {
		const struct flow_execution *execution; /* unless is_released */
		int64_t end_ns;				/* then its end, NAMED_NO_TIME unless known */
	};
	int64_t origin_ns;	     /* when the flow began */
	int64_t publish_ns, take_ns; /* of the message by which the flow came; NAMED_NO_TIME at the first node */
	int64_t start_ns;	     /* of the execution; NAMED_NO_TIME where there is none */
};

/* What became of a message. */
enum named_fate {
	NAMED_SENT_ON,	  /* received by a callback, which carries its own steps */
	NAMED_SENT_TAKEN, /* received without a callback */
	NAMED_SENT_LOST,
	NAMED_SENT_UNKNOWN,
	NAMED_SENT_OUT, /* published, whoever receives it: for paths that end with a publication */
};

struct named_send {
	enum named_fate fate;
	const struct model_publisher *publisher;
	const struct model_subscription *subscription; /* NULL: of NAMED_SENT_OUT */
	int64_t publish_ns, take_ns;
};

struct named_carry {
	bool is_finished; /* the execution, and all that it published is settled */
	uint16_t step_count, step_room;
	uint16_t send_count, send_room;
	struct named_step **steps; /* in the arena; references */
	struct named_send *sends;  /* in the arena */
};

struct named_steps {
	struct arena *arena; /* borrowed */
	struct object_pool steps, carries;
	struct diagnostics *diagnostics; /* borrowed */
};

void named_steps_init(struct named_steps *steps, const struct analysis_context *context);
void named_steps_clear(struct named_steps *steps);

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

/* Nobody will ask for what an execution carries any more. */
void named_steps_forget(struct named_steps *steps, struct flow_execution *execution);

static inline bool named_step_went(const struct named_step *step, const struct named_way *child)
{
	return child->ordinal >= 32 || (step->taken & 1U << child->ordinal) != 0;
}

static inline void named_step_go(struct named_step *step, const struct named_way *child)
{
	step->taken |= child->ordinal < 32 ? 1U << child->ordinal : 0;
}

/* NAMED_NO_TIME unless known. */
static inline int64_t named_step_end_ns(const struct named_step *step)
{
	if (step->is_released) {
		return step->end_ns;
	}
	return step->execution->is_complete ? step->execution->end_ns : NAMED_NO_TIME;
}

#endif
