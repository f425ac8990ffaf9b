/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_read.h"

#include "ros2bt/base/unique_ids.h"

bool ctf_header_read_form(const struct ctf_header_plan *plan, struct ctf_cursor *cursor, uint64_t *id, uint64_t *clock)
{
	const struct ctf_header_form *form = NULL;
	uint64_t first, second = 0;

	if (!ctf_cursor_align(cursor, plan->alignment) || !ctf_cursor_read_integer(cursor, plan->tag, id)) {
		return false;
	}
	for (size_t i = 0; i < plan->form_count && !form; i++) {
		form = *id >= plan->forms[i].lower && *id <= plan->forms[i].upper ? &plan->forms[i] : NULL;
	}
	if (!form || !ctf_cursor_align(cursor, form->alignment) ||
	    !ctf_cursor_read_integer(cursor, form->first, &first) ||
	    (form->second && !ctf_cursor_read_integer(cursor, form->second, &second))) {
		return false;
	}
	if (!form->second) {
		*clock = ctf_clock_update(*clock, first, form->first->size);
	} else if (form->is_id_first) {
		*id = first;
		*clock = ctf_clock_update(*clock, second, form->second->size);
	} else {
		*id = second;
		*clock = ctf_clock_update(*clock, first, form->first->size);
	}
	return true;
}

static inline uint64_t load_fixed(const struct ctf_member *member, const uint8_t *scope)
{
	const uint8_t *bytes = scope + member->offset;

	switch (member->bytes) {
	case 8:
		return ctf_load64(bytes, member->is_big_endian);
	case 4: {
		uint32_t value = ctf_load32(bytes, member->is_big_endian);

		return member->is_signed ? (uint64_t)(int64_t)(int32_t)value & member->mask : value;
	}
	case 2: {
		uint16_t value = ctf_load16(bytes, member->is_big_endian);

		return member->is_signed ? (uint64_t)(int64_t)(int16_t)value & member->mask : value;
	}
	default:
		return member->is_signed ? (uint64_t)(int64_t)(int8_t)*bytes & member->mask : *bytes;
	}
}

/* Skips a fixed scope and returns its first byte, or NULL beyond the end. */
static inline const uint8_t *enter_fixed(const struct ctf_scope *scope, struct ctf_cursor *cursor)
{
	const uint8_t *bytes;

	if (!ctf_cursor_align(cursor, scope->alignment)) {
		return NULL;
	}
	bytes = cursor->packet + cursor->at / 8;
	return ctf_cursor_skip(cursor, scope->size) ? bytes : NULL;
}

static inline bool skip_scope(const struct ctf_scope *scope, struct ctf_cursor *cursor)
{
	if (!scope->type) {
		return true;
	}
	return scope->is_fixed ? enter_fixed(scope, cursor) != NULL : ctf_cursor_skip_type(cursor, scope->type);
}

bool ctf_event_skip_scopes(const struct ctf_event_plan *plan, const struct ctf_stream_plan *stream,
			   struct ctf_cursor *cursor)
{
	return skip_scope(&stream->context.scope, cursor) && skip_scope(&plan->context, cursor) &&
	       skip_scope(&plan->payload, cursor);
}

static void set_context(struct recording_context *context, const struct ctf_context_plan *plan, uint64_t vpid,
			uint64_t vtid, uint64_t pid_ns)
{
	*context = (struct recording_context){
		.has_vpid = plan->vpid.load != CTF_LOAD_NONE,
		.has_vtid = plan->vtid.load != CTF_LOAD_NONE,
		.has_pid_ns = plan->pid_ns.load != CTF_LOAD_NONE,
		.vpid = (int32_t)vpid,
		.vtid = (int32_t)vtid,
		.pid_ns = pid_ns,
	};
	if (context->has_pid_ns) {
		context->vpid = unique_id_recorded(context->vpid);
		context->vtid = unique_id_recorded(context->vtid);
	}
}

static bool read_context_by_offset(const struct ctf_context_plan *plan, struct ctf_cursor *cursor,
				   struct recording_context *context, const char **procname, size_t *procname_length)
{
	const uint8_t *bytes = enter_fixed(&plan->scope, cursor);

	if (!bytes) {
		return false;
	}
	set_context(context, plan, plan->vpid.load ? load_fixed(&plan->vpid, bytes) : 0,
		    plan->vtid.load ? load_fixed(&plan->vtid, bytes) : 0,
		    plan->pid_ns.load ? load_fixed(&plan->pid_ns, bytes) : 0);
	if (plan->procname.load) {
		*procname = (const char *)bytes + plan->procname.offset;
		*procname_length = plan->procname.type->length;
	}
	return true;
}

