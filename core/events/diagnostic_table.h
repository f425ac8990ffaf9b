/* SPDX-License-Identifier: MIT */
/*
 * All that may be missing or doubtful in a trace: one row for each kind of diagnostic, in the order of the table
 * `diagnostics`. The enum, names, severities and the table in docs/sink.ros2.latency.md derive from it.
 *
 *   X(constant, severity, `what`, details, what `detail` names or "", what it means, what to do about it or "")
 *
 * The texts are Markdown. The severity says what it means for the figures of the report:
 *
 *   PART         the report covers a part of the recording
 *   LOST         LTTng lost events: any figure may lack some
 *   KERNEL_LOST  the same of the kernel's events: what threads did may lack some, the rest does not
 *   DOUBTFUL     figures about what `detail` names may be wrong, or are left out of the statistics because they may be
 *   UNKNOWN      something was not recorded, or cannot be told: rows or cells are missing, what is reported is right
 *   NOTE         nothing is missing
 *
 * Details are of FILES or traces, where a path is no name of ROS, or have NAMES of what ROS knows, which may be hidden.
 */
#ifndef ROS2BT_DIAGNOSTIC_TABLE_H
#define ROS2BT_DIAGNOSTIC_TABLE_H

/* clang-format off */
#define DIAGNOSTIC_SEVERITIES(X) \
	X(PART, "part") \
	X(LOST, "lost") \
	X(KERNEL_LOST, "kernel lost") \
	X(DOUBTFUL, "doubtful") \
	X(UNKNOWN, "unknown") \
	X(NOTE, "note")

