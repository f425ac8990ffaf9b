/* SPDX-License-Identifier: MIT */
#include "core/analyses/executors/executor_threads.h"

#include <string.h>

#include "core/base/arena_parts.h"
#include "core/base/compare_texts.h"
#include "core/base/slots.h"
#include "core/tables/row_list.h"

#define BITS 64

G_GNUC_NO_INLINE void executor_thread_note_new(struct executors *executors, struct executor_thread *thread,
					       const struct model_callback *callback)
{
	*slot_at(executors->last_threads, callback->index) = thread;
	*array_at(thread->callbacks, uint64_t, callback->index / BITS) |= UINT64_C(1) << callback->index % BITS;
}

/* The first callback from an index on that the thread executed; G_MAXUINT: none. */
static guint next_callback(const struct executor_thread *thread, guint from)
{
	for (guint word = from / BITS; word < thread->callbacks->len; word++) {
		uint64_t bits = g_array_index(thread->callbacks, uint64_t, word);

		bits &= word == from / BITS ? UINT64_MAX << from % BITS : UINT64_MAX;
		if (bits) {
			return word * BITS + (guint)__builtin_ctzll(bits);
		}
	}
	return G_MAXUINT;
}

/* Of an executor: also if none of them lies in the part that the report is about, but the thread was in a state there.
 */
static bool has_events(const struct executor_thread *thread)
{
	const struct executor_states *states = &thread->states;

	return thread->totals.has_events ||
	       ((states->had_events || states->totals.has_events) && executor_totals_span(&thread->totals) > 0);
}

static struct executor *executor_create(const struct executors *executors, struct executor_thread *thread,
					struct arena *arena)
{
	struct executor *executor = arena_take(arena, sizeof(*executor));

	executor->process = recording_thread(executors->analysis.context.recording, thread->thread)->process;
	executor->has_events = has_events(thread);
	executor->wait_ns = thread->totals.time_ns[EXECUTOR_WAIT];
	executor->threads = arena_pointers(arena);
	executor->nodes = arena_pointers(arena);
	g_ptr_array_add(executor->threads, thread);
	return executor;
}

/* The type that CARET records of the thread's executor, or NULL. */
static const char *type_of(const struct executors *executors, const struct executor_thread *thread)
{
	struct object_model *model = executors->analysis.context.model;

	for (guint i = next_callback(thread, 0); i != G_MAXUINT; i = next_callback(thread, i + 1)) {
		struct model_callback_group group;

		if (object_model_callback_group(model, object_model_callback_at(model, i), &group) && group.executor &&
		    group.executor->type) {
			return group.executor->type;
		}
	}
	return NULL;
}

/* A thread of which only callbacks are known may have called them without an executor. */
static bool is_known(const struct executor *executor)
{
	return executor->has_events || executor->type;
}

/* --- threads with a node in common --- */

/* A node of an executor. One that is not known shares none: `alone` is its thread. */
struct executor_node {
	const char *name;
	uint32_t process, alone;
	bool has_events;
};

static guint hash_node(gconstpointer data)
{
	const struct executor_node *node = data;

	return ((g_str_hash(node->name) * 31 + node->process) * 31 + node->alone) * 2 + node->has_events;
}

static gboolean is_same_node(gconstpointer a, gconstpointer b)
{
	const struct executor_node *left = a, *right = b;

	return left->process == right->process && left->alone == right->alone &&
	       left->has_events == right->has_events && strcmp(left->name, right->name) == 0;
}

/* The one that an executor has been joined with. */
static struct executor *joined(struct executor *executor)
{
	while (executor->into) {
		executor->into = executor->into->into ? executor->into->into : executor->into;
		executor = executor->into;
	}
	return executor;
}

/* The one with more threads gets those of the other. */
static void join(struct executor *latest, struct executor *other)
{
	const char *type = latest->type ? latest->type : other->type;
	struct executor *into = latest->threads->len >= other->threads->len ? latest : other;
	struct executor *from = into == latest ? other : latest;

	g_ptr_array_extend(into->threads, from->threads, NULL, NULL);
	g_ptr_array_extend(into->nodes, from->nodes, NULL, NULL);
	into->type = type;
	into->wait_ns += from->wait_ns;
	from->into = into;
}

