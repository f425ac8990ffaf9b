/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_plan.h"

#include <stdarg.h>

#include "core/base/unique_ids.h"
#include "core/events/normalized_mark.h"

#define ARRAY_BITS_MAX (UINT64_C(1) << 32)

static bool refuse(char **reason, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool refuse(char **reason, const char *format, ...)
{
	va_list arguments;

	if (!*reason) {
		va_start(arguments, format);
		*reason = g_strdup_vprintf(format, arguments);
		va_end(arguments);
	}
	return false;
}

static const struct ctf_field *field_at(const struct ctf_type *type, guint index)
{
	return &g_array_index(type->fields, struct ctf_field, index);
}

/* Whether a type has the same size at every aligned position, in whole bytes. */
static bool fixed_size(const struct ctf_type *type, uint64_t *bits);

static bool fixed_array_size(const struct ctf_type *type, uint64_t *bits)
{
	const struct ctf_type *element = type->element;

	return element->kind != CTF_STRING && element->alignment % 8 == 0 && element->size % element->alignment == 0 &&
	       !__builtin_mul_overflow(type->length, element->size, bits) && *bits <= ARRAY_BITS_MAX;
}

static uint64_t align_up(uint64_t bits, uint32_t alignment)
{
	return (bits + alignment - 1) & ~(uint64_t)(alignment - 1);
}

static bool fixed_structure_size(const struct ctf_type *type, uint64_t *bits)
{
	uint64_t at = 0, size;

	for (guint i = 0; i < type->fields->len; i++) {
		const struct ctf_field *field = field_at(type, i);

		if (field->value != CTF_NO_VALUE || !fixed_size(field->type, &size)) {
			return false;
		}
		at = align_up(at, field->type->alignment) + size;
		if (at > ARRAY_BITS_MAX) {
			return false;
		}
	}
	*bits = at;
	return true;
}

static bool fixed_size(const struct ctf_type *type, uint64_t *bits)
{
	switch (type->kind) {
	case CTF_INTEGER:
	case CTF_FLOAT:
		*bits = type->size;
		return type->size % 8 == 0 && type->alignment % 8 == 0;
	case CTF_ARRAY:
		return fixed_array_size(type, bits);
	case CTF_STRUCTURE:
		return fixed_structure_size(type, bits);
	default:
		return false;
	}
}

static struct ctf_scope plan_scope(const struct ctf_type *type)
{
	struct ctf_scope scope = { .type = type, .is_fixed = true, .alignment = 1 };

	if (type) {
		scope.is_fixed = fixed_size(type, &scope.size);
		scope.alignment = type->alignment;
	}
	return scope;
}

static uint64_t all_bits(const struct ctf_type *type)
{
	return UINT64_MAX >> (64 - type->size);
}

static void plan_integer(struct ctf_member *member, enum field_type type)
{
	const struct ctf_type *integer = member->type;

	if (integer->kind != CTF_INTEGER) {
		return;
	}
	member->load = CTF_LOAD_INTEGER;
	member->mask = type == FIELD_TYPE_ADDRESS || type == FIELD_TYPE_U64 ? all_bits(integer) : UINT64_MAX;
	member->is_fixed_integer = integer->alignment % 8 == 0 && (integer->size == 8 || integer->size == 16 ||
								   integer->size == 32 || integer->size == 64);
	member->bytes = (uint8_t)(integer->size / 8);
	member->is_signed = integer->is_signed;
	member->is_big_endian = integer->is_big_endian;
}

static void plan_array(struct ctf_member *member, enum field_type type)
{
	const struct ctf_type *array = member->type;

	if ((array->kind != CTF_ARRAY && array->kind != CTF_SEQUENCE) || ctf_type_is_text(array) ||
	    array->element->kind != CTF_INTEGER) {
		return;
	}
	member->mask = all_bits(array->element);
	if (type == FIELD_TYPE_ADDRESSES) {
		member->load = CTF_LOAD_ADDRESSES;
	} else if (array->element->size == 8 && (array->kind != CTF_ARRAY || array->length >= GID_SIZE)) {
		member->load = CTF_LOAD_GID;
	}
}

/* Whether a member can be read by a copy, and if so that copy. */
static bool plan_copy(struct ctf_copy *copy, const struct ctf_member *member)
{
	bool is_extended = member->is_signed && member->mask == UINT64_MAX;

	/* The sign extension of an address is removed again, so it does not count as signed. */
	if (!member->is_fixed_integer || (member->is_big_endian && member->bytes > 1) || member->offset > UINT32_MAX ||
	    (member->is_signed && !is_extended && member->mask != all_bits(member->type))) {
		return false;
	}
	*copy = (struct ctf_copy){
		.offset = (uint32_t)member->offset,
		.slot = member->slot,
		.mask = UINT64_MAX >> (64 - 8 * member->bytes),
		.sign = is_extended ? UINT64_C(1) << (8 * member->bytes - 1) : 0,
	};
	return true;
}

/* The plan for a member of a scope; CTF_LOAD_NONE if it is not there or not of a type that goes with `type`. */
static struct ctf_member plan_member(const struct ctf_scope *scope, const char *name, enum field_type type)
{
	struct ctf_member member = { .load = CTF_LOAD_NONE };
	const struct ctf_field *field = ctf_type_find_field(scope->type, name);
	uint64_t at = 0, size = 0;

	if (!field) {
		return member;
	}
	member.type = field->type;
	member.index = (uint32_t)(field - field_at(scope->type, 0));
	for (guint i = 0; scope->is_fixed && i < member.index; i++) {
		fixed_size(field_at(scope->type, i)->type, &size);
		at = align_up(at, field_at(scope->type, i)->type->alignment) + size;
	}
	member.offset = align_up(at, field->type->alignment) / 8;
	if (type == FIELD_TYPE_GID || type == FIELD_TYPE_ADDRESSES) {
		plan_array(&member, type);
	} else if (type != FIELD_TYPE_STRING) {
		plan_integer(&member, type);
	} else if (field->type->kind == CTF_STRING || ctf_type_is_text(field->type)) {
		member.load = CTF_LOAD_TEXT;
	}
	return member;
}

static char *explain_mismatch(const struct event_schema *schema, const struct ctf_type *payload, const bool *has)
{
	bool is_named[EVENT_FIELDS_MAX] = { false };

	for (size_t i = 0; i < schema->field_count; i++) {
		is_named[i] = ctf_type_find_field(payload, schema->fields[i].name) != NULL;
	}
	return event_schema_explain_mismatch(schema, has, is_named);
}

static void plan_payload(struct ctf_event_plan *plan, const struct event_schema *schema, enum event_provider provider,
			 const struct normalized_mark *mark)
{
	bool has[EVENT_FIELDS_MAX] = { false };

	plan->is_by_offset = plan->payload.is_fixed;
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct event_field *field = &schema->fields[i];
		const char *name = normalized_mark_member(mark, schema->kind, field);
		struct ctf_member member = { .load = CTF_LOAD_NONE };

		if (name) {
			member = plan_member(&plan->payload, name, field->type);
		}
		has[i] = member.load != CTF_LOAD_NONE;
		if (has[i] && field->slot != SKIP) {
			member.slot = field->slot;
			plan->members[plan->member_count++] = member;
			plan->is_by_offset &= member.is_fixed_integer;
		}
	}
	if (!event_schema_match(schema, provider, has)) {
		plan->action = CTF_UNKNOWN;
		plan->reason = explain_mismatch(schema, plan->payload.type, has);
		return;
	}
	plan->action = CTF_DECODE;
	if (provider == EVENT_PROVIDER_CARET) {
		plan->flags = RECORD_FROM_CARET;
		plan->init_time = plan_member(&plan->payload, "init_timestamp", FIELD_TYPE_I64);
		plan->has_init_time = schema->class == EVENT_CLASS_INIT && plan->init_time.load == CTF_LOAD_INTEGER;
		plan->is_by_offset &= !plan->has_init_time || plan->init_time.is_fixed_integer;
	}
}

