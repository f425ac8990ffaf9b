/* SPDX-License-Identifier: MIT */
#include "core/bt/mirror/field_class_copy.h"

#include <glib.h>
#include <stdbool.h>

#include "ros2bt/bt/own.h"
#include "ros2bt/base/u64_map.h"

struct field_class_copier {
	bt_trace_class *to;    /* borrowed */
	struct u64_map copies; /* const bt_field_class * → bt_field_class *, both kept alive by their trace classes */
	uint64_t mip_version;
};

/* The context of a copy: the copier and the scopes that paths start from. */
struct place {
	struct field_class_copier *copier;
	const struct field_scopes *scopes;
};

static bt_field_class *copy(const struct place *place, const bt_field_class *original);

struct field_class_copier *field_class_copier_create(bt_trace_class *to, uint64_t mip_version)
{
	struct field_class_copier *copier = g_new0(struct field_class_copier, 1);

	copier->to = to;
	u64_map_init(&copier->copies);
	copier->mip_version = mip_version;
	return copier;
}

void field_class_copier_destroy(struct field_class_copier *copier)
{
	if (copier) {
		u64_map_clear(&copier->copies);
		g_free(copier);
	}
}

static const bt_field_class *scope_root(const struct field_scopes *scopes, bt_field_path_scope scope)
{
	switch (scope) {
	case BT_FIELD_PATH_SCOPE_PACKET_CONTEXT:
		return scopes->packet_context;
	case BT_FIELD_PATH_SCOPE_EVENT_COMMON_CONTEXT:
		return scopes->event_common_context;
	case BT_FIELD_PATH_SCOPE_EVENT_SPECIFIC_CONTEXT:
		return scopes->event_specific_context;
	case BT_FIELD_PATH_SCOPE_EVENT_PAYLOAD:
		return scopes->event_payload;
	}
	return NULL;
}

static const bt_field_class *path_step(const bt_field_class *from, const bt_field_path_item *item)
{
	bt_field_class_type type = bt_field_class_get_type(from);
	uint64_t index;

	if (bt_field_path_item_get_type(item) != BT_FIELD_PATH_ITEM_TYPE_INDEX) {
		if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
			return bt_field_class_array_borrow_element_field_class_const(from);
		}
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION)
			       ? bt_field_class_option_borrow_field_class_const(from)
			       : NULL;
	}
	index = bt_field_path_item_index_get_index(item);
	if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
		return bt_field_class_structure_member_borrow_field_class_const(
			bt_field_class_structure_borrow_member_by_index_const(from, index));
	}
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
		return bt_field_class_variant_option_borrow_field_class_const(
			bt_field_class_variant_borrow_option_by_index_const(from, index));
	}
	return NULL;
}

/* The copy of the target of an original's path, borrowed; NULL if there is none. */
static bt_field_class *copy_at(const struct place *place, const bt_field_path *path)
{
	const bt_field_class *original = scope_root(place->scopes, bt_field_path_get_root_scope(path));
	uint64_t count = bt_field_path_get_item_count(path);

	for (uint64_t i = 0; i < count && original; i++) {
		original = path_step(original, bt_field_path_borrow_item_by_index_const(path, i));
	}
	return original ? u64_map_get_pointer(&place->copier->copies, (uint64_t)(uintptr_t)original) : NULL;
}

static bt_field_class *copy_integer(const struct place *place, bt_field_class *made, const bt_field_class *original)
{
	if (made) {
		bt_field_class_integer_set_field_value_range(made,
							     bt_field_class_integer_get_field_value_range(original));
		bt_field_class_integer_set_preferred_display_base(
			made, bt_field_class_integer_get_preferred_display_base(original));
#ifdef HAVE_BT2_MIP1
		if (place->copier->mip_version > 0) {
			bt_field_class_integer_set_field_value_hints(
				made, bt_field_class_integer_get_field_value_hints(original));
		}
#endif
	}
	return made;
}