/* How long the part of the recording is that the report is about. */
static int64_t recorded_ns(const struct executors *executors)
{
	const struct pipeline *pipeline = executors->analysis.context.pipeline;
	int64_t begin_ns = pipeline->begin_ns, end_ns = pipeline_known_end_ns(pipeline);

	time_range_limit(&executors->analysis.context.options->range, &begin_ns, &end_ns);
	return end_ns > begin_ns ? end_ns - begin_ns : 0; /* without events, both are at their ends */
}

/* What CARET records of both, or what their waits rule out. */
static bool may_be_one(const struct executor *left, const struct executor *right, int64_t recorded_ns)
{
	return left->type || right->type || left->wait_ns + right->wait_ns <= recorded_ns;
}

/* The executors that have a node. */
struct node_executors {
	GPtrArray *all;	       /* struct executor * */
	int64_t least_wait_ns; /* none of them has waited for less */
};

static void node_executors_free(gpointer data)
{
	struct node_executors *of_node = data;

	g_ptr_array_unref(of_node->all);
	g_free(of_node);
}

/* What joins the executors of threads. */
struct executor_joins {
	GHashTable *by_node; /* struct executor_node → struct node_executors */
	int64_t recorded_ns;
	bool has_types; /* CARET recorded that of some executor */
};

static struct node_executors *executors_of_node(const struct executor_joins *joins, const struct executor *executor,
						const char *name)
{
	uint32_t thread = ((struct executor_thread *)executor->threads->pdata[0])->thread;
	struct executor_node node = { name, executor->process, is_known(executor) ? RECORDING_NONE : thread,
				      executor->has_events };
	struct node_executors *of_node = g_hash_table_lookup(joins->by_node, &node);

	if (!of_node) {
		of_node = g_new0(struct node_executors, 1);
		of_node->all = g_ptr_array_new();
		of_node->least_wait_ns = INT64_MAX;
		g_hash_table_insert(joins->by_node, g_memdup2(&node, sizeof(node)), of_node);
	}
	return of_node;
}

/* Whether an executor is the newest of the node. */
static bool is_newest(const struct node_executors *of_node, const struct executor *executor)
{
	return of_node->all->len > 0 && of_node->all->pdata[of_node->all->len - 1] == executor;
}

/* Whether it is that of one thread, so far, and only its waits tell whether it is another one's. */
static bool is_single(const struct executor_joins *joins, const struct executor *executor)
{
	return !joins->has_types && executor->threads->len == 1;
}

/* Whether it is one that the node has, or is joined with one. */
static bool join_with_known(const struct executor_joins *joins, struct node_executors *of_node,
			    struct executor *executor)
{
	int64_t least_wait_ns = INT64_MAX;

	if (is_single(joins, executor)) {
		/* if not the newest, it is new; it may have waited for so long that it is none of the others */
		if (is_newest(of_node, executor)) {
			return true;
		}
		if (of_node->least_wait_ns > joins->recorded_ns - executor->wait_ns) {
			return false;
		}
	}
	for (guint i = 0; i < of_node->all->len; i++) {
		struct executor *known = joined(of_node->all->pdata[i]);

		if (known == executor) {
			return true;
		}
		if (may_be_one(known, executor, joins->recorded_ns)) {
			join(executor, known);
			return true;
		}
		least_wait_ns = MIN(least_wait_ns, known->wait_ns);
	}
	of_node->least_wait_ns = least_wait_ns;
	return false;
}

/* The executor has the node, so that it is the same as one that has the node already, if it may be. */
static void note_node(const struct executor_joins *joins, struct executor *executor, const char *name)
{
	struct node_executors *of_node = executors_of_node(joins, executor, name);

	executor = joined(executor);
	if (!join_with_known(joins, of_node, executor)) {
		g_ptr_array_add(of_node->all, executor);
		g_ptr_array_add(executor->nodes, (gpointer)name);
		of_node->least_wait_ns = MIN(of_node->least_wait_ns, executor->wait_ns);
	}
}