static void plan_copies(struct ctf_event_plan *plan)
{
	plan->is_copied = plan->action == CTF_DECODE && plan->is_by_offset && plan->is_flat && !plan->has_init_time &&
			  plan->context.size == 0 && plan->member_count <= EVENT_SLOTS;
	for (size_t i = 0; plan->is_copied && i < plan->member_count; i++) {
		plan->is_copied = plan_copy(&plan->copies[i], &plan->members[i]);
		plan->present |= (uint8_t)(1u << plan->members[i].slot);
	}
	plan->copy_count = (uint8_t)plan->member_count;
	plan->copies_offset = (uint32_t)((plan->flat_size - plan->payload.size) / 8);
}

static bool is_flat(const struct ctf_scope *scope)
{
	return scope->is_fixed && scope->alignment == (scope->size > 0 ? 8 : 1);
}

/* The only label of a member that is an enumeration, else NULL. */
static const char *only_label(const struct ctf_type *structure, const char *name)
{
	const struct ctf_field *field = ctf_type_find_field(structure, name);

	return field && field->type->labels && field->type->labels->len == 1
		       ? g_array_index(field->type->labels, struct ctf_label, 0).name
		       : NULL;
}

static struct normalized_mark class_mark(const struct ctf_event_class *class)
{
	if (!class->context) {
		return (struct normalized_mark){ .how = NORMALIZED_KEPT };
	}
	return normalized_mark_of_labels(only_label(class->context, NORMALIZED_MARK),
					 only_label(class->context, NORMALIZED_RECORDED_AS));
}

