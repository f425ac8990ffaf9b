/* SPDX-License-Identifier: MIT */
#include "core/bt/mirror.h"

#include <glib.h>

#include "core/bt/field_class_copy.h"
#include "core/bt/field_copy.h"
#include "core/bt/own.h"
#include "core/bt/component_log.h"
#include "core/base/u64_map.h"

typedef void (*put_function)(const void *);

/* A reference that is given back with the mirror. */
struct kept {
	const void *object;
	put_function put;
};

struct mirror {
	bt_self_message_iterator *self;
	const struct mirror_hooks *hooks; /* borrowed, may be NULL */
	uint64_t mip_version;
	GArray *kept; /* struct kept */
	/* the address of an original → its copy; both are kept */
	struct u64_map trace_classes;
	struct u64_map clock_classes;
	struct u64_map stream_classes;
	struct u64_map event_classes; /* → struct event_class_copy * */
	struct u64_map traces;
	struct u64_map streams;
	struct u64_map copiers; /* trace class → struct field_class_copier * */
	struct u64_map packets; /* → bt_packet *, a reference on both until the end of the packet */
};

/* What is needed for each event. */
struct event_class_copy {
	bt_event_class *copy; /* kept */
	bool has_packets;
	bool has_clock;
};

static uint64_t address_of(const void *object)
{
	return (uint64_t)(uintptr_t)object;
}

static void keep(struct mirror *mirror, const void *object, put_function put)
{
	struct kept kept = { object, put };

	g_array_append_val(mirror->kept, kept);
}