/* Adds the executor of a thread, joined with all that share a node with it. */
static void add_executor(const struct executors *executors, GPtrArray *all, struct executor_joins *joins,
			 struct executor_thread *thread, struct arena *arena)
{
	struct object_model *model = executors->analysis.context.model;
	struct executor *executor = executor_create(executors, thread, arena);

	g_ptr_array_add(all, executor);
	executor->type = type_of(executors, thread);
	joins->has_types |= executor->type != NULL;
	for (guint i = next_callback(thread, 0); i != G_MAXUINT; i = next_callback(thread, i + 1)) {
		const char *node = object_model_callback_info(model, object_model_callback_at(model, i))->node;

		if (node) {
			note_node(joins, executor, node);
		}
	}
}

static void drop_joined(GPtrArray *all)
{
	for (guint i = all->len; i-- > 0;) {
		if (((struct executor *)all->pdata[i])->into) {
			g_ptr_array_remove_index_fast(all, i);
		}
	}
}

/* --- order, from which the ids of executors follow --- */

/* clang-format off */
#define ROW struct executor_thread
static const struct table_column thread_columns[] = {
	{ .name = "vtid", CELL_OF(vtid) }, { .name = "thread", CELL_OF(thread) },
};

static const struct table_schema thread_schema = { TABLE("threads", thread_columns), .order = "vtid thread" };
#undef ROW

#define ROW struct executor
static const struct table_column executor_columns[] = {
	{ .name = "hostname", CELL_OF(of.hostname) }, { .name = "procname", CELL_OF(of.procname) },
	{ .name = "vpid", CELL_OF(of.vpid) }, { .name = "vtid", CELL_VIA(first, vtid) },
	{ .name = "thread", CELL_VIA(first, thread) },
};

static const struct table_schema executor_schema = {
	TABLE("executors", executor_columns), .order = "hostname procname vpid vtid thread",
};
#undef ROW
/* clang-format on */

bool executor_threads_sum_up(const struct executors *executors)
{
	bool all_have_events = true;

	for (guint i = 0; i < executors->analysis.rows.rows->len; i++) {
		struct executor_thread *thread = executors->analysis.rows.rows->pdata[i];

		if (thread && thread->states.has_limits) {
			executor_thread_end(executors, thread);
			thread->totals = executor_states_totals(&thread->states);
			thread->vtid = recording_thread(executors->analysis.context.recording, thread->thread)->vtid;
			all_have_events &= has_events(thread) || thread->totals.executions == 0;
		}
	}
	return all_have_events;
}

GPtrArray *executors_find(const struct executors *executors, struct arena *arena)
{
	GPtrArray *all = arena_pointers(arena);
	g_autoptr(GHashTable) by_node = g_hash_table_new_full(hash_node, is_same_node, g_free, node_executors_free);
	struct executor_joins joins = { by_node, recorded_ns(executors), false };
	bool has_any = false;

	executor_threads_sum_up(executors);
	for (guint i = 0; i < executors->analysis.rows.rows->len; i++) {
		struct executor_thread *thread = executors->analysis.rows.rows->pdata[i];

		if (thread && (has_events(thread) || thread->totals.executions > 0)) {
			has_any |= has_events(thread);
			add_executor(executors, all, &joins, thread, arena);
		}
	}
	if (!has_any) {
		g_ptr_array_set_size(all, 0);
	}
	drop_joined(all);
	for (guint i = 0; i < all->len; i++) {
		struct executor *executor = all->pdata[i];

		if (executor->threads->len > 1) {
			rows_sort(executor->threads, &thread_schema, thread_schema.order);
		}
		executor->first = executor->threads->pdata[0];
		executor->of = row_process_of(executors->analysis.context.recording, executor->process);
		g_ptr_array_sort(executor->nodes, compare_texts);
	}
	rows_sort(all, &executor_schema, executor_schema.order);
	return all;
}
