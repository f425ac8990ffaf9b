/* SPDX-License-Identifier: MIT */
/* The callbacks of publishers, and message contexts, of an architecture made from a recording. */
#include "core/base/compare_texts.h"
#include "core/base/slots.h"
#include "core/named_paths/architecture/architecture_builder.h"

/* A callback that publishes with a publisher, or whose kept messages such a publication uses. */
struct source {
	struct architecture_callback *callback;
	uint64_t direct, kept; /* as in struct publishing_pair */
};

/* The sources of a publisher. */
struct sources {
	GPtrArray *all;		 /* struct source *, owned */
	GHashTable *by_callback; /* struct architecture_callback * to struct source * */
	bool is_join;		 /* see is_join() */
};

struct contexts {
	const struct architecture_builder *builder;
	GHashTable *sources;	/* struct architecture_endpoint * to struct sources * */
	GHashTable *executions; /* struct architecture_callback * to uint64_t *: how many there were */
	GArray *timers, *subscriptions, *publishers; /* guint: index of the recorded object, plus 1, by index in the
							model; 0: none */
};

/* --- from objects of the model to those of the architecture --- */

static void index_object(GArray *indexes, uint32_t model_index, guint index)
{
	*array_at(indexes, guint, model_index) = index + 1;
}

static const struct built *find_built(const struct contexts *contexts, const GArray *indexes,
				      const struct model_object *object)
{
	guint number = object && object->index < indexes->len ? g_array_index(indexes, guint, object->index) : 0;

	return number > 0 ? built_at(contexts->builder, number - 1) : NULL;
}

/* NULL: the callback of a service, or left out. */
static const struct built *built_of_callback(const struct contexts *contexts, struct model_callback *callback)
{
	const struct model_callback_info *info = object_model_callback_info(contexts->builder->model, callback);

	if (info->subscription) {
		return find_built(contexts, contexts->subscriptions, &info->subscription->object);
	}
	return info->timer ? find_built(contexts, contexts->timers, &info->timer->object) : NULL;
}

static void index_objects(const struct contexts *contexts)
{
	GArray *const indexes[] = {
		[RECORDED_TIMER] = contexts->timers,
		[RECORDED_SUBSCRIPTION] = contexts->subscriptions,
		[RECORDED_PUBLISHER] = contexts->publishers,
	};

	for (guint i = 0; i < contexts->builder->recorded->objects->len; i++) {
		const struct recorded_object *object = recorded_at(contexts->builder, i);

		index_object(indexes[object->kind], object->object->index, i);
	}
}

/* --- facts of the recording --- */

static struct sources *sources_of(const struct contexts *contexts, struct architecture_endpoint *publisher)
{
	struct sources *sources = g_hash_table_lookup(contexts->sources, publisher);

	if (!sources) {
		sources = g_new0(struct sources, 1);
		sources->all = g_ptr_array_new_with_free_func(g_free);
		sources->by_callback = g_hash_table_new(NULL, NULL);
		g_hash_table_insert(contexts->sources, publisher, sources);
	}
	return sources;
}

static void add_source(struct sources *sources, struct architecture_callback *callback,
		       const struct publishing_pair *pair)
{
	struct source *source = g_hash_table_lookup(sources->by_callback, callback);

	if (!source) {
		source = g_new0(struct source, 1);
		source->callback = callback;
		g_ptr_array_add(sources->all, source);
		g_hash_table_insert(sources->by_callback, callback, source);
	}
	source->direct += pair->direct;
	source->kept += pair->kept;
}

/* A callback of another node may publish as well, which a file cannot express. */
static void note_sources(const struct contexts *contexts)
{
	const GArray *pairs = publishing_callbacks_pairs(contexts->builder->publishing);

	for (guint i = 0; i < pairs->len; i++) {
		const struct publishing_pair *pair = &g_array_index(pairs, struct publishing_pair, i);
		const struct built *publisher = find_built(contexts, contexts->publishers, &pair->publisher->object);
		const struct built *callback = built_of_callback(contexts, pair->callback);

		if (publisher && callback && publisher->publisher && callback->callback &&
		    publisher->node == callback->node) {
			add_source(sources_of(contexts, publisher->publisher), callback->callback, pair);
		}
	}
}

static void note_executions(const struct contexts *contexts)
{
	struct object_model *model = contexts->builder->model;

	for (size_t i = 0; i < object_model_callback_count(model); i++) {
		struct model_callback *callback = object_model_callback_at(model, i);
		const struct built *built = built_of_callback(contexts, callback);
		uint64_t *count;

		if (!built || !built->callback) {
			continue;
		}
		count = g_hash_table_lookup(contexts->executions, built->callback);
		if (!count) {
			count = g_new0(uint64_t, 1);
			g_hash_table_insert(contexts->executions, built->callback, count);
		}
		*count += publishing_callbacks_executions(contexts->builder->publishing, callback);
	}
}

/* --- entries of the architecture --- */

