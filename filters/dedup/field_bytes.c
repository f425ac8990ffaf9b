/* SPDX-License-Identifier: MIT */
#include "filters/dedup/field_bytes.h"

#include <string.h>

/* The prefix of a value: its type and, if lengths vary, its length. */
enum tag {
	TAG_BOOL,
	TAG_BIT_ARRAY,
	TAG_UNSIGNED,
	TAG_SIGNED,
	TAG_SINGLE,
	TAG_DOUBLE,
	TAG_STRING,
	TAG_STRUCTURE,
	TAG_ARRAY,
	TAG_OPTION,
	TAG_VARIANT,
	TAG_BLOB,
};

static void append_tag(GByteArray *bytes, enum tag tag)
{
	uint8_t byte = (uint8_t)tag;

	g_byte_array_append(bytes, &byte, sizeof(byte));
}

static void append_word(GByteArray *bytes, enum tag tag, uint64_t word)
{
	append_tag(bytes, tag);
	g_byte_array_append(bytes, (const uint8_t *)&word, sizeof(word));
}

static void append_data(GByteArray *bytes, enum tag tag, const void *data, uint64_t length)
{
	append_word(bytes, tag, length);
	g_byte_array_append(bytes, data, (guint)length);
}

static bool append_structure(GByteArray *bytes, const bt_field *field)
{
	const bt_field_class *class = bt_field_borrow_class_const(field);
	uint64_t count = bt_field_class_structure_get_member_count(class);

	append_word(bytes, TAG_STRUCTURE, count);
	for (uint64_t i = 0; i < count; i++) {
		const char *name = bt_field_class_structure_member_get_name(
			bt_field_class_structure_borrow_member_by_index_const(class, i));

		append_data(bytes, TAG_STRING, name, strlen(name));
		if (!field_bytes_append(bytes, bt_field_structure_borrow_member_field_by_index_const(field, i))) {
			return false;
		}
	}
	return true;
}

static bool append_array(GByteArray *bytes, const bt_field *field)
{
	uint64_t length = bt_field_array_get_length(field);

	append_word(bytes, TAG_ARRAY, length);
	for (uint64_t i = 0; i < length; i++) {
		if (!field_bytes_append(bytes, bt_field_array_borrow_element_field_by_index_const(field, i))) {
			return false;
		}
	}
	return true;
}

static bool append_option(GByteArray *bytes, const bt_field *field)
{
	const bt_field *content = bt_field_option_borrow_field_const(field);

	append_word(bytes, TAG_OPTION, content != NULL);
	return !content || field_bytes_append(bytes, content);
}

static bool append_variant(GByteArray *bytes, const bt_field *field)
{
	append_word(bytes, TAG_VARIANT, bt_field_variant_get_selected_option_index(field));
	return field_bytes_append(bytes, bt_field_variant_borrow_selected_option_field_const(field));
}

static void append_single(GByteArray *bytes, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	append_word(bytes, TAG_SINGLE, bits);
}

static void append_double(GByteArray *bytes, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	append_word(bytes, TAG_DOUBLE, bits);
}

bool field_bytes_append(GByteArray *bytes, const bt_field *field)
{
	bt_field_class_type type = bt_field_get_class_type(field);

	if (type == BT_FIELD_CLASS_TYPE_BOOL) {
		append_word(bytes, TAG_BOOL, bt_field_bool_get_value(field) != BT_FALSE);
	} else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY) {
		append_word(bytes, TAG_BIT_ARRAY, bt_field_bit_array_get_value_as_integer(field));
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
		append_word(bytes, TAG_UNSIGNED, bt_field_integer_unsigned_get_value(field));
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
		append_word(bytes, TAG_SIGNED, (uint64_t)bt_field_integer_signed_get_value(field));
	} else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL) {
		append_single(bytes, bt_field_real_single_precision_get_value(field));
	} else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL) {
		append_double(bytes, bt_field_real_double_precision_get_value(field));
	} else if (type == BT_FIELD_CLASS_TYPE_STRING) {
		append_data(bytes, TAG_STRING, bt_field_string_get_value(field), bt_field_string_get_length(field));
	} else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
		return append_structure(bytes, field);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		return append_array(bytes, field);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION)) {
		return append_option(bytes, field);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
		return append_variant(bytes, field);
#ifdef HAVE_BT2_MIP1
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_BLOB)) {
		append_data(bytes, TAG_BLOB, bt_field_blob_get_data_const(field), bt_field_blob_get_length(field));
#endif
	} else {
		return false;
	}
	return true;
}
