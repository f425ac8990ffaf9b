/* SPDX-License-Identifier: MIT */
/* How the executions of a callback ended so far (execution_ends.h); zeros: there was none. */
#ifndef ROS2BT_CALLBACK_ENDS_H
#define ROS2BT_CALLBACK_ENDS_H

#include <stdbool.h>
#include <stdint.h>

/* Where a callback has been executed: in the executor of its thread, or within another callback. */
enum callback_place {
	PLACE_UNKNOWN,
	PLACE_OUTSIDE,	/* outside others, and not within one as far as known */
	PLACE_ANYWHERE, /* both */
};

struct callback_ends {
	bool has_end : 1;  /* the end of some execution was recorded */
	bool was_left : 1; /* a thread left an execution before its end was recorded (executions.h) */
	bool was_kept : 1; /* at the end of its process, or of the trace, an execution was open and its thread had not
			      left it */
	bool goes_on : 1;  /* after that, the end of some execution was recorded */
	bool is_over : 1;  /* or it was not, though nothing was lost */
	bool may_take;	   /* an execution was not of a message of its process; kept by core/flow/missing_events.h */
	uint8_t kinds;	   /* 1 << enum callback_kind of what it was known as at its executions so far; 0: none yet */
	uint8_t place;	   /* enum callback_place; kept by thread_history.c */
	uint32_t version;  /* model_process_version() of the last one of `kinds`; 0: none */
};

/* Executions without end; cut: the end may have been lost. */
struct missing_ends {
	uint64_t missing, cut;
};

#endif