static bool read_context_member(const struct ctf_context_plan *plan, struct ctf_cursor *cursor, guint index,
				uint64_t words[3], const char **procname, size_t *procname_length)
{
	const struct ctf_field *field = ctf_type_field(plan->scope.type, index);
	const struct ctf_member *members[] = { &plan->vpid, &plan->vtid, &plan->pid_ns };

	if (plan->procname.load && plan->procname.index == index) {
		return ctf_cursor_read_text(cursor, field->type, procname, procname_length);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		if (members[i]->load && members[i]->index == index) {
			struct ctf_cursor before = *cursor;

			if (!ctf_cursor_read_integer(&before, field->type, &words[i])) {
				return false;
			}
			words[i] &= members[i]->mask;
		}
	}
	return ctf_cursor_skip_field(cursor, field);
}

bool ctf_context_read(const struct ctf_context_plan *plan, struct ctf_cursor *cursor, struct recording_context *context,
		      const char **procname, size_t *procname_length)
{
	uint64_t words[3] = { 0 };

	*procname = NULL;
	*procname_length = 0;
	if (plan->scope.type && G_LIKELY(plan->is_by_offset)) {
		return read_context_by_offset(plan, cursor, context, procname, procname_length);
	}
	if (plan->scope.type) {
		if (!ctf_cursor_align(cursor, plan->scope.type->alignment)) {
			return false;
		}
		for (guint i = 0; i < plan->scope.type->fields->len; i++) {
			if (!read_context_member(plan, cursor, i, words, procname, procname_length)) {
				return false;
			}
		}
	}
	set_context(context, plan, words[0], words[1], words[2]);
	return true;
}

static bool read_counters_by_offset(const struct ctf_context_plan *plan, struct ctf_cursor *cursor, uint64_t *values)
{
	const uint8_t *bytes = enter_fixed(&plan->scope, cursor);

	for (guint i = 0; bytes && i < plan->counters->len; i++) {
		values[i] = load_fixed(&g_array_index(plan->counters, struct ctf_counter, i).member, bytes);
	}
	return bytes != NULL;
}

bool ctf_context_read_counters(const struct ctf_context_plan *plan, const struct ctf_cursor *cursor, uint64_t *values)
{
	struct ctf_cursor at = *cursor;
	guint next = 0;

	if (G_LIKELY(plan->has_counters_by_offset)) {
		return read_counters_by_offset(plan, &at, values);
	}
	if (!ctf_cursor_align(&at, plan->scope.type->alignment)) {
		return false;
	}
	for (guint i = 0; i < plan->scope.type->fields->len && next < plan->counters->len; i++) {
		const struct ctf_field *field = ctf_type_field(plan->scope.type, i);
		const struct ctf_member *member = &g_array_index(plan->counters, struct ctf_counter, next).member;
		struct ctf_cursor before = at;

		if (member->index == i) {
			if (!ctf_cursor_read_integer(&before, field->type, &values[next])) {
				return false;
			}
			values[next++] &= member->mask;
		}
		if (!ctf_cursor_skip_field(&at, field)) {
			return false;
		}
	}
	return true;
}

static void set_word(struct event_record *record, uint8_t slot, uint64_t word)
{
	record->word[slot] = word;
	record->present |= 1u << slot;
}

static void set_pointer(struct event_record *record, uint8_t slot, const void *pointer)
{
	set_word(record, slot, (uint64_t)(uintptr_t)pointer);
}

static bool read_gid(const struct ctf_member *member, struct ctf_cursor *cursor, struct string_pool *pool,
		     struct event_record *record)
{
	uint8_t copy[GID_SIZE];
	const uint8_t *gid = copy;
	uint64_t count, element;

	if (!ctf_cursor_enter_array(cursor, member->type, &count)) {
		return false;
	}
	if (G_LIKELY(cursor->at % 8 == 0 && member->type->element->alignment <= 8 &&
		     count <= (cursor->end - cursor->at) / 8)) {
		gid = cursor->packet + cursor->at / 8; /* whole bytes, one behind the other */
		cursor->at += 8 * count;
	}
	for (uint64_t i = 0; gid == copy && i < count; i++) {
		if (!ctf_cursor_read_integer(cursor, member->type->element, &element)) {
			return false;
		}
		if (i < GID_SIZE) {
			copy[i] = (uint8_t)element;
		}
	}
	if (count >= GID_SIZE) {
		set_pointer(record, member->slot, string_pool_intern_bytes(pool, gid, GID_SIZE));
	}
	return true;
}

