/* SPDX-License-Identifier: MIT */
/*
 * The table `memory`, a row per callback, node and process: what is allocated and freed within each, and outside of all
 * callbacks; and its summary `allocating_callbacks`. It counts the calls that LTTng-UST's wrapper of malloc() records.
 *
 * - A call belongs to the innermost open execution of its thread; if there is none, it is outside. It is of the scope
 *   `unknown` where the trace cannot show which: events of the thread were lost, or no threads are recorded. Calls
 *   count when they lie within the options' [begin, end].
 * - realloc() frees in_ptr and allocates ptr; if it fails, neither happens. Other calls that return no memory are
 *   `failed`; free(NULL) is nothing.
 * - live: allocated and not freed, for whoever allocated it, at the end of the recording or of the range. A free of an
 *   address that no recorded call returned (aligned_alloc() is not recorded, nor what precedes the recording) counts in
 *   `frees` and `unknown_frees`, and frees nothing that is known.
 * - Addresses are those of a process: in a trace without vpid nothing is counted.
 *
 * The trace records neither fork() nor exec(): a child knows none of its parent's blocks, and a process keeps those of
 * the program that it ran before.
 *
 * Cost: O(1) per call. Memory: for each callback, process and thread, and the live blocks.
 */
#include "core/analyses/memory/memory_blocks.h"
#include "core/analyses/memory/memory_state.h"
#include "core/base/arena_parts.h"
#include "core/base/slots.h"

struct memory_thread {
	GPtrArray *allocating; /* const struct execution *, borrowed until it ends: open, and has allocated */
	bool is_uncertain;     /* events may be missing since the last one: a call outside may be within a callback */
	int64_t last_ns;       /* the time of the last call, start or end */
};

/* --- owners --- */

static struct memory_thread *thread_of(struct memory *memory, uint32_t index)
{
	struct memory_thread *thread = *slot_at(memory->threads, index);

	if (G_UNLIKELY(!thread)) {
		struct arena *arena = analysis_arena(&memory->analysis);

		thread = memory->threads->pdata[index] = arena_take(arena, sizeof(*thread));
		thread->allocating = arena_pointers(arena);
		thread->last_ns = INT64_MIN;
	}
	return thread;
}

static struct memory_process *process_of(struct memory *memory, uint32_t index)
{
	struct memory_process *process = *slot_at(memory->processes, index);

	if (G_UNLIKELY(!process)) {
		process = memory->processes->pdata[index] =
			arena_take(analysis_arena(&memory->analysis), sizeof(*process));
		process->outside.within = &process->all;
		process->unknown.within = &process->all;
		arena_own(analysis_arena(&memory->analysis), &process->live, (GDestroyNotify)piece_counter_clear);
	}
	return process;
}

/* Adds the counts of an owner that turns out to be within this one. */
static void add_owner(struct memory_owner *owner, const struct memory_owner *within)
{
	struct memory_counts *counts = &owner->counts;
	const struct memory_counts *more = &within->counts;

	counts->executions += more->executions;
	counts->allocating += more->allocating;
	counts->allocations += more->allocations;
	counts->allocated_bytes = add_bytes(counts->allocated_bytes, more->allocated_bytes);
	counts->largest_bytes = MAX(counts->largest_bytes, more->largest_bytes);
	counts->frees += more->frees;
	counts->freed_bytes = add_bytes(counts->freed_bytes, more->freed_bytes);
	counts->unknown_frees += more->unknown_frees;
	counts->freed_by_others += more->freed_by_others;
	counts->failed += more->failed;
	counts->replaced += more->replaced;
	owner->live_blocks += within->live_blocks;
	owner->live_bytes += within->live_bytes;
	owner->peak_bytes = MAX(owner->peak_bytes, MAX(owner->live_bytes, within->peak_bytes));
}

static struct memory_node *node_of(struct memory *memory, uint32_t process, const char *name)
{
	struct memory_node *node;

