/* SPDX-License-Identifier: MIT */
#include "core/analyses/memory/memory_tables.h"

#include <inttypes.h>
#include <string.h>

#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/name_filter.h"
#include "core/text/hidden_names.h"
#include "core/text/human_text.h"

#define KEPT_CALLBACKS_MAX 2
#define KEPT_BLOCKS_MIN 10 /* live blocks of a callback at the end, for a line of the summary … */
#define KEPT_EXECUTIONS 10 /* … and at least one per this many executions */

#define IDLE "neither allocated nor freed"

static const struct table_column columns[] = {
	{ .name = "scope", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP },
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
	{ .name = "vpid", .label = "pid", .role = COLUMN_ROLE_DETAIL, .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "allocations", .merge = COLUMN_MERGE_SUM, .hints = HINT(.marks_largest = true, .idle = IDLE) },
	{ .name = "allocated_bytes", .merge = COLUMN_MERGE_SUM, .label = "allocated", .format = COLUMN_BYTES },
	{ .name = "frees", .merge = COLUMN_MERGE_SUM, .hints = HINT_IDLE(IDLE) },
	{ .name = "freed_bytes",
	  .merge = COLUMN_MERGE_SUM,
	  .label = "freed",
	  .format = COLUMN_BYTES,
	  .role = COLUMN_ROLE_DETAIL },
	{ .name = "live_blocks", .merge = COLUMN_MERGE_MAX, .label = "live" },
	{ .name = "live_bytes", .merge = COLUMN_MERGE_MAX, .label = "live bytes", .format = COLUMN_BYTES },
	{ .name = "peak_bytes",
	  .merge = COLUMN_MERGE_MAX,
	  .label = "peak",
	  .format = COLUMN_BYTES,
	  .role = COLUMN_ROLE_DETAIL },
	{ .name = "executions", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY },
	{ .name = "allocating", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY },
	{ .name = "largest_bytes",
	  .merge = COLUMN_MERGE_MAX,
	  .label = "largest",
	  .format = COLUMN_BYTES,
	  .role = COLUMN_ROLE_DETAIL },
	{ .name = "freed_by_others",
	  .merge = COLUMN_MERGE_SUM,
	  .label = "freed by others",
	  .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_ONLY_IF_ANY },
	{ .name = "unknown_frees",
	  .merge = COLUMN_MERGE_SUM,
	  .label = "unknown frees",
	  .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_ONLY_IF_ANY },
	{ .name = "failed", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY },
	{ .name = "replaced", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY },
	COLUMN_HOST("hostname", "on"),
	COLUMN_WHICH("which", "which"),
};

