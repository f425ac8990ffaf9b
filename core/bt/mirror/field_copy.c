/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/field_copy.h"

#include <string.h>

static bool copy_string(const bt_field *from, bt_field *to)
{
	bt_field_string_clear(to);
	return bt_field_string_append_with_length(to, bt_field_string_get_value(from),
						  bt_field_string_get_length(from)) == BT_FIELD_STRING_APPEND_STATUS_OK;
}

static bool copy_structure(const bt_field *from, bt_field *to)
{
	uint64_t count = bt_field_class_structure_get_member_count(bt_field_borrow_class_const(from));

	for (uint64_t i = 0; i < count; i++) {
		if (!field_copy(bt_field_structure_borrow_member_field_by_index_const(from, i),
				bt_field_structure_borrow_member_field_by_index(to, i))) {
			return false;
		}
	}
	return true;
}

static bool copy_array(const bt_field *from, bt_field *to)
{
	uint64_t length = bt_field_array_get_length(from);

	if (bt_field_class_type_is(bt_field_get_class_type(to), BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY) &&
	    bt_field_array_dynamic_set_length(to, length) != BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK) {
		return false;
	}
	for (uint64_t i = 0; i < length; i++) {
		if (!field_copy(bt_field_array_borrow_element_field_by_index_const(from, i),
				bt_field_array_borrow_element_field_by_index(to, i))) {
			return false;
		}
	}
	return true;
}

static bool copy_option(const bt_field *from, bt_field *to)
{
	const bt_field *content = bt_field_option_borrow_field_const(from);

	bt_field_option_set_has_field(to, content != NULL);
	return !content || field_copy(content, bt_field_option_borrow_field(to));
}

static bool copy_variant(const bt_field *from, bt_field *to)
{
	return bt_field_variant_select_option_by_index(to, bt_field_variant_get_selected_option_index(from)) ==
		       BT_FIELD_VARIANT_SELECT_OPTION_STATUS_OK &&
	       field_copy(bt_field_variant_borrow_selected_option_field_const(from),
			  bt_field_variant_borrow_selected_option_field(to));
}

#ifdef HAVE_BT2_MIP1
static bool copy_blob(const bt_field *from, bt_field *to)
{
	uint64_t length = bt_field_blob_get_length(from);

	if (bt_field_class_type_is(bt_field_get_class_type(to), BT_FIELD_CLASS_TYPE_DYNAMIC_BLOB) &&
	    bt_field_blob_dynamic_set_length(to, length) != BT_FIELD_DYNAMIC_BLOB_SET_LENGTH_STATUS_OK) {
		return false;
	}
	if (length > 0) {
		memcpy(bt_field_blob_get_data(to), bt_field_blob_get_data_const(from), length);
	}
	return true;
}
#endif

static bool copy_compound(const bt_field *from, bt_field *to, bt_field_class_type type)
{
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		return copy_array(from, to);
	}
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION)) {
		return copy_option(from, to);
	}
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
		return copy_variant(from, to);
	}
#ifdef HAVE_BT2_MIP1
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_BLOB)) {
		return copy_blob(from, to);
	}
#endif
	return false;
}

bool field_copy(const bt_field *from, bt_field *to)
{
	bt_field_class_type type = bt_field_get_class_type(from);

	switch (type) {
	case BT_FIELD_CLASS_TYPE_BOOL:
		bt_field_bool_set_value(to, bt_field_bool_get_value(from));
		return true;
	case BT_FIELD_CLASS_TYPE_BIT_ARRAY:
		bt_field_bit_array_set_value_as_integer(to, bt_field_bit_array_get_value_as_integer(from));
		return true;
	case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
		bt_field_integer_unsigned_set_value(to, bt_field_integer_unsigned_get_value(from));
		return true;
	case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
		bt_field_integer_signed_set_value(to, bt_field_integer_signed_get_value(from));
		return true;
	case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
		bt_field_real_single_precision_set_value(to, bt_field_real_single_precision_get_value(from));
		return true;
	case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
		bt_field_real_double_precision_set_value(to, bt_field_real_double_precision_get_value(from));
		return true;
	case BT_FIELD_CLASS_TYPE_STRING:
		return copy_string(from, to);
	case BT_FIELD_CLASS_TYPE_STRUCTURE:
		return copy_structure(from, to);
	default:
		return copy_compound(from, to, type);
	}
}