static bt_field_class *copy_unsigned_enumeration(const struct place *place, const bt_field_class *original)
{
	bt_field_class *made =
		copy_integer(place, bt_field_class_enumeration_unsigned_create(place->copier->to), original);
	uint64_t count = bt_field_class_enumeration_get_mapping_count(original);

	for (uint64_t i = 0; i < count && made; i++) {
		const bt_field_class_enumeration_unsigned_mapping *mapping =
			bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(original, i);
		const char *label = bt_field_class_enumeration_mapping_get_label(
			bt_field_class_enumeration_unsigned_mapping_as_mapping_const(mapping));

		if (bt_field_class_enumeration_unsigned_add_mapping(
			    made, label, bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(mapping)) !=
		    BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK) {
			g_clear_pointer(&made, bt_field_class_put_ref);
		}
	}
	return made;
}

static bt_field_class *copy_signed_enumeration(const struct place *place, const bt_field_class *original)
{
	bt_field_class *made =
		copy_integer(place, bt_field_class_enumeration_signed_create(place->copier->to), original);
	uint64_t count = bt_field_class_enumeration_get_mapping_count(original);

	for (uint64_t i = 0; i < count && made; i++) {
		const bt_field_class_enumeration_signed_mapping *mapping =
			bt_field_class_enumeration_signed_borrow_mapping_by_index_const(original, i);
		const char *label = bt_field_class_enumeration_mapping_get_label(
			bt_field_class_enumeration_signed_mapping_as_mapping_const(mapping));

		if (bt_field_class_enumeration_signed_add_mapping(
			    made, label, bt_field_class_enumeration_signed_mapping_borrow_ranges_const(mapping)) !=
		    BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK) {
			g_clear_pointer(&made, bt_field_class_put_ref);
		}
	}
	return made;
}

static bt_field_class *copy_structure(const struct place *place, const bt_field_class *original)
{
	g_autoptr(bt_field_class) made = bt_field_class_structure_create(place->copier->to);
	uint64_t count = bt_field_class_structure_get_member_count(original);

	for (uint64_t i = 0; i < count && made; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(original, i);
		g_autoptr(bt_field_class) content =
			copy(place, bt_field_class_structure_member_borrow_field_class_const(member));

		if (!content || bt_field_class_structure_append_member(
					made, bt_field_class_structure_member_get_name(member), content) !=
					BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK) {
			return NULL;
		}
		bt_field_class_structure_member_set_user_attributes(
			bt_field_class_structure_borrow_member_by_index(made, i),
			bt_field_class_structure_member_borrow_user_attributes_const(member));
	}
	return g_steal_pointer(&made);
}

/*
 * References. Protocol version 0 has field paths and links field classes; version 1 has locations (a scope and names),
 * which are valid in the copy as in the original.
 */
#ifdef HAVE_BT2_MIP1

G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_field_location, bt_field_location_put_ref)

static bt_field_location *copy_location(const struct place *place, const bt_field_location *original)
{
	uint64_t count = bt_field_location_get_item_count(original);
	g_autofree const char **items = g_new(const char *, count);

	for (uint64_t i = 0; i < count; i++) {
		items[i] = bt_field_location_get_item_by_index(original, i);
	}
	return bt_field_location_create(place->copier->to, bt_field_location_get_root_scope(original), items, count);
}

static bt_field_class *located_array(const struct place *place, const bt_field_class *original, bt_field_class *element)
{
	g_autoptr(bt_field_location) length = NULL;

	if (bt_field_class_get_type(original) != BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD) {
		return bt_field_class_array_dynamic_without_length_field_location_create(place->copier->to, element);
	}
	length = copy_location(
		place, bt_field_class_array_dynamic_with_length_field_borrow_length_field_location_const(original));
	return bt_field_class_array_dynamic_with_length_field_location_create(place->copier->to, element, length);
}