static const struct table_schema schema = {
	.name = "memory",
	.title = "Memory",
	.selection = "memory",
	.is_optional = true,
	.why_empty = "needs the events of lttng_ust_libc, see docs/memory.md",
	.key_count = 3,
	.is_of_processes = true,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column summary_columns[] = {
	{ .name = "callbacks" },
};

static const struct table_schema summary_schema = {
	.name = "allocating_callbacks",
	.title = "Allocations in callbacks",
	.selection = "memory",
	.summary = 5,
	.columns = summary_columns,
	.column_count = G_N_ELEMENTS(summary_columns),
};

/* clang-format off */
const struct table_schema *const memory_tables[] = {
	[TABLE_MEMORY] = &schema,
	[TABLE_ALLOCATING_CALLBACKS] = &summary_schema,
	NULL,
};
/* clang-format on */

static const char *const scope_names[] = {
	[MEMORY_PROCESS] = "process", [MEMORY_NODE] = "node",	    [MEMORY_CALLBACK] = "callback",
	[MEMORY_OUTSIDE] = "outside", [MEMORY_UNKNOWN] = "unknown",
};

struct memory_row {
	enum memory_scope scope;
	struct row_process process;
	char *name;			 /* owned */
	struct model_callback *callback; /* of the scope MEMORY_CALLBACK */
	bool is_hidden;
	uint64_t key; /* orders rows of equal names, as in the trace */
	const struct memory_owner *owner;
};

void memory_owner_add(struct memory_owner *owner, const struct memory_owner *within)
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

/* --- which rows there are --- */

static void row_clear(gpointer data)
{
	g_free(((struct memory_row *)data)->name);
}

static bool is_recorded(const struct memory *memory, uint32_t process)
{
	const struct memory_process *counted =
		process < memory->processes->len ? memory->processes->pdata[process] : NULL;

	return counted && counted->blocks;
}

static void add_row(const struct memory *memory, GArray *rows, enum memory_scope scope, uint32_t process, char *name,
		    const struct memory_owner *owner)
{
	g_array_append_val(rows, ((struct memory_row){
					 .scope = scope,
					 .process = row_process_of(memory->recording, process),
					 .name = name,
					 .key = rows->len,
					 .owner = owner,
				 }));
}

static bool has_counts(const struct memory_owner *owner)
{
	return owner->counts.allocations > 0 || owner->counts.frees > 0 || owner->counts.failed > 0 ||
	       owner->live_blocks > 0;
}

static void add_processes(const struct memory *memory, GArray *rows)
{
	for (guint i = 0; i < memory->processes->len; i++) {
		const struct memory_process *process = memory->processes->pdata[i];
		const char *name = recording_process(memory->recording, i)->procname;

		if (!is_recorded(memory, i)) {
			continue;
		}
		add_row(memory, rows, MEMORY_PROCESS, i, g_strdup(name), &process->all);
		add_row(memory, rows, MEMORY_OUTSIDE, i, g_strdup(name), &process->outside);
		if (has_counts(&process->unknown)) {
			add_row(memory, rows, MEMORY_UNKNOWN, i, g_strdup(name), &process->unknown);
		}
	}
}

/* Whether its node, topic or service is hidden. */
static bool is_hidden(const struct model_callback_info *info)
{
	const char *source = callback_source(info);

	return (info->node && name_is_hidden(info->node)) || (source && name_is_hidden(source));
}

static void add_callbacks(const struct memory *memory, GArray *rows)
{
	for (guint i = 0; i < memory->callbacks->len; i++) {
		const struct memory_callback *callback = memory->callbacks->pdata[i];
		struct model_callback *key = object_model_callback_at(memory->model, i);
		const struct model_callback_info *info = object_model_callback_info(memory->model, key);

		if (callback && is_recorded(memory, key->process) &&
		    name_filter_passes(memory->options->nodes, &info->node, 1)) {
			add_row(memory, rows, MEMORY_CALLBACK, key->process, callback_text(key, memory->model),
				&callback->owner);
			g_array_index(rows, struct memory_row, rows->len - 1).callback = key;
			g_array_index(rows, struct memory_row, rows->len - 1).is_hidden = is_hidden(info);
		}
	}
}

static void add_nodes(const struct memory *memory, GArray *rows)
{
	for (guint i = 0; i < memory->nodes->len; i++) {
		const struct memory_node *node = memory->nodes->pdata[i];

		if (is_recorded(memory, node->process) && name_filter_passes(memory->options->nodes, &node->name, 1)) {
			add_row(memory, rows, MEMORY_NODE, node->process, g_strdup(node->name), &node->owner);
		}
	}
}

/* --- their order, and cells --- */

/* By scope; then rows with most allocations come first. */
static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct memory_row *left = a;
	const struct memory_row *right = b;
	int order = (int)left->scope - (int)right->scope;

	order = order ? order : compare_unsigned(right->owner->counts.allocations, left->owner->counts.allocations);
	order = order ? order : strcmp(left->process.hostname, right->process.hostname);
	order = order ? order : g_strcmp0(left->name, right->name);
	order = order ? order : compare_integers(left->process.process->vpid, right->process.process->vpid);
	return order ? order : compare_unsigned(left->key, right->key);
}

static void write_row(const struct memory *memory, struct table_writer *writer, const struct memory_row *row)
{
	const struct memory_owner *owner = row->owner;
	const struct memory_counts *counts = &owner->counts;
	g_autofree char *which = row->callback ? object_numbers_callback(memory->numbers, row->callback) : NULL;
	bool has_executions = row->scope != MEMORY_OUTSIDE && row->scope != MEMORY_UNKNOWN;

	TABLE_ROW(writer, columns,
		  (struct cell[]){
			  cell_text(scope_names[row->scope]),
			  cell_text(row->name),
			  vpid_cell(row->process.process),
			  cell_unsigned(counts->allocations),
			  cell_unsigned(counts->allocated_bytes),
			  cell_unsigned(counts->frees),
			  cell_unsigned(counts->freed_bytes),
			  cell_unsigned(owner->live_blocks),
			  cell_unsigned(owner->live_bytes),
			  cell_unsigned(MAX(owner->peak_bytes, owner->live_bytes)),
			  has_executions ? cell_unsigned(counts->executions) : CELL_NONE,
			  has_executions ? cell_unsigned(counts->allocating) : CELL_NONE,
			  cell_unsigned(counts->largest_bytes),
			  row->scope == MEMORY_PROCESS ? CELL_NONE : cell_unsigned(counts->freed_by_others),
			  cell_unsigned(counts->unknown_frees),
			  cell_unsigned(counts->failed),
			  cell_unsigned(counts->replaced),
			  cell_text(row->process.hostname),
			  cell_text(which),
		  });
}

