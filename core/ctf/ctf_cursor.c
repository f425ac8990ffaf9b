/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_cursor.h"

/* Little endian: the first bit of a field is the lowest of the first byte. */
static G_GNUC_NO_INLINE uint64_t read_bits_le(const uint8_t *bytes, uint64_t at, uint32_t size)
{
	uint64_t value = 0;

	for (uint32_t done = 0; done < size;) {
		uint32_t shift = (uint32_t)((at + done) % 8);
		uint32_t count = MIN(8 - shift, size - done);
		uint64_t part = (bytes[(at + done) / 8] >> shift) & ((1u << count) - 1);

		value |= part << done;
		done += count;
	}
	return value;
}

/* Big endian: the first bit of a field is the highest of the first byte. */
static G_GNUC_NO_INLINE uint64_t read_bits_be(const uint8_t *bytes, uint64_t at, uint32_t size)
{
	uint64_t value = 0;

	for (uint32_t done = 0; done < size;) {
		uint32_t used = (uint32_t)((at + done) % 8);
		uint32_t count = MIN(8 - used, size - done);
		uint64_t part = (bytes[(at + done) / 8] >> (8 - used - count)) & ((1u << count) - 1);

		value = value << count | part;
		done += count;
	}
	return value;
}

uint64_t ctf_read_unsigned(const uint8_t *packet, uint64_t at, const struct ctf_type *type)
{
	if (at % 8 == 0) {
		const uint8_t *bytes = packet + at / 8;

		switch (type->size) {
		case 8:
			return *bytes;
		case 16:
			return ctf_load16(bytes, type->is_big_endian);
		case 32:
			return ctf_load32(bytes, type->is_big_endian);
		case 64:
			return ctf_load64(bytes, type->is_big_endian);
		default:
			break;
		}
	}
	return type->is_big_endian ? read_bits_be(packet, at, type->size) : read_bits_le(packet, at, type->size);
}

bool ctf_cursor_read_integer(struct ctf_cursor *cursor, const struct ctf_type *type, uint64_t *value)
{
	if (!ctf_cursor_align(cursor, type->alignment) || type->size > cursor->end - cursor->at) {
		return false;
	}
	*value = ctf_read_unsigned(cursor->packet, cursor->at, type);
	if (type->is_signed) {
		*value = (uint64_t)((int64_t)(*value << (64 - type->size)) >> (64 - type->size));
	}
	cursor->at += type->size;
	return true;
}

bool ctf_cursor_read_real(struct ctf_cursor *cursor, const struct ctf_type *type, double *value)
{
	uint64_t bits;
	uint32_t short_bits;
	float short_value;

	if (!ctf_cursor_align(cursor, type->alignment) || type->size > cursor->end - cursor->at) {
		return false;
	}
	bits = ctf_read_unsigned(cursor->packet, cursor->at, type);
	cursor->at += type->size;
	if (type->size == 64) {
		memcpy(value, &bits, sizeof(*value));
		return true;
	}
	short_bits = (uint32_t)bits;
	memcpy(&short_value, &short_bits, sizeof(short_value));
	*value = (double)short_value;
	return true;
}

const struct ctf_field *ctf_variant_option(const struct ctf_type *variant, uint64_t tag)
{
	const struct ctf_type *enumeration = variant->tag;

	for (guint i = 0; i < enumeration->labels->len; i++) {
		const struct ctf_label *label = &g_array_index(enumeration->labels, struct ctf_label, i);
		bool fits = enumeration->is_signed
				    ? (int64_t)tag >= (int64_t)label->lower && (int64_t)tag <= (int64_t)label->upper
				    : tag >= label->lower && tag <= label->upper;

		for (guint j = 0; fits && j < variant->fields->len; j++) {
			const struct ctf_field *option = &g_array_index(variant->fields, struct ctf_field, j);

			if (strcmp(option->declared_name, label->name) == 0) {
				return option;
			}
		}
	}
	return NULL;
}

bool ctf_cursor_enter_array(struct ctf_cursor *cursor, const struct ctf_type *type, uint64_t *count)
{
	*count = type->kind == CTF_ARRAY ? type->length : cursor->values[type->depends_on];
	return ctf_cursor_align(cursor, type->alignment);
}

static bool skip_elements(struct ctf_cursor *cursor, const struct ctf_type *type)
{
	const struct ctf_type *element = type->element;
	uint64_t count, bits;

	if (!ctf_cursor_enter_array(cursor, type, &count)) {
		return false;
	}
	if (element->kind != CTF_STRING && element->size % element->alignment == 0) {
		return !__builtin_mul_overflow(count, element->size, &bits) && ctf_cursor_skip(cursor, bits);
	}
	for (; count > 0; count--) {
		if (!ctf_cursor_skip_type(cursor, element)) {
			return false;
		}
	}
	return true;
}

static bool skip_variant(struct ctf_cursor *cursor, const struct ctf_type *type)
{
	const struct ctf_field *option = ctf_variant_option(type, cursor->values[type->depends_on]);

	return option && ctf_cursor_skip_type(cursor, option->type);
}

static bool skip_structure(struct ctf_cursor *cursor, const struct ctf_type *type)
{
	if (!ctf_cursor_align(cursor, type->alignment)) {
		return false;
	}
	for (guint i = 0; i < type->fields->len; i++) {
		if (!ctf_cursor_skip_field(cursor, ctf_type_field(type, i))) {
			return false;
		}
	}
	return true;
}

bool ctf_cursor_skip_field(struct ctf_cursor *cursor, const struct ctf_field *field)
{
	return field->value == CTF_NO_VALUE
		       ? ctf_cursor_skip_type(cursor, field->type)
		       : ctf_cursor_read_integer(cursor, field->type, &cursor->values[field->value]);
}

bool ctf_cursor_skip_type(struct ctf_cursor *cursor, const struct ctf_type *type)
{
	const char *text;
	size_t length;

	switch (type->kind) {
	case CTF_INTEGER:
	case CTF_FLOAT:
		return ctf_cursor_align(cursor, type->alignment) && ctf_cursor_skip(cursor, type->size);
	case CTF_STRING:
		return ctf_cursor_read_text(cursor, type, &text, &length);
	case CTF_STRUCTURE:
		return skip_structure(cursor, type);
	case CTF_VARIANT:
		return skip_variant(cursor, type);
	case CTF_ARRAY:
	case CTF_SEQUENCE:
		return skip_elements(cursor, type);
	}
	return false;
}

static bool read_string(struct ctf_cursor *cursor, const char **text, size_t *length)
{
	const uint8_t *start, *end;

	if (!ctf_cursor_align(cursor, 8)) {
		return false;
	}
	start = cursor->packet + cursor->at / 8;
	end = memchr(start, '\0', (cursor->end - cursor->at) / 8);
	if (!end) {
		return false;
	}
	*text = (const char *)start;
	*length = (size_t)(end - start);
	return ctf_cursor_skip(cursor, 8 * (*length + 1));
}

bool ctf_cursor_read_text(struct ctf_cursor *cursor, const struct ctf_type *type, const char **text, size_t *length)
{
	uint64_t count;

	if (type->kind == CTF_STRING) {
		return read_string(cursor, text, length);
	}
	if (!ctf_cursor_enter_array(cursor, type, &count) || count > (cursor->end - cursor->at) / 8) {
		return false;
	}
	*text = (const char *)cursor->packet + cursor->at / 8;
	*length = strnlen(*text, count);
	return ctf_cursor_skip(cursor, 8 * count);
}