#define KEEP_COPY(mirror, copy, type) keep((mirror), (copy), (put_function)bt_##type##_put_ref)
#define KEEP_ORIGINAL(mirror, original, type)                                                                          \
	do {                                                                                                           \
		bt_##type##_get_ref(original);                                                                         \
		keep((mirror), (original), (put_function)bt_##type##_put_ref);                                         \
	} while (0)

static void *failed(struct mirror *mirror, const char *what, const char *name)
{
	iterator_error(mirror->self, "cannot copy the %s `%s`: it has a field of unknown type, or memory is short",
		       what, name ? name : "");
	return NULL;
}

struct mirror *mirror_create(bt_self_message_iterator *self, const struct mirror_hooks *hooks)
{
	struct mirror *mirror = g_new0(struct mirror, 1);

	mirror->self = self;
	mirror->hooks = hooks;
	mirror->mip_version = bt_self_component_get_graph_mip_version(bt_self_message_iterator_borrow_component(self));
	mirror->kept = g_array_new(FALSE, FALSE, sizeof(struct kept));
	u64_map_init(&mirror->trace_classes);
	u64_map_init(&mirror->clock_classes);
	u64_map_init(&mirror->stream_classes);
	u64_map_init(&mirror->event_classes);
	u64_map_init(&mirror->traces);
	u64_map_init(&mirror->streams);
	u64_map_init(&mirror->copiers);
	u64_map_init(&mirror->packets);
	return mirror;
}

static void put_packets(struct mirror *mirror)
{
	size_t position = 0;
	uint64_t original, copy;

	while (u64_map_next(&mirror->packets, &position, &original, &copy)) {
		bt_packet_put_ref((const bt_packet *)(uintptr_t)original);
		bt_packet_put_ref((const bt_packet *)(uintptr_t)copy);
	}
	u64_map_clear(&mirror->packets);
}

void mirror_rewind(struct mirror *mirror)
{
	put_packets(mirror);
}

void mirror_destroy(struct mirror *mirror)
{
	if (!mirror) {
		return;
	}
	put_packets(mirror);
	/* what was made last belongs to what was made before */
	for (guint i = mirror->kept->len; i > 0; i--) {
		const struct kept *kept = &g_array_index(mirror->kept, struct kept, i - 1);

		kept->put(kept->object);
	}
	g_array_free(mirror->kept, TRUE);
	u64_map_clear(&mirror->trace_classes);
	u64_map_clear(&mirror->clock_classes);
	u64_map_clear(&mirror->stream_classes);
	u64_map_clear(&mirror->event_classes);
	u64_map_clear(&mirror->traces);
	u64_map_clear(&mirror->streams);
	u64_map_clear(&mirror->copiers);
	g_free(mirror);
}

bt_trace_class *mirror_trace_class(struct mirror *mirror, const bt_trace_class *original)
{
	bt_trace_class *copy = u64_map_get_pointer(&mirror->trace_classes, address_of(original));
	struct field_class_copier *copier;

	if (copy) {
		return copy;
	}
	copy = bt_trace_class_create(bt_self_message_iterator_borrow_component(mirror->self));
	if (!copy) {
		return failed(mirror, "trace class", NULL);
	}
	bt_trace_class_set_assigns_automatic_stream_class_id(copy, BT_FALSE);
	bt_trace_class_set_user_attributes(copy, bt_trace_class_borrow_user_attributes_const(original));
	KEEP_ORIGINAL(mirror, original, trace_class);
	KEEP_COPY(mirror, copy, trace_class);
	copier = field_class_copier_create(copy, mirror->mip_version);
	keep(mirror, copier, (put_function)field_class_copier_destroy);
	u64_map_set_pointer(&mirror->trace_classes, address_of(original), copy);
	u64_map_set_pointer(&mirror->copiers, address_of(original), copier);
	return copy;
}

static struct field_class_copier *copier_of(struct mirror *mirror, const bt_trace_class *original)
{
	return u64_map_get_pointer(&mirror->copiers, address_of(original));
}

bt_field_class *mirror_field_class(struct mirror *mirror, const bt_trace_class *original_trace_class,
				   const bt_field_class *original)
{
	static const struct field_scopes nothing;
	bt_field_class *copy = NULL;

	if (mirror_trace_class(mirror, original_trace_class)) {
		copy = field_class_copy(copier_of(mirror, original_trace_class), original, &nothing);
	}
	return copy ? copy : failed(mirror, "field class", NULL);
}

/* The parts of a clock's identity that depend on the protocol version. */
static bool copy_clock_identity(struct mirror *mirror, const bt_clock_class *original, bt_clock_class *copy)
{
#ifdef HAVE_BT2_MIP1
	if (mirror->mip_version > 0) {
		const char *namespace = bt_clock_class_get_namespace(original);
		const char *uid = bt_clock_class_get_uid(original);
		uint64_t precision, accuracy;

		if (bt_clock_class_get_opt_precision(original, &precision) == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
			bt_clock_class_set_precision(copy, precision);
		}
		if (bt_clock_class_get_accuracy(original, &accuracy) == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
			bt_clock_class_set_accuracy(copy, accuracy);
		}
		if (bt_clock_class_origin_is_unix_epoch(original)) {
			bt_clock_class_set_origin_unix_epoch(copy);
		} else if (!bt_clock_class_origin_is_known(original)) {
			bt_clock_class_set_origin_unknown(copy);
		} else if (bt_clock_class_set_origin(copy, bt_clock_class_get_origin_namespace(original),
						     bt_clock_class_get_origin_name(original),
						     bt_clock_class_get_origin_uid(original)) !=
			   BT_CLOCK_CLASS_SET_ORIGIN_STATUS_OK) {
			return false;
		}
		return (!namespace ||
			bt_clock_class_set_namespace(copy, namespace) == BT_CLOCK_CLASS_SET_NAMESPACE_STATUS_OK) &&
		       (!uid || bt_clock_class_set_uid(copy, uid) == BT_CLOCK_CLASS_SET_UID_STATUS_OK);
	}
#endif
	bt_uuid uuid = bt_clock_class_get_uuid(original);

	bt_clock_class_set_precision(copy, bt_clock_class_get_precision(original));
	bt_clock_class_set_origin_is_unix_epoch(copy, bt_clock_class_origin_is_unix_epoch(original));
	if (uuid) {
		bt_clock_class_set_uuid(copy, uuid);
	}
	return true;
}

static bool copy_clock(struct mirror *mirror, const bt_clock_class *original, bt_clock_class *copy)
{
	const char *name = bt_clock_class_get_name(original);
	const char *description = bt_clock_class_get_description(original);
	int64_t offset_seconds;
	uint64_t offset_cycles;

	bt_clock_class_get_offset(original, &offset_seconds, &offset_cycles);
	bt_clock_class_set_frequency(copy, bt_clock_class_get_frequency(original));
	bt_clock_class_set_offset(copy, offset_seconds, offset_cycles);
	bt_clock_class_set_user_attributes(copy, bt_clock_class_borrow_user_attributes_const(original));
	return (!name || bt_clock_class_set_name(copy, name) == BT_CLOCK_CLASS_SET_NAME_STATUS_OK) &&
	       (!description ||
		bt_clock_class_set_description(copy, description) == BT_CLOCK_CLASS_SET_DESCRIPTION_STATUS_OK) &&
	       copy_clock_identity(mirror, original, copy);
}

static bt_clock_class *mirror_clock(struct mirror *mirror, const bt_clock_class *original)
{
	bt_clock_class *found = u64_map_get_pointer(&mirror->clock_classes, address_of(original));
	g_autoptr(bt_clock_class) copy = NULL;

	if (found) {
		return found;
	}
	copy = bt_clock_class_create(bt_self_message_iterator_borrow_component(mirror->self));
	if (!copy || !copy_clock(mirror, original, copy)) {
		return failed(mirror, "clock class", bt_clock_class_get_name(original));
	}
	KEEP_ORIGINAL(mirror, original, clock_class);
	KEEP_COPY(mirror, copy, clock_class);
	u64_map_set_pointer(&mirror->clock_classes, address_of(original), copy);
	return g_steal_pointer(&copy);
}

static bool copy_stream_class_contexts(struct mirror *mirror, const bt_stream_class *original, bt_stream_class *copy)
{
	struct field_class_copier *copier = copier_of(mirror, bt_stream_class_borrow_trace_class_const(original));
	const struct field_scopes scopes = {
		.packet_context = bt_stream_class_borrow_packet_context_field_class_const(original),
		.event_common_context = bt_stream_class_borrow_event_common_context_field_class_const(original),
	};
	g_autoptr(bt_field_class) packet_context = NULL;
	g_autoptr(bt_field_class) common_context = NULL;

	if (scopes.packet_context) {
		packet_context = field_class_copy(copier, scopes.packet_context, &scopes);
		if (!packet_context || bt_stream_class_set_packet_context_field_class(copy, packet_context) !=
					       BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK) {
			return false;
		}
	}
	if (scopes.event_common_context) {
		common_context = field_class_copy(copier, scopes.event_common_context, &scopes);
		if (!common_context || bt_stream_class_set_event_common_context_field_class(copy, common_context) !=
					       BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK) {
			return false;
		}
	}
	return true;
}

static void copy_stream_class_support(const bt_stream_class *original, bt_stream_class *copy)
{
	if (bt_stream_class_supports_packets(original)) {
		bt_stream_class_set_supports_packets(
			copy, BT_TRUE, bt_stream_class_packets_have_beginning_default_clock_snapshot(original),
			bt_stream_class_packets_have_end_default_clock_snapshot(original));
	}
	if (bt_stream_class_supports_discarded_events(original)) {
		bt_stream_class_set_supports_discarded_events(
			copy, BT_TRUE, bt_stream_class_discarded_events_have_default_clock_snapshots(original));
	}
	if (bt_stream_class_supports_discarded_packets(original)) {
		bt_stream_class_set_supports_discarded_packets(
			copy, BT_TRUE, bt_stream_class_discarded_packets_have_default_clock_snapshots(original));
	}
}

static bool copy_stream_class_identity(struct mirror *mirror, const bt_stream_class *original, bt_stream_class *copy)
{
	const char *name = bt_stream_class_get_name(original);

#ifdef HAVE_BT2_MIP1
	if (mirror->mip_version > 0) {
		const char *namespace = bt_stream_class_get_namespace(original);
		const char *uid = bt_stream_class_get_uid(original);

		if ((namespace &&
		     bt_stream_class_set_namespace(copy, namespace) != BT_STREAM_CLASS_SET_NAMESPACE_STATUS_OK) ||
		    (uid && bt_stream_class_set_uid(copy, uid) != BT_STREAM_CLASS_SET_UID_STATUS_OK)) {
			return false;
		}
	}
#endif
	bt_stream_class_set_user_attributes(copy, bt_stream_class_borrow_user_attributes_const(original));
	return !name || bt_stream_class_set_name(copy, name) == BT_STREAM_CLASS_SET_NAME_STATUS_OK;
}

static bool copy_stream_class(struct mirror *mirror, const bt_stream_class *original, bt_stream_class *copy)
{
	const bt_clock_class *clock_class = bt_stream_class_borrow_default_clock_class_const(original);

	bt_stream_class_set_assigns_automatic_event_class_id(copy, BT_FALSE);
	bt_stream_class_set_assigns_automatic_stream_id(copy, BT_FALSE);
	if (clock_class) {
		bt_clock_class *clock_copy = mirror_clock(mirror, clock_class);

		if (!clock_copy || bt_stream_class_set_default_clock_class(copy, clock_copy) !=
					   BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK) {
			return false;
		}
	}
	copy_stream_class_support(original, copy);
	return copy_stream_class_identity(mirror, original, copy) && copy_stream_class_contexts(mirror, original, copy);
}

bt_stream_class *mirror_stream_class(struct mirror *mirror, const bt_stream_class *original)
{
	bt_stream_class *found = u64_map_get_pointer(&mirror->stream_classes, address_of(original));
	g_autoptr(bt_stream_class) copy = NULL;
	bt_trace_class *trace_class;

	if (found) {
		return found;
	}
	trace_class = mirror_trace_class(mirror, bt_stream_class_borrow_trace_class_const(original));
	if (!trace_class) {
		return NULL;
	}
	copy = bt_stream_class_create_with_id(trace_class, bt_stream_class_get_id(original));
	if (!copy || !copy_stream_class(mirror, original, copy)) {
		return failed(mirror, "stream class", bt_stream_class_get_name(original));
	}
	KEEP_ORIGINAL(mirror, original, stream_class);
	KEEP_COPY(mirror, copy, stream_class);
	u64_map_set_pointer(&mirror->stream_classes, address_of(original), copy);
	return g_steal_pointer(&copy);
}

/* An id that neither the original stream class nor its copy has, near those they have: readers make arrays of them. */
static uint64_t free_event_class_id(const bt_stream_class *original, const bt_stream_class *copy)
{
	const bt_stream_class *classes[] = { original, copy };
	uint64_t id = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(classes); i++) {
		uint64_t count = bt_stream_class_get_event_class_count(classes[i]);

		for (uint64_t k = 0; k < count; k++) {
			uint64_t used =
				bt_event_class_get_id(bt_stream_class_borrow_event_class_by_index_const(classes[i], k));

			id = MAX(id, used + 1);
		}
	}
	return id;
}