static struct ctf_event_plan *event_plan_create(const struct ctf_event_class *class, const struct ctf_scope *common,
						const struct event_interest *interest)
{
	struct ctf_event_plan *plan = g_new0(struct ctf_event_plan, 1);
	const struct event_schema *schema;
	enum event_provider provider;
	struct normalized_mark mark = { .how = NORMALIZED_KEPT };

	plan->name = class->name;
	plan->action = CTF_IGNORE;
	plan->context = plan_scope(class->context);
	plan->payload = plan_scope(class->payload);
	plan->is_flat = is_flat(common) && is_flat(&plan->context) && is_flat(&plan->payload);
	plan->flat_size = common->size + plan->context.size + plan->payload.size;
	schema = event_schema_find(plan->name, &provider);
	if (schema) {
		mark = class_mark(class);
	}
	if (mark.how == NORMALIZED_SUPPLIED) {
		return plan;
	}
	if (mark.recorded_as) {
		plan->name = mark.recorded_as;
		schema = event_schema_find(plan->name, &provider);
	}
	if (!schema && event_provider_is_complete(provider)) {
		plan->action = CTF_UNKNOWN;
		plan->reason = g_strdup("not in the table of events");
	} else if (schema && event_interest_wants(interest, schema->kind)) {
		plan->kind = schema->kind;
		plan_payload(plan, schema, provider, &mark);
		plan_copies(plan);
	}
	return plan;
}

static void event_plan_destroy(gpointer data)
{
	struct ctf_event_plan *plan = data;

	if (plan) {
		g_free(plan->reason);
		g_free(plan);
	}
}

/* A clock value at an unexpected position would be missed. Bit fields that do not start at a byte must share the byte
 * order. */
static bool check_type(const struct ctf_trace_class *trace_class, const struct ctf_type *type, bool may_map,
		       char **reason)
{
	if (!type) {
		return true;
	}
	if (type->kind == CTF_INTEGER) {
		bool is_whole = type->size % 8 == 0 && type->alignment % 8 == 0;

		if (type->is_clock_value && !may_map) {
			return refuse(reason, "an integer mapped to a clock where LTTng writes none");
		}
		return is_whole || type->is_big_endian == trace_class->is_big_endian ||
		       refuse(reason, "a bit field shares its byte with one of another byte order");
	}
	for (guint i = 0; type->fields && i < type->fields->len; i++) {
		if (!check_type(trace_class, field_at(type, i)->type, may_map, reason)) {
			return false;
		}
	}
	return !type->element || check_type(trace_class, type->element, false, reason);
}

static bool plan_header_form(struct ctf_header_plan *plan, const struct ctf_label *label,
			     const struct ctf_field *option, char **reason)
{
	struct ctf_header_form form = { .lower = label->lower,
					.upper = label->upper,
					.alignment = option->type->alignment };
	const struct ctf_field *id = ctf_type_find_field(option->type, "id");
	const struct ctf_field *timestamp = ctf_type_find_field(option->type, "timestamp");
	guint count = option->type->kind == CTF_STRUCTURE ? option->type->fields->len : 0;

	if (plan->form_count == CTF_HEADER_FORMS || count != (id ? 2u : 1u) || !timestamp ||
	    timestamp->type->kind != CTF_INTEGER || !timestamp->type->is_clock_value ||
	    (id && (id->type->kind != CTF_INTEGER || id->type->is_signed || id->type->is_clock_value))) {
		return refuse(reason, "event header: neither the compact nor the large form of LTTng");
	}
	form.first = field_at(option->type, 0)->type;
	form.second = count == 2 ? field_at(option->type, 1)->type : NULL;
	form.is_id_first = id && id->type == form.first;
	plan->forms[plan->form_count++] = form;
	return true;
}

