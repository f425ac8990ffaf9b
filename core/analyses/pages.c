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
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/compare_numbers.h"
#include "core/base/time_units.h"
#include "core/base/u64_map.h"
#include "core/model/kernel_threads.h"

#define PAGE_BYTES INT64_C(4096)
#define ORDER_MAX 40 /* a larger order is invalid: 2^40 pages are the largest address space */

/* A process as the kernel's events identify it. */
struct pages_process {
	uint32_t host;
	bool is_virtual; /* `pid` is the id in the namespace `pid_ns`, as user space records it; else the global id */
	int32_t pid;
	uint64_t pid_ns; /* 0: not recorded */
	uint64_t allocations, frees, failed;
	int64_t allocated_bytes, freed_bytes, peak_bytes;
};

struct pages {
	struct recording *recording; /* borrowed */
	const struct analysis_options *options;
	struct kernel_threads *threads; /* owned */
	GArray *processes;		/* struct pages_process, in order of appearance */
	struct u64_map by_ids;		/* index of ids and host → index of the process */
};

static const struct table_column columns[] = {
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .label = "process", .format = COLUMN_NAME },
	{ .name = "vpid", .label = "pid", .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "allocations", .merge = COLUMN_MERGE_SUM, .hints = HINT_MARKED },
	{ .name = "allocated_bytes", .merge = COLUMN_MERGE_SUM, .label = "allocated", .format = COLUMN_BYTES },
	{ .name = "frees", .merge = COLUMN_MERGE_SUM },
	{ .name = "freed_bytes", .merge = COLUMN_MERGE_SUM, .label = "freed", .format = COLUMN_BYTES },
	{ .name = "balance_bytes", .label = "balance", .format = COLUMN_BYTES },
	{ .name = "peak_balance_bytes", .merge = COLUMN_MERGE_MAX, .label = "peak of it", .format = COLUMN_BYTES },
	{ .name = "failed", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY },
	{ .name = "hostname", .label = "on", .role = COLUMN_ROLE_DETAIL, .hints = HINT_TELLS_APART(HOST) },
};

static const struct table_schema schema = {
	.name = "pages",
	.title = "Pages of memory",
	.selection = "pages",
	.is_optional = true,
	.why_empty = "needs the kernel's events kmem_mm_page_alloc and kmem_mm_page_free, see docs/memory.md",
	.key_count = 2,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

/* --- which process --- */

static uint32_t host_of(const struct pages *pages, const struct event_record *record)
{
	return recording_trace(pages->recording, recording_stream_trace(pages->recording, record->stream))->host;
}

static uint64_t add_process(struct pages *pages, const struct pages_process *like)
{
	for (guint i = 0; i < pages->processes->len; i++) {
		const struct pages_process *known = &g_array_index(pages->processes, struct pages_process, i);

		if (known->host == like->host && known->is_virtual == like->is_virtual && known->pid == like->pid &&
		    known->pid_ns == like->pid_ns) {
			return i;
		}
	}
	g_array_append_vals(pages->processes, like, 1);
	return pages->processes->len - 1;
}

/* By the contexts of the event. O(1). */
static uint64_t process_of_ids(struct pages *pages, const struct event_record *record)
{
	uint32_t host = host_of(pages, record);
	uint64_t key = (uint64_t)record->thread << 32 | host;
	uint64_t index = u64_map_get(&pages->by_ids, key);

	if (G_UNLIKELY(index == U64_MAP_NONE)) {
		const struct recording_context *ids = recording_ids(pages->recording, record->thread);

		index = add_process(pages, &(struct pages_process){
						   .host = host,
						   .is_virtual = true,
						   .pid = ids->vpid,
						   .pid_ns = ids->has_pid_ns ? ids->pid_ns : 0,
					   });
		u64_map_set(&pages->by_ids, key, index);
	}
	return index;
}

/* By what runs on the CPU: the process, or the thread where its process is unknown. O(processes). */
static uint64_t process_of_cpu(struct pages *pages, const struct event_record *record)
{
	uint32_t host = host_of(pages, record);
	struct kernel_running running =
		kernel_threads_running(pages->threads, host, recording_stream_cpu(pages->recording, record->stream));
	const struct kernel_thread *thread;

	if (!running.is_known || running.thread == KERNEL_THREAD_NONE) {
		return U64_MAP_NONE;
	}
	thread = kernel_thread_at(pages->threads, running.thread);
	return add_process(pages, &(struct pages_process){
					  .host = host,
					  .pid = thread->pid >= 0 ? thread->pid : thread->tid,
				  });
}

static struct pages_process *process_of(struct pages *pages, const struct event_record *record)
{
	uint64_t index =
		record->thread == RECORDING_NONE ? process_of_cpu(pages, record) : process_of_ids(pages, record);

	return index == U64_MAP_NONE ? NULL : &g_array_index(pages->processes, struct pages_process, index);
}

/* --- events --- */

static int64_t bytes_of(uint64_t order)
{
	return order <= ORDER_MAX ? PAGE_BYTES << order : 0;
}

static void count_allocation(struct pages_process *process, const struct event_record *record)
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

static void count_free(struct pages_process *process, const struct event_record *record)
{
	process->frees++;
	process->freed_bytes = add_saturated(process->freed_bytes, bytes_of(record->word[KMEM_MM_PAGE_FREE__order]));
}

/* --- rows --- */

/* The name that user space recorded, or else the kernel's name of the main thread. */
static const char *name_of(const struct pages *pages, const struct pages_process *process)
{
	uint32_t thread = kernel_threads_find(pages->threads, process->host, process->pid);

	for (uint32_t i = 0; process->is_virtual && i < recording_process_count(pages->recording); i++) {
		const struct recording_process *known = recording_process(pages->recording, i);

		if (process_has_ids(known, process->host, process->pid, process->pid_ns)) {
			return known->procname;
		}
	}
	return thread == KERNEL_THREAD_NONE ? NULL : kernel_thread_at(pages->threads, thread)->name;
}

static const char *hostname_of(const struct pages *pages, const struct pages_process *process)
{
	return recording_host(pages->recording, process->host)->hostname;
}

/* Processes that allocate most come first. */
static gint compare_rows(gconstpointer a, gconstpointer b, gpointer pages)
{
	const struct pages_process *left = a;
	const struct pages_process *right = b;
	int order = compare_integers(right->allocated_bytes, left->allocated_bytes);

	order = order ? order : compare_integers(right->freed_bytes, left->freed_bytes);
	order = order ? order : strcmp(hostname_of(pages, left), hostname_of(pages, right));
	order = order ? order : compare_integers(left->pid, right->pid);
	return order ? order : compare_unsigned(left->pid_ns, right->pid_ns);
}

/* --- the analysis --- */

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct pages *pages = g_new0(struct pages, 1);

	pages->recording = context->recording;
	pages->options = context->options;
	pages->threads = kernel_threads_create(context->recording);
	pages->processes = g_array_new(FALSE, FALSE, sizeof(struct pages_process));
	u64_map_init(&pages->by_ids);
	return pages;
}