static bt_field_class *located_option(const struct place *place, const bt_field_class *original,
				      bt_field_class *content)
{
	bt_trace_class *to = place->copier->to;
	bt_field_class_type type = bt_field_class_get_type(original);
	g_autoptr(bt_field_location) selector = NULL;

	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITHOUT_SELECTOR_FIELD) {
		return bt_field_class_option_without_selector_field_location_create(to, content);
	}
	selector = copy_location(
		place, bt_field_class_option_with_selector_field_borrow_selector_field_location_const(original));
	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITH_BOOL_SELECTOR_FIELD) {
		return bt_field_class_option_with_selector_field_location_bool_create(to, content, selector);
	}
	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD) {
		return bt_field_class_option_with_selector_field_location_integer_unsigned_create(
			to, content, selector,
			bt_field_class_option_with_selector_field_integer_unsigned_borrow_selector_ranges_const(
				original));
	}
	return bt_field_class_option_with_selector_field_location_integer_signed_create(
		to, content, selector,
		bt_field_class_option_with_selector_field_integer_signed_borrow_selector_ranges_const(original));
}

static bt_field_class *located_variant(const struct place *place, const bt_field_class *original)
{
	bt_trace_class *to = place->copier->to;
	bt_field_class_type type = bt_field_class_get_type(original);
	g_autoptr(bt_field_location) selector = NULL;

	if (type == BT_FIELD_CLASS_TYPE_VARIANT_WITHOUT_SELECTOR_FIELD) {
		return bt_field_class_variant_without_selector_field_location_create(to);
	}
	selector = copy_location(
		place, bt_field_class_variant_with_selector_field_borrow_selector_field_location_const(original));
	if (type == BT_FIELD_CLASS_TYPE_VARIANT_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD) {
		return bt_field_class_variant_with_selector_field_location_integer_unsigned_create(to, selector);
	}
	return bt_field_class_variant_with_selector_field_location_integer_signed_create(to, selector);
}

static bt_field_class *copy_blob(const struct place *place, const bt_field_class *original)
{
	bt_trace_class *to = place->copier->to;
	bt_field_class_type type = bt_field_class_get_type(original);
	bt_field_class *made;

	if (type == BT_FIELD_CLASS_TYPE_STATIC_BLOB) {
		made = bt_field_class_blob_static_create(to, bt_field_class_blob_static_get_length(original));
	} else if (type == BT_FIELD_CLASS_TYPE_DYNAMIC_BLOB_WITHOUT_LENGTH_FIELD) {
		made = bt_field_class_blob_dynamic_without_length_field_location_create(to);
	} else {
		g_autoptr(bt_field_location) length = copy_location(
			place,
			bt_field_class_blob_dynamic_with_length_field_borrow_length_field_location_const(original));

		made = bt_field_class_blob_dynamic_with_length_field_location_create(to, length);
	}
	if (made && bt_field_class_blob_set_media_type(made, bt_field_class_blob_get_media_type(original)) !=
			    BT_FIELD_CLASS_BLOB_SET_MEDIA_TYPE_STATUS_OK) {
		g_clear_pointer(&made, bt_field_class_put_ref);
	}
	return made;
}

static bool copy_flags(bt_field_class *made, const bt_field_class *original)
{
	uint64_t count = bt_field_class_bit_array_get_flag_count(original);

	for (uint64_t i = 0; i < count; i++) {
		const bt_field_class_bit_array_flag *flag =
			bt_field_class_bit_array_borrow_flag_by_index_const(original, i);

		if (bt_field_class_bit_array_add_flag(made, bt_field_class_bit_array_flag_get_label(flag),
						      bt_field_class_bit_array_flag_borrow_index_ranges_const(flag)) !=
		    BT_FIELD_CLASS_BIT_ARRAY_ADD_FLAG_STATUS_OK) {
			return false;
		}
	}
	return true;
}

#endif

static bt_field_class *linked_array(const struct place *place, const bt_field_class *original, bt_field_class *element)
{
	bt_field_class *length = NULL;

	if (bt_field_class_get_type(original) == BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD) {
		length = copy_at(
			place, bt_field_class_array_dynamic_with_length_field_borrow_length_field_path_const(original));
	}
	return bt_field_class_array_dynamic_create(place->copier->to, element, length);
}

