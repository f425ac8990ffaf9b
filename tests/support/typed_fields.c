/* SPDX-License-Identifier: MIT */
#include "support/typed_fields.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "ros2bt/bt/own.h"
#include "support/must.h"

/* A payload member. */
struct member {
	const char *name;
	bt_field_class *(*make)(struct typed_fields *fields);
	void (*set)(bt_field *field, bool is_second);
};

/* Scalars */

static bt_field_class *make_unsigned(struct typed_fields *fields)
{
	bt_field_class *made = bt_field_class_integer_unsigned_create(fields->trace_class);

	bt_field_class_integer_set_field_value_range(made, 13);
	bt_field_class_integer_set_preferred_display_base(made,
							  BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL);
#ifdef HAVE_BT2_MIP1
	if (fields->mip_version > 0) {
		bt_field_class_integer_set_field_value_hints(made, BT_FIELD_CLASS_INTEGER_FIELD_VALUE_HINT_SMALL);
	}
#endif
	return made;
}

static void set_unsigned(bt_field *field, bool is_second)
{
	bt_field_integer_unsigned_set_value(field, is_second ? 2 : 1);
}

static bt_field_class *make_signed(struct typed_fields *fields)
{
	bt_field_class *made = bt_field_class_integer_signed_create(fields->trace_class);

	bt_field_class_integer_set_field_value_range(made, 7);
	bt_field_class_integer_set_preferred_display_base(made, BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_OCTAL);
	return made;
}

static void set_signed(bt_field *field, bool is_second)
{
	bt_field_integer_signed_set_value(field, is_second ? -2 : -1);
}

static bt_integer_range_set_unsigned *range_of_unsigned(uint64_t first, uint64_t last)
{
	bt_integer_range_set_unsigned *ranges = bt_integer_range_set_unsigned_create();

	MUST(bt_integer_range_set_unsigned_add_range(ranges, first, last) == 0);
	return ranges;
}

static bt_integer_range_set_signed *range_of_signed(int64_t first, int64_t last)
{
	bt_integer_range_set_signed *ranges = bt_integer_range_set_signed_create();

	MUST(bt_integer_range_set_signed_add_range(ranges, first, last) == 0);
	return ranges;
}

static bt_field_class *make_unsigned_enumeration(struct typed_fields *fields)
{
	bt_field_class *made = bt_field_class_enumeration_unsigned_create(fields->trace_class);
	g_autoptr(bt_integer_range_set_unsigned) few = range_of_unsigned(0, 1);
	g_autoptr(bt_integer_range_set_unsigned) many = range_of_unsigned(2, UINT64_MAX);

	MUST(bt_field_class_enumeration_unsigned_add_mapping(made, "few", few) == 0);
	MUST(bt_field_class_enumeration_unsigned_add_mapping(made, "many", many) == 0);
	return made;
}

static bt_field_class *make_signed_enumeration(struct typed_fields *fields)
{
	bt_field_class *made = bt_field_class_enumeration_signed_create(fields->trace_class);
	g_autoptr(bt_integer_range_set_signed) below = range_of_signed(INT64_MIN, -2);
	g_autoptr(bt_integer_range_set_signed) above = range_of_signed(-1, 7);

	MUST(bt_field_class_enumeration_signed_add_mapping(made, "below", below) == 0);
	MUST(bt_field_class_enumeration_signed_add_mapping(made, "above", above) == 0);
	return made;
}

static bt_field_class *make_bool(struct typed_fields *fields)
{
	return bt_field_class_bool_create(fields->trace_class);
}

static void set_bool(bt_field *field, bool is_second)
{
	bt_field_bool_set_value(field, is_second);
}

static bt_field_class *make_bits(struct typed_fields *fields)
{
	bt_field_class *made = bt_field_class_bit_array_create(fields->trace_class, 5);

#ifdef HAVE_BT2_MIP1
	if (fields->mip_version > 0) {
		g_autoptr(bt_integer_range_set_unsigned) low = range_of_unsigned(0, 1);

		MUST(bt_field_class_bit_array_add_flag(made, "low", low) == 0);
	}
#endif
	return made;
}

