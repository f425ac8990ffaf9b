/* SPDX-License-Identifier: MIT */
#include "core/named_paths/caret/caret_objects.h"

#include "core/base/slots.h"

/* --- what is kept --- */

static void publisher_drop(struct caret_publisher *publisher)
{
	g_clear_pointer(&publisher->inter, caret_table_destroy);
	g_clear_pointer(&publisher->intra, caret_table_destroy);
	g_clear_pointer(&publisher->deliveries, caret_table_destroy);
}

static void receiver_drop(struct caret_receiver *receiver)
{
	g_clear_pointer(&receiver->receptions, caret_table_destroy);
	g_clear_pointer(&receiver->executions, caret_table_destroy);
}

static void publisher_free(gpointer data)
{
	if (data) {
		publisher_drop(data);
		g_free(data);
	}
}

static void receiver_free(gpointer data)
{
	if (data) {
		receiver_drop(data);
		g_free(data);
	}
}

static void taker_free(gpointer data)
{
	struct caret_taker *taker = data;

	if (taker) {
		caret_table_destroy(taker->takes);
		g_free(taker);
	}
}

static GPtrArray *array_of(struct arena *arena, GDestroyNotify free_object)
{
	return arena_own(arena, g_ptr_array_new_with_free_func(free_object), (GDestroyNotify)g_ptr_array_unref);
}

void caret_objects_init(struct caret_objects *objects, struct arena *arena, struct object_model *model,
			GHashTable *nodes, GHashTable *topics)
{
	*objects = (struct caret_objects){
		.model = model,
		.nodes = nodes,
		.topics = topics,
		.publishers = array_of(arena, publisher_free),
		.receivers = array_of(arena, receiver_free),
		.takers = array_of(arena, taker_free),
	};
}

/* The element of an array that grows as needed, made zeroed at the first call. */
static void *element_of(GPtrArray *elements, uint32_t index, size_t size)
{
	gpointer *slot = slot_at(elements, index);

	if (!*slot) {
		*slot = g_malloc0(size);
	}
	return *slot;
}

/* Whether to look up the name: it was unknown, and something has been defined since. */
static bool is_to_ask(const struct caret_objects *objects, struct caret_interest *interest)
{
	uint64_t version = object_model_version(objects->model);

	if (interest->is_decided || (interest->is_kept && interest->version == version)) {
		return false;
	}
	interest->version = version;
	return true;
}

/* An object without a name may be of interest. */
static void decide(struct caret_interest *interest, GHashTable *names, const char *name)
{
	interest->is_decided = name != NULL;
	interest->is_kept = !name || g_hash_table_contains(names, name);
}

struct caret_publisher *caret_objects_publisher(struct caret_objects *objects, const struct model_publisher *publisher)
{
	struct caret_publisher *of = element_of(objects->publishers, publisher->index, sizeof(*of));

	if (!is_to_ask(objects, &of->interest)) {
		return of;
	}
	decide(&of->interest, objects->topics, publisher->topic);
	if (!of->interest.is_kept) {
		publisher_drop(of);
	} else if (!of->inter) {
		of->inter = caret_table_create(CARET_PUBLICATION_COLUMNS);
		of->intra = caret_table_create(3);
		of->deliveries = caret_table_create(CARET_DELIVERY_COLUMNS + 1);
	}
	return of;
}

struct caret_receiver *caret_objects_receiver(struct caret_objects *objects, struct model_callback *callback)
{
	struct caret_receiver *of = element_of(objects->receivers, callback->index, sizeof(*of));

	if (!is_to_ask(objects, &of->interest)) {
		return of;
	}
	decide(&of->interest, objects->nodes, object_model_callback_info(objects->model, callback)->node);
	if (!of->interest.is_kept) {
		receiver_drop(of);
	} else if (!of->receptions) {
		of->receptions = caret_table_create(CARET_RECEPTION_COLUMNS);
		of->executions = caret_table_create(CARET_EXECUTION_COLUMNS);
		of->dispatched_stamp = CARET_NO_TIME;
	}
	return of;
}

struct caret_taker *caret_objects_taker(struct caret_objects *objects, const struct model_subscription *subscription)
{
	struct caret_taker *of = element_of(objects->takers, subscription->index, sizeof(*of));

	if (!is_to_ask(objects, &of->interest)) {
		return of;
	}
	decide(&of->interest, objects->topics, subscription->topic);
	if (!of->interest.is_kept) {
		g_clear_pointer(&of->takes, caret_table_destroy);
	} else if (!of->takes) {
		of->takes = caret_table_create(CARET_TAKE_COLUMNS);
	}
	return of;
}

void caret_objects_add(struct caret_table *table, int64_t first, int64_t second)
{
	int64_t *row = caret_table_add(table);

	row[0] = first;
	row[1] = second;
}