static bt_field_class *linked_option(const struct place *place, const bt_field_class *original, bt_field_class *content)
{
	bt_trace_class *to = place->copier->to;
	bt_field_class_type type = bt_field_class_get_type(original);
	bt_field_class *selector = NULL;

	if (type != BT_FIELD_CLASS_TYPE_OPTION_WITHOUT_SELECTOR_FIELD) {
		selector = copy_at(
			place, bt_field_class_option_with_selector_field_borrow_selector_field_path_const(original));
	}
	if (!selector) {
		return bt_field_class_option_without_selector_create(to, content);
	}
	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITH_BOOL_SELECTOR_FIELD) {
		return bt_field_class_option_with_selector_field_bool_create(to, content, selector);
	}
	if (type == BT_FIELD_CLASS_TYPE_OPTION_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD) {
		return bt_field_class_option_with_selector_field_integer_unsigned_create(
			to, content, selector,
			bt_field_class_option_with_selector_field_integer_unsigned_borrow_selector_ranges_const(
				original));
	}
	return bt_field_class_option_with_selector_field_integer_signed_create(
		to, content, selector,
		bt_field_class_option_with_selector_field_integer_signed_borrow_selector_ranges_const(original));
}

static bt_field_class *linked_variant(const struct place *place, const bt_field_class *original)
{
	bt_field_class *selector = NULL;

	if (bt_field_class_get_type(original) != BT_FIELD_CLASS_TYPE_VARIANT_WITHOUT_SELECTOR_FIELD) {
		selector = copy_at(
			place, bt_field_class_variant_with_selector_field_borrow_selector_field_path_const(original));
	}
	return bt_field_class_variant_create(place->copier->to, selector);
}

static bt_field_class *make_array(const struct place *place, const bt_field_class *original, bt_field_class *element)
{
#ifdef HAVE_BT2_MIP1
	if (place->copier->mip_version > 0) {
		return located_array(place, original, element);
	}
#endif
	return linked_array(place, original, element);
}

static bt_field_class *make_option(const struct place *place, const bt_field_class *original, bt_field_class *content)
{
#ifdef HAVE_BT2_MIP1
	if (place->copier->mip_version > 0) {
		return located_option(place, original, content);
	}
#endif
	return linked_option(place, original, content);
}

static bt_field_class *make_variant(const struct place *place, const bt_field_class *original)
{
#ifdef HAVE_BT2_MIP1
	if (place->copier->mip_version > 0) {
		return located_variant(place, original);
	}
#endif
	return linked_variant(place, original);
}

static bt_field_class *copy_array(const struct place *place, const bt_field_class *original)
{
	g_autoptr(bt_field_class) element =
		copy(place, bt_field_class_array_borrow_element_field_class_const(original));

	if (!element) {
		return NULL;
	}
	if (bt_field_class_get_type(original) == BT_FIELD_CLASS_TYPE_STATIC_ARRAY) {
		return bt_field_class_array_static_create(place->copier->to, element,
							  bt_field_class_array_static_get_length(original));
	}
	return make_array(place, original, element);
}

static bt_field_class *copy_option(const struct place *place, const bt_field_class *original)
{
	g_autoptr(bt_field_class) content = copy(place, bt_field_class_option_borrow_field_class_const(original));
	bt_field_class *made = content ? make_option(place, original, content) : NULL;

	if (made && bt_field_class_get_type(made) == BT_FIELD_CLASS_TYPE_OPTION_WITH_BOOL_SELECTOR_FIELD) {
		bt_field_class_option_with_selector_field_bool_set_selector_is_reversed(
			made, bt_field_class_option_with_selector_field_bool_selector_is_reversed(original));
	}
	return made;
}