static bool read_addresses(const struct ctf_member *member, struct ctf_cursor *cursor, struct string_pool *pool,
			   GByteArray *scratch, struct event_record *record)
{
	struct address_list head;
	uint64_t element;

	/* Every element takes bits of the packet, so an excessive count ends at the packet's end. */
	if (!ctf_cursor_enter_array(cursor, member->type, &head.count) ||
	    head.count > (cursor->end - cursor->at) / member->type->element->size) {
		return false;
	}
	g_byte_array_set_size(scratch, 0);
	g_byte_array_append(scratch, (const guint8 *)&head, sizeof(head));
	for (uint64_t i = 0; i < head.count; i++) {
		if (!ctf_cursor_read_integer(cursor, member->type->element, &element)) {
			return false;
		}
		element &= member->mask;
		g_byte_array_append(scratch, (const guint8 *)&element, sizeof(element));
	}
	set_pointer(record, member->slot, string_pool_intern_bytes(pool, scratch->data, scratch->len));
	return true;
}

/* Reads a planned member and moves past it, as ctf_cursor_skip_type() does. */
static bool read_member(const struct ctf_member *member, struct ctf_cursor *cursor, struct string_pool *pool,
			GByteArray *scratch, struct event_record *record)
{
	const char *text;
	size_t length;
	uint64_t word;

	switch (member->load) {
	case CTF_LOAD_INTEGER:
		if (!ctf_cursor_read_integer(cursor, member->type, &word)) {
			return false;
		}
		set_word(record, member->slot, word & member->mask);
		return true;
	case CTF_LOAD_TEXT:
		if (!ctf_cursor_read_text(cursor, member->type, &text, &length)) {
			return false;
		}
		set_pointer(record, member->slot, string_pool_intern_bytes(pool, text, length));
		return true;
	case CTF_LOAD_GID:
		return read_gid(member, cursor, pool, record);
	case CTF_LOAD_ADDRESSES:
		return read_addresses(member, cursor, pool, scratch, record);
	case CTF_LOAD_NONE:
		break;
	}
	return false;
}

/* Fields that share a slot must be read in the order of the table; where the payload has another, this begins anew. */
static bool read_payload(const struct ctf_event_plan *plan, struct ctf_cursor *cursor, struct string_pool *pool,
			 GByteArray *scratch, struct event_record *record, uint64_t *init_ticks)
{
	const struct ctf_type *type = plan->payload.type;
	const struct ctf_member *member = plan->members, *end = member + plan->member_count;
	bool is_read = ctf_cursor_align(cursor, type->alignment);
	struct ctf_cursor start = *cursor;

	for (guint i = 0; is_read && (i < type->fields->len || member < end);) {
		struct ctf_cursor at = *cursor;

		if (member < end && member->index < i) {
			*cursor = start;
			i = 0;
		} else if (member < end && member->index == i) {
			is_read = read_member(member++, &at, pool, scratch, record);
			if (ctf_type_field(type, i)->value == CTF_NO_VALUE) { /* else it is skipped, too */
				*cursor = at;
				i++;
			}
		} else {
			is_read = (!plan->has_init_time || plan->init_time.index != i ||
				   ctf_cursor_read_integer(&at, plan->init_time.type, init_ticks)) &&
				  ctf_cursor_skip_field(cursor, ctf_type_field(type, i++));
		}
	}
	return is_read;
}

/* Reads the payload into the words of the record. */
static bool read_words(const struct ctf_event_plan *plan, struct ctf_cursor *cursor, struct string_pool *pool,
		       GByteArray *scratch, struct event_record *record, uint64_t *init_ticks)
{
	const uint8_t *bytes;

	if (!plan->payload.type) {
		return true;
	}
	if (!plan->is_by_offset) {
		return read_payload(plan, cursor, pool, scratch, record, init_ticks);
	}
	bytes = enter_fixed(&plan->payload, cursor);
	if (!bytes) {
		return false;
	}
	for (size_t i = 0; i < plan->member_count; i++) {
		set_word(record, plan->members[i].slot, load_fixed(&plan->members[i], bytes));
	}
	if (plan->has_init_time) {
		*init_ticks = load_fixed(&plan->init_time, bytes);
	}
	return true;
}

bool ctf_event_read(const struct ctf_event_plan *plan, struct ctf_cursor *cursor, struct string_pool *pool,
		    GByteArray *scratch, struct event_record *record, uint64_t *init_ticks)
{
	*init_ticks = 0;
	if (plan->class.text) {
		set_pointer(record, plan->class.text_slot, plan->class.text);
	}
	return skip_scope(&plan->context, cursor) && read_words(plan, cursor, pool, scratch, record, init_ticks);
}

bool ctf_event_read_point(const struct ctf_event_plan *plan, struct ctf_cursor *cursor, struct point_builder *builder,
			  struct event_record *record)
{
	return skip_scope(&plan->context, cursor) && ctf_point_read(plan->point, cursor, builder, record);
}