static void set_bits(bt_field *field, bool is_second)
{
	bt_field_bit_array_set_value_as_integer(field, is_second ? 0x1f : 0x11);
}

static bt_field_class *make_single(struct typed_fields *fields)
{
	return bt_field_class_real_single_precision_create(fields->trace_class);
}

static void set_single(bt_field *field, bool is_second)
{
	bt_field_real_single_precision_set_value(field, is_second ? 0.5F : -0.0F);
}

static bt_field_class *make_double(struct typed_fields *fields)
{
	return bt_field_class_real_double_precision_create(fields->trace_class);
}

static void set_double(bt_field *field, bool is_second)
{
	bt_field_real_double_precision_set_value(field, is_second ? 1e300 : -1e-300);
}

static bt_field_class *make_string(struct typed_fields *fields)
{
	return bt_field_class_string_create(fields->trace_class);
}

static void set_string(bt_field *field, bool is_second)
{
	MUST(bt_field_string_set_value(field, is_second ? "second" : "") == 0);
}

/* Compounds */

bt_value *typed_fields_create_attributes(void)
{
	bt_value *attributes = bt_value_map_create();

	MUST(bt_value_map_insert_string_entry(attributes, "set", "by the user") == 0);
	return attributes;
}

/* Gives the member to the structure. */
static void append_member(bt_field_class *structure, const char *name, bt_field_class *member)
{
	g_autoptr(bt_value) attributes = typed_fields_create_attributes();
	uint64_t index = bt_field_class_structure_get_member_count(structure);

	MUST(member);
	bt_field_class_set_user_attributes(member, attributes);
	MUST(bt_field_class_structure_append_member(structure, name, member) == 0);
	bt_field_class_structure_member_set_user_attributes(
		bt_field_class_structure_borrow_member_by_index(structure, index), attributes);
	bt_field_class_put_ref(member);
}

/* { key, value: what `make` makes of the key }. Gives the key to the structure. */
static bt_field_class *make_pair(struct typed_fields *fields, bt_field_class *key,
				 bt_field_class *(*make)(struct typed_fields *fields, bt_field_class *key))
{
	bt_field_class *structure = bt_field_class_structure_create(fields->trace_class);

	append_member(structure, "key", key);
	append_member(structure, "value", make(fields, key));
	return structure;
}

static bt_field *key_of(bt_field *pair)
{
	return bt_field_structure_borrow_member_field_by_name(pair, "key");
}

static bt_field *value_of(bt_field *pair)
{
	return bt_field_structure_borrow_member_field_by_name(pair, "value");
}

#ifdef HAVE_BT2_MIP1
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_field_location, bt_field_location_put_ref)

/* Where a key is, by names. */
static bt_field_location *locate(struct typed_fields *fields, enum typed_fields_place place)
{
	static const bt_field_location_scope scopes[] = {
		[IN_MEMBER] = BT_FIELD_LOCATION_SCOPE_EVENT_PAYLOAD,
		[IN_PACKET] = BT_FIELD_LOCATION_SCOPE_PACKET_CONTEXT,
		[IN_COMMON] = BT_FIELD_LOCATION_SCOPE_EVENT_COMMON_CONTEXT,
		[IN_SPECIFIC] = BT_FIELD_LOCATION_SCOPE_EVENT_SPECIFIC_CONTEXT,
	};
	const char *items[] = { fields->member, "key" };
	size_t outer = place == IN_MEMBER ? 0 : 1;

	return bt_field_location_create(fields->trace_class, scopes[place], items + outer, G_N_ELEMENTS(items) - outer);
}
#endif

/* Dynamic arrays */

