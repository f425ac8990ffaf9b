/* SPDX-License-Identifier: MIT */
#include "ros2bt/executions.h"

#include <glib.h>

#include "core/base/definition_set.h"
#include "core/base/object_pool.h"
#include "core/model/definitions.h"

/*
 * The shortest time in which a thread is moved to another CPU, ends a callback there, starts it again, and is moved
 * back, as if nothing had happened. Measured on two busy cores, 1500 times: there and back 57 us and more, with an end
 * and a start 94 us and more.
 */
#define SHORTEST_DETOUR_NS 30000

#define GAPS_KEPT 64 /* of a trace; whether more was lost before them is not known any more */
#define NO_STREAM UINT32_MAX

/* Where and when an event was recorded. */
struct place {
	int64_t time_ns;
	uint32_t stream;
};

struct open_execution {
	struct execution execution; /* first: listeners and executions_current() see this part */
	struct open_execution *outer;
	uint64_t number;	/* in order of start */
	bool has_loss;		/* events of its thread may have been lost since its start */
	bool has_contradiction; /* its thread began something else, in a trace that lost events */
	bool is_ambiguous;	/* without vtid: was open together with another one of the same callback */
};

struct execution_stack {
	struct open_execution *innermost;
	uint32_t depth;
	uint32_t trace, process;
	struct place seen; /* its last event, kept up once something was lost; before, its last start or end */
	bool has_vtid;
	bool has_run;	   /* callbacks */
	bool is_uncertain; /* one may have started or ended in a loss since the last event of a callback */
};

struct stream_state {
	uint32_t next;		 /* lossy stream of the trace, or NO_STREAM */
	int64_t lossy_until_ns;	 /* the end of the lossy packet */
	int64_t silent_since_ns; /* its last event; only kept while it is lossy */
	bool has_lossy_packet;	 /* the current packet lost events, behind its last event */
	bool is_in_gap;		 /* the packet has ended, the next event that is no definition has not come */
};

/* A time in which a stream recorded nothing and lost events. */
struct gap {
	int64_t begin_ns, end_ns;
	uint32_t stream;
};

/* What a trace lost. */
struct trace_losses {
	uint32_t lossy; /* the first of its streams with a lossy packet or in a gap, or NO_STREAM */
	uint32_t gap_count;
	struct gap gaps[GAPS_KEPT]; /* the last ones, in the order of their ends: a ring */
};

struct process_state {
	uint32_t phase;
	uint64_t starts_without_end, ends_without_start, cut, doubtful, too_deep;
};

struct executions {
	struct recording *recording;	       /* borrowed */
	struct object_model *model;	       /* borrowed */
	struct diagnostics *diagnostics;       /* borrowed */
	struct executions_listener *listeners; /* owned */
	size_t listener_count;
	struct object_pool frames; /* struct open_execution */
	uint64_t started;	   /* frames so far */
	GArray *threads;	   /* struct execution_stack by thread index */
	GArray *streams;	   /* struct stream_state by stream index */
	GPtrArray *losses;	   /* struct trace_losses * by trace index, in the arena; NULL: it lost nothing */
	GArray *processes;	   /* struct process_state by process index */
	bool has_losses;	   /* some trace */
	struct definition_set *contexts;
};

struct executions *executions_create(struct recording *recording, struct object_model *model,
				     struct diagnostics *diagnostics)
{
	struct executions *executions = g_new0(struct executions, 1);

	executions->recording = recording;
	executions->model = model;
	executions->diagnostics = diagnostics;
	object_pool_init(&executions->frames, sizeof(struct open_execution));
	executions->threads = g_array_new(FALSE, TRUE, sizeof(struct execution_stack));
	executions->streams = g_array_new(FALSE, TRUE, sizeof(struct stream_state));
	executions->losses = g_ptr_array_new();
	executions->processes = g_array_new(FALSE, TRUE, sizeof(struct process_state));
	executions->contexts = definition_set_create();
	return executions;
}

void executions_destroy(struct executions *executions)
{
	if (!executions) {
		return;
	}
	object_pool_clear(&executions->frames);
	g_array_free(executions->threads, TRUE);
	g_array_free(executions->streams, TRUE);
	g_ptr_array_free(executions->losses, TRUE);
	g_array_free(executions->processes, TRUE);
	definition_set_destroy(executions->contexts);
	g_free(executions->listeners);
	g_free(executions);
}

