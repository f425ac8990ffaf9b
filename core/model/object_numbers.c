/* SPDX-License-Identifier: MIT */
#include "core/model/object_numbers.h"

#include <glib.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/base/arena_parts.h"
#include "core/base/compare_numbers.h"
#include "core/base/text/human_text.h"

/* An object with what makes its names. Equal texts are one pointer (the recording's pool). */
struct named_object {
	const char *hostname, *node, *name;
	int64_t vpid;			  /* INT64_MIN if unknown */
	int64_t detail;			  /* the side of an action, the kind of a callback and its part */
	const struct model_object *owner; /* of a callback; NULL: none is known */
	const struct model_object *object;
};

struct numbers_of_kind {
	GArray *numbers;  /* uint32_t by index of the object; NULL: not known yet */
	uint64_t version; /* of the model, when they were found */
	size_t count;
};

struct object_numbers {
	struct recording *recording; /* borrowed, as the model */
	struct object_model *model;
	struct numbers_of_kind kinds[MODEL_KIND_COUNT];
};

struct object_numbers *object_numbers_create(struct recording *recording, struct object_model *model)
{
	struct object_numbers *numbers = arena_take(recording_arena(recording), sizeof(*numbers));

	numbers->recording = recording;
	numbers->model = model;
	return numbers;
}

static const struct model_object *owner_of(const struct model_callback_info *info)
{
	return info->subscription ? &info->subscription->object
	       : info->timer	  ? &info->timer->object
	       : info->service	  ? &info->service->object
				  : NULL;
}

static void name_callback(const struct object_numbers *numbers, struct named_object *named,
			  struct model_callback *callback)
{
	const struct model_callback_info *info = object_model_callback_info(numbers->model, callback);

	named->node = info->node;
	named->owner = owner_of(info);
	named->detail = 2 * (int64_t)info->kind + info->is_intra_process;
}

/* As it is shown. */
static const char *period_text(const struct object_numbers *numbers, int64_t period_ns)
{
	char buffer[HUMAN_TEXT_SIZE];

	return string_pool_intern(recording_pool(numbers->recording), human_text_duration(buffer, period_ns));
}

static void name_object(const struct object_numbers *numbers, enum model_kind kind, struct named_object *named,
			struct model_object *object)
{
	const struct model_endpoint *endpoint = (const struct model_endpoint *)object;
	const struct model_timer *timer = (const struct model_timer *)object;
	const struct model_action *action = (const struct model_action *)object;

	switch (kind) {
	case MODEL_PUBLISHER:
	case MODEL_SUBSCRIPTION:
	case MODEL_SERVICE:
	case MODEL_CLIENT:
		named->name = endpoint->name;
		named->node = object_model_endpoint_node(numbers->model, endpoint);
		break;
	case MODEL_TIMER:
		named->node = object_model_timer_node(numbers->model, timer);
		named->name = period_text(numbers, timer->period_ns);
		break;
	case MODEL_STATE_MACHINE:
		named->node =
			object_model_state_machine_node(numbers->model, (const struct model_state_machine *)object);
		break;
	case MODEL_ACTION:
		named->name = action->name;
		named->node =
			object_model_node_name(numbers->model, object->process, action->node_handle, object->since_ns);
		named->detail = action->is_server;
		break;
	case MODEL_CALLBACK:
		name_callback(numbers, named, (struct model_callback *)object);
		break;
	default:
		break;
	}
}

static struct named_object named_object_of(const struct object_numbers *numbers, enum model_kind kind,
					   struct model_object *object)
{
	const struct recording_process *process = recording_process(numbers->recording, object->process);
	struct named_object named = {
		.hostname = recording_host(numbers->recording, process->host)->hostname,
		.vpid = process->has_vpid ? process->vpid : INT64_MIN,
		.object = object,
	};

	name_object(numbers, kind, &named, object);
	return named;
}

static int compare_names(const struct named_object *left, const struct named_object *right)
{
	int order = compare_unsigned((uintptr_t)left->hostname, (uintptr_t)right->hostname);

	order = order ? order : compare_integers(left->vpid, right->vpid);
	order = order ? order : compare_unsigned((uintptr_t)left->node, (uintptr_t)right->node);
	order = order ? order : compare_unsigned((uintptr_t)left->name, (uintptr_t)right->name);
	order = order ? order : compare_unsigned((uintptr_t)left->owner, (uintptr_t)right->owner);
	return order ? order : compare_integers(left->detail, right->detail);
}

/*
 * By name, then by age: the order of those with equal names depends on the trace only. Not as text: that of names is
 * the order of their pointers, as whether they are equal is all that matters.
 */
static gint compare_objects(gconstpointer a, gconstpointer b)
{
	const struct named_object *left = a;
	const struct named_object *right = b;
	int order = compare_names(left, right);

	order = order ? order : compare_integers(left->object->since_ns, right->object->since_ns);
	order = order ? order : compare_unsigned(left->object->handle, right->object->handle);
	return order ? order : compare_unsigned(left->object->index, right->object->index);
}

static bool has_lost_definition(const struct named_object *named)
{
	return !named->node && !named->name;
}