static bt_field_class *make_array(struct typed_fields *fields, enum typed_fields_place place, bt_field_class *length)
{
	g_autoptr(bt_field_class) element = make_signed(fields);

#ifdef HAVE_BT2_MIP1
	if (fields->mip_version > 0 && !length) {
		return bt_field_class_array_dynamic_without_length_field_location_create(fields->trace_class, element);
	}
	if (fields->mip_version > 0) {
		g_autoptr(bt_field_location) location = locate(fields, place);

		return bt_field_class_array_dynamic_with_length_field_location_create(fields->trace_class, element,
										      location);
	}
#endif
	return bt_field_class_array_dynamic_create(fields->trace_class, element, length);
}

static void set_array(bt_field *field, bool is_second)
{
	if (bt_field_get_class_type(field) != BT_FIELD_CLASS_TYPE_STATIC_ARRAY) {
		MUST(bt_field_array_dynamic_set_length(field, 2) == 0);
	}
	for (uint64_t i = 0; i < 2; i++) {
		set_signed(bt_field_array_borrow_element_field_by_index(field, i), is_second && i == 1);
	}
}

static bt_field_class *make_array_without_length(struct typed_fields *fields)
{
	return make_array(fields, IN_MEMBER, NULL);
}

static bt_field_class *make_array_by_packet(struct typed_fields *fields)
{
	return make_array(fields, IN_PACKET, fields->keys[IN_PACKET]);
}

static bt_field_class *make_array_by_common(struct typed_fields *fields)
{
	return make_array(fields, IN_COMMON, fields->keys[IN_COMMON]);
}

static bt_field_class *make_array_by_specific(struct typed_fields *fields)
{
	return make_array(fields, IN_SPECIFIC, fields->keys[IN_SPECIFIC]);
}

static bt_field_class *make_array_of_key(struct typed_fields *fields, bt_field_class *key)
{
	return make_array(fields, IN_MEMBER, key);
}

static bt_field_class *make_array_by_member(struct typed_fields *fields)
{
	return make_pair(fields, make_unsigned(fields), make_array_of_key);
}

static void set_array_by_member(bt_field *pair, bool is_second)
{
	bt_field_integer_unsigned_set_value(key_of(pair), 2);
	set_array(value_of(pair), is_second);
}

static bt_field_class *make_static_array(struct typed_fields *fields)
{
	g_autoptr(bt_field_class) element = make_signed(fields);

	return bt_field_class_array_static_create(fields->trace_class, element, 2);
}

/* Options */

static bt_field_class *make_option_alone(struct typed_fields *fields)
{
	g_autoptr(bt_field_class) content = make_string(fields);

#ifdef HAVE_BT2_MIP1
	if (fields->mip_version > 0) {
		return bt_field_class_option_without_selector_field_location_create(fields->trace_class, content);
	}
#endif
	return bt_field_class_option_without_selector_create(fields->trace_class, content);
}

static void set_option(bt_field *field, bool is_second)
{
	bt_field_option_set_has_field(field, is_second);
	if (is_second) {
		set_string(bt_field_option_borrow_field(field), true);
	}
}

static bt_field_class *make_option_of_bool(struct typed_fields *fields, bt_field_class *key)
{
	g_autoptr(bt_field_class) content = make_string(fields);

#ifdef HAVE_BT2_MIP1
	if (fields->mip_version > 0) {
		g_autoptr(bt_field_location) location = locate(fields, IN_MEMBER);

		return bt_field_class_option_with_selector_field_location_bool_create(fields->trace_class, content,
										      location);
	}
#endif
	return bt_field_class_option_with_selector_field_bool_create(fields->trace_class, content, key);
}

static bt_field_class *make_reversed_option_of_bool(struct typed_fields *fields, bt_field_class *key)
{
	bt_field_class *made = make_option_of_bool(fields, key);

	bt_field_class_option_with_selector_field_bool_set_selector_is_reversed(made, BT_TRUE);
	return made;
}

static bt_field_class *make_option_by_bool(struct typed_fields *fields)
{
	return make_pair(fields, make_bool(fields), make_reversed_option_of_bool);
}

static void set_option_by_bool(bt_field *pair, bool is_second)
{
	set_bool(key_of(pair), !is_second);
	set_option(value_of(pair), is_second);
}

