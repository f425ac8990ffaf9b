/* SPDX-License-Identifier: MIT */
#include "ros2bt/diagnostics.h"

#include <glib.h>
#include <string.h>

struct diagnostic_row {
	char *detail; /* owned */
	uint64_t count;
};

struct diagnostics {
	GArray *rows[DIAGNOSTIC_COUNT]; /* struct diagnostic_row, sorted by detail; NULL: none */
};

/* The name and the text of each kind, as in docs/sink.ros2.latency.md. */
static const struct diagnostic_kind {
	const char *name;
	const char *text;
} kinds[DIAGNOSTIC_COUNT] = {
	[DIAGNOSTIC_NOT_READ] = { "trace read in part",
				  "the report covers a part of the recording: a file is cut or damaged, a time goes "
				  "back, or a trace beside others cannot be read; `detail` names file, byte and reason "
				  "where they are known" },
	[DIAGNOSTIC_INTERRUPTED] = { "interrupted", "the report covers what was read before Ctrl+C, SIGTERM or the end "
						    "of the graph: let the run end" },
	[DIAGNOSTIC_DISCARDED_EVENTS] = { "discarded events", "LTTng had no free sub-buffer: record fewer events, or "
							      "with larger or more sub-buffers" },
	[DIAGNOSTIC_DISCARDED_PACKETS] = { "discarded packets",
					   "whole packets of a stream are missing: record with larger or more "
					   "sub-buffers, and copy the trace completely; of a stream whose first "
					   "packets were overwritten, `detail` names the CPU and where the stream "
					   "begins" },
	[DIAGNOSTIC_DISCARDED_KERNEL_EVENTS] = { "discarded kernel events",
						 "LTTng had no free sub-buffer for events of the kernel: what threads "
						 "did then is unknown; callbacks and messages are not concerned" },
	[DIAGNOSTIC_DISCARDED_KERNEL_PACKETS] = { "discarded kernel packets",
						  "whole packets of the kernel's events are missing: what threads did "
						  "then is unknown; callbacks and messages are not concerned" },
	[DIAGNOSTIC_PAUSE] = { "pauses of the recording", "nothing was recorded for a while, as between `lttng stop` "
							  "and `lttng start`: what ran or was on its way then is "
							  "unknown" },
	[DIAGNOSTIC_UNKNOWN_LAYOUT] = { "events of unknown layout",
					"events of ROS 2 that no known release records in this form; `detail` names "
					"the event and what is odd: a newer version of this plugin may know it" },
	[DIAGNOSTIC_NO_ROS_EVENTS] = { "no ROS 2 events", "the trace has none: enable `ros2:*` before the nodes start, "
							  "and run a ROS 2 with tracing compiled in" },
	[DIAGNOSTIC_MISSING_EVENTS] = { "events not recorded",
					"messages, or calls of services, cannot be followed without the events in "
					"`detail`: enable them, or `ros2:*`; releases before Humble record no takes, "
					"those before Kilted no requests and responses" },
	[DIAGNOSTIC_NO_VPID] = { "events without vpid context", "the processes of the trace cannot be distinguished: "
								"record with `lttng add-context -u -t vpid`" },
	[DIAGNOSTIC_NO_VTID] = { "events without vtid context", "the threads of a process cannot be distinguished: "
								"record with `lttng add-context -u -t vtid`" },
	[DIAGNOSTIC_NO_INIT] = { "process without initialization events",
				 "the process started before the recording, so its callbacks have no names: start "
				 "recording first" },
	[DIAGNOSTIC_CALLBACK_WITHOUT_OWNER] = { "callback without owner",
						"no event connects the callback with a subscription, timer or service: "
						"start recording before the process" },
	[DIAGNOSTIC_TIMER_WITHOUT_NODE] = { "timer without node",
					    "no event connects the timer with a node: releases before Galactic record "
					    "none; later, start recording before the process" },
	[DIAGNOSTIC_TIMER_WITHOUT_CALLS] = { "timer without recorded calls",
					     "no event records when the timer is called: nodes in Python or C record "
					     "its creation only" },
	[DIAGNOSTIC_TIMER_WITHOUT_EXECUTOR] = { "timer on an executor without events",
						"a cancelled or reset timer shows only as a long pause; shorter pauses "
						"count as missed calls: releases before Humble, CARET, and static and "
						"events executors record no waits" },
	[DIAGNOSTIC_TIMER_OTHER_CLOCK] = { "timer on another clock", "its calls do not follow the clock of the trace, "
								     "as with `use_sim_time`: it is not known what "
								     "was late or missed" },
	[DIAGNOSTIC_END_WITHOUT_START] = { "callback end without start",
					   "an execution that began before the recording, or whose start was lost; it "
					   "has no duration" },
	[DIAGNOSTIC_START_WITHOUT_END] = { "callback start without end",
					   "an execution that the end of the recording, an exception or the end of the "
					   "process cut off; it has no duration, and nothing counts as part of it after "
					   "its thread looked for work again" },
	[DIAGNOSTIC_DEFERRED_RESPONSE] = { "service callback with deferred response",
					   "the service answers later than its callback returns; up to Jazzy, ROS 2 "
					   "records no end of such a callback, so it has no duration; nothing was "
					   "lost" },
	[DIAGNOSTIC_CUT_BY_GAP] = { "callback cut by discarded events",
				    "the ends of these executions were lost: their thread went on to something else; "
				    "see `discarded events`" },
	[DIAGNOSTIC_DOUBTFUL_EXECUTION] = { "doubtful callback execution",
					    "events were lost while these executions ran, so start and end may be of "
					    "two executions; they are not in the statistics: see `discarded events`" },
	[DIAGNOSTIC_STACK_TOO_DEEP] = { "callbacks nested too deeply",
					"more executions within one another on a thread than are followed; the "
					"outermost ones are cut off" },
	[DIAGNOSTIC_EXECUTOR_WITHOUT_EVENTS] = { "executor without events",
						 "threads that execute callbacks and record nothing else of their "
						 "executor, as StaticSingleThreadedExecutor and EventsExecutor do: it "
						 "is not known when they wait" },
	[DIAGNOSTIC_NO_KERNEL] = { "scheduling not recorded",
				   "what the threads of the host did in callbacks is not known without the kernel's "
				   "scheduler: record it with `lttng enable-event -k "
				   "sched_switch,sched_waking,sched_process_fork,sched_process_exit`" },
	[DIAGNOSTIC_KERNEL_LATE] = { "execution before the kernel's trace",
				     "the events of the kernel begin after these executions: what their threads did is "
				     "not known; start both sessions before the nodes" },
	[DIAGNOSTIC_KERNEL_ENDS_EARLY] = { "kernel's trace of a CPU ends early",
					   "the kernel's events of this CPU end before those of others: from then on, "
					   "the states of threads that do not run on another CPU are unknown; copy "
					   "the trace completely, or record without `--tracefile-count`" },
	[DIAGNOSTIC_NO_WAKINGS] = { "wake-ups not recorded",
				    "when a blocked thread became ready is unknown, so the whole wait counts as "
				    "blocked: add the event with `lttng enable-event -k sched_waking`" },
	[DIAGNOSTIC_COUNTER_STANDS_STILL] = { "counter that never changes",
					      "a context `perf:thread:…` that has the same value all the time: the "
					      "machine, or LTTng from user space, does not count it; it is unknown, "
					      "and not 0" },
	[DIAGNOSTIC_UNKNOWN_FREE] = { "free of unknown memory",
				      "its allocation was not recorded: it was before the recording began, or by a "
				      "function that LTTng-UST does not record, as aligned_alloc()" },
	[DIAGNOSTIC_PUBLICATION_WITHOUT_TAKER] = { "publication without take",
						   "messages that no recorded subscription took: expected where no "
						   "subscriber was recorded" },
	[DIAGNOSTIC_NEVER_MATCHED] = { "publisher and subscription never matched",
				       "pairs of one topic between which no message was received; those of a topic "
				       "with few pairs are rows of `communications`" },
	[DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION] = { "take without publication",
						  "messages whose publication is not in the trace: record the "
						  "publishing process and host as well" },
	[DIAGNOSTIC_TAKE_OF_EARLIER] = { "take of an earlier message",
					 "messages within a process that were not handed over by their publication, but "
					 "later, as to a subscription that joins late (transient local): no event tells "
					 "which publications these were, and none is linked" },
	[DIAGNOSTIC_AMBIGUOUS_LINK] = { "take with several possible publications",
					"the publications have no timestamps (before Jazzy), and none is linked: CARET "
					"records them" },
	[DIAGNOSTIC_UNDECIDED_ORIGIN] = { "publication of undecided origin",
					  "publications of nodes without rclcpp, of which the trace cannot tell "
					  "whether they come from a message that the node took: `detail` has the "
					  "reason; paths begin at them" },
	[DIAGNOSTIC_NEGATIVE_LATENCY] = { "negative latency", "messages that seem to arrive before they were sent: "
							      "synchronize the clocks of the hosts (NTP, PTP), or "
							      "align them (`--clocks=align`)" },
	[DIAGNOSTIC_CLOCK_SET] = { "clock was set",
				   "a host's clock went ahead or back; events about that moment may be off "
				   "by as much" },
	[DIAGNOSTIC_SYSTEM_TIME_SET] = { "system time was set",
					 "the stamps of messages went ahead or back, the clock of the trace did not: "
					 "latencies are right, but messages about that moment may not be linked" },
	[DIAGNOSTIC_CLOCK_MAY_BE_SET] = { "clock may have been set",
					  "from then on, all messages of the only direction take longer or shorter by so "
					  "much: a clock was set or changed its rate, or their way changed; latencies "
					  "between the hosts before and after cannot be compared" },
	[DIAGNOSTIC_CLOCK_CONTRADICTION] = { "message against the clocks", "messages that do not fit the relation of "
									   "the clocks which all others show; they "
									   "were left out of it" },
	[DIAGNOSTIC_LINK_NOT_FOUND] = { "link matches no node or topic", "an entry of `links` whose node or topic is "
									 "not in the trace: correct its spelling" },
	[DIAGNOSTIC_LINK_NOT_USED] = { "link without effect",
				       "no publication used a message of an entry of `links`: no callback handled one "
				       "before. A node that takes messages itself (in a timer, say) has no callback "
				       "from which a path could go on" },
	[DIAGNOSTIC_STATE_UNKNOWN] = { "lifecycle state unknown",
				       "transitions of the lifecycle node are missing, so that its state is not known "
				       "for a while; see `discarded events`, or enable the event in `detail`" },
	[DIAGNOSTIC_ARCHITECTURE_REMARK] = { "architecture file in part",
					     "something in the file of `architecture` that CARET leaves out, too; "
					     "`detail` names the line" },
	[DIAGNOSTIC_ARCHITECTURE_DIFFERS] = { "not as in the architecture",
					      "nodes on named paths do not behave as the file of `architecture` "
					      "says; the report follows the recording" },
	[DIAGNOSTIC_NAMED_PATH] = { "named path without flows",
				    "no flow came to the end of the path in `detail`, which also says why: correct "
				    "the names, or name what its nodes keep (`links`, or a context of the "
				    "architecture)" },
	[DIAGNOSTIC_PATHS_CAPPED] = { "path traversals left out",
				      "more paths, or longer ones, than are followed; `detail` names the "
				      "limit, or the topic by which they would have gone on" },
	[DIAGNOSTIC_POINT_NOT_RECORDED] = { "point not recorded", "the file of points names an event that the trace "
								  "does not have: enable it, or correct its name; a "
								  "name is PROVIDER:EVENT" },
	[DIAGNOSTIC_POINT_WITHOUT_FIELD] = { "point without field",
					     "events without a field that the file of points names, or with one that "
					     "is neither a number, a text nor a list; `detail` names both" },
	[DIAGNOSTIC_POINTS_CAPPED] = { "starts given up",
				       "more stages were open at a time than are followed, most of which never ended: "
				       "the oldest were given up, and count as without end" },
};

