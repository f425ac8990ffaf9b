/* SPDX-License-Identifier: MIT */
/*
 * The table `pages`, a row per process: the pages of memory that the kernel allocates and frees while the process runs,
 * by its events kmem_mm_page_alloc and kmem_mm_page_free.
 *
 * - A page is 4096 bytes; an event is about 2^order pages.
 * - The process is that of the thread which runs on the CPU: by the contexts vpid (and pid_ns) of the event, or else by
 *   the switches of the CPU (kernel_threads.h). Allocations of an interrupt count for the process that it interrupts,
 *   those on an idle CPU for none.
 * - A page is often freed later, while another process runs. So `balance`, what a process allocated minus what it freed
 *   in this recording, shows how its use of memory changes, and is not the memory in use.
 * - Events count when they lie within the options' [begin, end].
 *
 * Cost: O(1) per event, O(processes) without the contexts. Memory: for each process, and each thread of the kernel.
 */
#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/arena_parts.h"
#include "core/model/kernel_threads.h"
#include "ros2bt/base/time_units.h"

#define PAGE_BYTES INT64_C(4096)
#define ORDER_MAX 40 /* a larger order is invalid: 2^40 pages are the largest address space */

/* A process as the kernel's events identify it. */
struct pages_row {
	uint32_t host;
	bool is_virtual; /* `pid` is the id in the namespace `pid_ns`, as user space records it; else the global id */
	int32_t pid;
	uint64_t pid_ns; /* 0: not recorded */
	uint64_t allocations, frees, failed;
	int64_t allocated_bytes, freed_bytes, peak_bytes;
	/* As it is written: */
	const char *name, *hostname;
	int64_t balance_bytes;
};

struct pages {
	struct analysis analysis;
	struct kernel_threads *threads;
	struct u64_map by_ids; /* index of ids and host → struct pages_row * */
};

/* clang-format off */
#define ROW struct pages_row
static const struct table_column columns[] = {
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .label = "process", .format = COLUMN_NAME, CELL_OF(name) },
	{ .name = "vpid", .means = MEANS_PROCESS, .label = "pid", .hints = HINT_TELLS_APART(PROCESS), CELL_OF(pid) },
	{ .name = "allocations", .merge = COLUMN_MERGE_SUM, .hints = HINT_MARKED, CELL_OF(allocations) },
	{ .name = "allocated_bytes", .merge = COLUMN_MERGE_SUM, .label = "allocated", .format = COLUMN_BYTES,
	  CELL_OF(allocated_bytes) },
	{ .name = "frees", .merge = COLUMN_MERGE_SUM, CELL_OF(frees) },
	{ .name = "freed_bytes", .merge = COLUMN_MERGE_SUM, .label = "freed", .format = COLUMN_BYTES,
	  CELL_OF(freed_bytes) },
	{ .name = "balance_bytes", .label = "balance", .format = COLUMN_BYTES, CELL_OF(balance_bytes) },
	{ .name = "peak_balance_bytes", .merge = COLUMN_MERGE_MAX, .label = "peak of it", .format = COLUMN_BYTES,
	  CELL_OF(peak_bytes) },
	{ .name = "failed", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY,
	  CELL_OF(failed) },
	{ .name = "hostname", .means = MEANS_HOST, .label = "on", .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_TELLS_APART(HOST), CELL_OF(hostname) },
};

static const struct table_column order_columns[] = { { .name = "pid_ns", CELL_OF(pid_ns) } };

static const struct table_schema schema = {
	TABLE("pages", columns), .title = "Pages of memory", .selection = "pages", .presence = PRESENT_IF_ANY,
	.why_empty = "needs the kernel's events kmem_mm_page_alloc and kmem_mm_page_free, see docs/memory.md",
	.key_count = 2, .order = "-allocated_bytes -freed_bytes hostname vpid pid_ns", UNWRITTEN(order_columns),
};
#undef ROW
/* clang-format on */

/* --- which process --- */

static uint32_t host_of(const struct recording *recording, const struct event_record *record)
{
	return recording_trace(recording, recording_stream_trace(recording, record->stream))->host;
}

static struct pages_row *find_row(struct pages *pages, const struct pages_row *like)
{
	const GPtrArray *rows = pages->analysis.rows.rows;
	struct pages_row *row;

	for (guint i = 0; i < rows->len; i++) {
		row = rows->pdata[i];
		if (row->host == like->host && row->is_virtual == like->is_virtual && row->pid == like->pid &&
		    row->pid_ns == like->pid_ns) {
			return row;
		}
	}
	row = row_store_add(&pages->analysis.rows);
	*row = *like;
	return row;
}

/* By the contexts of the event. O(1). */
static struct pages_row *row_of_ids(struct pages *pages, const struct event_record *record)
{
	const struct recording *recording = pages->analysis.context.recording;
	uint32_t host = host_of(recording, record);
	uint64_t key = (uint64_t)record->thread << 32 | host;
	struct pages_row *row = u64_map_get_pointer(&pages->by_ids, key);