static void feed(void *analysis, const struct event_record *record)
{
	struct pages *pages = analysis;
	struct pages_process *process;

	kernel_threads_feed(pages->threads, record);
	if ((record->kind != EVENT_KMEM_MM_PAGE_ALLOC && record->kind != EVENT_KMEM_MM_PAGE_FREE) ||
	    !analysis_options_include(pages->options, record->time_ns)) {
		return;
	}
	process = process_of(pages, record);
	if (process && record->kind == EVENT_KMEM_MM_PAGE_ALLOC) {
		count_allocation(process, record);
	} else if (process) {
		count_free(process, record);
	}
}

static void feed_losses(void *analysis, const struct event_record *record)
{
	kernel_threads_feed(((struct pages *)analysis)->threads, record);
}

static void write_table(const void *analysis, struct table_writer *const *writers)
{
	const struct pages *pages = analysis;
	g_autoptr(GArray) rows = g_array_copy(pages->processes);

	g_array_sort_with_data(rows, compare_rows, (gpointer)pages);
	for (guint i = 0; i < rows->len; i++) {
		const struct pages_process *process = &g_array_index(rows, struct pages_process, i);

		TABLE_ROW(writers[0], columns,
			  (struct cell[]){
				  cell_text(name_of(pages, process)),
				  cell_integer(process->pid),
				  cell_unsigned(process->allocations),
				  cell_integer(process->allocated_bytes),
				  cell_unsigned(process->frees),
				  cell_integer(process->freed_bytes),
				  cell_integer(process->allocated_bytes - process->freed_bytes),
				  cell_integer(process->peak_bytes),
				  cell_unsigned(process->failed),
				  cell_text(hostname_of(pages, process)),
			  });
	}
}

static void destroy(void *analysis)
{
	struct pages *pages = analysis;

	kernel_threads_destroy(pages->threads);
	g_array_unref(pages->processes);
	u64_map_clear(&pages->by_ids);
	g_free(pages);
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
	.create = create,
	.feed = feed,
	.feed_losses = feed_losses,
	.write = write_table,
	.destroy = destroy,
};