static bt_field_class *make_option_of_unsigned(struct typed_fields *fields, bt_field_class *key)
{
	g_autoptr(bt_field_class) content = make_string(fields);
	g_autoptr(bt_integer_range_set_unsigned) ranges = range_of_unsigned(2, 3);

#ifdef HAVE_BT2_MIP1
	if (fields->mip_version > 0) {
		g_autoptr(bt_field_location) location = locate(fields, IN_MEMBER);

		return bt_field_class_option_with_selector_field_location_integer_unsigned_create(
			fields->trace_class, content, location, ranges);
	}
#endif
	return bt_field_class_option_with_selector_field_integer_unsigned_create(fields->trace_class, content, key,
										 ranges);
}

static bt_field_class *make_option_by_unsigned(struct typed_fields *fields)
{
	return make_pair(fields, make_unsigned(fields), make_option_of_unsigned);
}

static void set_option_by_unsigned(bt_field *pair, bool is_second)
{
	set_unsigned(key_of(pair), is_second);
	set_option(value_of(pair), is_second);
}

static bt_field_class *make_option_of_signed(struct typed_fields *fields, bt_field_class *key)
{
	g_autoptr(bt_field_class) content = make_string(fields);
	g_autoptr(bt_integer_range_set_signed) ranges = range_of_signed(-3, -2);

#ifdef HAVE_BT2_MIP1
	if (fields->mip_version > 0) {
		g_autoptr(bt_field_location) location = locate(fields, IN_MEMBER);

		return bt_field_class_option_with_selector_field_location_integer_signed_create(
			fields->trace_class, content, location, ranges);
	}
#endif
	return bt_field_class_option_with_selector_field_integer_signed_create(fields->trace_class, content, key,
									       ranges);
}

static bt_field_class *make_option_by_signed(struct typed_fields *fields)
{
	return make_pair(fields, make_signed(fields), make_option_of_signed);
}

static void set_option_by_signed(bt_field *pair, bool is_second)
{
	set_signed(key_of(pair), is_second);
	set_option(value_of(pair), is_second);
}

/* Variants: a number, or a text */

static bt_field_class *make_variant(struct typed_fields *fields, bt_field_class *key)
{
#ifdef HAVE_BT2_MIP1
	if (fields->mip_version > 0 && !key) {
		return bt_field_class_variant_without_selector_field_location_create(fields->trace_class);
	}
	if (fields->mip_version > 0) {
		g_autoptr(bt_field_location) location = locate(fields, IN_MEMBER);

		return bt_field_class_get_type(key) == BT_FIELD_CLASS_TYPE_SIGNED_INTEGER
			       ? bt_field_class_variant_with_selector_field_location_integer_signed_create(
					 fields->trace_class, location)
			       : bt_field_class_variant_with_selector_field_location_integer_unsigned_create(
					 fields->trace_class, location);
	}
#endif
	return bt_field_class_variant_create(fields->trace_class, key);
}

static bt_field_class *make_variant_alone(struct typed_fields *fields)
{
	bt_field_class *made = make_variant(fields, NULL);
	g_autoptr(bt_field_class) one = make_unsigned(fields);
	g_autoptr(bt_field_class) other = make_string(fields);
	g_autoptr(bt_value) attributes = typed_fields_create_attributes();

	MUST(bt_field_class_variant_without_selector_append_option(made, "number", one) == 0);
	MUST(bt_field_class_variant_without_selector_append_option(made, "text", other) == 0);
	bt_field_class_variant_option_set_user_attributes(bt_field_class_variant_borrow_option_by_index(made, 1),
							  attributes);
	return made;
}

static void set_variant(bt_field *field, bool is_second)
{
	MUST(bt_field_variant_select_option_by_index(field, is_second) == 0);
	(is_second ? set_string : set_unsigned)(bt_field_variant_borrow_selected_option_field(field), is_second);
}