static bool is_of_same_process(const struct named_object *left, const struct named_object *right)
{
	return left->hostname == right->hostname && left->vpid == right->vpid;
}

/* Forgets the names of all without a node in processes that have one without a name: that comes first in the order. */
static void forget_doubtful_names(struct named_object *objects, size_t count)
{
	const struct named_object *nameless = NULL;

	qsort(objects, count, sizeof(*objects), compare_objects);
	for (size_t i = 0; i < count; i++) {
		if (has_lost_definition(&objects[i])) {
			nameless = &objects[i];
		} else if (!objects[i].node && nameless && is_of_same_process(nameless, &objects[i])) {
			objects[i].name = NULL;
		}
	}
}

static uint64_t hash_of(const struct named_object *named)
{
	const uint64_t parts[] = { (uintptr_t)named->hostname, (uintptr_t)named->node,	(uintptr_t)named->name,
				   (uint64_t)named->vpid,      (uintptr_t)named->owner, (uint64_t)named->detail };
	uint64_t hash = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		hash = (hash + parts[i]) * UINT64_C(0x9E3779B97F4A7C15);
	}
	return hash;
}

/* Removes nearly all whose names no other one has, as the beginnings of hashes tell. Returns how many stay. */
static size_t drop_unique(struct named_object *objects, size_t count)
{
	const unsigned int shift = 64 - g_bit_storage(16 * count);
	g_autofree uint8_t *by_hash = g_malloc0((size_t)1 << (64 - shift)); /* how many: 0, 1 or more */
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t hash = hash_of(&objects[i]) >> shift;

		by_hash[hash] = MIN(by_hash[hash] + 1, 2);
	}
	for (size_t i = 0; i < count; i++) {
		if (by_hash[hash_of(&objects[i]) >> shift] > 1) {
			objects[kept++] = objects[i];
		}
	}
	return kept;
}

static void number_objects(struct object_numbers *numbers, enum model_kind kind)
{
	struct numbers_of_kind *of_kind = &numbers->kinds[kind];
	g_autofree struct named_object *objects = g_new(struct named_object, of_kind->count);
	bool has_nameless = false;
	size_t count;

	for (size_t i = 0; i < of_kind->count; i++) {
		objects[i] = named_object_of(numbers, kind, object_model_at(numbers->model, kind, i));
		has_nameless |= has_lost_definition(&objects[i]);
	}
	if (has_nameless && kind != MODEL_CALLBACK) {
		forget_doubtful_names(objects, of_kind->count);
	}
	count = drop_unique(objects, of_kind->count);
	qsort(objects, count, sizeof(*objects), compare_objects);
	g_array_set_size(of_kind->numbers, 0);
	g_array_set_size(of_kind->numbers, (guint)of_kind->count);
	for (size_t i = 1; i < count; i++) {
		uint32_t *before = &g_array_index(of_kind->numbers, uint32_t, objects[i - 1].object->index);

		if (compare_names(&objects[i - 1], &objects[i]) == 0) {
			*before = MAX(*before, 1);
			g_array_index(of_kind->numbers, uint32_t, objects[i].object->index) = *before + 1;
		}
	}
}

static uint32_t number_of(struct object_numbers *numbers, enum model_kind kind, uint32_t index)
{
	struct numbers_of_kind *of_kind = &numbers->kinds[kind];
	uint64_t version = object_model_version(numbers->model);
	size_t count = object_model_count(numbers->model, kind);

	if (!of_kind->numbers || of_kind->version != version || of_kind->count != count) {
		if (!of_kind->numbers) {
			of_kind->numbers = arena_array(recording_arena(numbers->recording), sizeof(uint32_t));
		}
		of_kind->version = version;
		of_kind->count = count;
		number_objects(numbers, kind);
	}
	return g_array_index(of_kind->numbers, uint32_t, index);
}

uint32_t object_numbers_of(struct object_numbers *numbers, enum model_kind kind, const struct model_object *object)
{
	return object ? number_of(numbers, kind, object->index) : 0;
}

char *object_numbers_callback(struct object_numbers *numbers, struct model_callback *callback)
{
	const struct model_callback_info *info = object_model_callback_info(numbers->model, callback);
	uint32_t number = info->subscription ? number_of(numbers, MODEL_SUBSCRIPTION, info->subscription->index)
			  : info->timer	     ? number_of(numbers, MODEL_TIMER, info->timer->index)
			  : info->service    ? number_of(numbers, MODEL_SERVICE, info->service->index)
					     : 0;
	uint32_t of_owner = number_of(numbers, MODEL_CALLBACK, callback->index);
	GString *text = g_string_new(NULL);

	if (number > 0) {
		g_string_append_printf(text, "%" PRIu32, number);
	}
	if (of_owner > 0) {
		g_string_append_printf(text, "%s%" PRIu32, number > 0 ? "." : "", of_owner);
	}
	if (info->is_intra_process) {
		g_string_append_printf(text, "%sintra", text->len > 0 ? " " : "");
	}
	return g_string_free(text, text->len == 0);
}