static bool is_little_integer(const struct ctf_type *type, uint32_t size, uint32_t alignment_max)
{
	return type->size == size && !type->is_big_endian && type->alignment <= alignment_max;
}

static bool is_short_form(const struct ctf_header_plan *plan, uint32_t tag_bits, uint32_t time_bits, uint64_t upper)
{
	const struct ctf_header_form *form = &plan->forms[0];

	return plan->alignment == 8 && is_little_integer(plan->tag, tag_bits, tag_bits % 8 == 0 ? 8 : 1) &&
	       !form->second && form->lower == 0 && form->upper == upper &&
	       form->alignment <= (time_bits % 8 == 0 ? 8 : 1) &&
	       is_little_integer(form->first, time_bits, time_bits % 8 == 0 ? 8 : 1);
}

static bool plan_header(struct ctf_header_plan *plan, const struct ctf_type *type, char **reason)
{
	const struct ctf_field *tag = field_at(type, 0);
	const struct ctf_type *variant;

	if (type->fields->len != 2 || strcmp(tag->name, "id") != 0 || !tag->type->labels || tag->type->is_signed ||
	    field_at(type, 1)->type->kind != CTF_VARIANT || field_at(type, 1)->type->depends_on != tag->value) {
		return refuse(reason, "event header: neither the compact nor the large form of LTTng");
	}
	variant = field_at(type, 1)->type;
	plan->alignment = type->alignment;
	plan->tag = tag->type;
	for (guint i = 0; i < plan->tag->labels->len; i++) {
		const struct ctf_label *label = &g_array_index(plan->tag->labels, struct ctf_label, i);
		const struct ctf_field *option = ctf_variant_option(variant, label->lower);

		if (option && !plan_header_form(plan, label, option, reason)) {
			return false;
		}
	}
	if (plan->form_count > 0 && is_short_form(plan, 5, 27, 30)) {
		plan->shape = CTF_HEADER_COMPACT;
	} else if (plan->form_count > 0 && is_short_form(plan, 16, 32, 65534)) {
		plan->shape = CTF_HEADER_LARGE;
	}
	return true;
}

static void plan_context(struct ctf_context_plan *plan, const struct ctf_type *type)
{
	plan->scope = plan_scope(type);
	plan->vpid = plan_member(&plan->scope, "vpid", FIELD_TYPE_I32);
	plan->vtid = plan_member(&plan->scope, "vtid", FIELD_TYPE_I32);
	plan->pid_ns = plan_member(&plan->scope, "pid_ns", FIELD_TYPE_U64);
	plan->procname = plan_member(&plan->scope, "procname", FIELD_TYPE_STRING);
	plan->is_by_offset = plan->scope.is_fixed && (plan->vpid.is_fixed_integer || !plan->vpid.load) &&
			     (plan->vtid.is_fixed_integer || !plan->vtid.load) &&
			     (plan->pid_ns.is_fixed_integer || !plan->pid_ns.load);
	plan->is_copied = plan->is_by_offset && !plan->pid_ns.load && plan_copy(&plan->vpid_copy, &plan->vpid) &&
			  plan_copy(&plan->vtid_copy, &plan->vtid);
}

/* A member of the packet context: unsigned, with or without a clock. */
static bool plan_packet_member(const struct ctf_field **field, const struct ctf_type *context, const char *name,
			       bool is_required, bool is_time, char **reason)
{
	*field = ctf_type_find_field(context, name);
	if (!*field) {
		return !is_required || refuse(reason, "the packet context has no member %s", name);
	}
	if ((*field)->type->kind != CTF_INTEGER || (*field)->type->is_signed ||
	    (*field)->type->is_clock_value != is_time || (is_time && (*field)->type->size != 64)) {
		return refuse(reason, "packet context: member %s is not an unsigned integer as LTTng writes it", name);
	}
	return true;
}