static bool append_variant_option(bt_field_class *made, const bt_field_class *original, uint64_t index,
				  bt_field_class *content)
{
	const char *name = bt_field_class_variant_option_get_name(
		bt_field_class_variant_borrow_option_by_index_const(original, index));
	bt_field_class_type type = bt_field_class_get_type(made);

	if (type == BT_FIELD_CLASS_TYPE_VARIANT_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD) {
		return bt_field_class_variant_with_selector_field_integer_unsigned_append_option(
			       made, name, content,
			       bt_field_class_variant_with_selector_field_integer_unsigned_option_borrow_ranges_const(
				       bt_field_class_variant_with_selector_field_integer_unsigned_borrow_option_by_index_const(
					       original, index))) ==
		       BT_FIELD_CLASS_VARIANT_WITH_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
	}
	if (type == BT_FIELD_CLASS_TYPE_VARIANT_WITH_SIGNED_INTEGER_SELECTOR_FIELD) {
		return bt_field_class_variant_with_selector_field_integer_signed_append_option(
			       made, name, content,
			       bt_field_class_variant_with_selector_field_integer_signed_option_borrow_ranges_const(
				       bt_field_class_variant_with_selector_field_integer_signed_borrow_option_by_index_const(
					       original, index))) ==
		       BT_FIELD_CLASS_VARIANT_WITH_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
	}
	return bt_field_class_variant_without_selector_append_option(made, name, content) ==
	       BT_FIELD_CLASS_VARIANT_WITHOUT_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
}

static bt_field_class *copy_variant(const struct place *place, const bt_field_class *original)
{
	g_autoptr(bt_field_class) made = make_variant(place, original);
	uint64_t count = bt_field_class_variant_get_option_count(original);

	for (uint64_t i = 0; i < count && made; i++) {
		const bt_field_class_variant_option *option =
			bt_field_class_variant_borrow_option_by_index_const(original, i);
		g_autoptr(bt_field_class) content =
			copy(place, bt_field_class_variant_option_borrow_field_class_const(option));

		if (!content || !append_variant_option(made, original, i, content)) {
			return NULL;
		}
		bt_field_class_variant_option_set_user_attributes(
			bt_field_class_variant_borrow_option_by_index(made, i),
			bt_field_class_variant_option_borrow_user_attributes_const(option));
	}
	return g_steal_pointer(&made);
}

static bt_field_class *copy_bit_array(const struct place *place, const bt_field_class *original)
{
	bt_field_class *made =
		bt_field_class_bit_array_create(place->copier->to, bt_field_class_bit_array_get_length(original));

#ifdef HAVE_BT2_MIP1
	if (made && place->copier->mip_version > 0 && !copy_flags(made, original)) {
		g_clear_pointer(&made, bt_field_class_put_ref);
	}
#endif
	return made;
}

static bt_field_class *copy_by_type(const struct place *place, const bt_field_class *original)
{
	bt_trace_class *to = place->copier->to;
	bt_field_class_type type = bt_field_class_get_type(original);

	switch (type) {
	case BT_FIELD_CLASS_TYPE_BOOL:
		return bt_field_class_bool_create(to);
	case BT_FIELD_CLASS_TYPE_BIT_ARRAY:
		return copy_bit_array(place, original);
	case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
		return copy_integer(place, bt_field_class_integer_unsigned_create(to), original);
	case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
		return copy_integer(place, bt_field_class_integer_signed_create(to), original);
	case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
		return copy_unsigned_enumeration(place, original);
	case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
		return copy_signed_enumeration(place, original);
	case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
		return bt_field_class_real_single_precision_create(to);
	case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
		return bt_field_class_real_double_precision_create(to);
	case BT_FIELD_CLASS_TYPE_STRING:
		return bt_field_class_string_create(to);
	case BT_FIELD_CLASS_TYPE_STRUCTURE:
		return copy_structure(place, original);
	default:
		break;
	}
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		return copy_array(place, original);
	}
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION)) {
		return copy_option(place, original);
	}
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
		return copy_variant(place, original);
	}
#ifdef HAVE_BT2_MIP1
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_BLOB)) {
		return copy_blob(place, original);
	}
#endif
	return NULL;
}

static bt_field_class *copy(const struct place *place, const bt_field_class *original)
{
	bt_field_class *made = copy_by_type(place, original);

	if (made) {
		bt_field_class_set_user_attributes(made, bt_field_class_borrow_user_attributes_const(original));
		u64_map_set_pointer(&place->copier->copies, (uint64_t)(uintptr_t)original, made);
	}
	return made;
}

bt_field_class *field_class_copy(struct field_class_copier *copier, const bt_field_class *original,
				 const struct field_scopes *scopes)
{
	const struct place place = { copier, scopes };

	return copy(&place, original);
}
