/* SPDX-License-Identifier: MIT */
#include "core/analyses/memory/memory_state.h"

#include <inttypes.h>

#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/name_choice.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/slots.h"
#include "core/base/text/hidden_names.h"
#include "core/base/text/human_text.h"
#include "core/tables/row_list.h"

#define KEPT_CALLBACKS_MAX 2
#define KEPT_BLOCKS_MIN 10 /* live blocks of a callback at the end, for a line of the summary … */
#define KEPT_EXECUTIONS 10 /* … and at least one per this many executions */

#define IDLE "neither allocated nor freed"

struct memory_row {
	enum memory_scope scope;
	const char *scope_name, *name;
	struct row_process process;
	bool is_listed; /* in the summary: a callback without hidden names */
	uint64_t key;	/* orders rows of equal names, as in the trace */
	const struct memory_owner *owner;
	uint64_t peak_bytes;
	struct cell executions, allocating, freed_by_others;
	const char *which;
};

/* clang-format off */
#define ROW struct memory_row
static const struct table_column columns[] = {
	{ .name = "scope", .means = MEANS_SCOPE, .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP,
	  CELL_OF(scope_name) },
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, CELL_OF(name) },
	{ .name = "vpid", .means = MEANS_PROCESS, .label = "pid", .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_TELLS_APART(PROCESS), CELL_OF(process.vpid) },
	{ .name = "allocations", .merge = COLUMN_MERGE_SUM, .hints = HINT(.marks_largest = true, .idle = IDLE),
	  CELL_VIA(owner, counts.allocations) },
	{ .name = "allocated_bytes", .merge = COLUMN_MERGE_SUM, .label = "allocated", .format = COLUMN_BYTES,
	  CELL_VIA(owner, counts.allocated_bytes) },
	{ .name = "frees", .merge = COLUMN_MERGE_SUM, .hints = HINT_IDLE(IDLE), CELL_VIA(owner, counts.frees) },
	{ .name = "freed_bytes", .merge = COLUMN_MERGE_SUM, .label = "freed", .format = COLUMN_BYTES,
	  .role = COLUMN_ROLE_DETAIL, CELL_VIA(owner, counts.freed_bytes) },
	{ .name = "live_blocks", .merge = COLUMN_MERGE_MAX, .label = "live", CELL_VIA(owner, live_blocks) },
	{ .name = "live_bytes", .merge = COLUMN_MERGE_MAX, .label = "live bytes", .format = COLUMN_BYTES,
	  CELL_VIA(owner, live_bytes) },
	{ .name = "peak_bytes", .merge = COLUMN_MERGE_MAX, .label = "peak", .format = COLUMN_BYTES,
	  .role = COLUMN_ROLE_DETAIL, CELL_OF(peak_bytes) },
	{ .name = "executions", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY, CELL_OF(executions) },
	{ .name = "allocating", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY, CELL_OF(allocating) },
	{ .name = "largest_bytes", .merge = COLUMN_MERGE_MAX, .label = "largest", .format = COLUMN_BYTES,
	  .role = COLUMN_ROLE_DETAIL, CELL_VIA(owner, counts.largest_bytes) },
	{ .name = "freed_by_others", .merge = COLUMN_MERGE_SUM, .label = "freed by others", .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_ONLY_IF_ANY, CELL_OF(freed_by_others) },
	{ .name = "unknown_frees", .merge = COLUMN_MERGE_SUM, .label = "unknown frees", .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_ONLY_IF_ANY, CELL_VIA(owner, counts.unknown_frees) },
	{ .name = "failed", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY,
	  CELL_VIA(owner, counts.failed) },
	{ .name = "replaced", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY,
	  CELL_VIA(owner, counts.replaced) },
	{ COLUMN_IS_HOST("hostname", "on"), CELL_OF(process.hostname) },
	{ COLUMN_IS_WHICH("which", "which"), CELL_OF(which) },
};

static const struct table_column order_columns[] = {
	{ .name = "scope_number", CELL_OF(scope) },
	{ .name = "key", CELL_OF(key) },
};

#define ORDER "scope_number -allocations hostname name vpid key"

static const struct table_schema schema = {
	TABLE("memory", columns), .title = "Memory", .selection = "memory", .presence = PRESENT_IF_ANY,
	.why_empty = "needs the events of lttng_ust_libc, see docs/memory.md", .key_count = 3, .order = ORDER,
	UNWRITTEN(order_columns), .is_of_processes = true,
};
#undef ROW

static const struct table_column summary_columns[] = { { .name = "callbacks" } };

static const struct table_schema summary_schema = {
	.name = "allocating_callbacks", .columns = summary_columns, .column_count = G_N_ELEMENTS(summary_columns),
	.title = "Allocations in callbacks", .selection = "memory", .kind = KIND_SUMMARY, .place = 5,
};
/* clang-format on */

const struct table_schema *const memory_tables[] = {
	[TABLE_MEMORY] = &schema,
	[TABLE_MEMORY_SUMMARY] = &summary_schema,
	[TABLE_MEMORY_TRACKS] = &memory_track_schema,
	[TABLE_MEMORY_EVENTS] = &memory_event_schema,
	NULL,
};

static const char *const scope_names[] = {
	[MEMORY_PROCESS] = "process", [MEMORY_NODE] = "node",	    [MEMORY_CALLBACK] = "callback",
	[MEMORY_OUTSIDE] = "outside", [MEMORY_UNKNOWN] = "unknown",
};

/* --- which rows there are --- */

static bool is_recorded(const struct memory *memory, uint32_t process)
{
	const struct memory_process *counted = slot_get(memory->processes, process);

	return counted && counted->blocks;
}