static bool plan_packet(struct ctf_stream_plan *plan, const struct ctf_type *context, char **reason)
{
	for (guint i = 0; i < context->fields->len; i++) {
		const struct ctf_field *field = field_at(context, i);

		if (field->type->kind != CTF_INTEGER ||
		    (field->type->is_clock_value && strcmp(field->name, "timestamp_begin") != 0 &&
		     strcmp(field->name, "timestamp_end") != 0)) {
			return refuse(reason, "packet context: not a structure of integers as LTTng writes it");
		}
	}
	return plan_packet_member(&plan->timestamp_begin, context, "timestamp_begin", true, true, reason) &&
	       plan_packet_member(&plan->timestamp_end, context, "timestamp_end", true, true, reason) &&
	       plan_packet_member(&plan->content_size, context, "content_size", true, false, reason) &&
	       plan_packet_member(&plan->packet_size, context, "packet_size", true, false, reason) &&
	       plan_packet_member(&plan->packet_seq_num, context, "packet_seq_num", false, false, reason) &&
	       plan_packet_member(&plan->events_discarded, context, "events_discarded", false, false, reason);
}

static bool is_plain_unsigned(const struct ctf_type *type)
{
	return type->kind == CTF_INTEGER && !type->is_signed && !type->is_clock_value;
}

/* A convenience: without it, or with one of an odd form, the trace can be read as well. */
static void plan_cpu(struct ctf_stream_plan *plan, const struct ctf_type *context)
{
	const struct ctf_field *cpu = ctf_type_find_field(context, "cpu_id");

	plan->cpu_id = cpu && is_plain_unsigned(cpu->type) ? cpu : NULL;
}

static bool is_uuid(const struct ctf_type *type)
{
	return type->kind == CTF_ARRAY && type->length == 16 && is_plain_unsigned(type->element) &&
	       type->element->size == 8 && type->element->alignment == 8;
}

/* The magic number first, the stream's class and id, and the trace's UUID or not. */
static bool check_packet_header(const struct ctf_type *header, char **reason)
{
	unsigned int found = 0;

	for (guint i = 0; i < header->fields->len; i++) {
		const struct ctf_field *field = field_at(header, i);
		bool is_magic = strcmp(field->name, "magic") == 0;
		bool is_id = strcmp(field->name, "stream_id") == 0 || strcmp(field->name, "stream_instance_id") == 0;
		bool is_known = (is_magic && i == 0 && is_plain_unsigned(field->type) && field->type->size == 32) ||
				(is_id && is_plain_unsigned(field->type)) ||
				(strcmp(field->name, "uuid") == 0 && is_uuid(field->type));

		if (!is_known) {
			return refuse(reason, "packet header: not the structure that LTTng writes");
		}
		found += is_magic || is_id;
	}
	return found == 3 || refuse(reason, "the packet header has no member stream_id or stream_instance_id");
}

static uint32_t skip_of(const struct ctf_event_plan *event)
{
	return event->action == CTF_IGNORE && event->is_flat && event->flat_size <= UINT32_MAX
		       ? (uint32_t)event->flat_size
		       : 0;
}

/* Ids are usually small and dense, but the format does not guarantee it. */
static bool plan_events(struct ctf_stream_plan *plan, const struct ctf_trace_class *trace_class,
			const struct event_interest *interest, char **reason)
{
	uint64_t count = 0, id_max = 0;

	for (guint i = 0; i < trace_class->events->len; i++) {
		const struct ctf_event_class *class = &g_array_index(trace_class->events, struct ctf_event_class, i);

		if (class->stream_id == plan->class->id) {
			count++;
			id_max = class->id;
		}
	}
	plan->is_dense = id_max < 4 * count + 64;
	if (plan->is_dense && count > 0) {
		g_ptr_array_set_size(plan->events, (gint)id_max + 1);
		g_array_set_size(plan->skips, (guint)id_max + 1);
	}
	for (guint i = 0; i < trace_class->events->len; i++) {
		const struct ctf_event_class *class = &g_array_index(trace_class->events, struct ctf_event_class, i);
		struct ctf_event_plan *event;

		if (class->stream_id != plan->class->id) {
			continue;
		}
		if (!check_type(trace_class, class->context, false, reason) ||
		    !check_type(trace_class, class->payload, false, reason)) {
			return false;
		}
		event = event_plan_create(class, &plan->context.scope, interest);
		if (plan->is_dense) {
			plan->events->pdata[class->id] = event;
			g_array_index(plan->skips, uint32_t, class->id) = skip_of(event);
		} else {
			g_ptr_array_add(plan->events, event);
			u64_map_set_pointer(&plan->by_id, class->id, event);
		}
	}
	return true;
}

