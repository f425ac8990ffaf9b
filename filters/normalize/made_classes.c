/* SPDX-License-Identifier: MIT */
#include "filters/normalize/made_classes.h"

#include <string.h>

#include "ros2bt/bt/component_log.h"
#include "ros2bt/bt/normalized_class.h"
#include "ros2bt/bt/own.h"
#include "ros2bt/base/u64_map.h"

/* The event classes of supplied events of a stream class; NULL until needed. */
struct supplied_classes {
	const bt_event_class *by_kind[NORMALIZED_HOW_COUNT][EVENT_KIND_COUNT];
};

/* What the events of an original class become. Of one layout, they become events of one kind. */
struct changed_classes {
	bool is_normalized; /* already: they are copied as they are */
	GArray *kept;	    /* uint64_t: indexes of the original's members that follow today's layout */
	const bt_event_class *by_how[NORMALIZED_HOW_COUNT]; /* NULL until needed */
};

struct made_classes {
	bt_self_message_iterator *self;
	struct mirror *mirror;	 /* borrowed; keeps originals and copies */
	struct u64_map supplied; /* maps an original stream class to its struct supplied_classes * */
	struct u64_map changed;	 /* original event class → struct changed_classes * */
};

struct made_classes *made_classes_create(bt_self_message_iterator *self, struct mirror *mirror)
{
	struct made_classes *all = g_new0(struct made_classes, 1);

	all->self = self;
	all->mirror = mirror;
	u64_map_init(&all->supplied);
	u64_map_init(&all->changed);
	return all;
}

static void changed_classes_destroy(struct changed_classes *classes)
{
	g_array_free(classes->kept, TRUE);
	g_free(classes);
}

void made_classes_destroy(struct made_classes *all)
{
	uint64_t key, value;

	if (!all) {
		return;
	}
	for (size_t position = 0; u64_map_next(&all->supplied, &position, &key, &value);) {
		g_free((struct supplied_classes *)(uintptr_t)value);
	}
	for (size_t position = 0; u64_map_next(&all->changed, &position, &key, &value);) {
		changed_classes_destroy((struct changed_classes *)(uintptr_t)value);
	}
	u64_map_clear(&all->supplied);
	u64_map_clear(&all->changed);
	g_free(all);
}

/* Field classes */

static bt_field_class *unsigned_class(bt_trace_class *trace_class, uint64_t bits, bool is_hexadecimal)
{
	bt_field_class *made = bt_field_class_integer_unsigned_create(trace_class);

	if (made) {
		bt_field_class_integer_set_field_value_range(made, bits);
		if (is_hexadecimal) {
			bt_field_class_integer_set_preferred_display_base(
				made, BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL);
		}
	}
	return made;
}

static bt_field_class *signed_class(bt_trace_class *trace_class, uint64_t bits)
{
	bt_field_class *made = bt_field_class_integer_signed_create(trace_class);

	if (made) {
		bt_field_class_integer_set_field_value_range(made, bits);
	}
	return made;
}

static bt_field_class *array_class(bt_trace_class *trace_class, bt_field_class *element, uint64_t length)
{
	bt_field_class *made = NULL;

	if (element) {
		made = length ? bt_field_class_array_static_create(trace_class, element, length)
			      : bt_field_class_array_dynamic_create(trace_class, element, NULL);
	}
	bt_field_class_put_ref(element);
	return made;
}

static bt_field_class *class_of_type(bt_trace_class *trace_class, enum field_type type)
{
	switch (type) {
	case FIELD_TYPE_ADDRESS:
		return unsigned_class(trace_class, 64, true);
	case FIELD_TYPE_U64:
		return unsigned_class(trace_class, 64, false);
	case FIELD_TYPE_I64:
		return signed_class(trace_class, 64);
	case FIELD_TYPE_I32:
		return signed_class(trace_class, 32);
	case FIELD_TYPE_STRING:
	case FIELD_TYPE_NAME:
		return bt_field_class_string_create(trace_class);
	case FIELD_TYPE_GID:
		return array_class(trace_class, unsigned_class(trace_class, 8, false), GID_SIZE);
	case FIELD_TYPE_ADDRESSES:
		return array_class(trace_class, unsigned_class(trace_class, 64, true), 0);
	}
	return NULL;
}

