/* SPDX-License-Identifier: MIT */
#include "core/bt/mirror/mirror_state.h"

#include "core/bt/mirror/field_class_copy.h"
#include "ros2bt/bt/own.h"

bt_trace_class *mirror_trace_class(struct mirror *mirror, const bt_trace_class *original)
{
	bt_trace_class *copy = u64_map_get_pointer(&mirror->trace_classes, mirror_address_of(original));
	struct field_class_copier *copier;

	if (copy) {
		return copy;
	}
	copy = bt_trace_class_create(bt_self_message_iterator_borrow_component(mirror->self));
	if (!copy) {
		return mirror_failed(mirror, "trace class", NULL);
	}
	bt_trace_class_set_assigns_automatic_stream_class_id(copy, BT_FALSE);
	bt_trace_class_set_user_attributes(copy, bt_trace_class_borrow_user_attributes_const(original));
	KEEP_ORIGINAL(mirror, original, trace_class);
	KEEP_COPY(mirror, copy, trace_class);
	copier = field_class_copier_create(copy, mirror->mip_version);
	mirror_keep(mirror, copier, (put_function)field_class_copier_destroy);
	u64_map_set_pointer(&mirror->trace_classes, mirror_address_of(original), copy);
	u64_map_set_pointer(&mirror->copiers, mirror_address_of(original), copier);
	return copy;
}

static struct field_class_copier *copier_of(struct mirror *mirror, const bt_trace_class *original)
{
	return u64_map_get_pointer(&mirror->copiers, mirror_address_of(original));
}

bt_field_class *mirror_field_class(struct mirror *mirror, const bt_trace_class *original_trace_class,
				   const bt_field_class *original)
{
	static const struct field_scopes nothing;
	bt_field_class *copy = NULL;

	if (mirror_trace_class(mirror, original_trace_class)) {
		copy = field_class_copy(copier_of(mirror, original_trace_class), original, &nothing);
	}
	return copy ? copy : mirror_failed(mirror, "field class", NULL);
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
	bt_clock_class *found = u64_map_get_pointer(&mirror->clock_classes, mirror_address_of(original));
	g_autoptr(bt_clock_class) copy = NULL;

	if (found) {
		return found;
	}
	copy = bt_clock_class_create(bt_self_message_iterator_borrow_component(mirror->self));
	if (!copy || !copy_clock(mirror, original, copy)) {
		return mirror_failed(mirror, "clock class", bt_clock_class_get_name(original));
	}
	KEEP_ORIGINAL(mirror, original, clock_class);
	KEEP_COPY(mirror, copy, clock_class);
	u64_map_set_pointer(&mirror->clock_classes, mirror_address_of(original), copy);
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
	bt_stream_class *found = u64_map_get_pointer(&mirror->stream_classes, mirror_address_of(original));
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
		return mirror_failed(mirror, "stream class", bt_stream_class_get_name(original));
	}
	KEEP_ORIGINAL(mirror, original, stream_class);
	KEEP_COPY(mirror, copy, stream_class);
	u64_map_set_pointer(&mirror->stream_classes, mirror_address_of(original), copy);
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
		return mirror_failed(mirror, "event class", bt_event_class_get_name(original));
	}
	return g_steal_pointer(&copy);
}

const struct mirrored_event_class *mirror_event_class_copy(struct mirror *mirror, const bt_event_class *original)
{
	struct mirrored_event_class *entry = u64_map_get_pointer(&mirror->event_classes, mirror_address_of(original));
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
	entry = g_new0(struct mirrored_event_class, 1);
	entry->copy = copy;
	entry->has_packets = bt_stream_class_supports_packets(stream_class);
	entry->has_clock = bt_stream_class_borrow_default_clock_class_const(stream_class) != NULL;
	KEEP_ORIGINAL(mirror, original, event_class);
	KEEP_COPY(mirror, copy, event_class);
	mirror_keep(mirror, entry, (put_function)g_free);
	u64_map_set_pointer(&mirror->event_classes, mirror_address_of(original), entry);
	return entry;
}

bt_event_class *mirror_event_class(struct mirror *mirror, const bt_event_class *original)
{
	const struct mirrored_event_class *entry = mirror_event_class_copy(mirror, original);

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
		return mirror_failed(mirror, "event class", name);
	}
	KEEP_COPY(mirror, added, event_class);
	return bt_event_class_set_name(added, name) == BT_EVENT_CLASS_SET_NAME_STATUS_OK
		       ? added
		       : mirror_failed(mirror, "event class", name);
}