void executions_add_listener(struct executions *executions, const struct executions_listener *listener)
{
	executions->listeners =
		g_renew(struct executions_listener, executions->listeners, executions->listener_count + 1);
	executions->listeners[executions->listener_count++] = *listener;
}

static void grow_threads(struct executions *executions, uint32_t thread)
{
	guint known = executions->threads->len;

	g_array_set_size(executions->threads, thread + 1);
	for (guint i = known; i <= thread; i++) {
		const struct recording_thread *of = recording_thread(executions->recording, i);

		g_array_index(executions->threads, struct execution_stack, i) = (struct execution_stack){
			.trace = of->trace, .process = of->process, .has_vtid = of->has_vtid
		};
	}
}

static inline struct execution_stack *stack_of(struct executions *executions, uint32_t thread)
{
	if (G_UNLIKELY(thread >= executions->threads->len)) {
		grow_threads(executions, thread);
	}
	return &g_array_index(executions->threads, struct execution_stack, thread);
}

static struct stream_state *stream_state_of(struct executions *executions, uint16_t stream)
{
	if (G_UNLIKELY(stream >= executions->streams->len)) {
		g_array_set_size(executions->streams, stream + 1u);
	}
	return &g_array_index(executions->streams, struct stream_state, stream);
}

/* NULL: it lost nothing so far. */
static inline struct trace_losses *losses_of(const struct executions *executions, uint32_t trace)
{
	return trace < executions->losses->len ? executions->losses->pdata[trace] : NULL;
}

static struct process_state *process_state_of(struct executions *executions, uint32_t process)
{
	if (G_UNLIKELY(process >= executions->processes->len)) {
		g_array_set_size(executions->processes, process + 1);
	}
	return &g_array_index(executions->processes, struct process_state, process);
}

static void report_started(struct executions *executions, struct execution *execution)
{
	for (size_t i = 0; i < executions->listener_count; i++) {
		executions->listeners[i].started(executions->listeners[i].data, execution);
	}
}

static void report_ended(struct executions *executions, struct execution *execution, enum execution_outcome outcome)
{
	for (size_t i = 0; i < executions->listener_count; i++) {
		executions->listeners[i].ended(executions->listeners[i].data, execution, outcome);
	}
}

/* Takes a frame off its thread: `link` is what points to it. */
static void end_frame(struct executions *executions, struct execution_stack *thread, struct open_execution **link,
		      enum execution_outcome outcome)
{
	struct open_execution *frame = *link;

	*link = frame->outer;
	thread->depth--;
	report_ended(executions, &frame->execution, outcome);
	object_pool_give(&executions->frames, frame);
}

static void end_without_end(struct executions *executions, struct execution_stack *thread, struct open_execution **link,
			    bool is_cut)
{
	struct process_state *process = process_state_of(executions, thread->process);

	if (is_cut || (*link)->has_loss) {
		process->cut++;
	} else {
		process->starts_without_end++;
	}
	end_frame(executions, thread, link, EXECUTION_WITHOUT_END);
}

static gint compare_by_number(gconstpointer a, gconstpointer b)
{
	const struct execution_stack *left = *(struct execution_stack *const *)a;
	const struct execution_stack *right = *(struct execution_stack *const *)b;

	return left->innermost->number < right->innermost->number ? -1 : 1;
}

/*
 * Ends the open frames of the chosen threads, each from the innermost frame outwards. In the order of their starts:
 * that of threads depends on when each was seen first, which is not the same with every filter upstream.
 */
static void end_threads(struct executions *executions,
			bool (*is_chosen)(const struct recording_thread *thread, const struct recording_thread *like),
			const struct recording_thread *like, bool is_cut)
{
	g_autoptr(GPtrArray) chosen = g_ptr_array_new();

	for (guint i = 0; i < executions->threads->len; i++) {
		struct execution_stack *thread = &g_array_index(executions->threads, struct execution_stack, i);

		if (thread->innermost && is_chosen(recording_thread(executions->recording, i), like)) {
			g_ptr_array_add(chosen, thread);
		}
	}
	g_ptr_array_sort(chosen, compare_by_number);
	for (guint i = 0; i < chosen->len; i++) {
		struct execution_stack *thread = chosen->pdata[i];

		while (thread->innermost) {
			end_without_end(executions, thread, &thread->innermost, is_cut);
		}
	}
}