/*
 * Whether a publisher joins messages of several subscriptions: their callbacks publish with it, together no more often
 * than each of them runs. If each forwarded its messages, they would publish as often as all of them run. The tolerance
 * is one publication, since the recording may have begun in between.
 */
static bool is_join(const struct contexts *contexts, const GPtrArray *sources)
{
	uint64_t publications = 0, executions = 0, fewest = UINT64_MAX;
	guint count = 0;

	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = g_ptr_array_index(sources, i);
		const uint64_t *times = g_hash_table_lookup(contexts->executions, source->callback);

		if (source->direct == 0) {
			continue;
		}
		if (!times || source->callback->kind != ARCHITECTURE_SUBSCRIPTION) {
			return false;
		}
		publications += source->direct;
		executions += *times;
		fewest = MIN(fewest, *times);
		count++;
	}
	return count >= 2 && publications <= fewest + 1 && publications + 1 < executions;
}

static void build_publisher_callbacks(const struct contexts *contexts)
{
	GHashTableIter iteration;
	gpointer key, value;

	g_hash_table_iter_init(&iteration, contexts->sources);
	while (g_hash_table_iter_next(&iteration, &key, &value)) {
		struct architecture_endpoint *publisher = key;
		struct sources *sources = value;

		sources->is_join = is_join(contexts, sources->all);
		for (guint i = 0; i < sources->all->len; i++) {
			const struct source *source = g_ptr_array_index(sources->all, i);

			if (source->direct > 0) {
				architecture_add_name(contexts->builder->architecture, publisher->callbacks,
						      source->callback->name);
			}
		}
		g_ptr_array_sort(publisher->callbacks, compare_texts);
	}
}

static enum architecture_context_kind kind_of(const struct contexts *contexts,
					      const struct architecture_callback *callback,
					      const struct architecture_endpoint *publisher)
{
	const struct sources *sources = g_hash_table_lookup(contexts->sources, publisher);
	const struct source *source = sources ? g_hash_table_lookup(sources->by_callback, callback) : NULL;

	if (source && source->direct > 0) {
		return sources->is_join ? ARCHITECTURE_CONTEXT_USE_LATEST : ARCHITECTURE_CONTEXT_CALLBACK_CHAIN;
	}
	if (source || contexts->builder->assumes_latest) {
		return ARCHITECTURE_CONTEXT_USE_LATEST;
	}
	return ARCHITECTURE_CONTEXT_UNDEFINED;
}

static void build_context(const struct contexts *contexts, struct architecture_node *node,
			  const struct architecture_endpoint *subscription,
			  const struct architecture_endpoint *publisher)
{
	struct architecture *architecture = contexts->builder->architecture;
	const struct architecture_callback *callback = architecture_find_callback(node, subscription->callback);
	enum architecture_context_kind kind = kind_of(contexts, callback, publisher);
	struct architecture_context *context;

	if (kind == ARCHITECTURE_CONTEXT_UNDEFINED &&
	    (uint64_t)node->subscriptions->len * node->publishers->len > ARCHITECTURE_CONTEXTS_MAX) {
		return;
	}
	context = architecture_add_context(architecture, node, kind, subscription->topic, publisher->topic);
	context->subscription_order = subscription->order;
	context->publisher_order = publisher->order;
	if (kind == ARCHITECTURE_CONTEXT_CALLBACK_CHAIN) {
		architecture_add_name(architecture, context->callbacks, callback->name);
	}
}

static void build_contexts_of_node(const struct contexts *contexts, struct architecture_node *node)
{
	for (guint i = 0; i < node->subscriptions->len; i++) {
		for (guint j = 0; j < node->publishers->len; j++) {
			build_context(contexts, node, g_ptr_array_index(node->subscriptions, i),
				      g_ptr_array_index(node->publishers, j));
		}
	}
}

static void destroy_sources(gpointer data)
{
	struct sources *sources = data;

	g_ptr_array_unref(sources->all);
	g_hash_table_unref(sources->by_callback);
	g_free(sources);
}

void architecture_build_contexts(const struct architecture_builder *builder)
{
	g_autoptr(GHashTable) sources = g_hash_table_new_full(NULL, NULL, NULL, destroy_sources);
	g_autoptr(GHashTable) executions = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	g_autoptr(GArray) timers = g_array_new(FALSE, TRUE, sizeof(guint));
	g_autoptr(GArray) subscriptions = g_array_new(FALSE, TRUE, sizeof(guint));
	g_autoptr(GArray) publishers = g_array_new(FALSE, TRUE, sizeof(guint));
	struct contexts contexts = { builder, sources, executions, timers, subscriptions, publishers };

	index_objects(&contexts);
	note_sources(&contexts);
	note_executions(&contexts);
	build_publisher_callbacks(&contexts);
	for (guint i = 0; i < builder->architecture->nodes->len; i++) {
		build_contexts_of_node(&contexts, g_ptr_array_index(builder->architecture->nodes, i));
	}
}