static bool copy_event_class_identity(struct mirror *mirror, const bt_event_class *original, bt_event_class *copy)
{
	const char *name = bt_event_class_get_name(original);
	const char *emf_uri = bt_event_class_get_emf_uri(original);
	bt_event_class_log_level log_level;

#ifdef HAVE_BT2_MIP1
	if (mirror->mip_version > 0) {
		const char *namespace = bt_event_class_get_namespace(original);
		const char *uid = bt_event_class_get_uid(original);

		if ((namespace &&
		     bt_event_class_set_namespace(copy, namespace) != BT_EVENT_CLASS_SET_NAMESPACE_STATUS_OK) ||
		    (uid && bt_event_class_set_uid(copy, uid) != BT_EVENT_CLASS_SET_UID_STATUS_OK)) {
			return false;
		}
	}
#endif
	if (bt_event_class_get_log_level(original, &log_level) == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		bt_event_class_set_log_level(copy, log_level);
	}
	bt_event_class_set_user_attributes(copy, bt_event_class_borrow_user_attributes_const(original));
	return (!name || bt_event_class_set_name(copy, name) == BT_EVENT_CLASS_SET_NAME_STATUS_OK) &&
	       (!emf_uri || bt_event_class_set_emf_uri(copy, emf_uri) == BT_EVENT_CLASS_SET_EMF_URI_STATUS_OK);
}