static bool is_of_process(const struct recording_thread *thread, const struct recording_thread *like)
{
	return thread->process == like->process;
}

/* The thread itself, in whatever trace. */
static bool is_same(const struct recording_thread *thread, const struct recording_thread *like)
{
	return thread->process == like->process && thread->has_vtid && like->has_vtid && thread->vtid == like->vtid;
}

static bool is_any(const struct recording_thread *thread, const struct recording_thread *like)
{
	return true;
}

static void cut_process(struct executions *executions, uint32_t process)
{
	end_threads(executions, is_of_process, &(struct recording_thread){ .process = process }, true);
	process_state_of(executions, process)->phase++;
}

/* Whether the same context of the same process was initialized just before. */
static bool is_copy(struct executions *executions, const struct event_record *record)
{
	const uint64_t context[] = {
		recording_thread(executions->recording, record->thread)->process,
		record_has(record, RCL_INIT__context_handle) ? record->word[RCL_INIT__context_handle] : 0,
		record_has(record, RCL_INIT__version) ? record->word[RCL_INIT__version] : 0,
	};

	return !definition_set_add(executions->contexts, context, sizeof(context), record->time_ns,
				   DEFINITION_COPY_DISTANCE_NS);
}

/*
 * A context is initialized: not within a callback, so the thread is that of a new process with the ids of an older one,
 * which was killed. CARET records it late, on any thread, and has CARET_INIT.
 */
static void begin_thread(struct executions *executions, const struct event_record *record)
{
	if (!(record->flags & RECORD_FROM_CARET) && !is_copy(executions, record)) {
		end_threads(executions, is_same, recording_thread(executions->recording, record->thread), false);
	}
}

/* What points to the innermost frame of a callback; points to NULL if there is none. */
static struct open_execution **find_frame(struct execution_stack *thread, uint64_t callback)
{
	struct open_execution **link = &thread->innermost;

	while (*link && (*link)->execution.callback->address != callback) {
		link = &(*link)->outer;
	}
	return link;
}

static struct open_execution **outermost_frame(struct execution_stack *thread)
{
	struct open_execution **link = &thread->innermost;

	g_assert(*link);
	while ((*link)->outer) {
		link = &(*link)->outer;
	}
	return link;
}

/* A callback starts that is open on its thread: what became of the older one is not known. */
static bool leave_older(struct executions *executions, struct execution_stack *thread, uint64_t callback)
{
	struct open_execution **older = find_frame(thread, callback);

	if (!*older) {
		return false;
	}
	if (!thread->has_vtid) {
		(*older)->is_ambiguous = true;
		return true;
	}
	end_without_end(executions, thread, older, false);
	return false;
}

/* Whether a thread that was seen at these places can have lost events in a silence of a stream. */
static bool is_lost_in(uint32_t stream, int64_t begin_ns, int64_t end_ns, struct place from, struct place to)
{
	int64_t silence_ns = MIN(end_ns, to.time_ns) - MAX(begin_ns, from.time_ns);
	bool is_detour = from.stream != NO_STREAM && stream != from.stream && stream != to.stream;

	return is_detour ? silence_ns >= SHORTEST_DETOUR_NS : silence_ns > 0;
}

/* Without streams: if any thread can. */
static bool is_lost_between(const struct executions *executions, const struct trace_losses *losses, struct place from,
			    struct place to)
{
	uint32_t stream = losses->lossy;
	uint32_t kept = MIN(losses->gap_count, GAPS_KEPT);

	while (stream != NO_STREAM) {
		const struct stream_state *state = &g_array_index(executions->streams, struct stream_state, stream);

		if (is_lost_in(stream, state->silent_since_ns, INT64_MAX, from, to)) {
			return true;
		}
		stream = state->next;
	}
	for (uint32_t i = 1; i <= kept; i++) {
		const struct gap *gap = &losses->gaps[(losses->gap_count - i) % GAPS_KEPT];

		if (gap->end_ns <= from.time_ns) {
			return false;
		}
		if (is_lost_in(gap->stream, gap->begin_ns, gap->end_ns, from, to)) {
			return true;
		}
	}
	return losses->gap_count > GAPS_KEPT;
}