/* --- tables --- */

static const void *find(const GPtrArray *elements, gconstpointer object)
{
	return slot_get(elements, ((const struct model_object *)object)->index);
}

static void append(struct caret_table *to, const struct caret_table *from)
{
	if (from) {
		g_array_append_vals(to->cells, from->cells->data, from->cells->len);
	}
}

/* The publications of one publisher: each is merged with the intra-process publication just before it. */
static void add_publications(struct caret_table *publications, const struct caret_publisher *of)
{
	size_t intra_count = caret_table_count(of->intra), inter_count = caret_table_count(of->inter);
	size_t inter = 0;

	caret_table_sort(of->intra);
	caret_table_sort(of->inter);
	for (size_t i = 0; i <= intra_count; i++) {
		const int64_t *intra = i > 0 ? caret_table_at(of->intra, i - 1) : NULL;
		int64_t *row = NULL;

		if (intra) {
			row = caret_table_add(publications);
			row[CARET_PUBLICATION_PUBLISH] = intra[0];
			row[CARET_PUBLICATION_BEGIN] = intra[1];
			row[CARET_PUBLICATION_CALLBACK] = intra[2];
		}
		for (bool is_first = intra != NULL; inter < inter_count; is_first = false, inter++) {
			const int64_t *from = caret_table_at(of->inter, inter);

			if (i < intra_count && from[CARET_PUBLICATION_PUBLISH] >= *caret_table_at(of->intra, i)) {
				break;
			}
			row = is_first ? row : caret_table_add(publications);
			for (size_t j = 0; j < CARET_PUBLICATION_COLUMNS; j++) {
				row[j] = row[j] == CARET_NO_TIME ? from[j] : row[j];
			}
		}
	}
}

struct caret_table *caret_objects_publications(const struct caret_objects *objects, const GPtrArray *publishers)
{
	struct caret_table *publications = caret_table_create(CARET_PUBLICATION_COLUMNS);

	for (guint i = 0; i < publishers->len; i++) {
		const struct caret_publisher *of = find(objects->publishers, publishers->pdata[i]);

		if (of && of->inter) {
			add_publications(publications, of);
		}
	}
	caret_table_sort(publications);
	return publications;
}

struct caret_table *caret_objects_receptions(const struct caret_objects *objects, const GPtrArray *callbacks)
{
	struct caret_table *receptions = caret_table_create(CARET_RECEPTION_COLUMNS);

	for (guint i = 0; i < callbacks->len; i++) {
		const struct caret_receiver *of = find(objects->receivers, callbacks->pdata[i]);

		append(receptions, of ? of->receptions : NULL);
	}
	caret_table_sort(receptions);
	return receptions;
}

struct caret_table *caret_objects_executions(const struct caret_objects *objects, const GPtrArray *callbacks)
{
	struct caret_table *executions = caret_table_create(CARET_EXECUTION_COLUMNS);

	for (guint i = 0; i < callbacks->len; i++) {
		const struct caret_receiver *of = find(objects->receivers, callbacks->pdata[i]);

		append(executions, of ? of->executions : NULL);
	}
	caret_table_sort(executions);
	return executions;
}

bool caret_objects_include(const GPtrArray *callbacks, int64_t index)
{
	for (guint i = 0; i < callbacks->len; i++) {
		if (((const struct model_callback *)g_ptr_array_index(callbacks, i))->index == index) {
			return true;
		}
	}
	return false;
}

struct caret_table *caret_objects_deliveries(const struct caret_objects *objects, const GPtrArray *publishers,
					     const GPtrArray *callbacks)
{
	struct caret_table *deliveries = caret_table_create(CARET_DELIVERY_COLUMNS);

	for (guint i = 0; i < publishers->len; i++) {
		const struct caret_publisher *of = find(objects->publishers, publishers->pdata[i]);

		for (size_t j = 0; of && of->deliveries && j < caret_table_count(of->deliveries); j++) {
			const int64_t *row = caret_table_at(of->deliveries, j);

			if (caret_objects_include(callbacks, row[CARET_DELIVERY_COLUMNS])) {
				caret_objects_add(deliveries, row[CARET_DELIVERY_PUBLISH], row[CARET_DELIVERY_START]);
			}
		}
	}
	caret_table_sort(deliveries);
	return deliveries;
}

struct caret_table *caret_objects_takes(const struct caret_objects *objects, const GPtrArray *subscriptions)
{
	struct caret_table *takes = caret_table_create(CARET_TAKE_COLUMNS);

	for (guint i = 0; i < subscriptions->len; i++) {
		const struct caret_taker *of = find(objects->takers, subscriptions->pdata[i]);

		append(takes, of ? of->takes : NULL);
	}
	caret_table_sort(takes);
	return takes;
}