/* The original's context and what the hook adds; none if there is neither. */
static bool copy_specific_context(struct mirror *mirror, const bt_event_class *original, bt_event_class *copy,
				  bt_trace_class *trace_class, struct field_class_copier *copier,
				  const struct field_scopes *scopes)
{
	g_autoptr(bt_field_class) context = NULL;

	if (scopes->event_specific_context) {
		context = field_class_copy(copier, scopes->event_specific_context, scopes);
	} else if (mirror->hooks && mirror->hooks->extend_context) {
		context = bt_field_class_structure_create(trace_class);
	} else {
		return true;
	}
	if (!context) {
		return false;
	}
	if (mirror->hooks && mirror->hooks->extend_context &&
	    !mirror->hooks->extend_context(mirror->hooks->data, original, trace_class, context)) {
		return false;
	}
	if (!scopes->event_specific_context && bt_field_class_structure_get_member_count(context) == 0) {
		return true;
	}
	return bt_event_class_set_specific_context_field_class(copy, context) ==
	       BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
}

static bool copy_event_class_fields(struct mirror *mirror, const bt_event_class *original, bt_event_class *copy)
{
	const bt_stream_class *stream_class = bt_event_class_borrow_stream_class_const(original);
	const bt_trace_class *trace_class = bt_stream_class_borrow_trace_class_const(stream_class);
	struct field_class_copier *copier = copier_of(mirror, trace_class);
	const struct field_scopes scopes = {
		.packet_context = bt_stream_class_borrow_packet_context_field_class_const(stream_class),
		.event_common_context = bt_stream_class_borrow_event_common_context_field_class_const(stream_class),
		.event_specific_context = bt_event_class_borrow_specific_context_field_class_const(original),
		.event_payload = bt_event_class_borrow_payload_field_class_const(original),
	};
	g_autoptr(bt_field_class) payload = NULL;

	if (!copy_specific_context(mirror, original, copy, mirror_trace_class(mirror, trace_class), copier, &scopes)) {
		return false;
	}
	if (!scopes.event_payload) {
		return true;
	}
	payload = field_class_copy(copier, scopes.event_payload, &scopes);
	return payload &&
	       bt_event_class_set_payload_field_class(copy, payload) == BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
}