/* A thread begins what it does not do within a callback, unless that executes others: the end of those open is lost. */
static void contradict(struct executions *executions, struct execution_stack *thread)
{
	struct open_execution **link = &thread->innermost;

	while (*link) {
		if ((*link)->has_loss) {
			end_without_end(executions, thread, link, true);
		} else {
			(*link)->has_contradiction = true;
			link = &(*link)->outer;
		}
	}
}

/* An event in a trace that lost some: whether others of its thread may be missing before it. */
static void follow_thread(struct executions *executions, const struct event_record *record)
{
	struct execution_stack *thread = stack_of(executions, record->thread);
	const struct trace_losses *losses = losses_of(executions, thread->trace);
	struct place here = { record->time_ns, record->stream };

	if (!losses || !thread->has_vtid) {
		return;
	}
	if (thread->has_run && is_lost_between(executions, losses, thread->seen, here)) {
		thread->is_uncertain = true;
		for (struct open_execution *frame = thread->innermost; frame; frame = frame->outer) {
			frame->has_loss = true;
		}
	}
	thread->seen = here;
	if (record->kind == EVENT_RCLCPP_EXECUTOR_EXECUTE) {
		contradict(executions, thread);
	}
}

/* An event of a callback shows where its thread is. */
static void note_run(struct execution_stack *thread, const struct event_record *record)
{
	thread->has_run = true;
	thread->is_uncertain = false;
	thread->seen = (struct place){ record->time_ns, record->stream };
}

static void start(struct executions *executions, const struct event_record *record)
{
	struct execution_stack *thread = stack_of(executions, record->thread);
	struct process_state *process = process_state_of(executions, thread->process);
	uint64_t callback = record->word[CALLBACK_START__callback];
	bool is_ambiguous = leave_older(executions, thread, callback);
	struct open_execution *frame;

	note_run(thread, record);
	if (G_UNLIKELY(thread->innermost) && thread->has_vtid && losses_of(executions, thread->trace)) {
		contradict(executions, thread);
	}
	if (thread->depth >= EXECUTION_DEPTH_MAX) {
		process->too_deep++;
		end_without_end(executions, thread, outermost_frame(thread), false);
	}
	frame = object_pool_take(&executions->frames);
	frame->number = executions->started++;
	frame->is_ambiguous = is_ambiguous;
	frame->has_loss = false;
	frame->has_contradiction = false;
	frame->execution = (struct execution){
		.callback = object_model_callback(executions->model, thread->process, callback, record->time_ns),
		.thread = record->thread,
		.stream = record->stream,
		.is_intra_process = record_has(record, CALLBACK_START__is_intra_process) &&
				    record->word[CALLBACK_START__is_intra_process] != 0,
		.phase = process->phase,
		.start_ns = record->time_ns,
	};
	frame->outer = thread->innermost;
	thread->innermost = frame;
	thread->depth++;
	report_started(executions, &frame->execution);
}

static void end_without_start(struct executions *executions, const struct execution_stack *thread,
			      const struct event_record *record)
{
	struct execution execution = {
		.callback = object_model_callback(executions->model, thread->process,
						  record->word[CALLBACK_END__callback], record->time_ns),
		.thread = record->thread,
		.stream = record->stream,
		.end_ns = record->time_ns,
	};

	process_state_of(executions, thread->process)->ends_without_start++;
	report_ended(executions, &execution, EXECUTION_WITHOUT_START);
}

/* Whether an execution that has ended may be the start of one and the end of another. */
static bool is_doubtful(const struct executions *executions, const struct execution_stack *thread,
			const struct open_execution *frame)
{
	const struct trace_losses *losses;

	if (frame->has_loss || frame->has_contradiction) {
		return true;
	}
	/* what a thread does is only known by its vtid */
	losses = thread->has_vtid ? NULL : losses_of(executions, thread->trace);
	return losses && is_lost_between(executions, losses, (struct place){ frame->execution.start_ns, NO_STREAM },
					 (struct place){ frame->execution.end_ns, NO_STREAM });
}

/* Without vtid the frames of a process are no stack: the older of two that cannot be distinguished goes with the first
 * end. */
