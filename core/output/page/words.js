/* SPDX-License-Identifier: MIT */
/*
 * What the columns mean, where they stand: short forms of what docs/ says of them. A column is looked for by its table and
 * name, then by its heading (a statistic), then by its name. The explanation appears when the mouse or the focus is on the
 * head of the column.
 */

const ABOUT = {
	/* where something is */
	node: 'the full name of the node', topic: 'the full name of the topic', service: 'the full name of the service', action: 'the full name of the action',
	publisher_node: 'the node that publishes; [process] if its node is unknown', subscription_node: 'the node that subscribes; [process] if its node is unknown',
	client_node: 'the node that calls; empty if none is recorded', server_node: 'the node that answers; empty if none took a request of this client',
	hostname: 'the host', vpid: 'process id', vtid: 'thread id', tid: 'thread id, as the kernel counts', procname: 'name of the process, at most 15 characters',
	'callbacks.source': 'what it handles: the topic or service, or the period of its timer', source: 'what it handles: the topic or service, or the period of its timer',
	kind: 'subscription, timer or service; inferred: of a node without rclcpp', 'communications.kind': 'between processes, or within one',
	'executors.kind': 'of the executor, as far as the trace shows it', 'slowest_services.calls': 'requests of its clients', 'busy_executors.kind': 'of the executor, as far as the trace shows it', process: 'the process', server: 'the node that answers', symbol: 'name of the function', which: 'which of several of the same names',
	path: 'nodes and topics in turn; » goes on later, from what was kept; ~› an inferred callback', nodes: 'whose callbacks it executed',
	name: 'its name', scope: 'what the row is about: a host, process, thread, node, callback or CPU', callback: 'the node, and what triggers its callback',
	executor_id: 'the same number for all threads of an executor', state: 'of the life cycle', clock: 'steady: its calls follow the clock of the trace; other: they do not, as with simulated time',
	hostnames: 'the hosts of its nodes', vpids: 'the processes of its nodes', ros: '1: of a process with ROS 2', hop: 'which message of the path, from 1; 0: its first node', rank: '1: the worst',
	counter: 'as the trace calls it', unit: 'ns, if the counter is a clock', hops: 'messages along the path', begins: 'what the flow starts with',
	/* how often */
	count: 'how many are in the statistics', executions: 'how many executions of callbacks', rate_to_end_hz: 'how often, with the silence at the end', rate_hz: 'how often: 1 / mean period, without pauses of the recording',
	'callbacks.count': 'executions whose start and end were recorded', 'paths.count': 'flows that reached the end of the path', 'publications.count': 'messages that it published',
	incomplete: 'executions of which only the start or the end was recorded; not in the statistics', doubtful: 'may be two, because events were lost in between; not in the statistics',
	deferred: 'executions that answer after they return, so that no end is recorded', published: 'messages sent while the subscription could receive them: received + lost + overwritten + unknown',
	'lifecycle.published': 'messages that the node published in this state', received: 'messages that it took', 'services.received': 'responses that the client took',
	lost: 'certainly did not arrive: an earlier and a later one did, and nothing is missing in the recording', 'paths.lost': 'flows whose message was certainly lost on the way',
	unknown: 'the trace does not show what became of them', 'timers.unknown': 'calls whose expected time is unknown', 'counters.unknown': 'executions whose value is unknown',
	'publications.unknown': 'periods that are no samples, because events may be missing in between', overwritten: 'replaced by a later message before anybody wanted them: nobody missed them',
	'communications.latched': 'published before the subscription existed (transient local); not in the statistics', 'paths.latched': 'flows with a message that was published before its subscription existed: their latency contains the time until it joined', inferred: 'linked by topic and time, since the trace has no better link',
	in_flight: 'of the unknown ones: may have been on their way when the recording ended', longest_loss: 'the most lost one after the other',
	calls: 'starts of the callback', missed: 'slots of its schedule that passed without a call, because the call before was late or took long', early: 'calls before their time, a defect of rclcpp',
	overruns: 'executions longer than the period', restarts: 'how often the schedule began again: cancelled, reset, or created without being started', period_ns: 'of the timer, as it was created',
	sent: 'requests of the client', taken: 'requests that the server took', answered: 'responses that the server sent', unanswered: 'requests without a response at the client, whatever became of them',
	goals: 'requests to send_goal', accepted: 'goals accepted, as far as the trace shows it', rejected: 'goals rejected, as far as the trace shows it', canceled: 'requests to cancel that the server accepted',
	results: 'results that the client took', feedback: 'feedback messages that the server published', ambiguous: 'results that may belong to several goals; not in the statistics', entries: 'how often it was entered',
	publishing: 'how many certainly led to a publication', publications: 'how many messages it published', linked: 'how many are linked to the message that they come from', decided: 'what its publications come from', sources: 'the topics and services that they come from',
	cancel_requests: 'requests to cancel', feedback_received: 'feedback messages that the client took', status: 'status messages that the server published', bytes_count: 'messages whose size is recorded', bytes_min: 'of the smallest message',
	preempted_by_count: 'how often that thread took its CPU', preempted_by_tid: 'of the thread that took its CPU for the longest total time',
	migrated: 'executions that ended on another CPU than they started on', spins: 'how often it waited for work', empty_spins: 'waits that led to no callback', preemptions: 'how often it was taken off its CPU', blocks: 'how often it blocked', system_calls: 'system calls that ended within executions',
	/* durations */
	duration: 'from the start of the callback to its end', latency: 'from the publication to the start of the callback', 'paths.latency': 'from the start of the first callback (or the first publication) to the end of the last one',
	transport: 'from the publication until the subscription takes the message', wait: 'from the take to the start of the callback', held: 'the part of the transport in which the thread that took the message executed other callbacks', held_by: 'the callback that held the messages for the longest total time',
	period: 'from one start to the next', 'publications.period': 'from one message to the next', 'timers.jitter': 'the difference between a period and that of the timer', 'publications.jitter': 'by how much a period differs from the one before',
	gap: 'from the end of an execution to the start of the next one', lateness: 'from the expected time to the start of the callback', blocked_by: 'the callback that kept it waiting for the longest total time',
	blocked_ns: 'sleeps, or waits for a lock, a message or a disk', 'timers.blocked_ns': 'the part of all lateness in which other callbacks were executed', max_gap_ns: 'the longest time from one message to the next', max_gap_at_ns: 'when the longest gap began',
	max_gap_periods: 'the longest gap in mean periods', silent_ns: 'from its last message to the end of the recording', stamp_age: 'from the stamp in the header to the publication', stamp_unknown: 'messages whose stamp is of another clock, such as simulated time',
	bytes_sum: 'of the serialized messages, where sizes are recorded', bytes_mean: 'of a serialized message', bytes_max: 'of the largest message', rate_error_percent: 'how much longer the periods are than that of the timer',
	'heading service': 'from the take of the request to the response, even if that is after the callback', 'heading callback': 'from the start of the callback to its end',
	round_trip: 'from the request of the client to its take of the response', request: 'from the request to its take by the server', response: 'from the response to its take by the client', goal_response: 'from the goal to the answer whether it is accepted', goal_to_result: 'from the goal to its result',
	time: 'how long it stayed in the state', wait_percent: 'share of the time in which the thread waits for work', ready_percent: 'share of the time in which it looks for work that is ready', execute_percent: 'share of the time in callbacks', gap_percent: 'share of the time from the end of a callback until it looks for work again', span_ns: 'the time that these shares are of',
	queue: 'of each message: how long its thread executed other callbacks between the publication and the callback', 'path_hop_scheduling.queue_ns': 'from the thread being on a CPU until the callback starts: the executor did something else', queue_held_by: 'the callback that held messages for the longest total time',
	busy_ns: 'in callbacks, those within others included', self_ns: 'in callbacks, without those executed within them', share_percent: 'of the time recorded; more than 100 % where several threads are in callbacks at once', 'counters.share_percent': 'of the duration of the executions', 'path_hops.share_percent': 'of the latency of the path',
	on_cpu_ns: 'on a CPU', preempted_ns: 'ready to go on, but another thread had its CPU', woken_ns: 'woken, but not yet on a CPU', unknown_ns: 'events of the kernel are missing', preempted_by: 'the thread that took its CPU for the longest total time', blocked_in: 'the system call in which it was blocked for the longest total time',
	irq_ns: 'in interrupts on its CPU; a part of on CPU', wakeup: 'from the wake-up of the thread until it was on a CPU', wakeup_ns: 'from the wake-up of the thread until it was on a CPU', middleware_ns: 'from the publication until the thread was woken', system_call_ns: 'in system calls that ended within executions',
	at_least: 'from the take to the last publication that certainly results from it', at_most: 'from the take to the next thing that the thread did', response_worst_ns: 'the longest response time', kept_mean_ns: 'kept until a later publication', callback_mean_ns: 'in the callback', transport_mean_ns: 'from the publication to the take', wait_mean_ns: 'from the take to the start of the callback', held_mean_ns: 'the part in which the thread executed other callbacks',
	duration_ns: 'from the start of the callback to its end', transport_ns: 'from the publication to the take', wait_ns: 'from the take to the start of the callback', held_ns: 'the part in which the thread executed other callbacks', kept_ns: 'kept until a later publication', callback_ns: 'in the callback',
	'executors.wait_ns': 'in which the thread waits for work', ready_ns: 'in which it looks for work that is ready', execute_ns: 'in callbacks', gap_ns: 'from the end of a callback until it looks for work again', pause_ns: 'the part of these gaps in which the program did not spin', spin: 'from one wait to the next',
	latency_ns: 'from the start of the first callback (or the first publication) to the end of the last one', origin_start_ns: 'when its first callback started, or its first message was published', why: 'what the thread did, in words, the longest first', cpu_ns: 'the part of self on a CPU, where the kernel was recorded', cpu_unknown_ns: 'the part of self of which the events of the kernel do not tell whether it was on a CPU',
	preempted_by_ns: 'how long that thread had its CPU', longest_preemption_ns: 'the longest time that it had its CPU at once', blocked_in_ns: 'how long it was blocked there', longest_call: 'the system call that took the most time', longest_call_ns: 'the longest single one',
	clock_uncertainty_ns: 'by how much each latency may be off, at most, because of the clocks of two hosts',
	'paths.period': 'from one beginning to the next', stamp_latency: 'from the stamp in the header of the first message to the end', stopped: 'flows that ended on the way although nothing was lost',
	response_best: 'from the latest input of an output to that output', response_worst: 'from the earliest input of an output to that output', response_all: 'from each input to the first output that answers it', response_external: 'from the input before the earliest one of an output to that output',
	age: 'from the latest input of an output until the next output replaces that one',
	element: 'its number along the path; 0: the first node', how: 'between processes, or within one; of a node: how its messages are linked', records: 'as CARET joins events', complete: 'those of them from the first point to the last', by_others: 'publications of other callbacks, which CARET takes for those of the chain',
	'named_path_elements.kind': 'a node, or a communication', 'named_path_elements.latency': 'from the first point of a record to the last', 'named_path_elements.period': 'from one record to the next',
	/* own tracepoints */
	stage: 'its name; with a field, the value of the field', 'points.duration': 'from the start of the stage to its end', 'point_callbacks.duration': 'from the start of the stage to its end', 'point_paths.latency': 'from the first point to the last', without_start: 'ended, and no start is recorded', out_of_order: 'ended after one that had started later',
	value: 'of the field, or its text', not_finite: 'values that are no finite numbers; in no other column', 'point_series.sum': 'of the numbers',
	/* memory */
	allocations: 'successful allocations', allocated_bytes: 'bytes requested', frees: 'frees within this scope, whoever allocated the block', freed_bytes: 'of blocks whose size is known', live_blocks: 'blocks allocated here and not freed', live_bytes: 'bytes allocated here and not freed', peak_bytes: 'the most bytes at once',
	largest_bytes: 'the largest allocation', allocating: 'executions that allocated', freed_by_others: 'blocks allocated here and freed elsewhere', unknown_frees: 'frees of blocks whose allocation was not recorded', failed: 'allocations that failed', replaced: 'blocks whose free was not recorded', balance_bytes: 'allocated − freed', peak_balance_bytes: 'the largest balance',
	/* counters: of executions */
	sum: 'over all executions, in units of the counter', min: 'the least', mean: 'the mean', max: 'the greatest', p50: 'the median: half of all are below', p99: '99 of 100 are below',
	/* hosts */
	reference: 'the host whose clock all times follow', offset_ns: 'its clock minus that of the reference', offset_at_ns: 'when', drift_ppm: 'how much faster its clock is, in millionths', uncertainty_ns: 'by how much a time of this host may be off, at most',
	begin_ns: 'from when on', end_ns: 'until when', farthest_ns: 'no straight line that fits all messages is further away', set_by_ns: 'by how much it was set then',
	messages_there: 'messages to this host that the offset is based on', messages_back: 'messages from this host that the offset is based on', through: 'the host with which these were exchanged', method: 'what the offset is based on', times_set: 'how often one of the two clocks was set', contradictions: 'messages that contradict all others, and were left out',
	/* of the summary */
	p50_ns: 'the median: half of all are below', p99_ns: '99 of 100 are below', max_ns: 'the greatest', most: 'the part that takes the most time, and which callback held the messages', other_ends: 'faster paths of the same pipeline, which end elsewhere', total_ns: 'in all executions',
	'lost_messages.published': 'of so many messages sent', 'lost_messages.percent': 'of the messages sent', worst: 'the publisher and the subscription that lost most of them', 'longest_executions.duration_ns': 'from the start of the callback to its end', first_ns: 'of the first one, since the start of the recording', start_ns: 'since the start of the recording', max_at_ns: 'since the start of the recording',
	threads: 'how many', spin_hz: 'how often a second it waits for work', empty_percent: 'waits that led to no callback', reason: 'why there is nothing', without_end: 'began, and no end is recorded', callbacks: 'how many',
	/* what the trace lacks */
	what: 'docs/sink.ros2.latency.md, Diagnostics, says what each means and what to do', detail: 'where',
	'diagnostics.count': 'how often', 'mean, by part': 'where the time goes on average, by parts; the legend is above',
};