	for (guint i = 0; i < memory->nodes->len; i++) {
		node = memory->nodes->pdata[i];
		if (node->process == process && node->name == name) {
			return node;
		}
	}
	node = arena_take(recording_arena(memory->analysis.context.recording), sizeof(*node));
	node->process = process;
	node->name = name;
	node->owner.within = &process_of(memory, process)->all;
	g_ptr_array_add(memory->nodes, node);
	return node;
}

/* A node may be defined after its callback has run: then it gets the counts of the callback so far. */
static void find_node(struct memory *memory, struct model_callback *key, struct memory_callback *callback)
{
	uint64_t version = object_model_version(memory->analysis.context.model);
	const char *name;

	if (G_LIKELY(callback->has_node || callback->model_version == version + 1)) {
		return;
	}
	callback->model_version = version + 1;
	name = object_model_callback_info(memory->analysis.context.model, key)->node;
	if (name) {
		struct memory_owner *node = &node_of(memory, key->process, name)->owner;

		callback->has_node = true;
		callback->owner.within = node;
		add_owner(node, &callback->owner);
	}
}

static struct memory_callback *callback_of(struct memory *memory, struct model_callback *key)
{
	struct memory_callback *callback = *slot_at(memory->callbacks, key->index);

	if (G_UNLIKELY(!callback)) {
		callback = arena_take(recording_arena(memory->analysis.context.recording), sizeof(*callback));
		callback->owner.within = &process_of(memory, key->process)->all;
		memory->callbacks->pdata[key->index] = callback;
	}
	find_node(memory, key, callback);
	return callback;
}

static bool may_miss_events(const struct memory *memory, uint32_t thread, int64_t from_ns, int64_t to_ns)
{
	return from_ns != INT64_MIN &&
	       executions_may_miss_events(memory->analysis.context.executions, thread, from_ns, to_ns);
}

/* The owner of a call without a current execution. */
static struct memory_owner *owner_outside(struct memory *memory, const struct event_record *record,
					  struct memory_process *process)
{
	struct memory_thread *thread = thread_of(memory, record->thread);

	if (!recording_thread(memory->analysis.context.recording, record->thread)->has_vtid) {
		return &process->unknown;
	}
	thread->is_uncertain |= may_miss_events(memory, record->thread, thread->last_ns, record->time_ns);
	thread->last_ns = record->time_ns;
	return thread->is_uncertain ||
			       executions_may_have_lost_start(memory->analysis.context.executions, record->thread) ||
			       executions_are_in_doubt(memory->analysis.context.executions, record->thread,
						       record->time_ns)
		       ? &process->unknown
		       : &process->outside;
}

/* The owner of a call. *within: the open execution that it is of; NULL: none. */
static struct memory_owner *owner_of(struct memory *memory, const struct event_record *record,
				     struct memory_process *process, const struct execution **within)
{
	const struct execution *execution =
		executions_current(memory->analysis.context.executions, record->thread, record->time_ns);

	*within = NULL;
	if (!execution) {
		return owner_outside(memory, record, process);
	}
	if (may_miss_events(memory, record->thread, execution->start_ns, record->time_ns)) {
		return &process->unknown;
	}
	*within = execution;
	thread_of(memory, record->thread)->last_ns = record->time_ns;
	return &callback_of(memory, execution->callback)->owner;
}

/* --- calls --- */

/* A call that is being counted. */
struct memory_call {
	struct memory_blocks *blocks;
	struct memory_owner *owner;
	const struct execution *within; /* NULL: no execution */
	GPtrArray *allocating;		/* of its thread */
	uint32_t thread;
	int64_t time_ns;
	bool is_counted;
};

static void hold(const struct memory_call *call, uint64_t size)
{
	for (struct memory_owner *owner = call->owner; owner; owner = owner->within) {
		owner->live_blocks++;
		owner->live_bytes += size;
		memory_owner_note_peak(owner, call->is_counted);
	}
}

static void release(const struct memory_call *call, const struct memory_block *block)
{
	for (struct memory_owner *owner = block->owner; owner; owner = owner->within) {
		memory_owner_note_peak(owner, call->is_counted);
		owner->live_blocks--;
		owner->live_bytes -= block->size;
	}
}

