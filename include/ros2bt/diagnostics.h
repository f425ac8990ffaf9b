/* SPDX-License-Identifier: MIT */
/*
 * Counts of what is missing or doubtful in a trace: the rows (what, count, detail) of the table `diagnostics`. `what`
 * is one of the kinds below, which are in the order of the table; `detail` names the place, "" if there is only one.
 *
 * Memory: a row for each pair of kind and detail, so details must name objects of the system, not events.
 */
#ifndef ROS2BT_DIAGNOSTICS_H
#define ROS2BT_DIAGNOSTICS_H

#include <stdbool.h>
#include <stdint.h>

struct diagnostics;

enum diagnostic {
	/* The report covers only a part of the recording: see diagnostics_has_part_only(). */
	DIAGNOSTIC_NOT_READ,		    /* detail: file, offset and reason, as far as known */
	DIAGNOSTIC_INTERRUPTED,		    /* detail: by what */
	DIAGNOSTIC_DISCARDED_EVENTS,	    /* detail: trace */
	DIAGNOSTIC_DISCARDED_PACKETS,	    /* detail: trace */
	DIAGNOSTIC_DISCARDED_KERNEL_EVENTS, /* the same of traces of the kernel: user space has lost nothing */
	DIAGNOSTIC_DISCARDED_KERNEL_PACKETS,
	DIAGNOSTIC_PAUSE,
	DIAGNOSTIC_UNKNOWN_LAYOUT,	   /* detail: event class and reason */
	DIAGNOSTIC_NO_ROS_EVENTS,	   /* the trace has none */
	DIAGNOSTIC_MISSING_EVENTS,	   /* callbacks or takes that the event would explain; detail: the event */
	DIAGNOSTIC_NO_VPID,		   /* detail: trace */
	DIAGNOSTIC_NO_VTID,		   /* detail: trace */
	DIAGNOSTIC_NO_INIT,		   /* it ran callbacks, but recorded no initialization event; detail: process */
	DIAGNOSTIC_CALLBACK_WITHOUT_OWNER, /* detail: process */
	DIAGNOSTIC_TIMER_WITHOUT_NODE,	   /* detail: process */
	DIAGNOSTIC_TIMER_WITHOUT_CALLS,	   /* no event records the calls of the timer; detail: process */
	DIAGNOSTIC_TIMER_WITHOUT_EXECUTOR, /* no event records what its executor does; detail: process */
	DIAGNOSTIC_TIMER_OTHER_CLOCK,	   /* detail: process */
	DIAGNOSTIC_END_WITHOUT_START,	   /* detail: process */
	DIAGNOSTIC_START_WITHOUT_END,	   /* detail: process */
	DIAGNOSTIC_DEFERRED_RESPONSE,	   /* executions, detail: process */
	DIAGNOSTIC_CUT_BY_GAP,		   /* executions, detail: process */
	DIAGNOSTIC_DOUBTFUL_EXECUTION,	   /* detail: process */
	DIAGNOSTIC_STACK_TOO_DEEP,	   /* detail: process */
	DIAGNOSTIC_EXECUTOR_WITHOUT_EVENTS,   /* detail: process */
	DIAGNOSTIC_NO_KERNEL,		      /* although an analysis needs it; detail: host */
	DIAGNOSTIC_KERNEL_LATE,		      /* executions before its first event, detail: host */
	DIAGNOSTIC_KERNEL_ENDS_EARLY,	      /* detail: host, CPU and by how much */
	DIAGNOSTIC_NO_WAKINGS,		      /* while other events of the kernel are; detail: host */
	DIAGNOSTIC_COUNTER_STANDS_STILL,      /* on a host; detail: the counter */
	DIAGNOSTIC_UNKNOWN_FREE,	      /* detail: process */
	DIAGNOSTIC_PUBLICATION_WITHOUT_TAKER, /* detail: topic */
	DIAGNOSTIC_NEVER_MATCHED,	      /* pairs of publisher and subscription; detail: topic */
	DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION,  /* detail: topic */
	DIAGNOSTIC_TAKE_OF_EARLIER,	      /* within a process; detail: topic */
	DIAGNOSTIC_AMBIGUOUS_LINK,	      /* detail: topic */
	DIAGNOSTIC_UNDECIDED_ORIGIN,	      /* publications; detail: topic, node and reason */
	DIAGNOSTIC_NEGATIVE_LATENCY,	      /* between hosts; detail: topic */
	DIAGNOSTIC_CLOCK_SET,		      /* detail: host, by how much, when */
	DIAGNOSTIC_SYSTEM_TIME_SET,	      /* not the clock of the trace; detail: host, by how much, when */
	DIAGNOSTIC_CLOCK_MAY_BE_SET,	      /* detail: host, by how much, when */
	DIAGNOSTIC_CLOCK_CONTRADICTION,	      /* messages, detail: host */
	DIAGNOSTIC_LINK_NOT_FOUND,	      /* an entry of the parameter `links`; detail: the entry */
	DIAGNOSTIC_LINK_NOT_USED,	      /* the same, of objects that exist */
	DIAGNOSTIC_STATE_UNKNOWN,	      /* breaks, detail: lifecycle node */
	DIAGNOSTIC_ARCHITECTURE_REMARK,	      /* detail: line of the file, and what was left out there */
	DIAGNOSTIC_ARCHITECTURE_DIFFERS,      /* detail: what the recording does otherwise */
	DIAGNOSTIC_NAMED_PATH,		      /* detail: name of the path, and why it could not be evaluated */
	DIAGNOSTIC_PATHS_CAPPED,	      /* detail: the limit, or the topic */
	DIAGNOSTIC_POINT_NOT_RECORDED,	      /* an event that the file of points names; detail: the event */
	DIAGNOSTIC_POINT_WITHOUT_FIELD,	      /* events, detail: event and field */
	DIAGNOSTIC_POINTS_CAPPED,	      /* starts, detail: the limit */
	DIAGNOSTIC_COUNT,
};

/* The name of a kind, as in the column `what`. */
const char *diagnostic_name(enum diagnostic what);

/* What it means and what to do about it: a sentence in Markdown. */
const char *diagnostic_text(enum diagnostic what);

struct diagnostics *diagnostics_create(void);
void diagnostics_destroy(struct diagnostics *diagnostics);

/*
 * Adds to the count of (what, detail), up to UINT64_MAX; copies detail. O(log rows) for a known detail and O(rows of
 * `what`) for a new one, so count per object, and add the counts at the end, where events are frequent.
 */
void diagnostics_add(struct diagnostics *diagnostics, enum diagnostic what, const char *detail, uint64_t count);

/* The count of (what, detail); with NULL, of all details. */
uint64_t diagnostics_count(const struct diagnostics *diagnostics, enum diagnostic what, const char *detail);

typedef void (*diagnostics_visitor)(void *data, enum diagnostic what, const char *detail, uint64_t count);

/* Visits all counts, sorted by `what`, then by detail. */
void diagnostics_foreach(const struct diagnostics *diagnostics, diagnostics_visitor visit, void *data);

void diagnostics_add_all(struct diagnostics *into, const struct diagnostics *from);
void diagnostics_clear(struct diagnostics *diagnostics);

/* Whether the recording was not read to its end. What seems to be missing may then be in the part that was not read. */
bool diagnostics_has_part_only(const struct diagnostics *diagnostics);

#endif