	if (G_UNLIKELY(!row)) {
		const struct recording_context *ids = recording_ids(recording, record->thread);

		row = find_row(pages, &(struct pages_row){
					      .host = host,
					      .is_virtual = true,
					      .pid = ids->vpid,
					      .pid_ns = ids->has_pid_ns ? ids->pid_ns : 0,
				      });
		u64_map_set_pointer(&pages->by_ids, key, row);
	}
	return row;
}

/* By what runs on the CPU: the process, or the thread where its process is unknown; or NULL. O(processes). */
static struct pages_row *row_of_cpu(struct pages *pages, const struct event_record *record)
{
	const struct recording *recording = pages->analysis.context.recording;
	uint32_t host = host_of(recording, record);
	struct kernel_running running =
		kernel_threads_running(pages->threads, host, recording_stream_cpu(recording, record->stream));
	const struct kernel_thread *thread;

	if (!running.is_known || running.thread == KERNEL_THREAD_NONE) {
		return NULL;
	}
	thread = kernel_thread_at(pages->threads, running.thread);
	return find_row(pages, &(struct pages_row){
				       .host = host,
				       .pid = thread->pid >= 0 ? thread->pid : thread->tid,
			       });
}

/* --- events --- */

static int64_t bytes_of(uint64_t order)
{
	return order <= ORDER_MAX ? PAGE_BYTES << order : 0;
}

static void count_allocation(struct pages_row *process, const struct event_record *record)
{
	if (record->word[KMEM_MM_PAGE_ALLOC__page] == 0) {
		process->failed++;
		return;
	}
	process->allocations++;
	process->allocated_bytes =
		add_saturated(process->allocated_bytes, bytes_of(record->word[KMEM_MM_PAGE_ALLOC__order]));
	process->peak_bytes = MAX(process->peak_bytes, process->allocated_bytes - process->freed_bytes);
}

static void count_free(struct pages_row *process, const struct event_record *record)
{
	process->frees++;
	process->freed_bytes = add_saturated(process->freed_bytes, bytes_of(record->word[KMEM_MM_PAGE_FREE__order]));
}

static void begin(void *data)
{
	struct pages *pages = data;

	pages->threads = kernel_threads_create(pages->analysis.context.recording);
	arena_own(analysis_arena(&pages->analysis), pages->threads, (GDestroyNotify)kernel_threads_destroy);
	arena_map(analysis_arena(&pages->analysis), &pages->by_ids);
}

static void feed(void *data, const struct event_record *record)
{
	struct pages *pages = data;
	struct pages_row *row;

	kernel_threads_feed(pages->threads, record);
	if ((record->kind != EVENT_KMEM_MM_PAGE_ALLOC && record->kind != EVENT_KMEM_MM_PAGE_FREE) ||
	    !analysis_options_include(pages->analysis.context.options, record->time_ns)) {
		return;
	}
	row = record->thread == RECORDING_NONE ? row_of_cpu(pages, record) : row_of_ids(pages, record);
	if (row && record->kind == EVENT_KMEM_MM_PAGE_ALLOC) {
		count_allocation(row, record);
	} else if (row) {
		count_free(row, record);
	}
}

static void feed_losses(void *data, const struct event_record *record)
{
	kernel_threads_feed(((struct pages *)data)->threads, record);
}

/* --- rows --- */

/* The name that user space recorded, or else the kernel's name of the main thread. */
static const char *name_of(const struct pages *pages, const struct pages_row *row)
{
	const struct recording *recording = pages->analysis.context.recording;
	uint32_t thread = kernel_threads_find(pages->threads, row->host, row->pid);

	for (uint32_t i = 0; row->is_virtual && i < recording_process_count(recording); i++) {
		const struct recording_process *known = recording_process(recording, i);

		if (process_has_ids(known, row->host, row->pid, row->pid_ns)) {
			return known->procname;
		}
	}
	return thread == KERNEL_THREAD_NONE ? NULL : kernel_thread_at(pages->threads, thread)->name;
}

static bool prepare(const void *data, void *row)
{
	const struct pages *pages = data;
	struct pages_row *process = row;

	process->name = name_of(pages, process);
	process->hostname = recording_host(pages->analysis.context.recording, process->host)->hostname;
	process->balance_bytes = process->allocated_bytes - process->freed_bytes;
	return true;
}

/* The events of pages, and those by which kernel_threads.h knows which thread runs. */
static const enum event_kind kinds[] = {
	EVENT_KMEM_MM_PAGE_ALLOC,      EVENT_KMEM_MM_PAGE_FREE,	       EVENT_SCHED_SWITCH,
	EVENT_SCHED_PROCESS_FORK,      EVENT_SCHED_PROCESS_EXEC,       EVENT_SCHED_PROCESS_EXIT,
	EVENT_STATEDUMP_PROCESS_STATE, EVENT_STATEDUMP_PROCESS_PID_NS, EVENT_KIND_COUNT,
};

const struct analysis_class pages_analysis = {
	.name = "pages",
	.tables = (const struct table_schema *const[]){ &schema, NULL },
	.kinds = kinds,
	.size = sizeof(struct pages),
	.begin = begin,
	.feed = feed,
	.feed_losses = feed_losses,
	.prepare = prepare,
};