/* Of a statistic: what its columns are. */
const ABOUT_STATISTIC = { mean: 'mean', min: 'least', max: 'greatest', p50: 'median', stddev: 'standard deviation', sum: 'sum' };

function aboutColumn(table, column) {
	const like = table.name.replace(/^(slowest_)?(named_)?/, ''); /* the table whose columns it has */
	const find = name => name ? ABOUT[`${table.name}.${name}`] ?? ABOUT[`${like}.${name}`] ?? ABOUT[name] : undefined;
	const statistic = column.heading && (ABOUT[`heading ${column.heading}`] ?? find(column.heading));
	if (statistic) {
		const quantile = /^p(\d+)$/.exec(column.label);
		const what = ABOUT_STATISTIC[column.label] ?? (quantile ? `${quantile[1].replace(/^(\d\d)(?=\d)/, '$1.')} % are below` : column.label);
		return `${column.heading.replace(/_/g, ' ')}: ${statistic} (${what})`;
	}
	return find(column.name) ?? find(/(hostname|vpid|which)$/.exec(column.name)?.[0]) ?? (/_id$/.test(column.name) ? 'a number of the row, which other tables refer to' : '');
}

/* The explanation of what the mouse or the focus is on. It leaves room for nothing, and takes none. */
function addExplanations() {
	const bubble = document.body.appendChild(make('div', { className: 'about', id: 'about', role: 'tooltip', hidden: true }));
	const show = event => {
		const target = event.target.closest?.('[data-about]:not([data-about=""])');
		bubble.hidden = !target;
		if (!target) {
			return;
		}
		bubble.textContent = target.dataset.about;
		const { left, bottom } = target.getBoundingClientRect();
		bubble.style.setProperty('left', `${Math.max(8, Math.min(left, document.documentElement.clientWidth - bubble.offsetWidth - 8))}px`);
		bubble.style.setProperty('top', `${bottom + 6}px`);
	};
	for (const type of ['mouseover', 'focusin']) {
		document.addEventListener(type, show);
	}
	document.addEventListener('focusout', () => { bubble.hidden = true; });
	document.addEventListener('scroll', () => { bubble.hidden = true; }, { passive: true, capture: true });
	document.addEventListener('keydown', event => { bubble.hidden = bubble.hidden || event.key === 'Escape'; });
}