struct ctf_stream_plan *ctf_stream_plan_create(const struct ctf_trace_class *trace_class,
					       const struct ctf_stream_class *stream_class,
					       const struct event_interest *interest, char **reason)
{
	struct ctf_stream_plan *plan = g_new0(struct ctf_stream_plan, 1);

	*reason = NULL;
	plan->class = stream_class;
	plan->events = g_ptr_array_new_with_free_func(event_plan_destroy);
	plan->skips = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	u64_map_init(&plan->by_id);
	plan_context(&plan->context, stream_class->event_context);
	if (!check_packet_header(trace_class->packet_header, reason) ||
	    !check_type(trace_class, trace_class->packet_header, false, reason) ||
	    !check_type(trace_class, stream_class->event_header, true, reason) ||
	    !check_type(trace_class, stream_class->event_context, false, reason) ||
	    !check_type(trace_class, stream_class->packet_context, true, reason) ||
	    !plan_header(&plan->header, stream_class->event_header, reason) ||
	    !plan_packet(plan, stream_class->packet_context, reason) ||
	    !plan_events(plan, trace_class, interest, reason)) {
		ctf_stream_plan_destroy(plan);
		return NULL;
	}
	plan_cpu(plan, stream_class->packet_context);
	plan->is_usual = plan->header.shape != CTF_HEADER_ANY && plan->is_dense && plan->context.is_copied;
	return plan;
}

void ctf_stream_plan_destroy(struct ctf_stream_plan *plan)
{
	if (!plan) {
		return;
	}
	g_ptr_array_free(plan->events, TRUE);
	g_array_free(plan->skips, TRUE);
	u64_map_clear(&plan->by_id);
	g_free(plan);
}

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
	const struct ctf_field *field = field_at(plan->scope.type, index);
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
	uint8_t gid[GID_SIZE];
	uint64_t count, element;

	if (!ctf_cursor_enter_array(cursor, member->type, &count)) {
		return false;
	}
	for (uint64_t i = 0; i < count; i++) {
		if (!ctf_cursor_read_integer(cursor, member->type->element, &element)) {
			return false;
		}
		if (i < GID_SIZE) {
			gid[i] = (uint8_t)element;
		}
	}
	if (count >= GID_SIZE) {
		set_pointer(record, member->slot, string_pool_intern_bytes(pool, gid, sizeof(gid)));
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

/* Reads a planned member; the cursor is in front of it. */
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

/* Fields that share a slot must be read in the order of the table, so the members' positions are collected first. */
static bool read_payload(const struct ctf_event_plan *plan, struct ctf_cursor *cursor, struct string_pool *pool,
			 GByteArray *scratch, struct event_record *record, uint64_t *init_ticks)
{
	const struct ctf_type *type = plan->payload.type;
	struct ctf_cursor starts[EVENT_FIELDS_MAX];

	if (!ctf_cursor_align(cursor, type->alignment)) {
		return false;
	}
	for (guint i = 0; i < type->fields->len; i++) {
		struct ctf_cursor start = *cursor;

		for (size_t m = 0; m < plan->member_count; m++) {
			if (plan->members[m].index == i) {
				starts[m] = start;
			}
		}
		if (plan->has_init_time && plan->init_time.index == i &&
		    !ctf_cursor_read_integer(&start, plan->init_time.type, init_ticks)) {
			return false;
		}
		if (!ctf_cursor_skip_field(cursor, field_at(type, i))) {
			return false;
		}
	}
	for (size_t m = 0; m < plan->member_count; m++) {
		if (!read_member(&plan->members[m], &starts[m], pool, scratch, record)) {
			return false;
		}
	}
	return true;
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
	return skip_scope(&plan->context, cursor) && read_words(plan, cursor, pool, scratch, record, init_ticks);
}