static void count_allocation(const struct memory_call *call, uint64_t size)
{
	if (!call->is_counted) {
		return;
	}
	for (struct memory_owner *owner = call->owner; owner; owner = owner->within) {
		owner->counts.allocations++;
		owner->counts.allocated_bytes = add_bytes(owner->counts.allocated_bytes, size);
		owner->counts.largest_bytes = MAX(owner->counts.largest_bytes, size);
	}
	if (call->within && !g_ptr_array_find(call->allocating, call->within, NULL)) {
		g_ptr_array_add(call->allocating, (gpointer)call->within);
	}
}

static bool is_within(const struct memory_owner *inner, const struct memory_owner *outer)
{
	while (inner && inner != outer) {
		inner = inner->within;
	}
	return inner != NULL;
}

/* `block`: what is freed; NULL if it is not known. */
static void count_free(const struct memory_call *call, const struct memory_block *block)
{
	if (!call->is_counted) {
		return;
	}
	for (struct memory_owner *owner = call->owner; owner; owner = owner->within) {
		owner->counts.frees++;
		owner->counts.unknown_frees += block == NULL;
		owner->counts.freed_bytes = add_bytes(owner->counts.freed_bytes, block ? block->size : 0);
	}
	for (struct memory_owner *owner = block ? block->owner : NULL; owner; owner = owner->within) {
		owner->counts.freed_by_others += !is_within(call->owner, owner);
	}
}

static void count(const struct memory_call *call, size_t offset, uint64_t more)
{
	for (struct memory_owner *owner = call->is_counted ? call->owner : NULL; owner; owner = owner->within) {
		*(uint64_t *)(void *)((char *)&owner->counts + offset) += more;
	}
}

#define COUNT(call, member, more) count(call, offsetof(struct memory_counts, member), more)

static void allocate(const struct memory_call *call, uint64_t address, uint64_t size)
{
	const struct memory_block block = { .size = size, .owner = call->owner };
	struct memory_block replaced;

	if (address == 0) {
		COUNT(call, failed, size > 0);
		return;
	}
	if (memory_blocks_add(call->blocks, address, &block, call->thread, call->time_ns, &replaced)) {
		release(call, &replaced);
		COUNT(call, replaced, 1);
	}
	hold(call, size);
	count_allocation(call, size);
}

static void deallocate(const struct memory_call *call, uint64_t address)
{
	struct memory_block block;
	bool is_known;

	if (address == 0) {
		return;
	}
	is_known = memory_blocks_remove(call->blocks, address, &block);
	if (is_known) {
		release(call, &block);
	}
	count_free(call, is_known ? &block : NULL);
}

static void reallocate(const struct memory_call *call, uint64_t old, uint64_t address, uint64_t size)
{
	struct memory_block block;

	if (address == 0 && size > 0) {
		COUNT(call, failed, 1);
		return;
	}
	if (old != 0 && old != address &&
	    memory_blocks_take_replaced(call->blocks, old, call->thread, call->time_ns, &block)) {
		count_free(call, &block);
	} else {
		deallocate(call, old);
	}
	if (address != 0) {
		allocate(call, address, size);
	}
}

static uint64_t multiply(uint64_t left, uint64_t right)
{
	uint64_t product;

	return __builtin_mul_overflow(left, right, &product) ? UINT64_MAX : product;
}