static struct memory_row *add_row(const struct memory *memory, struct row_list *rows, enum memory_scope scope,
				  uint32_t process, const char *name, const struct memory_owner *owner)
{
	bool has_executions = scope != MEMORY_OUTSIDE && scope != MEMORY_UNKNOWN;
	struct memory_row *row = row_list_make(rows);

	*row = (struct memory_row){
		.scope = scope,
		.scope_name = scope_names[scope],
		.name = name,
		.process = row_process_of(memory->analysis.context.recording, process),
		.key = row_list_count(rows) - 1,
		.owner = owner,
		.peak_bytes = MAX(owner->peak_bytes, owner->live_bytes),
		.executions = has_executions ? cell_unsigned(owner->counts.executions) : CELL_NONE,
		.allocating = has_executions ? cell_unsigned(owner->counts.allocating) : CELL_NONE,
		.freed_by_others = scope == MEMORY_PROCESS ? CELL_NONE : cell_unsigned(owner->counts.freed_by_others),
	};
	return row;
}

static bool has_counts(const struct memory_owner *owner)
{
	return owner->counts.allocations > 0 || owner->counts.frees > 0 || owner->counts.failed > 0 ||
	       owner->live_blocks > 0;
}

static void add_processes(const struct memory *memory, struct row_list *rows)
{
	for (guint i = 0; i < memory->processes->len; i++) {
		const struct memory_process *process = memory->processes->pdata[i];
		const char *name = recording_process(memory->analysis.context.recording, i)->procname;

		if (!is_recorded(memory, i)) {
			continue;
		}
		add_row(memory, rows, MEMORY_PROCESS, i, name, &process->all);
		add_row(memory, rows, MEMORY_OUTSIDE, i, name, &process->outside);
		if (has_counts(&process->unknown)) {
			add_row(memory, rows, MEMORY_UNKNOWN, i, name, &process->unknown);
		}
	}
}

/* Whether its node, topic or service is hidden. */
static bool is_hidden(const struct model_callback_info *info)
{
	const char *source = callback_source(info);

	return (info->node && name_is_hidden(info->node)) || (source && name_is_hidden(source));
}

static void add_callbacks(const struct memory *memory, struct row_list *rows)
{
	const struct analysis_context *context = &memory->analysis.context;

	for (guint i = 0; i < memory->callbacks->len; i++) {
		const struct memory_callback *callback = memory->callbacks->pdata[i];
		struct model_callback *key = object_model_callback_at(context->model, i);
		const struct model_callback_info *info = object_model_callback_info(context->model, key);
		struct memory_row *row;

		if (callback && is_recorded(memory, key->process) && node_is_chosen(context->options, info->node)) {
			row = add_row(memory, rows, MEMORY_CALLBACK, key->process,
				      row_list_keep(rows, callback_text(key, context->model)), &callback->owner);
			row->which = row_list_keep(rows, object_numbers_callback(context->numbers, key));
			row->is_listed = !is_hidden(info);
		}
	}
}

static void add_nodes(const struct memory *memory, struct row_list *rows)
{
	for (guint i = 0; i < memory->nodes->len; i++) {
		const struct memory_node *node = memory->nodes->pdata[i];

		if (is_recorded(memory, node->process) &&
		    node_is_chosen(memory->analysis.context.options, node->name)) {
			add_row(memory, rows, MEMORY_NODE, node->process, node->name, &node->owner);
		}
	}
}

/* --- the summary --- */

/* As "4 of 7 callbacks allocate, most often /planner 10 ms: 1000 times in 100 executions"; NULL if none does. */
static char *allocating_text(const struct row_list *rows)
{
	guint callbacks = 0, allocating = 0;
	const struct memory_row *most = NULL;

	for (guint i = 0; i < row_list_count(rows); i++) {
		const struct memory_row *row = row_list_at(rows, i);

		if (!row->is_listed) {
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
	return row->is_listed && row->owner->live_blocks >= KEPT_BLOCKS_MIN &&
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

static void write_line(struct table_writer *writer, const char *text)
{
	TABLE_ROW(writer, summary_columns, (struct cell[]){ cell_text(text) });
}

/* Sorts the rows by the blocks that they keep. */
static void write_summary(struct table_writer *writer, struct row_list *rows)
{
	g_autofree char *allocating = allocating_text(rows);
	guint kept = 0;

	if (allocating) {
		write_line(writer, allocating);
	}
	row_list_sort(rows, "-live_blocks " ORDER);
	for (guint i = 0; i < row_list_count(rows) && kept < KEPT_CALLBACKS_MAX; i++) {
		const struct memory_row *row = row_list_at(rows, i);
		g_autofree char *text = keeps_blocks(row) ? kept_text(row) : NULL;

		if (text) {
			write_line(writer, text);
			kept++;
		}
	}
}

void memory_tables_write(const void *data, struct table_writer *const *writers)
{
	const struct memory *memory = data;
	g_autoptr(row_list) rows = row_list_create(&schema);

	add_processes(memory, rows);
	add_nodes(memory, rows);
	add_callbacks(memory, rows);
	row_list_write(rows, writers[TABLE_MEMORY]);
	if (writers[TABLE_MEMORY_SUMMARY]) {
		write_summary(writers[TABLE_MEMORY_SUMMARY], rows);
	}
	memory_timeline_write(memory, writers);
}

void memory_tables_diagnose(const void *data, struct diagnostics *findings)
{
	const struct memory *memory = data;

	for (guint i = 0; i < memory->processes->len; i++) {
		const struct memory_process *process = memory->processes->pdata[i];
		g_autofree char *name = NULL;

		if (process && process->all.counts.unknown_frees > 0) {
			name = recording_process_text(memory->analysis.context.recording, i);
			diagnostics_add(findings, DIAGNOSTIC_UNKNOWN_FREE, name, process->all.counts.unknown_frees);
		}
	}
}
