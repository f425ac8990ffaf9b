/* SPDX-License-Identifier: MIT */
#include "core/model/object_store.h"

#include "core/base/memory_layout.h"
#include "core/base/slots.h"

struct object_model *object_model_create(struct recording *recording)
{
	struct object_model *model = g_new0(struct object_model, 1);

	model->recording = recording;
	model->definitions = definitions_create(recording_arena(recording));
	model->version = 1;
	model->recent = arena_take(recording_arena(recording), sizeof(*model->recent) << RECENT_LOOK_UPS_BITS);
	for (size_t kind = 0; kind < MODEL_KIND_COUNT; kind++) {
		model->objects[kind] = g_ptr_array_new();
	}
	model->buffers = g_ptr_array_new_with_free_func(g_free);
	model->has_definitions = g_array_new(FALSE, TRUE, sizeof(bool));
	model->versions = g_ptr_array_new();
	model->process_versions = g_ptr_array_new();
	model->lacks_timer_links = g_array_new(FALSE, TRUE, sizeof(bool));
	rclcpp_use_init(&model->rclcpp);
	lifecycle_services_init(&model->lifecycle);
	return model;
}

void object_model_destroy(struct object_model *model)
{
	if (!model) {
		return;
	}
	for (size_t kind = 0; kind < MODEL_KIND_COUNT; kind++) {
		g_ptr_array_free(model->objects[kind], TRUE);
	}
	g_ptr_array_free(model->buffers, TRUE);
	g_array_free(model->has_definitions, TRUE);
	g_ptr_array_free(model->versions, TRUE);
	g_ptr_array_free(model->process_versions, TRUE);
	g_array_free(model->lacks_timer_links, TRUE);
	definitions_destroy(model->definitions);
	rclcpp_use_clear(&model->rclcpp);
	lifecycle_services_clear(&model->lifecycle);
	g_free(model);
}

uint64_t object_model_version(const struct object_model *model)
{
	return model->version;
}

#define VERSIONS_OF_LINE ((uint32_t)(CACHE_LINE / sizeof(uint64_t)))

uint64_t *model_process_version(struct object_model *model, uint32_t process)
{
	gpointer *slot = slot_at(model->process_versions, process / VERSIONS_OF_LINE);

	if (G_UNLIKELY(!*slot)) {
		uint64_t *versions = *slot = arena_take(recording_arena(model->recording), CACHE_LINE);

		for (uint32_t i = 0; i < VERSIONS_OF_LINE; i++) {
			versions[i] = 1;
		}
	}
	return (uint64_t *)*slot + process % VERSIONS_OF_LINE;
}

void model_note_change(struct object_model *model, uint32_t process)
{
	model->version++;
	(*model_process_version(model, process))++;
}

void model_set_flag(GArray *flags, uint32_t process)
{
	*array_at(flags, bool, process) = true;
}

bool model_get_flag(const GArray *flags, uint32_t process)
{
	return process < flags->len && g_array_index(flags, bool, process);
}

bool object_model_has_definitions(const struct object_model *model, uint32_t process)
{
	return model_get_flag(model->has_definitions, process);
}

void object_model_add_versions(const struct object_model *model, GPtrArray *versions)
{
	g_ptr_array_extend(versions, model->versions, NULL, NULL);
}

/* --- creation --- */

struct model_object *model_add_object(struct object_model *model, enum model_kind kind, uint32_t process)
{
	size_t size = model_kinds[kind].size;
	/* what takes and publications ask for begins a cache line */
	struct model_object *object =
		(size < CACHE_LINE ? arena_take_packed : arena_take)(recording_arena(model->recording), size);

	object->index = model->objects[kind]->len;
	object->process = process;
	g_ptr_array_add(model->objects[kind], object);
	return object;
}

struct model_object *model_add_undefined(struct object_model *model, enum model_kind kind, enum definition_kind by,
					 uint32_t process, uint64_t address, int64_t time_ns,
					 struct definition *definition)
{
	struct model_object *object = model_add_object(model, kind, process);

	if (by == model_kinds[kind].by_rmw) {
		((struct model_endpoint *)object)->rmw_handle = address;
	} else {
		object->handle = address;
	}
	if (kind == MODEL_CALLBACK) {
		model_kinds[kind].complete(object, definition);
	}
	object->since_ns = time_ns;
	definition->object = object;
	return object;
}

/* --- look-ups by index --- */

size_t object_model_count(const struct object_model *model, enum model_kind kind)
{
	return model->objects[kind]->len;
}

struct model_object *object_model_at(const struct object_model *model, enum model_kind kind, size_t index)
{
	return model->objects[kind]->pdata[index];
}

/* --- look-ups by address, at the time of an event --- */

struct definition *model_define(struct object_model *model, uint32_t process, enum definition_kind kind,
				uint64_t address, const struct event_record *record, const uint64_t *words)
{
	struct definition *definition = definitions_add(model->definitions, process, kind, address, record, words);

	if (definition) {
		model_note_change(model, process);
		model->recent[model_recent_place(model_scope_of(process, kind), address)].object = NULL;
	}
	return definition;
}