static bt_event_class *make_event_class(struct mirror *mirror, const bt_event_class *original)
{
	const bt_stream_class *original_stream_class = bt_event_class_borrow_stream_class_const(original);
	bt_stream_class *stream_class = mirror_stream_class(mirror, original_stream_class);
	uint64_t id = bt_event_class_get_id(original);
	g_autoptr(bt_event_class) copy = NULL;

	if (!stream_class) {
		return NULL;
	}
	if (bt_stream_class_borrow_event_class_by_id_const(stream_class, id)) {
		id = free_event_class_id(original_stream_class, stream_class);
	}
	copy = bt_event_class_create_with_id(stream_class, id);
	if (!copy || !copy_event_class_identity(mirror, original, copy) ||
	    !copy_event_class_fields(mirror, original, copy)) {
		return failed(mirror, "event class", bt_event_class_get_name(original));
	}
	return g_steal_pointer(&copy);
}

static const struct event_class_copy *event_class_copy(struct mirror *mirror, const bt_event_class *original)
{
	struct event_class_copy *entry = u64_map_get_pointer(&mirror->event_classes, address_of(original));
	const bt_stream_class *stream_class;
	bt_event_class *copy;

	if (entry) {
		return entry;
	}
	copy = make_event_class(mirror, original);
	if (!copy) {
		return NULL;
	}
	stream_class = bt_event_class_borrow_stream_class_const(original);
	entry = g_new0(struct event_class_copy, 1);
	entry->copy = copy;
	entry->has_packets = bt_stream_class_supports_packets(stream_class);
	entry->has_clock = bt_stream_class_borrow_default_clock_class_const(stream_class) != NULL;
	KEEP_ORIGINAL(mirror, original, event_class);
	KEEP_COPY(mirror, copy, event_class);
	keep(mirror, entry, (put_function)g_free);
	u64_map_set_pointer(&mirror->event_classes, address_of(original), entry);
	return entry;
}

bt_event_class *mirror_event_class(struct mirror *mirror, const bt_event_class *original)
{
	const struct event_class_copy *entry = event_class_copy(mirror, original);

	return entry ? entry->copy : NULL;
}

bt_event_class *mirror_add_event_class(struct mirror *mirror, const bt_stream_class *original, const char *name)
{
	bt_stream_class *stream_class = mirror_stream_class(mirror, original);
	bt_event_class *added;

	if (!stream_class) {
		return NULL;
	}
	added = bt_event_class_create_with_id(stream_class, free_event_class_id(original, stream_class));
	if (!added) {
		return failed(mirror, "event class", name);
	}
	KEEP_COPY(mirror, added, event_class);
	return bt_event_class_set_name(added, name) == BT_EVENT_CLASS_SET_NAME_STATUS_OK
		       ? added
		       : failed(mirror, "event class", name);
}

static bool copy_environment(const bt_trace *original, bt_trace *copy)
{
	uint64_t count = bt_trace_get_environment_entry_count(original);

	for (uint64_t i = 0; i < count; i++) {
		const char *name;
		const bt_value *value;
		bt_trace_set_environment_entry_status status = BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK;

		bt_trace_borrow_environment_entry_by_index_const(original, i, &name, &value);
		if (bt_value_is_string(value)) {
			status = bt_trace_set_environment_entry_string(copy, name, bt_value_string_get(value));
		} else if (bt_value_is_signed_integer(value)) {
			status = bt_trace_set_environment_entry_integer(copy, name, bt_value_integer_signed_get(value));
		}
		if (status != BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK) {
			return false;
		}
	}
	return true;
}

static bool copy_trace(struct mirror *mirror, const bt_trace *original, bt_trace *copy)
{
	const char *name = bt_trace_get_name(original);

#ifdef HAVE_BT2_MIP1
	if (mirror->mip_version > 0) {
		const char *namespace = bt_trace_get_namespace(original);

		if (namespace && bt_trace_set_namespace(copy, namespace) != BT_TRACE_SET_NAMESPACE_STATUS_OK) {
			return false;
		}
	}
#endif
	bt_trace_set_user_attributes(copy, bt_trace_borrow_user_attributes_const(original));
	return (!name || bt_trace_set_name(copy, name) == BT_TRACE_SET_NAME_STATUS_OK) &&
	       copy_environment(original, copy);
}