static bt_field_class *make_variant_of_unsigned(struct typed_fields *fields, bt_field_class *key)
{
	bt_field_class *made = make_variant(fields, key);
	g_autoptr(bt_field_class) one = make_unsigned(fields);
	g_autoptr(bt_field_class) other = make_string(fields);
	g_autoptr(bt_integer_range_set_unsigned) first = range_of_unsigned(0, 1);
	g_autoptr(bt_integer_range_set_unsigned) second = range_of_unsigned(2, 9);

	MUST(bt_field_class_variant_with_selector_field_integer_unsigned_append_option(made, "number", one, first) ==
	     0);
	MUST(bt_field_class_variant_with_selector_field_integer_unsigned_append_option(made, "text", other, second) ==
	     0);
	return made;
}

static bt_field_class *make_variant_by_unsigned(struct typed_fields *fields)
{
	return make_pair(fields, make_unsigned(fields), make_variant_of_unsigned);
}

static void set_variant_by_unsigned(bt_field *pair, bool is_second)
{
	set_unsigned(key_of(pair), is_second);
	set_variant(value_of(pair), is_second);
}

static bt_field_class *make_variant_of_signed(struct typed_fields *fields, bt_field_class *key)
{
	bt_field_class *made = make_variant(fields, key);
	g_autoptr(bt_field_class) one = make_unsigned(fields);
	g_autoptr(bt_field_class) other = make_string(fields);
	g_autoptr(bt_integer_range_set_signed) first = range_of_signed(-1, 1);
	g_autoptr(bt_integer_range_set_signed) second = range_of_signed(-9, -2);

	MUST(bt_field_class_variant_with_selector_field_integer_signed_append_option(made, "number", one, first) == 0);
	MUST(bt_field_class_variant_with_selector_field_integer_signed_append_option(made, "text", other, second) == 0);
	return made;
}

static bt_field_class *make_variant_by_signed(struct typed_fields *fields)
{
	return make_pair(fields, make_signed(fields), make_variant_of_signed);
}

static void set_variant_by_signed(bt_field *pair, bool is_second)
{
	set_signed(key_of(pair), is_second);
	set_variant(value_of(pair), is_second);
}

/* A reference whose path leads through an array or a variant (with an option on it sink.text.details aborts) */

static bt_field_class *make_array_of_pairs(struct typed_fields *fields)
{
	g_autoptr(bt_field_class) pair = make_array_by_member(fields);

	return bt_field_class_array_static_create(fields->trace_class, pair, 1);
}

static void set_array_of_pairs(bt_field *field, bool is_second)
{
	set_array_by_member(bt_field_array_borrow_element_field_by_index(field, 0), is_second);
}

static bt_field_class *make_variant_with_pair(struct typed_fields *fields)
{
	g_autoptr(bt_field_class) pair = make_array_by_member(fields);
	bt_field_class *made = bt_field_class_variant_create(fields->trace_class, NULL);

	MUST(bt_field_class_variant_without_selector_append_option(made, "pair", pair) == 0);
	return made;
}

static void set_variant_with_pair(bt_field *field, bool is_second)
{
	MUST(bt_field_variant_select_option_by_index(field, 0) == 0);
	set_array_by_member(bt_field_variant_borrow_selected_option_field(field), is_second);
}

#ifdef HAVE_BT2_MIP1
/* Blobs */

static bt_field_class *with_media_type(bt_field_class *blob)
{
	MUST(bt_field_class_blob_set_media_type(blob, "application/x-two-bytes") == 0);
	return blob;
}

static bt_field_class *make_static_blob(struct typed_fields *fields)
{
	return with_media_type(bt_field_class_blob_static_create(fields->trace_class, 2));
}

static bt_field_class *make_blob_without_length(struct typed_fields *fields)
{
	return with_media_type(bt_field_class_blob_dynamic_without_length_field_location_create(fields->trace_class));
}

static bt_field_class *make_blob_by_packet(struct typed_fields *fields)
{
	g_autoptr(bt_field_location) location = locate(fields, IN_PACKET);

	return with_media_type(
		bt_field_class_blob_dynamic_with_length_field_location_create(fields->trace_class, location));
}