static struct open_execution **find_ambiguous(struct execution_stack *thread, uint64_t callback)
{
	struct open_execution **oldest = NULL;

	for (struct open_execution **link = &thread->innermost; *link; link = &(*link)->outer) {
		if ((*link)->is_ambiguous && (*link)->execution.callback->address == callback) {
			oldest = link;
		}
	}
	return oldest;
}

static void end(struct executions *executions, const struct event_record *record)
{
	struct execution_stack *thread = stack_of(executions, record->thread);
	uint64_t callback = record->word[CALLBACK_END__callback];
	struct open_execution **link = find_frame(thread, callback);
	struct open_execution **ambiguous = thread->has_vtid ? NULL : find_ambiguous(thread, callback);

	note_run(thread, record);
	if (!*link) {
		end_without_start(executions, thread, record);
		return;
	}
	if (ambiguous) {
		end_without_end(executions, thread, ambiguous, false);
		end_without_start(executions, thread, record);
		return;
	}
	if (thread->has_vtid) {
		const struct open_execution *frame = *link;

		link = &thread->innermost;
		while (*link != frame) {
			end_without_end(executions, thread, link, false);
		}
	}
	if (record->time_ns < (*link)->execution.start_ns) {
		end_without_end(executions, thread, link, false);
		end_without_start(executions, thread, record);
		return;
	}
	(*link)->execution.end_ns = record->time_ns;
	if (is_doubtful(executions, thread, *link)) {
		process_state_of(executions, thread->process)->doubtful++;
		end_frame(executions, thread, link, EXECUTION_DOUBTFUL);
	} else {
		end_frame(executions, thread, link, EXECUTION_COMPLETE);
	}
}

/* The recording itself */

static struct trace_losses *losses_of_stream(struct executions *executions, uint16_t stream)
{
	uint32_t trace = recording_stream_trace(executions->recording, stream);
	struct trace_losses *losses;

	executions->has_losses = true;
	if (trace >= executions->losses->len) {
		g_ptr_array_set_size(executions->losses, (gint)trace + 1);
	}
	losses = executions->losses->pdata[trace];
	if (!losses) {
		losses = arena_take(recording_arena(executions->recording), sizeof(*losses));
		losses->lossy = NO_STREAM;
		executions->losses->pdata[trace] = losses;
	}
	return losses;
}

static bool is_lossy(const struct stream_state *state)
{
	return state->has_lossy_packet || state->is_in_gap;
}

/* The stream loses events from this time on, or has done so since its last event. */
static struct stream_state *begin_loss(struct executions *executions, const struct event_record *record)
{
	struct trace_losses *losses = losses_of_stream(executions, record->stream);
	struct stream_state *state = stream_state_of(executions, record->stream);

	if (!is_lossy(state)) {
		state->silent_since_ns = record->time_ns;
		state->next = losses->lossy;
		losses->lossy = record->stream;
	}
	return state;
}

static void end_loss(struct executions *executions, uint16_t stream)
{
	struct trace_losses *losses = losses_of_stream(executions, stream);
	uint32_t *link = &losses->lossy;

	while (*link != stream) {
		link = &stream_state_of(executions, (uint16_t)*link)->next;
	}
	*link = stream_state_of(executions, stream)->next;
}

static void begin_lossy_packet(struct executions *executions, const struct event_record *record)
{
	struct stream_state *state = begin_loss(executions, record);

	state->has_lossy_packet = true;
	state->lossy_until_ns = (int64_t)record->word[RECORD__end_ns];
}

static void begin_gap(struct executions *executions, const struct event_record *record)
{
	struct stream_state *state = begin_loss(executions, record);

	/* the gap may be that before the lossy packet */
	state->has_lossy_packet = state->has_lossy_packet && record->time_ns < state->lossy_until_ns;
	state->is_in_gap = true;
}

static void end_gap(struct executions *executions, uint16_t stream, int64_t time_ns)
{
	struct stream_state *state = stream_state_of(executions, stream);
	struct trace_losses *losses;

	if (!state->is_in_gap) {
		return;
	}
	losses = losses_of_stream(executions, stream);
	losses->gaps[losses->gap_count++ % GAPS_KEPT] = (struct gap){ state->silent_since_ns, time_ns, stream };
	state->is_in_gap = false;
	if (!is_lossy(state)) {
		end_loss(executions, stream);
	}
}