const char *diagnostic_name(enum diagnostic what)
{
	return kinds[what].name;
}

const char *diagnostic_text(enum diagnostic what)
{
	return kinds[what].text;
}

static void row_clear(gpointer data)
{
	struct diagnostic_row *row = data;

	g_free(row->detail);
}

struct diagnostics *diagnostics_create(void)
{
	return g_new0(struct diagnostics, 1);
}

void diagnostics_destroy(struct diagnostics *diagnostics)
{
	if (!diagnostics) {
		return;
	}
	diagnostics_clear(diagnostics);
	g_free(diagnostics);
}

/* The index of the first row that is not before `detail`. */
static guint rows_search(const GArray *rows, const char *detail)
{
	guint low = 0, high = rows->len;

	while (low < high) {
		guint middle = (low + high) / 2;

		if (strcmp(g_array_index(rows, struct diagnostic_row, middle).detail, detail) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static struct diagnostic_row *rows_find(const GArray *rows, const char *detail)
{
	guint index = rows_search(rows, detail);
	struct diagnostic_row *row;

	if (index == rows->len) {
		return NULL;
	}
	row = &g_array_index(rows, struct diagnostic_row, index);
	return strcmp(row->detail, detail) == 0 ? row : NULL;
}

static struct diagnostic_row *rows_add(GArray *rows, const char *detail)
{
	struct diagnostic_row row = { .detail = g_strdup(detail) };
	guint index = rows_search(rows, detail);

	g_array_insert_val(rows, index, row);
	return &g_array_index(rows, struct diagnostic_row, index);
}

void diagnostics_add(struct diagnostics *diagnostics, enum diagnostic what, const char *detail, uint64_t count)
{
	GArray **rows = &diagnostics->rows[what];
	struct diagnostic_row *row;

	if (count == 0) {
		return;
	}
	if (!*rows) {
		*rows = g_array_new(FALSE, FALSE, sizeof(struct diagnostic_row));
		g_array_set_clear_func(*rows, row_clear);
	}
	row = rows_find(*rows, detail);
	if (!row) {
		row = rows_add(*rows, detail);
	}
	if (__builtin_add_overflow(row->count, count, &row->count)) {
		row->count = UINT64_MAX;
	}
}

uint64_t diagnostics_count(const struct diagnostics *diagnostics, enum diagnostic what, const char *detail)
{
	const GArray *rows = diagnostics->rows[what];
	const struct diagnostic_row *found;
	uint64_t sum = 0;

	if (!rows) {
		return 0;
	}
	if (detail) {
		found = rows_find(rows, detail);
		return found ? found->count : 0;
	}
	for (guint i = 0; i < rows->len; i++) {
		if (__builtin_add_overflow(sum, g_array_index(rows, struct diagnostic_row, i).count, &sum)) {
			return UINT64_MAX;
		}
	}
	return sum;
}

bool diagnostics_has_part_only(const struct diagnostics *diagnostics)
{
	return diagnostics->rows[DIAGNOSTIC_NOT_READ] || diagnostics->rows[DIAGNOSTIC_INTERRUPTED];
}

void diagnostics_foreach(const struct diagnostics *diagnostics, diagnostics_visitor visit, void *data)
{
	for (size_t what = 0; what < DIAGNOSTIC_COUNT; what++) {
		const GArray *rows = diagnostics->rows[what];

		for (guint i = 0; rows && i < rows->len; i++) {
			const struct diagnostic_row *row = &g_array_index(rows, struct diagnostic_row, i);

			visit(data, (enum diagnostic)what, row->detail, row->count);
		}
	}
}

static void add_to(void *into, enum diagnostic what, const char *detail, uint64_t count)
{
	diagnostics_add(into, what, detail, count);
}

void diagnostics_add_all(struct diagnostics *into, const struct diagnostics *from)
{
	diagnostics_foreach(from, add_to, into);
}

void diagnostics_clear(struct diagnostics *diagnostics)
{
	for (size_t what = 0; what < DIAGNOSTIC_COUNT; what++) {
		g_clear_pointer(&diagnostics->rows[what], g_array_unref);
	}
}