static void take_call(const struct memory_call *call, const struct event_record *record)
{
	const uint64_t *word = record->word;

	switch (record->kind) {
	case EVENT_LIBC_MALLOC:
		allocate(call, word[LIBC_MALLOC__ptr], word[LIBC_MALLOC__size]);
		break;
	case EVENT_LIBC_CALLOC:
		allocate(call, word[LIBC_CALLOC__ptr], multiply(word[LIBC_CALLOC__nmemb], word[LIBC_CALLOC__size]));
		break;
	case EVENT_LIBC_MEMALIGN:
		allocate(call, word[LIBC_MEMALIGN__ptr], word[LIBC_MEMALIGN__size]);
		break;
	case EVENT_LIBC_POSIX_MEMALIGN:
		allocate(call, word[LIBC_POSIX_MEMALIGN__result] == 0 ? word[LIBC_POSIX_MEMALIGN__out_ptr] : 0,
			 word[LIBC_POSIX_MEMALIGN__size]);
		break;
	case EVENT_LIBC_REALLOC:
		reallocate(call, word[LIBC_REALLOC__in_ptr], word[LIBC_REALLOC__ptr], word[LIBC_REALLOC__size]);
		break;
	default:
		deallocate(call, word[LIBC_FREE__ptr]);
		break;
	}
}

/* --- executions --- */

static void started(void *data, struct execution *execution)
{
	struct memory_thread *thread = thread_of(data, execution->thread);

	thread->is_uncertain = false;
	thread->last_ns = execution->start_ns;
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct memory *memory = data;
	struct memory_thread *thread = thread_of(memory, execution->thread);
	bool allocates = thread->allocating->len > 0 && g_ptr_array_remove(thread->allocating, execution);

	if (outcome != EXECUTION_WITHOUT_END) {
		thread->is_uncertain = false;
		thread->last_ns = execution->end_ns;
	}
	if (outcome != EXECUTION_COMPLETE ||
	    !analysis_options_include(memory->analysis.context.options, execution->start_ns)) {
		return;
	}
	for (struct memory_owner *owner = &callback_of(memory, execution->callback)->owner; owner;
	     owner = owner->within) {
		owner->counts.executions++;
		owner->counts.allocating += allocates;
	}
}

/* --- the analysis --- */

static void begin(void *data)
{
	struct memory *memory = data;
	struct arena *arena = analysis_arena(&memory->analysis);

	memory->processes = arena_pointers(arena);
	memory->callbacks = arena_pointers(arena);
	memory->nodes = arena_pointers(arena);
	memory->threads = arena_pointers(arena);
}

static void feed(void *analysis, const struct event_record *record)
{
	struct memory *memory = analysis;
	const struct time_range *range = &memory->analysis.context.options->range;
	uint32_t index = recording_thread(memory->analysis.context.recording, record->thread)->process;
	struct memory_process *process;
	struct memory_call call = {
		.thread = record->thread,
		.time_ns = record->time_ns,
		.is_counted = analysis_options_include(memory->analysis.context.options, record->time_ns),
	};

	if (!recording_process(memory->analysis.context.recording, index)->has_vpid ||
	    (!call.is_counted && range->has_end && record->time_ns > range->end_ns)) {
		return;
	}
	process = process_of(memory, index);
	if (G_UNLIKELY(!process->blocks)) {
		process->blocks = memory_blocks_create(analysis_arena(&memory->analysis));
	}
	call.blocks = process->blocks;
	call.owner = owner_of(memory, record, process, &call.within);
	call.allocating = thread_of(memory, record->thread)->allocating;
	take_call(&call, record);
	if (memory->analysis.writers[TABLE_MEMORY_EVENTS] && call.is_counted) {
		piece_counter_set(&process->live, record->time_ns, (int64_t)MIN(process->all.live_bytes, INT64_MAX));
	}
}

static const enum event_kind kinds[] = {
	EVENT_LIBC_MALLOC,	   EVENT_LIBC_CALLOC, EVENT_LIBC_REALLOC, EVENT_LIBC_MEMALIGN,
	EVENT_LIBC_POSIX_MEMALIGN, EVENT_LIBC_FREE,   EVENT_KIND_COUNT,
};

const struct analysis_class memory_analysis = {
	.name = "memory",
	.tables = memory_tables,
	.kinds = kinds,
	.needs = ANALYSIS_NEEDS_EXECUTIONS,
	.executions = { .only_with = kinds, .started = started, .ended = ended },
	.size = sizeof(struct memory),
	.begin = begin,
	.feed = feed,
	.diagnose = memory_tables_diagnose,
	.write = memory_tables_write,
};
