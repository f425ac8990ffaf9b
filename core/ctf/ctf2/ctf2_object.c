/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf2/ctf2_object.h"

#include <stdarg.h>
#include <string.h>

#include "core/ctf/refusal.h"

bool ctf2_refuse(struct ctf2_reader *reader, const struct json_value *value, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	refusal_keep(&reader->reason, "line", value->line, format, arguments);
	va_end(arguments);
	return false;
}

/* What every object may have. */
static bool take_common(struct ctf2_reader *reader, const struct json_value *member)
{
	if (strcmp(member->key, "type") == 0) {
		return true;
	}
	if (strcmp(member->key, "attributes") == 0) {
		return member->kind == JSON_KIND_OBJECT || ctf2_refuse(reader, member, "`attributes` is no object");
	}
	if (strcmp(member->key, "extensions") == 0) {
		return (member->kind == JSON_KIND_OBJECT && !member->first) ||
		       ctf2_refuse(reader, member, "the metadata needs an extension of CTF 2");
	}
	return ctf2_refuse(reader, member, "unknown property `%s`", member->key);
}

static size_t find_property(const struct ctf2_property *properties, size_t count, const char *name)
{
	size_t i = 0;

	while (i < count && (properties[i].name[0] != name[0] || strcmp(properties[i].name, name) != 0)) {
		i++;
	}
	return i;
}

bool ctf2_take(struct ctf2_reader *reader, const struct json_value *object, const struct ctf2_property *properties,
	       size_t count, const struct json_value *found[CTF2_PROPERTIES_MAX])
{
	g_assert(count <= CTF2_PROPERTIES_MAX);
	for (size_t i = 0; i < CTF2_PROPERTIES_MAX; i++) {
		found[i] = NULL;
	}
	if (object->kind != JSON_KIND_OBJECT) {
		return ctf2_refuse(reader, object, "no object where one should be");
	}
	for (const struct json_value *member = object->first; member; member = member->next) {
		size_t i = find_property(properties, count, member->key);

		if (i == count) {
			if (!take_common(reader, member)) {
				return false;
			}
		} else if (member->kind != properties[i].kind) {
			return ctf2_refuse(reader, member, "the value of `%s` is of the wrong kind", member->key);
		} else {
			found[i] = member;
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (properties[i].is_required && !found[i]) {
			return ctf2_refuse(reader, object, "property `%s` is missing", properties[i].name);
		}
	}
	return true;
}

const char *ctf2_type_of(struct ctf2_reader *reader, const struct json_value *object)
{
	const struct json_value *member = object->kind == JSON_KIND_OBJECT ? object->first : NULL;

	while (member && strcmp(member->key, "type") != 0) {
		member = member->next;
	}
	if (!member || member->kind != JSON_KIND_TEXT) {
		ctf2_refuse(reader, object, "no object with a `type` where one should be");
		return NULL;
	}
	return member->text;
}

bool ctf2_unsigned(struct ctf2_reader *reader, const struct json_value *value, uint64_t min, uint64_t max,
		   uint64_t *result)
{
	if (value->kind != JSON_KIND_INTEGER || value->is_negative || value->integer < min || value->integer > max) {
		return ctf2_refuse(reader, value, "not an integer from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
				   min, max);
	}
	*result = value->integer;
	return true;
}

bool ctf2_uuid_bytes(struct ctf2_reader *reader, const struct json_value *value, uint8_t uuid[16])
{
	const struct json_value *member = value->first;

	for (int i = 0; i < 16; i++) {
		uint64_t byte = 0;

		if (!member) {
			return ctf2_refuse(reader, value, "a UUID has 16 bytes");
		}
		if (!ctf2_unsigned(reader, member, 0, UINT8_MAX, &byte)) {
			return false;
		}
		uuid[i] = (uint8_t)byte;
		member = member->next;
	}
	return !member || ctf2_refuse(reader, value, "a UUID has 16 bytes");
}