static bt_trace *mirror_trace(struct mirror *mirror, const bt_trace *original)
{
	bt_trace *found = u64_map_get_pointer(&mirror->traces, address_of(original));
	g_autoptr(bt_trace) copy = NULL;
	bt_trace_class *trace_class;

	if (found) {
		return found;
	}
	trace_class = mirror_trace_class(mirror, bt_trace_borrow_class_const(original));
	if (!trace_class) {
		return NULL;
	}
	copy = bt_trace_create(trace_class);
	if (!copy || !copy_trace(mirror, original, copy)) {
		return failed(mirror, "trace", bt_trace_get_name(original));
	}
	KEEP_ORIGINAL(mirror, original, trace);
	KEEP_COPY(mirror, copy, trace);
	u64_map_set_pointer(&mirror->traces, address_of(original), copy);
	return g_steal_pointer(&copy);
}

static uint64_t free_stream_id(const bt_trace *original, const bt_trace *copy)
{
	const bt_trace *traces[] = { original, copy };
	uint64_t id = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(traces); i++) {
		uint64_t count = bt_trace_get_stream_count(traces[i]);

		for (uint64_t k = 0; k < count; k++) {
			id = MAX(id, bt_stream_get_id(bt_trace_borrow_stream_by_index_const(traces[i], k)) + 1);
		}
	}
	return id;
}

static bool is_stream_id_used(const bt_trace *trace, const bt_stream_class *stream_class, uint64_t id)
{
	uint64_t count = bt_trace_get_stream_count(trace);

	for (uint64_t i = 0; i < count; i++) {
		const bt_stream *stream = bt_trace_borrow_stream_by_index_const(trace, i);

		if (bt_stream_borrow_class_const(stream) == stream_class && bt_stream_get_id(stream) == id) {
			return true;
		}
	}
	return false;
}

static bt_stream *make_stream(struct mirror *mirror, const bt_stream *original, bool has_own_id, const char *name)
{
	const bt_trace *original_trace = bt_stream_borrow_trace_const(original);
	bt_stream_class *stream_class = mirror_stream_class(mirror, bt_stream_borrow_class_const(original));
	bt_trace *trace = stream_class ? mirror_trace(mirror, original_trace) : NULL;
	uint64_t id = bt_stream_get_id(original);
	bt_stream *made;

	if (!trace) {
		return NULL;
	}
	if (has_own_id || is_stream_id_used(trace, stream_class, id)) {
		id = free_stream_id(original_trace, trace);
	}
	made = bt_stream_create_with_id(stream_class, trace, id);
	if (!made) {
		return failed(mirror, "stream", name);
	}
	KEEP_COPY(mirror, made, stream);
	return !name || bt_stream_set_name(made, name) == BT_STREAM_SET_NAME_STATUS_OK ? made
										       : failed(mirror, "stream", name);
}

bt_stream *mirror_stream(struct mirror *mirror, const bt_stream *original)
{
	bt_stream *copy = u64_map_get_pointer(&mirror->streams, address_of(original));

	if (copy) {
		return copy;
	}
	copy = make_stream(mirror, original, false, bt_stream_get_name(original));
	if (copy) {
		bt_stream_set_user_attributes(copy, bt_stream_borrow_user_attributes_const(original));
		KEEP_ORIGINAL(mirror, original, stream);
		u64_map_set_pointer(&mirror->streams, address_of(original), copy);
	}
	return copy;
}

bt_stream *mirror_add_stream(struct mirror *mirror, const bt_stream *original, const char *name)
{
	return make_stream(mirror, original, true, name);
}

bt_packet *mirror_add_packet(struct mirror *mirror, bt_stream *stream, const bt_packet *original)
{
	bt_packet *made = bt_packet_create(stream);
	const bt_field *context = bt_packet_borrow_context_field_const(original);

	if (!made || (context && !field_copy(context, bt_packet_borrow_context_field(made)))) {
		bt_packet_put_ref(made);
		return failed(mirror, "packet of stream", bt_stream_get_name(stream));
	}
	return made;
}

bt_packet *mirror_packet(struct mirror *mirror, const bt_packet *original)
{
	bt_packet *copy = u64_map_get_pointer(&mirror->packets, address_of(original));
	bt_stream *stream;

	if (copy) {
		return copy;
	}
	stream = mirror_stream(mirror, bt_packet_borrow_stream_const(original));
	copy = stream ? mirror_add_packet(mirror, stream, original) : NULL;
	if (copy) {
		bt_packet_get_ref(original);
		u64_map_set_pointer(&mirror->packets, address_of(original), copy);
	}
	return copy;
}

