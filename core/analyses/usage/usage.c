/* SPDX-License-Identifier: MIT */
/*
 * The table `usage`, a row per host, process, thread, node, callback and CPU: the time that each spends in callbacks.
 *
 * - An execution counts when it starts within the options' [begin, end].
 * - busy_ns: from callback_start to callback_end, over all executions. self_ns: the same without the executions within
 *   them, where a callback spins; it counts no time twice, so its sums over the rows of each scope are equal. Both are
 *   exact.
 * - share_percent: self_ns in covered time (core/model/coverage.h) divided by how long that is within the report's
 * span. Of a host and a CPU, that of the process on the host that is covered longest. A process with several threads
 * may have more than 100 %.
 * - A CPU has the executions that started on it; migrated: those that ended on another one. Without the CPU in the
 *   packets of the trace, both are missing.
 * - A doubtful execution is counted without its time; one without a recorded start or end is not counted.
 * - This is time in callbacks, whether or not the thread was on a CPU: cpu_ns is empty.
 *
 * Cost: O(1) per execution. Memory: for each callback, thread and CPU that executes, and the open executions.
 */
#include "core/analyses/analyses.h"
#include "core/analyses/usage/usage_counts.h"
#include "core/analyses/usage/usage_tables.h"
#include "core/base/slots.h"
#include "core/base/time_units.h"

/* An open execution, and the time of executions within it so far. */
struct usage_frame {
	const struct execution *execution; /* borrowed until it ends */
	int64_t nested_ns;
};

static struct usage_counts *counts_at(GArray *counts, uint32_t index)
{
	if (G_UNLIKELY(index >= counts->len)) {
		g_array_set_size(counts, index + 1);
	}
	return &g_array_index(counts, struct usage_counts, index);
}

/* The counts of the CPU on which the execution started; NULL if that is not known. */
static struct usage_counts *cpu_counts(struct usage *usage, const struct execution *execution)
{
	uint32_t cpu = recording_stream_cpu(usage->recording, execution->stream);
	uint32_t host =
		recording_process(usage->recording, recording_thread(usage->recording, execution->thread)->process)
			->host;

	if (cpu == RECORDING_NONE) {
		return NULL;
	}
	for (guint i = 0; i < usage->cpus->len; i++) {
		struct usage_cpu *known = &g_array_index(usage->cpus, struct usage_cpu, i);

		if (known->host == host && known->cpu == cpu) {
			return &known->counts;
		}
	}
	g_array_append_val(usage->cpus, ((struct usage_cpu){ .host = host, .cpu = cpu }));
	return &g_array_index(usage->cpus, struct usage_cpu, usage->cpus->len - 1).counts;
}

static bool has_migrated(const struct usage *usage, const struct execution *execution)
{
	uint32_t start, end;

	if (G_LIKELY(execution->stream == execution->end_stream)) {
		return false;
	}
	start = recording_stream_cpu(usage->recording, execution->stream);
	end = recording_stream_cpu(usage->recording, execution->end_stream);
	return start != RECORDING_NONE && end != RECORDING_NONE && start != end;
}

static GArray *frames_of(struct usage *usage, uint32_t thread)
{
	gpointer *slot = slot_at(usage->frames, thread);

	if (G_UNLIKELY(!*slot)) {
		*slot = g_array_new(FALSE, FALSE, sizeof(struct usage_frame));
	}
	return *slot;
}

static void started(void *data, struct execution *execution)
{
	struct usage_frame frame = { .execution = execution };

	g_array_append_val(frames_of(data, execution->thread), frame);
}

/*
 * Removes the frame of an execution, not necessarily the innermost one, from its thread, and returns the time of the
 * executions within it. `duration_ns` is its own, or -1 if unknown: then these are within the next outer execution.
 */
static int64_t take_frame(struct usage *usage, const struct execution *execution, int64_t duration_ns)
{
	GArray *frames = frames_of(usage, execution->thread);
	guint index = frames->len;
	int64_t nested_ns;

	while (index > 0 && g_array_index(frames, struct usage_frame, index - 1).execution != execution) {
		index--;
	}
	if (index == 0) {
		return 0;
	}
	nested_ns = g_array_index(frames, struct usage_frame, index - 1).nested_ns;
	g_array_remove_index(frames, index - 1);
	if (index > 1) {
		struct usage_frame *outer = &g_array_index(frames, struct usage_frame, index - 2);

		outer->nested_ns = add_saturated(outer->nested_ns, duration_ns >= 0 ? duration_ns : nested_ns);
	}
	return nested_ns;
}

static void add_execution(const struct usage *usage, struct usage_counts *counts, const struct execution *execution,
			  const struct usage_counts *one)
{
	usage_counts_add(counts, one);
	covered_time_add(&counts->time, usage->coverage, execution->callback->process, execution->start_ns,
			 execution->end_ns, one->self_ns);
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct usage *usage = data;
	bool is_complete = outcome == EXECUTION_COMPLETE;
	struct usage_counts one = { .executions = 1, .migrated = has_migrated(usage, execution) };
	int64_t duration_ns = is_complete ? execution->end_ns - execution->start_ns : -1;
	int64_t nested_ns = 0;
	struct usage_counts *cpu;

	if (outcome != EXECUTION_WITHOUT_START) {
		nested_ns = take_frame(usage, execution, duration_ns);
	}
	if (outcome == EXECUTION_WITHOUT_START || outcome == EXECUTION_WITHOUT_END ||
	    !analysis_options_include(usage->options, execution->start_ns)) {
		return;
	}
	if (is_complete) {
		one.busy_ns = duration_ns;
		one.self_ns = duration_ns - nested_ns;
	}
	add_execution(usage, counts_at(usage->callbacks, execution->callback->index), execution, &one);
	add_execution(usage, counts_at(usage->threads, execution->thread), execution, &one);
	cpu = cpu_counts(usage, execution);
	if (cpu) {
		add_execution(usage, cpu, execution, &one);
	}
}

static void frames_free(gpointer frames)
{
	if (frames) {
		g_array_unref(frames);
	}
}

/* --- the analysis --- */

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct usage *usage = g_new0(struct usage, 1);

	usage->recording = context->recording;
	usage->model = context->model;
	usage->options = context->options;
	usage->numbers = context->numbers;
	usage->span = context->span;
	usage->coverage = executions_coverage(context->executions);
	usage->callbacks = g_array_new(FALSE, TRUE, sizeof(struct usage_counts));
	usage->threads = g_array_new(FALSE, TRUE, sizeof(struct usage_counts));
	usage->cpus = g_array_new(FALSE, FALSE, sizeof(struct usage_cpu));
	usage->frames = g_ptr_array_new_with_free_func(frames_free);
	executions_add_listener(context->executions, &(struct executions_listener){
							     .data = usage,
							     .started = started,
							     .ended = ended,
						     });
	return usage;
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	usage_tables_write(analysis, writers);
}

static void destroy(void *analysis)
{
	struct usage *usage = analysis;

	g_array_unref(usage->callbacks);
	g_array_unref(usage->threads);
	g_array_unref(usage->cpus);
	g_ptr_array_unref(usage->frames);
	g_free(usage);
}

const struct analysis_class usage_analysis = {
	.name = "usage",
	.tables = usage_tables,
	.needs = ANALYSIS_NEEDS_EXECUTIONS,
	.create = create,
	.write = write_tables,
	.destroy = destroy,
};