/*
 * Whether an event shows that its stream goes on. A definition does not: filters drop its copies and move it in time,
 * so nothing may depend on when it arrives or how often.
 */
static bool is_sign_of_life(const struct event_record *record)
{
	return record->kind < EVENT_KIND_COUNT && event_class_of(record->kind) != EVENT_CLASS_INIT;
}

/* An event of a stream of a trace that lost some. Streams without packets have no RECORD_GAP. */
static void follow_stream(struct executions *executions, const struct event_record *record)
{
	struct stream_state *state = stream_state_of(executions, record->stream);

	if (!is_lossy(state)) {
		return;
	}
	if (state->has_lossy_packet && record->time_ns > state->lossy_until_ns) {
		begin_gap(executions, record);
	}
	end_gap(executions, record->stream, record->time_ns);
	state->silent_since_ns = record->time_ns;
}

static void end_stream(struct executions *executions, const struct event_record *record)
{
	struct stream_state *state = stream_state_of(executions, record->stream);

	end_gap(executions, record->stream, record->time_ns);
	if (state->has_lossy_packet) {
		state->has_lossy_packet = false;
		end_loss(executions, record->stream);
	}
}

void executions_follow(struct executions *executions, const struct event_record *record)
{
	if (executions->has_losses && is_sign_of_life(record)) {
		follow_stream(executions, record);
		follow_thread(executions, record);
	}
}

void executions_feed(struct executions *executions, const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_CALLBACK_START:
		start(executions, record);
		break;
	case EVENT_CALLBACK_END:
		end(executions, record);
		break;
	case EVENT_RCL_INIT:
		begin_thread(executions, record);
		break;
	case EVENT_CARET_INIT:
		cut_process(executions, stack_of(executions, record->thread)->process);
		break;
	case RECORD_DISCARDED_EVENTS:
		begin_lossy_packet(executions, record);
		break;
	case RECORD_GAP:
	case RECORD_DISCARDED_PACKETS:
		begin_gap(executions, record);
		break;
	case RECORD_STREAM_END:
		end_stream(executions, record);
		break;
	default:
		break;
	}
}

void executions_finish(struct executions *executions)
{
	end_threads(executions, is_any, NULL, false);
	for (guint i = 0; i < executions->processes->len; i++) {
		const struct process_state *process = &g_array_index(executions->processes, struct process_state, i);
		g_autofree char *name = recording_process_text(executions->recording, i);

		diagnostics_add(executions->diagnostics, DIAGNOSTIC_START_WITHOUT_END, name,
				process->starts_without_end);
		diagnostics_add(executions->diagnostics, DIAGNOSTIC_END_WITHOUT_START, name,
				process->ends_without_start);
		diagnostics_add(executions->diagnostics, DIAGNOSTIC_CUT_BY_GAP, name, process->cut);
		diagnostics_add(executions->diagnostics, DIAGNOSTIC_DOUBTFUL_EXECUTION, name, process->doubtful);
		diagnostics_add(executions->diagnostics, DIAGNOSTIC_STACK_TOO_DEEP, name, process->too_deep);
	}
}

struct execution *executions_current(struct executions *executions, uint32_t thread)
{
	const struct execution_stack *frames = stack_of(executions, thread);
	struct open_execution *frame = frames->innermost;

	return frame && frames->has_vtid && !frame->has_loss && !frame->has_contradiction ? &frame->execution : NULL;
}

bool executions_may_have_lost_start(struct executions *executions, uint32_t thread)
{
	const struct execution_stack *frames = stack_of(executions, thread);
	const struct open_execution *frame = frames->innermost;

	return frames->is_uncertain || (frame && (frame->has_loss || frame->has_contradiction));
}

bool executions_may_miss_events(const struct executions *executions, uint32_t thread, int64_t from_ns, int64_t to_ns)
{
	const struct trace_losses *losses;

	if (G_LIKELY(!executions->has_losses)) {
		return false;
	}
	losses = losses_of(executions, recording_thread(executions->recording, thread)->trace);
	return losses && is_lost_between(executions, losses, (struct place){ from_ns, NO_STREAM },
					 (struct place){ to_ns, NO_STREAM });
}