static void forget_packet(struct mirror *mirror, const bt_packet *original)
{
	uint64_t copy = u64_map_remove(&mirror->packets, address_of(original));

	if (copy != U64_MAP_NONE) {
		bt_packet_put_ref((const bt_packet *)(uintptr_t)copy);
		bt_packet_put_ref(original);
	}
}

static bt_message *create_event(struct mirror *mirror, const bt_event_class *event_class, const bt_stream *stream,
				const bt_packet *packet, bool has_clock, uint64_t clock_value)
{
	if (packet) {
		return has_clock ? bt_message_event_create_with_packet_and_default_clock_snapshot(
					   mirror->self, event_class, packet, clock_value)
				 : bt_message_event_create_with_packet(mirror->self, event_class, packet);
	}
	return has_clock ? bt_message_event_create_with_default_clock_snapshot(mirror->self, event_class, stream,
									       clock_value)
			 : bt_message_event_create(mirror->self, event_class, stream);
}

static bool copy_field(const bt_field *from, bt_field *to)
{
	return !from || field_copy(from, to);
}

static bt_message *fill_event(struct mirror *mirror, const bt_event *from, bt_message *message)
{
	bt_event *to = message ? bt_message_event_borrow_event(message) : NULL;

	if (!to ||
	    !copy_field(bt_event_borrow_common_context_field_const(from), bt_event_borrow_common_context_field(to)) ||
	    !copy_field(bt_event_borrow_specific_context_field_const(from),
			bt_event_borrow_specific_context_field(to)) ||
	    !copy_field(bt_event_borrow_payload_field_const(from), bt_event_borrow_payload_field(to))) {
		bt_message_put_ref(message);
		return failed(mirror, "event", bt_event_class_get_name(bt_event_borrow_class_const(from)));
	}
	return message;
}

bt_message *mirror_event(struct mirror *mirror, const bt_message *original)
{
	const bt_event *event = bt_message_event_borrow_event_const(original);
	const struct event_class_copy *class = event_class_copy(mirror, bt_event_borrow_class_const(event));
	const bt_stream *stream = NULL;
	const bt_packet *packet = NULL;
	uint64_t clock_value = 0;

	if (!class) {
		return NULL;
	}
	if (class->has_packets) {
		packet = mirror_packet(mirror, bt_event_borrow_packet_const(event));
	} else {
		stream = mirror_stream(mirror, bt_event_borrow_stream_const(event));
	}
	if (!packet && !stream) {
		return NULL;
	}
	if (class->has_clock) {
		clock_value =
			bt_clock_snapshot_get_value(bt_message_event_borrow_default_clock_snapshot_const(original));
	}
	return fill_event(mirror, event,
			  create_event(mirror, class->copy, stream, packet, class->has_clock, clock_value));
}

bt_message *mirror_event_at(struct mirror *mirror, const bt_message *original, const bt_stream *stream,
			    const bt_packet *packet, uint64_t clock_value)
{
	const bt_event *event = bt_message_event_borrow_event_const(original);
	const struct event_class_copy *class = event_class_copy(mirror, bt_event_borrow_class_const(event));

	return class ? fill_event(mirror, event,
				  create_event(mirror, class->copy, stream, packet, class->has_clock, clock_value))
		     : NULL;
}

static bt_message *mirror_stream_beginning(struct mirror *mirror, const bt_message *original)
{
	const bt_stream *stream = mirror_stream(mirror, bt_message_stream_beginning_borrow_stream_const(original));
	bt_message *message = stream ? bt_message_stream_beginning_create(mirror->self, stream) : NULL;
	const bt_clock_snapshot *snapshot;

	if (message && bt_message_stream_beginning_borrow_stream_class_default_clock_class_const(original) &&
	    bt_message_stream_beginning_borrow_default_clock_snapshot_const(original, &snapshot) ==
		    BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		bt_message_stream_beginning_set_default_clock_snapshot(message, bt_clock_snapshot_get_value(snapshot));
	}
	return message;
}