/* --- the summary --- */

static bool is_listed(const struct memory_row *row)
{
	return row->scope == MEMORY_CALLBACK && !row->is_hidden;
}

/* As "4 of 7 callbacks allocate, most often /planner 10 ms: 1000 times in 100 executions"; NULL if none does. */
static char *allocating_text(const GArray *rows)
{
	guint callbacks = 0, allocating = 0;
	const struct memory_row *most = NULL;

	for (guint i = 0; i < rows->len; i++) {
		const struct memory_row *row = &g_array_index(rows, struct memory_row, i);

		if (!is_listed(row)) {
			continue;
		}
		most = most ? most : row;
		callbacks += row->owner->counts.executions > 0;
		allocating += row->owner->counts.allocating > 0;
	}
	if (allocating == 0) {
		return NULL;
	}
	return g_strdup_printf(
		"%u of %u callbacks allocate, most often %s: %" PRIu64 " times in %" PRIu64 " executions", allocating,
		callbacks, most->name, most->owner->counts.allocations, most->owner->counts.executions);
}

/* Whether so many blocks were live at the end that executions seem to leave them behind. */
static bool keeps_blocks(const struct memory_row *row)
{
	return is_listed(row) && row->owner->live_blocks >= KEPT_BLOCKS_MIN &&
	       row->owner->live_blocks >= row->owner->counts.executions / KEPT_EXECUTIONS;
}

static char *kept_text(const struct memory_row *row)
{
	char bytes[HUMAN_TEXT_SIZE];

	return g_strdup_printf("%s: %" PRIu64 " blocks (%s) that it allocated in %" PRIu64 " executions were not freed",
			       row->name, row->owner->live_blocks,
			       human_text_bytes(bytes, (int64_t)MIN(row->owner->live_bytes, INT64_MAX)),
			       row->owner->counts.executions);
}

static gint compare_kept(gconstpointer a, gconstpointer b)
{
	const struct memory_row *left = a;
	const struct memory_row *right = b;
	int order = compare_unsigned(right->owner->live_blocks, left->owner->live_blocks);

	return order ? order : compare_rows(a, b);
}

static void write_line(struct table_writer *writer, const char *text)
{
	TABLE_ROW(writer, summary_columns, (struct cell[]){ cell_text(text) });
}

/* Sorts the rows by the blocks that they keep. */
static void write_summary(struct table_writer *writer, GArray *rows)
{
	g_autofree char *allocating = allocating_text(rows);
	guint kept = 0;

	if (allocating) {
		write_line(writer, allocating);
	}
	g_array_sort(rows, compare_kept);
	for (guint i = 0; i < rows->len && kept < KEPT_CALLBACKS_MAX; i++) {
		const struct memory_row *row = &g_array_index(rows, struct memory_row, i);
		g_autofree char *text = keeps_blocks(row) ? kept_text(row) : NULL;

		if (text) {
			write_line(writer, text);
			kept++;
		}
	}
}

void memory_tables_write(const struct memory *memory, struct table_writer *const *writers)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct memory_row));

	g_array_set_clear_func(rows, row_clear);
	add_processes(memory, rows);
	add_nodes(memory, rows);
	add_callbacks(memory, rows);
	g_array_sort(rows, compare_rows);
	for (guint i = 0; i < rows->len && writers[TABLE_MEMORY]; i++) {
		write_row(memory, writers[TABLE_MEMORY], &g_array_index(rows, struct memory_row, i));
	}
	if (writers[TABLE_ALLOCATING_CALLBACKS]) {
		write_summary(writers[TABLE_ALLOCATING_CALLBACKS], rows);
	}
}

void memory_tables_diagnose(const struct memory *memory, struct diagnostics *findings)
{
	for (guint i = 0; i < memory->processes->len; i++) {
		const struct memory_process *process = memory->processes->pdata[i];
		g_autofree char *name = NULL;

		if (process && process->all.counts.unknown_frees > 0) {
			name = recording_process_text(memory->recording, i);
			diagnostics_add(findings, DIAGNOSTIC_UNKNOWN_FREE, name, process->all.counts.unknown_frees);
		}
	}
}