/* Remembers only the newest definition, which holds at all later times. */
static void remember(struct object_model *model, uint32_t process, enum definition_kind kind, uint64_t address,
		     const struct definition *definition)
{
	if (!definition->is_defined || definition != model_newest(model, process, kind, address)) {
		return;
	}
	model->recent[model_recent_place(model_scope_of(process, kind), address)] = (struct recent_look_up){
		.address = address,
		.scope = model_scope_of(process, kind),
		.since_ns = definition->since_ns,
		.object = definition->object,
	};
}

/* The definition that holds at a time, else the undefined one, whose last use is noted. */
static struct definition *use(struct object_model *model, uint32_t process, enum definition_kind kind, uint64_t address,
			      int64_t time_ns)
{
	struct definition *definition = definition_at(model_newest(model, process, kind, address), time_ns);

	if (!definition) {
		definition = definitions_add_undefined(model->definitions, process, kind, address);
	}
	if (!definition->is_defined) {
		definition->last_use_ns = MAX(definition->last_use_ns, time_ns);
	}
	return definition;
}

static G_GNUC_NO_INLINE void *look_up(struct object_model *model, enum model_kind kind, enum definition_kind by,
				      uint32_t process, uint64_t address, int64_t time_ns)
{
	struct definition *definition = use(model, process, by, address, time_ns);

	if (!definition->object) {
		model_add_undefined(model, kind, by, process, address, time_ns, definition);
	}
	remember(model, process, by, address, definition);
	return definition->object;
}

static inline void *use_object(struct object_model *model, enum model_kind kind, enum definition_kind by,
			       uint32_t process, uint64_t address, int64_t time_ns)
{
	void *object = model_recent_object(model, process, by, address, time_ns);

	return G_LIKELY(object != NULL) ? object : look_up(model, kind, by, process, address, time_ns);
}

struct model_callback *object_model_callback(struct object_model *model, uint32_t process, uint64_t address,
					     int64_t time_ns)
{
	return use_object(model, MODEL_CALLBACK, DEFINITION_CALLBACK, process, address, time_ns);
}

struct model_publisher *object_model_publisher(struct object_model *model, uint32_t process, uint64_t handle,
					       int64_t time_ns)
{
	return use_object(model, MODEL_PUBLISHER, DEFINITION_PUBLISHER, process, handle, time_ns);
}

struct model_subscription *object_model_subscription_by_rmw(struct object_model *model, uint32_t process,
							    uint64_t rmw_handle, int64_t time_ns)
{
	return use_object(model, MODEL_SUBSCRIPTION, DEFINITION_SUBSCRIPTION_BY_RMW, process, rmw_handle, time_ns);
}

struct model_publisher *object_model_publisher_by_rmw(struct object_model *model, uint32_t process, uint64_t rmw_handle,
						      int64_t time_ns)
{
	return use_object(model, MODEL_PUBLISHER, DEFINITION_PUBLISHER_BY_RMW, process, rmw_handle, time_ns);
}

static void *find_defined(const struct object_model *model, uint32_t process, enum definition_kind kind,
			  uint64_t address, int64_t time_ns)
{
	void *recent = model_recent_object(model, process, kind, address, time_ns);
	const struct definition *definition =
		recent ? NULL : definition_at(model_newest(model, process, kind, address), time_ns);

	return definition && definition->is_defined ? definition->object : recent;
}

struct model_object *object_model_find(const struct object_model *model, enum model_kind kind, uint32_t process,
				       uint64_t handle, int64_t time_ns)
{
	return find_defined(model, process, model_kinds[kind].definition, handle, time_ns);
}

struct model_publisher *object_model_find_publisher_by_rmw(struct object_model *model, uint32_t process,
							   uint64_t rmw_handle, int64_t time_ns)
{
	return find_defined(model, process, DEFINITION_PUBLISHER_BY_RMW, rmw_handle, time_ns);
}

struct model_service *object_model_find_service_by_rmw(struct object_model *model, uint32_t process,
						       uint64_t rmw_handle, int64_t time_ns)
{
	return find_defined(model, process, DEFINITION_SERVICE_BY_RMW, rmw_handle, time_ns);
}

struct model_client *object_model_find_client_by_rmw(struct object_model *model, uint32_t process, uint64_t rmw_handle,
						     int64_t time_ns)
{
	struct model_client *client = find_defined(model, process, DEFINITION_CLIENT_BY_RMW, rmw_handle, time_ns);

	if (client && !client->gid) {
		/* rmw_client_init precedes rcl_client_init */
		client->gid =
			definition_text(definition_at(model_newest(model, process, DEFINITION_CLIENT_GID, rmw_handle),
						      client->since_ns),
					REFERENCE);
	}
	return client;
}