static bt_message *mirror_stream_end(struct mirror *mirror, const bt_message *original)
{
	const bt_stream *stream = mirror_stream(mirror, bt_message_stream_end_borrow_stream_const(original));
	bt_message *message = stream ? bt_message_stream_end_create(mirror->self, stream) : NULL;
	const bt_clock_snapshot *snapshot;

	if (message && bt_message_stream_end_borrow_stream_class_default_clock_class_const(original) &&
	    bt_message_stream_end_borrow_default_clock_snapshot_const(original, &snapshot) ==
		    BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		bt_message_stream_end_set_default_clock_snapshot(message, bt_clock_snapshot_get_value(snapshot));
	}
	return message;
}

static const bt_stream_class *class_of_packet(const bt_packet *packet)
{
	return bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet));
}

static bt_message *mirror_packet_beginning(struct mirror *mirror, const bt_message *original)
{
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(original);
	const bt_packet *copy = mirror_packet(mirror, packet);

	if (!copy) {
		return NULL;
	}
	if (!bt_stream_class_packets_have_beginning_default_clock_snapshot(class_of_packet(packet))) {
		return bt_message_packet_beginning_create(mirror->self, copy);
	}
	return bt_message_packet_beginning_create_with_default_clock_snapshot(
		mirror->self, copy,
		bt_clock_snapshot_get_value(bt_message_packet_beginning_borrow_default_clock_snapshot_const(original)));
}

static bt_message *mirror_packet_end(struct mirror *mirror, const bt_message *original)
{
	const bt_packet *packet = bt_message_packet_end_borrow_packet_const(original);
	const bt_packet *copy = mirror_packet(mirror, packet);
	bt_message *message;

	if (!copy) {
		return NULL;
	}
	if (bt_stream_class_packets_have_end_default_clock_snapshot(class_of_packet(packet))) {
		message = bt_message_packet_end_create_with_default_clock_snapshot(
			mirror->self, copy,
			bt_clock_snapshot_get_value(
				bt_message_packet_end_borrow_default_clock_snapshot_const(original)));
	} else {
		message = bt_message_packet_end_create(mirror->self, copy);
	}
	forget_packet(mirror, packet);
	return message;
}

static bt_message *mirror_discarded_events(struct mirror *mirror, const bt_message *original)
{
	const bt_stream *stream = bt_message_discarded_events_borrow_stream_const(original);
	const bt_stream *copy = mirror_stream(mirror, stream);
	bt_message *message;
	uint64_t count;

	if (!copy) {
		return NULL;
	}
	if (bt_stream_class_discarded_events_have_default_clock_snapshots(bt_stream_borrow_class_const(stream))) {
		message = bt_message_discarded_events_create_with_default_clock_snapshots(
			mirror->self, copy,
			bt_clock_snapshot_get_value(
				bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(original)),
			bt_clock_snapshot_get_value(
				bt_message_discarded_events_borrow_end_default_clock_snapshot_const(original)));
	} else {
		message = bt_message_discarded_events_create(mirror->self, copy);
	}
	if (message && bt_message_discarded_events_get_count(original, &count) == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		bt_message_discarded_events_set_count(message, count);
	}
	return message;
}

static bt_message *mirror_discarded_packets(struct mirror *mirror, const bt_message *original)
{
	const bt_stream *stream = bt_message_discarded_packets_borrow_stream_const(original);
	const bt_stream *copy = mirror_stream(mirror, stream);
	bt_message *message;
	uint64_t count;

	if (!copy) {
		return NULL;
	}
	if (bt_stream_class_discarded_packets_have_default_clock_snapshots(bt_stream_borrow_class_const(stream))) {
		message = bt_message_discarded_packets_create_with_default_clock_snapshots(
			mirror->self, copy,
			bt_clock_snapshot_get_value(
				bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(original)),
			bt_clock_snapshot_get_value(
				bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(original)));
	} else {
		message = bt_message_discarded_packets_create(mirror->self, copy);
	}
	if (message && bt_message_discarded_packets_get_count(original, &count) == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		bt_message_discarded_packets_set_count(message, count);
	}
	return message;
}

const bt_message *mirror_message(struct mirror *mirror, const bt_message *original)
{
	switch (bt_message_get_type(original)) {
	case BT_MESSAGE_TYPE_EVENT:
		return mirror_event(mirror, original);
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return mirror_stream_beginning(mirror, original);
	case BT_MESSAGE_TYPE_STREAM_END:
		return mirror_stream_end(mirror, original);
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return mirror_packet_beginning(mirror, original);
	case BT_MESSAGE_TYPE_PACKET_END:
		return mirror_packet_end(mirror, original);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return mirror_discarded_events(mirror, original);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return mirror_discarded_packets(mirror, original);
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		bt_message_get_ref(original);
		return original;
	}
	return failed(mirror, "message", "of unknown type");
}