static void set_blob(bt_field *field, bool is_second)
{
	if (bt_field_get_class_type(field) != BT_FIELD_CLASS_TYPE_STATIC_BLOB) {
		MUST(bt_field_blob_dynamic_set_length(field, 2) == 0);
	}
	memcpy(bt_field_blob_get_data(field), is_second ? "ab" : "aa", 2);
}
#endif

/* The payload */

/* Of both protocol versions. */
static const struct member members[] = {
	{ "unsigned", make_unsigned, set_unsigned },
	{ "signed", make_signed, set_signed },
	{ "unsigned_enumeration", make_unsigned_enumeration, set_unsigned },
	{ "signed_enumeration", make_signed_enumeration, set_signed },
	{ "bool", make_bool, set_bool },
	{ "bits", make_bits, set_bits },
	{ "single", make_single, set_single },
	{ "double", make_double, set_double },
	{ "string", make_string, set_string },
	{ "static_array", make_static_array, set_array },
	{ "array_without_length", make_array_without_length, set_array },
	{ "array_by_packet", make_array_by_packet, set_array },
	{ "array_by_common", make_array_by_common, set_array },
	{ "array_by_specific", make_array_by_specific, set_array },
	{ "array_by_member", make_array_by_member, set_array_by_member },
	{ "option_alone", make_option_alone, set_option },
	{ "option_by_bool", make_option_by_bool, set_option_by_bool },
	{ "option_by_unsigned", make_option_by_unsigned, set_option_by_unsigned },
	{ "option_by_signed", make_option_by_signed, set_option_by_signed },
	{ "variant_alone", make_variant_alone, set_variant },
	{ "variant_by_unsigned", make_variant_by_unsigned, set_variant_by_unsigned },
	{ "variant_by_signed", make_variant_by_signed, set_variant_by_signed },
};

/* Of version 0, whose references are paths; those of version 1 are names. */
static const struct member members_of_version_0[] = {
	{ "array_of_pairs", make_array_of_pairs, set_array_of_pairs },
	{ "variant_with_pair", make_variant_with_pair, set_variant_with_pair },
};

static const struct member members_of_version_1[] = {
#ifdef HAVE_BT2_MIP1
	{ "static_blob", make_static_blob, set_blob },
	{ "blob_without_length", make_blob_without_length, set_blob },
	{ "blob_by_packet", make_blob_by_packet, set_blob },
#endif
};

size_t typed_fields_count(uint64_t mip_version)
{
	return G_N_ELEMENTS(members) +
	       (mip_version == 0 ? G_N_ELEMENTS(members_of_version_0) : G_N_ELEMENTS(members_of_version_1));
}

static const struct member *member_at(uint64_t mip_version, size_t index)
{
	const struct member *others = mip_version == 0 ? members_of_version_0 : members_of_version_1;

	return index < G_N_ELEMENTS(members) ? &members[index] : &others[index - G_N_ELEMENTS(members)];
}

bt_field_class *typed_fields_make_payload(struct typed_fields *fields)
{
	bt_field_class *payload = bt_field_class_structure_create(fields->trace_class);

	for (size_t i = 0; i < typed_fields_count(fields->mip_version); i++) {
		const struct member *member = member_at(fields->mip_version, i);

		fields->member = member->name;
		append_member(payload, member->name, member->make(fields));
	}
	return payload;
}

/* { key }, the length of arrays in the payload. */
bt_field_class *typed_fields_make_context(struct typed_fields *fields, enum typed_fields_place place)
{
	bt_field_class *context = bt_field_class_structure_create(fields->trace_class);

	fields->keys[place] = make_unsigned(fields);
	append_member(context, "key", fields->keys[place]);
	return context;
}

void typed_fields_set_context(bt_field *context)
{
	bt_field_integer_unsigned_set_value(key_of(context), 2);
}

void typed_fields_set_payload(bt_field *payload, uint64_t mip_version, size_t second_count)
{
	for (size_t i = 0; i < typed_fields_count(mip_version); i++) {
		const struct member *member = member_at(mip_version, i);

		member->set(bt_field_structure_borrow_member_field_by_index(payload, i), i < second_count);
	}
}