#define DIAGNOSTICS(X) \
	X(NOT_READ, PART, "trace read in part", FILES, "file, byte and reason, where known", \
	  "a file is cut or damaged, a time goes back, or a trace beside others cannot be read", \
	  "") \
	X(INTERRUPTED, PART, "interrupted", FILES, "by what", \
	  "the report covers what was read before Ctrl+C, SIGTERM or the end of the graph", \
	  "let the run end") \
	X(UNDER_WAY, PART, "under way", FILES, "as of when, and how far behind the clock", \
	  "a report of a recording that goes on (parameter `period`)", \
	  "") \
	X(DISCARDED_EVENTS, LOST, "discarded events", FILES, "trace", \
	  "LTTng had no free sub-buffer", \
	  "record fewer events, or with larger or more sub-buffers") \
	X(DISCARDED_PACKETS, LOST, "discarded packets", FILES, "trace; of a stream whose first packets were overwritten, CPU and begin", \
	  "whole packets of a stream are missing", \
	  "record with larger or more sub-buffers, and copy the trace completely") \
	X(DISCARDED_KERNEL_EVENTS, KERNEL_LOST, "discarded kernel events", FILES, "trace", \
	  "LTTng had no free sub-buffer for events of the kernel: what threads did then is unknown; callbacks and messages are " \
	  "not concerned", \
	  "") \
	X(DISCARDED_KERNEL_PACKETS, KERNEL_LOST, "discarded kernel packets", FILES, "trace", \
	  "whole packets of the kernel's events are missing: what threads did then is unknown; callbacks and messages are not " \
	  "concerned", \
	  "") \
	X(PAUSE, UNKNOWN, "pauses of the recording", NAMES, "when, and for how long", \
	  "nothing was recorded for a while, as between `lttng stop` and `lttng start`: what ran or was on its way then is unknown", \
	  "") \
	X(UNKNOWN_LAYOUT, UNKNOWN, "events of unknown layout", NAMES, "event, and what is odd", \
	  "events of ROS 2 that no known release records in this form", \
	  "a newer version of this plugin may know it") \
	X(NO_ROS_EVENTS, UNKNOWN, "no ROS 2 events", NAMES, "", \
	  "the trace has none", \
	  "enable `ros2:*` before the nodes start, and run a ROS 2 with tracing compiled in") \
	X(MISSING_EVENTS, UNKNOWN, "events not recorded", NAMES, "event", \
	  "messages, or calls of services, cannot be followed without these events; releases before Humble record no takes, those " \
	  "before Kilted no requests and responses", \
	  "enable them, or `ros2:*`") \
	X(NO_VPID, DOUBTFUL, "events without vpid context", FILES, "trace", \
	  "the processes of the trace cannot be distinguished", \
	  "record with `lttng add-context -u -t vpid`") \
	X(NO_VTID, DOUBTFUL, "events without vtid context", FILES, "trace", \
	  "the threads of a process cannot be distinguished", \
	  "record with `lttng add-context -u -t vtid`") \
	X(NO_INIT, UNKNOWN, "process without initialization events", NAMES, "process", \
	  "the process started before the recording, so its callbacks have no names", \
	  "start recording first") \
	X(CALLBACK_WITHOUT_OWNER, UNKNOWN, "callback without owner", NAMES, "process", \
	  "no event connects the callback with a subscription, timer or service", \
	  "start recording before the process") \
	X(TIMER_WITHOUT_NODE, UNKNOWN, "timer without node", NAMES, "process", \
	  "no event connects the timer with a node; releases before Galactic record none", \
	  "start recording before the process") \
	X(TIMER_WITHOUT_CALLS, UNKNOWN, "timer without recorded calls", NAMES, "process", \
	  "no event records when the timer is called: nodes in Python or C record its creation only", \
	  "") \
	X(TIMER_WITHOUT_EXECUTOR, DOUBTFUL, "timer on an executor without events", NAMES, "process", \
	  "a cancelled or reset timer shows only as a long pause; shorter pauses count as missed calls: releases before Humble, " \
	  "CARET, and static and events executors record no waits", \
	  "") \
	X(TIMER_OTHER_CLOCK, UNKNOWN, "timer on another clock", NAMES, "process", \
	  "its calls do not follow the clock of the trace, as with `use_sim_time`: it is not known what was late or missed", \
	  "") \
	X(END_WITHOUT_START, UNKNOWN, "callback end without start", NAMES, "process", \
	  "an execution that began before the recording, or whose start was lost; it has no duration", \
	  "") \
	X(START_WITHOUT_END, UNKNOWN, "callback start without end", NAMES, "process", \
	  "an execution that the end of the recording, an exception or the end of the process cut off; it has no duration, and " \
	  "nothing counts as part of it after its thread looked for work again", \
	  "") \
	X(DEFERRED_RESPONSE, UNKNOWN, "service callback with deferred response", NAMES, "process", \
	  "the service answers later than its callback returns; up to Jazzy, ROS 2 records no end of such a callback, so it has no " \
	  "duration; nothing was lost", \
	  "") \
	X(CUT_BY_GAP, UNKNOWN, "callback cut by discarded events", NAMES, "process", \
	  "the ends of these executions were lost: their thread went on to something else", \
	  "see `discarded events`") \
	X(DOUBTFUL_EXECUTION, DOUBTFUL, "doubtful callback execution", NAMES, "process", \
	  "events were lost while these executions ran, so start and end may be of two executions; they are not in the statistics", \
	  "see `discarded events`") \
	X(STACK_TOO_DEEP, UNKNOWN, "callbacks nested too deeply", NAMES, "process", \
	  "more executions within one another on a thread than are followed; the outermost ones are cut off", \
	  "") \
	X(EXECUTOR_WITHOUT_EVENTS, UNKNOWN, "executor without events", NAMES, "process", \
	  "threads that execute callbacks and record nothing else of their executor, as StaticSingleThreadedExecutor and " \
	  "EventsExecutor do: it is not known when they wait", \
	  "") \
	X(NO_KERNEL, UNKNOWN, "scheduling not recorded", NAMES, "host", \
	  "what the threads of the host did in callbacks is not known without the kernel's scheduler", \
	  "record it with `lttng enable-event -k sched_switch,sched_waking,sched_process_fork,sched_process_exit`") \
	X(KERNEL_LATE, UNKNOWN, "execution before the kernel's trace", NAMES, "host", \
	  "the events of the kernel begin after these executions: what their threads did is not known", \
	  "start both sessions before the nodes") \
	X(KERNEL_ENDS_EARLY, UNKNOWN, "kernel's trace of a CPU ends early", NAMES, "host, CPU and by how much", \
	  "the kernel's events of this CPU end before those of others: from then on, the states of threads that do not run on " \
	  "another CPU are unknown", \
	  "copy the trace completely, or record without `--tracefile-count`") \
	X(NO_WAKINGS, DOUBTFUL, "wake-ups not recorded", NAMES, "host", \
	  "when a blocked thread became ready is unknown, so the whole wait counts as blocked", \
	  "add the event with `lttng enable-event -k sched_waking`") \
	X(COUNTER_STANDS_STILL, UNKNOWN, "counter that never changes", NAMES, "counter", \
	  "a context `perf:thread:…` that has the same value all the time: the machine, or LTTng from user space, does not count " \
	  "it; it is unknown, and not 0", \
	  "") \
	X(UNKNOWN_FREE, UNKNOWN, "free of unknown memory", NAMES, "process", \
	  "its allocation was not recorded: it was before the recording began, or by a function that LTTng-UST does not record, as " \
	  "aligned_alloc()", \
	  "") \
	X(PUBLICATION_WITHOUT_TAKER, NOTE, "publication without known take", NAMES, "topic", \
	  "messages of which no take is known: no recorded subscription took them, as where no subscriber was recorded, or a take may be " \
	  "of one of several (`take with several possible publications`)", \
	  "") \
	X(NEVER_MATCHED, NOTE, "publisher and subscription never matched", NAMES, "topic", \
	  "pairs of one topic between which no message was received; those of a topic with few pairs are rows of `communications`", \
	  "") \
	X(TAKE_WITHOUT_PUBLICATION, UNKNOWN, "take without publication", NAMES, "topic", \
	  "messages whose publication is not in the trace, or was more than a minute before", \
	  "record the publishing process and host as well") \
	X(TAKE_NOT_RECORDED, UNKNOWN, "take not recorded", NAMES, "topic", \
	  "callbacks of subscriptions whose takes are not recorded, though those of others are: up to Kilted those of loaned " \
	  "messages, in Humble and Iron also those of serialized ones. Their messages are inferred from the order of publications and " \
	  "callbacks (`inferred`), or unknown", \
	  "") \
	X(TAKE_OF_EARLIER, UNKNOWN, "take of an earlier message", NAMES, "topic", \
	  "messages within a process that were not handed over by their publication, but later, as to a subscription that joins " \
	  "late (transient local): no event tells which publications these were, and none is linked", \
	  "") \
	X(AMBIGUOUS_LINK, UNKNOWN, "take with several possible publications", NAMES, "topic", \
	  "the publications have no timestamps (before Jazzy) or equal ones, and none is linked", \
	  "CARET records them") \
	X(UNDECIDED_ORIGIN, UNKNOWN, "publication of undecided origin", NAMES, "topic, node and reason", \
	  "publications of nodes without rclcpp, of which the trace cannot tell whether they come from a message that the node " \
	  "took; paths begin at them", \
	  "") \
	X(NEGATIVE_LATENCY, DOUBTFUL, "negative latency", NAMES, "topic", \
	  "messages that seem to arrive before they were sent", \
	  "synchronize the clocks of the hosts (NTP, PTP), or align them (`--clocks=align`)") \
	X(CLOCK_SET, DOUBTFUL, "clock was set", NAMES, "host, by how much, when", \
	  "a host's clock went ahead or back; events about that moment may be off by as much", \
	  "") \
	X(SYSTEM_TIME_SET, UNKNOWN, "system time was set", NAMES, "host, by how much, when", \
	  "the stamps of messages went ahead or back, the clock of the trace did not: latencies are right, but messages about that " \
	  "moment may not be linked", \
	  "") \
	X(CLOCK_MAY_BE_SET, DOUBTFUL, "clock may have been set", NAMES, "host, by how much, when", \
	  "from then on, all messages of the only direction take longer or shorter by so much: a clock was set or changed its rate, " \
	  "or their way changed; latencies between the hosts before and after cannot be compared", \
	  "") \
	X(CLOCK_CONTRADICTION, DOUBTFUL, "message against the clocks", NAMES, "host", \
	  "messages that do not fit the relation of the clocks which all others show; they were left out of it", \
	  "") \
	X(LINK_NOT_FOUND, UNKNOWN, "link matches no node or topic", NAMES, "entry of `links`", \
	  "an entry of `links` whose node or topic is not in the trace", \
	  "correct its spelling") \
	X(LINK_PROPOSED, NOTE, "link that is proposed", NAMES, "the link", \
	  "with `--link=proposed`: paths go on where a node publishes by itself, as if it used the last message of the topic; no " \
	  "event tells whether it does", \
	  "give the links that are true by `--link=LINK` instead") \
	X(LINK_NOT_USED, UNKNOWN, "link without effect", NAMES, "entry of `links`", \
	  "no publication used a message of an entry of `links`: the node had received none before", \
	  "") \
	X(STATE_UNKNOWN, UNKNOWN, "lifecycle state unknown", NAMES, "lifecycle node, and the event if none was recorded", \
	  "transitions of the lifecycle node are missing, so that its state is not known for a while", \
	  "see `discarded events`, or enable the event in `detail`") \
	X(ARCHITECTURE_REMARK, NOTE, "architecture file in part", NAMES, "line of the file, and what is left out", \
	  "something in the file of `architecture` that CARET leaves out, too", \
	  "") \
	X(ARCHITECTURE_DIFFERS, NOTE, "not as in the architecture", NAMES, "what the recording does otherwise", \
	  "nodes on named paths do not behave as the file of `architecture` says; the report follows the recording", \
	  "") \
	X(NAMED_PATH_NAME, UNKNOWN, "name of a named path not recorded", NAMES, "path, and the name", \
	  "the recording has no such node, publisher or subscription; of paths given as text, not by a file", \
	  "correct the name") \
	X(NAMED_PATH, UNKNOWN, "named path without flows", NAMES, "path, and why", \
	  "no flow came to the end of the path", \
	  "correct the names, or name what its nodes keep (`links`, or a context of the architecture)") \
	X(PATHS_CAPPED, DOUBTFUL, "path traversals left out", NAMES, "the limit, or the topic by which they would have gone on", \
	  "more paths, or longer ones, than are followed: paths may be missing, and counts and rates of others too low", \
	  "") \
	X(POINT_NOT_RECORDED, UNKNOWN, "point not recorded", NAMES, "event", \
	  "the file of points names an event that the trace does not have", \
	  "enable it, or correct its name; a name is PROVIDER:EVENT") \
	X(POINT_WITHOUT_FIELD, UNKNOWN, "point without field", NAMES, "event and field", \
	  "events without a field that the file of points names, or with one that is neither a number, a text nor a list", \
	  "") \
	X(POINTS_CAPPED, DOUBTFUL, "starts given up", NAMES, "the limit", \
	  "more stages were open at a time than are followed, most of which never ended: the oldest were given up, and count as " \
	  "without end", \
	  "")
/* clang-format on */

#endif