static bool append_member(bt_field_class *structure, const char *name, bt_field_class *member)
{
	bool is_done = structure && member &&
		       bt_field_class_structure_append_member(structure, name, member) ==
			       BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;

	bt_field_class_put_ref(member);
	return is_done;
}

bool made_class_has_field(const struct event_field *field)
{
	return field->slot != SKIP && event_field_in_release(field, RELEASE_NEWEST);
}

static bool has_in_layout(const struct event_schema *schema, const char *name)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		if (made_class_has_field(&schema->fields[i]) && strcmp(schema->fields[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

static bool is_version(enum event_kind kind, const char *name)
{
	return kind == EVENT_RCL_INIT && strcmp(name, "version") == 0;
}

/* What a reader needs to undo the change, as it was recorded. */
static bool append_kept(struct made_classes *all, bt_field_class *payload, const struct event_schema *schema,
			const bt_event_class *original, const GArray *kept)
{
	const bt_field_class *from = bt_event_class_borrow_payload_field_class_const(original);
	const bt_trace_class *trace_class =
		bt_stream_class_borrow_trace_class_const(bt_event_class_borrow_stream_class_const(original));

	for (guint i = 0; i < kept->len; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(from, g_array_index(kept, uint64_t, i));
		const char *name = bt_field_class_structure_member_get_name(member);

		if (!append_member(
			    payload, is_version(schema->kind, name) ? NORMALIZED_RECORDED_VERSION : name,
			    mirror_field_class(all->mirror, trace_class,
					       bt_field_class_structure_member_borrow_field_class_const(member)))) {
			return false;
		}
	}
	return true;
}

/* `original` and `kept` are NULL for a supplied event. */
static bool set_payload_class(struct made_classes *all, bt_event_class *event_class, bt_trace_class *trace_class,
			      const struct event_schema *schema, const bt_event_class *original, const GArray *kept)
{
	g_autoptr(bt_field_class) payload = bt_field_class_structure_create(trace_class);

	for (size_t i = 0; i < schema->field_count; i++) {
		const struct event_field *field = &schema->fields[i];

		if (made_class_has_field(field) &&
		    !append_member(payload, field->name, class_of_type(trace_class, field->type))) {
			return false;
		}
	}
	return payload && (!kept || append_kept(all, payload, schema, original, kept)) &&
	       bt_event_class_set_payload_field_class(event_class, payload) == BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
}

/* An enumeration with this label alone: all events of its class have it. */
static bt_field_class *label_class(bt_trace_class *trace_class, const char *label, uint64_t value)
{
	g_autoptr(bt_integer_range_set_unsigned) ranges = bt_integer_range_set_unsigned_create();
	g_autoptr(bt_field_class) made = bt_field_class_enumeration_unsigned_create(trace_class);

	if (!ranges || !made) {
		return NULL;
	}
	bt_field_class_integer_set_field_value_range(made, 8);
	return bt_integer_range_set_unsigned_add_range(ranges, value, value) ==
				       BT_INTEGER_RANGE_SET_ADD_RANGE_STATUS_OK &&
			       bt_field_class_enumeration_unsigned_add_mapping(made, label, ranges) ==
				       BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK
		       ? g_steal_pointer(&made)
		       : NULL;
}

/* Whether a context has no room for a mark: somebody else's members have its names. */
static bool is_crowded(const bt_field_class *context)
{
	return bt_field_class_structure_borrow_member_by_name_const(context, NORMALIZED_MARK) ||
	       bt_field_class_structure_borrow_member_by_name_const(context, NORMALIZED_RECORDED_AS);
}

/* What a changed event keeps of the original's specific context; NULL: nothing. */
static const bt_field_class *kept_context(const bt_event_class *original)
{
	const bt_field_class *context =
		original ? bt_event_class_borrow_specific_context_field_class_const(original) : NULL;

	return context && !is_crowded(context) ? context : NULL;
}

/* `original` is NULL for a supplied event. */
static bool set_context_class(struct made_classes *all, bt_event_class *event_class, bt_trace_class *trace_class,
			      enum normalized_how how, const bt_event_class *original)
{
	const bt_field_class *kept = kept_context(original);
	g_autoptr(bt_field_class) context = NULL;

	if (kept) {
		context = mirror_field_class(
			all->mirror,
			bt_stream_class_borrow_trace_class_const(bt_event_class_borrow_stream_class_const(original)),
			kept);
	} else {
		context = bt_field_class_structure_create(trace_class);
	}
	return append_member(context, NORMALIZED_MARK, label_class(trace_class, normalized_how_label(how), how)) &&
	       (!original || append_member(context, NORMALIZED_RECORDED_AS,
					   label_class(trace_class, bt_event_class_get_name(original), 0))) &&
	       bt_event_class_set_specific_context_field_class(event_class, context) ==
		       BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
}

/* Event classes */

static const bt_event_class *make_class(struct made_classes *all, const struct normalized_event *normalized,
					const bt_stream_class *original_stream_class, const bt_event_class *original,
					const GArray *kept)
{
	const struct event_schema *schema = event_schema_of(normalized->record.kind);
	g_autofree char *name = g_strdup_printf("%s:%s", event_provider_name(EVENT_PROVIDER_ROS2), schema->name);
	bt_trace_class *trace_class =
		mirror_trace_class(all->mirror, bt_stream_class_borrow_trace_class_const(original_stream_class));
	bt_event_class *made = trace_class ? mirror_add_event_class(all->mirror, original_stream_class, name) : NULL;

	if (!made || !set_context_class(all, made, trace_class, normalized->how, original) ||
	    !set_payload_class(all, made, trace_class, schema, original, kept)) {
		iterator_error(all->self, "cannot make the event class %s: out of memory", name);
		return NULL;
	}
	return made;
}

static const bt_event_class *supplied_class(struct made_classes *all, const struct normalized_event *normalized,
					    const bt_stream_class *stream_class)
{
	struct supplied_classes *classes = u64_map_get_pointer(&all->supplied, (uintptr_t)stream_class);
	const bt_event_class **supplied;

	if (!classes) {
		classes = g_new0(struct supplied_classes, 1);
		u64_map_set_pointer(&all->supplied, (uintptr_t)stream_class, classes);
	}
	supplied = &classes->by_kind[normalized->how][normalized->record.kind];
	if (!*supplied) {
		*supplied = make_class(all, normalized, stream_class, NULL, NULL);
	}
	return *supplied;
}

static GArray *find_kept(const bt_event_class *original, enum event_kind kind)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(original);
	uint64_t count = payload ? bt_field_class_structure_get_member_count(payload) : 0;
	GArray *kept = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	for (uint64_t i = 0; i < count; i++) {
		const char *name = bt_field_class_structure_member_get_name(
			bt_field_class_structure_borrow_member_by_index_const(payload, i));

		if (is_version(kind, name) || !has_in_layout(event_schema_of(kind), name)) {
			g_array_append_val(kept, i);
		}
	}
	return kept;
}

static struct changed_classes *changed_classes(struct made_classes *all, const struct normalized_event *normalized,
					       const bt_event_class *original)
{
	struct changed_classes *classes = u64_map_get_pointer(&all->changed, (uintptr_t)original);

	if (!classes) {
		/* the mirror keeps the originals of its copies, so that this one's address stays its own */
		if (!mirror_event_class(all->mirror, original)) {
			return NULL;
		}
		classes = g_new0(struct changed_classes, 1);
		classes->is_normalized = normalized_class_mark(original).how != NORMALIZED_KEPT;
		classes->kept = find_kept(original, normalized->record.kind);
		u64_map_set_pointer(&all->changed, (uintptr_t)original, classes);
	}
	return classes;
}

static const bt_event_class *changed_class(struct made_classes *all, struct changed_classes *classes,
					   const struct normalized_event *normalized, const bt_event_class *original)
{
	const bt_event_class **made = &classes->by_how[normalized->how];

	if (!*made) {
		*made = make_class(all, normalized, bt_event_class_borrow_stream_class_const(original), original,
				   classes->kept);
	}
	return *made;
}

bool made_classes_find(struct made_classes *all, const struct normalized_event *normalized,
		       const bt_event_class *original, struct made_class *found)
{
	struct changed_classes *changed;

	*found = (struct made_class){ .is_normalized = false };
	if (normalized_is_supplied(normalized->how)) {
		found->event_class =
			supplied_class(all, normalized, bt_event_class_borrow_stream_class_const(original));
		return found->event_class != NULL;
	}
	changed = changed_classes(all, normalized, original);
	if (!changed) {
		return false;
	}
	found->is_normalized = changed->is_normalized;
	found->kept = changed->kept;
	if (!changed->is_normalized) {
		found->event_class = changed_class(all, changed, normalized, original);
	}
	return changed->is_normalized || found->event_class;
}
