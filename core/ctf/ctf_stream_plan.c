/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_plan.h"

#include <stdarg.h>
#include <stdint.h>

#include "core/ctf/ctf_event_plan.h"

#define USUAL_IDS_MAX 65536 /* larger ids, which metadata may declare, are unusual */
#define UUID_BITS 128

const struct ctf_event_plan ctf_event_undeclared = { .sizes = { UINT32_MAX, UINT32_MAX } };

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
		if (!check_type(trace_class, ctf_type_field(type, i)->type, may_map, reason)) {
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
	form.first = ctf_type_field(option->type, 0)->type;
	form.second = count == 2 ? ctf_type_field(option->type, 1)->type : NULL;
	form.is_id_first = id && id->type == form.first;
	plan->forms[plan->form_count++] = form;
	return true;
}

static bool is_little_integer(const struct ctf_type *type, uint32_t size, uint32_t alignment_max)
{
	return type->size == size && !type->is_big_endian && type->alignment <= alignment_max;
}

/* The form of the small ids: LTTng declares it first up to 2.14, and second from 2.15 on. */
static void short_form_first(struct ctf_header_plan *plan)
{
	if (plan->form_count == 2 && plan->forms[1].lower == 0) {
		struct ctf_header_form first = plan->forms[1];

		plan->forms[1] = plan->forms[0];
		plan->forms[0] = first;
	}
}

/* Whether the tag and the time are the short form, the whole of it aligned like this. */
static bool is_short_form(const struct ctf_header_plan *plan, uint32_t tag_bits, uint32_t time_bits, uint64_t upper,
			  uint32_t alignment)
{
	const struct ctf_header_form *form = &plan->forms[0];
	bool is_aligned = alignment > 8 && time_bits % 8 == 0;
	uint32_t time_alignment = time_bits % 8 > 0 ? 1 : is_aligned ? time_bits : 8;

	return plan->form_count > 0 && plan->alignment == alignment &&
	       is_little_integer(plan->tag, tag_bits, tag_bits % 8 == 0 ? alignment : 1) && !form->second &&
	       form->lower == 0 && form->upper == upper && form->alignment <= time_alignment &&
	       is_little_integer(form->first, time_bits, time_alignment) &&
	       (!is_aligned || form->first->alignment == time_alignment);
}

/* What follows the largest tag where an id or a time is too long for the short form. */
static bool is_long_form(const struct ctf_header_plan *plan, uint64_t tag)
{
	const struct ctf_header_form *form = &plan->forms[1];
	bool is_aligned = ctf_header_is_aligned(plan);

	return plan->form_count == 2 && form->lower == tag && form->upper == tag && form->second && form->is_id_first &&
	       MAX(form->alignment, form->first->alignment) == (is_aligned ? 64 : 8) &&
	       is_little_integer(form->first, 32, is_aligned ? 32 : 8) &&
	       is_little_integer(form->second, 64, is_aligned ? 64 : 8) &&
	       (!is_aligned || form->second->alignment == 64);
}

static void plan_shape(struct ctf_header_plan *plan)
{
	if (is_short_form(plan, 5, 27, 30, 8)) {
		plan->shape = CTF_HEADER_COMPACT;
	} else if (is_short_form(plan, 16, 32, 65534, 8)) {
		plan->shape = CTF_HEADER_LARGE;
	} else if (is_short_form(plan, 5, 27, 30, 32)) {
		plan->shape = CTF_HEADER_ALIGNED_COMPACT;
	} else if (is_short_form(plan, 16, 32, 65534, 16)) {
		plan->shape = CTF_HEADER_ALIGNED_LARGE;
	}
	plan->has_long_form = plan->shape != CTF_HEADER_ANY && is_long_form(plan, UINT64_MAX >> (64 - plan->tag->size));
}

/* An id and a time, as babeltrace2 writes them in CTF 2: the id is a tag with a single form. */
static void plan_plain_header(struct ctf_header_plan *plan, const struct ctf_type *time)
{
	plan->forms[0] = (struct ctf_header_form){
		.lower = 0, .upper = UINT64_MAX, .alignment = time->alignment, .first = time
	};
	plan->form_count = 1;
}

static bool plan_header(struct ctf_header_plan *plan, const struct ctf_type *type, char **reason)
{
	const struct ctf_field *tag = type->fields->len == 2 ? ctf_type_field(type, 0) : NULL;
	const struct ctf_type *variant = tag ? ctf_type_field(type, 1)->type : NULL;

	if (!tag || strcmp(tag->name, "id") != 0 || tag->type->kind != CTF_INTEGER || tag->type->is_signed) {
		return refuse(reason, "event header: neither the compact nor the large form of LTTng");
	}
	plan->alignment = type->alignment;
	plan->tag = tag->type;
	if (variant->kind == CTF_INTEGER && variant->is_clock_value) {
		plan_plain_header(plan, variant);
		return true;
	}
	if (variant->kind != CTF_VARIANT || variant->depends_on != tag->value) {
		return refuse(reason, "event header: neither the compact nor the large form of LTTng");
	}
	for (guint i = 0; i < variant->tag->labels->len; i++) {
		const struct ctf_label *label = &g_array_index(variant->tag->labels, struct ctf_label, i);
		const struct ctf_field *option = ctf_variant_option(variant, label->lower);

		if (option && !plan_header_form(plan, label, option, reason)) {
			return false;
		}
	}
	short_form_first(plan);
	plan_shape(plan);
	return true;
}

static void plan_context(struct ctf_context_plan *plan, const struct ctf_type *type)
{
	plan->scope = ctf_scope_plan(type);
	for (uint32_t phase = 0; phase < CTF_PHASES; phase++) {
		uint64_t end = (uint64_t)phase * CTF_PHASE_BITS;

		plan->begins[phase] = (uint32_t)((ctf_align_up(end, plan->scope.alignment) - end) / 8);
	}
	plan->vpid = ctf_member_plan(&plan->scope, "vpid", FIELD_TYPE_I32);
	plan->vtid = ctf_member_plan(&plan->scope, "vtid", FIELD_TYPE_I32);
	plan->pid_ns = ctf_member_plan(&plan->scope, "pid_ns", FIELD_TYPE_U64);
	plan->procname = ctf_member_plan(&plan->scope, "procname", FIELD_TYPE_STRING);
	plan->is_by_offset = plan->scope.is_fixed && (plan->vpid.is_fixed_integer || !plan->vpid.load) &&
			     (plan->vtid.is_fixed_integer || !plan->vtid.load) &&
			     (plan->pid_ns.is_fixed_integer || !plan->pid_ns.load);
	plan->is_copied = plan->is_by_offset && !plan->pid_ns.load && ctf_copy_plan(&plan->vpid_copy, &plan->vpid) &&
			  ctf_copy_plan(&plan->vtid_copy, &plan->vtid) && plan->vpid_copy.mask == UINT32_MAX &&
			  plan->vtid_copy.mask == UINT32_MAX;
	plan->has_ids = plan->vpid.load && plan->vtid.load;
	plan->is_ids_copied =
		!plan->has_ids ||
		(ctf_copy_plan(&plan->vpid_copy, &plan->vpid) && ctf_copy_plan(&plan->vtid_copy, &plan->vtid) &&
		 (!plan->pid_ns.load || ctf_copy_plan(&plan->pid_ns_copy, &plan->pid_ns)));
}

static void plan_counters(struct ctf_context_plan *plan, struct string_pool *pool)
{
	const struct ctf_type *type = plan->scope.type;

	plan->has_counters_by_offset = plan->scope.is_fixed;
	for (guint i = 0; type && i < type->fields->len && plan->counters->len < RECORD_COUNTERS_MAX; i++) {
		const char *name = ctf_type_field(type, i)->name;
		struct ctf_counter counter;

		if (!g_str_has_prefix(name, RECORD_COUNTER_PREFIX)) {
			continue;
		}
		counter.name = string_pool_intern(pool, name + strlen(RECORD_COUNTER_PREFIX));
		counter.member = ctf_member_plan(&plan->scope, name, FIELD_TYPE_U64);
		if (counter.member.load == CTF_LOAD_INTEGER && counter.member.index == i) {
			plan->has_counters_by_offset &= counter.member.is_fixed_integer;
			g_array_append_val(plan->counters, counter);
		}
	}
}

/* An event whose counters are wanted is not read by the usual path: they are read from its context before it. */
static void plan_event_counters(const struct ctf_stream_plan *plan, struct ctf_event_plan *event)
{
	if (event->class.wants_counters && plan->context.counters->len > 0) {
		event->has_counters = true;
		event->usual = CTF_UNUSUAL;
	}
}

/* The place of a member of a structure that begins at `at`; of none: where the structure ends. */
static uint64_t place_in_head(const struct ctf_type *type, uint64_t at, const struct ctf_field *member)
{
	at = ctf_align_up(at, type->alignment);
	for (guint i = 0; i < type->fields->len; i++) {
		const struct ctf_field *field = ctf_type_field(type, i);

		at = ctf_align_up(at, field->type->alignment);
		if (field == member) {
			break;
		}
		at += field->type->kind == CTF_ARRAY ? UUID_BITS : field->type->size;
	}
	return at;
}

static struct ctf_packet_member plan_in_head(const struct ctf_type *type, uint64_t at, const char *name)
{
	const struct ctf_field *field = ctf_type_find_field(type, name);

	return field ? (struct ctf_packet_member){ field->type, place_in_head(type, at, field) }
		     : (struct ctf_packet_member){ 0 };
}

/* A member of the packet context: unsigned, with or without a clock. */
static bool plan_packet_member(struct ctf_packet_member *member, const struct ctf_type *context, uint64_t at,
			       const char *name, bool is_required, bool is_time, char **reason)
{
	*member = plan_in_head(context, at, name);
	if (!member->type) {
		return !is_required || refuse(reason, "the packet context has no member %s", name);
	}
	if (member->type->kind != CTF_INTEGER || member->type->is_signed || member->type->is_clock_value != is_time ||
	    (is_time && member->type->size != 64)) {
		return refuse(reason, "packet context: member %s is not an unsigned integer as LTTng writes it", name);
	}
	return true;
}

static bool is_plain_unsigned(const struct ctf_type *type)
{
	return type->kind == CTF_INTEGER && !type->is_signed && !type->is_clock_value;
}

/* Behind the packet header. */
static bool plan_packet(struct ctf_packet_plan *plan, const struct ctf_type *context, char **reason)
{
	uint64_t at = plan->header_size;

	for (guint i = 0; i < context->fields->len; i++) {
		const struct ctf_field *field = ctf_type_field(context, i);

		if (field->type->kind != CTF_INTEGER ||
		    (field->type->is_clock_value && strcmp(field->name, "timestamp_begin") != 0 &&
		     strcmp(field->name, "timestamp_end") != 0)) {
			return refuse(reason, "packet context: not a structure of integers as LTTng writes it");
		}
	}
	plan->size = place_in_head(context, at, NULL);
	/* optional: a trace without it, or with one of another form, is read all the same */
	plan->cpu_id = plan_in_head(context, at, "cpu_id");
	if (plan->cpu_id.type && !is_plain_unsigned(plan->cpu_id.type)) {
		plan->cpu_id.type = NULL;
	}
	return plan_packet_member(&plan->timestamp_begin, context, at, "timestamp_begin", true, true, reason) &&
	       plan_packet_member(&plan->timestamp_end, context, at, "timestamp_end", true, true, reason) &&
	       plan_packet_member(&plan->content_size, context, at, "content_size", true, false, reason) &&
	       plan_packet_member(&plan->packet_size, context, at, "packet_size", true, false, reason) &&
	       plan_packet_member(&plan->packet_seq_num, context, at, "packet_seq_num", false, false, reason) &&
	       plan_packet_member(&plan->events_discarded, context, at, "events_discarded", false, false, reason);
}

static bool is_uuid(const struct ctf_type *type)
{
	return type->kind == CTF_ARRAY && type->length == UUID_BITS / 8 && is_plain_unsigned(type->element) &&
	       type->element->size == 8 && type->element->alignment == 8;
}

/* The magic number first, the stream's class and id, and the trace's UUID or not. */
static bool plan_packet_header(struct ctf_packet_plan *plan, const struct ctf_type *header, char **reason)
{
	for (guint i = 0; i < header->fields->len; i++) {
		const struct ctf_field *field = ctf_type_field(header, i);
		bool is_magic = strcmp(field->name, "magic") == 0;
		bool is_id = strcmp(field->name, "stream_id") == 0 || strcmp(field->name, "stream_instance_id") == 0;
		bool is_known = (is_magic && i == 0 && is_plain_unsigned(field->type) && field->type->size == 32) ||
				(is_id && is_plain_unsigned(field->type)) ||
				(strcmp(field->name, "uuid") == 0 && is_uuid(field->type));

		if (!is_known) {
			return refuse(reason, "packet header: not the structure that LTTng writes");
		}
	}
	plan->header_size = place_in_head(header, 0, NULL);
	plan->magic = plan_in_head(header, 0, "magic");
	plan->uuid = plan_in_head(header, 0, "uuid");
	plan->stream_id = plan_in_head(header, 0, "stream_id");
	plan->instance_id = plan_in_head(header, 0, "stream_instance_id");
	return (plan->magic.type && plan->stream_id.type && plan->instance_id.type) ||
	       refuse(reason, "the packet header has no member stream_id or stream_instance_id");
}

static bool plan_events(struct ctf_stream_plan *plan, const struct ctf_trace_class *trace_class,
			const struct event_interest *interest, struct string_pool *pool, char **reason)
{
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
		event = ctf_event_plan_create(class, plan, interest, pool);
		plan_event_counters(plan, event);
		g_ptr_array_add(plan->events, event);
		u64_map_set_pointer(&plan->by_id, class->id, event);
	}
	return true;
}

const struct ctf_event_plan *ctf_stream_plan_event(const struct ctf_stream_plan *plan, uint64_t id)
{
	const struct ctf_event_plan *event = u64_map_get_pointer(&plan->by_id, id);

	return event ? event : &ctf_event_undeclared;
}

static void plan_usual(struct ctf_stream_plan *plan)
{
	uint64_t count = 0;

	for (guint i = 0; i < plan->events->len; i++) {
		uint64_t id = ((const struct ctf_event_plan *)g_ptr_array_index(plan->events, i))->id;

		count = MAX(count, id < USUAL_IDS_MAX ? id + 1 : 0);
	}
	plan->usual = g_new(const struct ctf_event_plan *, count);
	for (uint64_t id = 0; id < count; id++) {
		const struct ctf_event_plan *event = ctf_stream_plan_event(plan, id);

		plan->usual[id] = event->usual == CTF_UNUSUAL ? &ctf_event_undeclared : event;
	}
	plan->usual_short = MIN(count, plan->header.forms[0].upper + 1);
	plan->usual_long = plan->header.has_long_form ? count : 0;
}

/* Events of programs and of a kernel in one stream are read one by one: no tracer makes such a stream. */
static void note_actions(struct ctf_stream_plan *plan, bool wants_all)
{
	bool has_others = false, has_definitions = false, has_more = false;

	plan->is_ignored = !wants_all;
	for (guint i = 0; i < plan->events->len; i++) {
		const struct ctf_event_plan *event = g_ptr_array_index(plan->events, i);
		bool is_definition = event->class.schema && event->class.schema->class == EVENT_CLASS_INIT;

		has_definitions |= is_definition;
		has_more |= !is_definition;
		if (event->class.action != CLASS_IGNORE) {
			plan->is_ignored = false;
			plan->is_system |= event->class.is_system;
			plan->has_switches |= event->class.has_kind && event->class.kind == EVENT_SCHED_SWITCH;
			has_others |= !event->class.is_system;
		}
	}
	plan->has_definitions_only = has_definitions && !has_more;
	if (plan->header.shape != CTF_HEADER_ANY &&
	    (plan->is_system ? !has_others && plan->context.is_ids_copied : plan->context.is_copied)) {
		plan_usual(plan);
	}
}

struct ctf_stream_plan *ctf_stream_plan_create(const struct ctf_trace_class *trace_class,
					       const struct ctf_stream_class *stream_class,
					       const struct event_interest *interest, struct string_pool *pool,
					       char **reason)
{
	struct ctf_stream_plan *plan = g_new0(struct ctf_stream_plan, 1);

	*reason = NULL;
	plan->class = stream_class;
	plan->events = g_ptr_array_new_with_free_func(ctf_event_plan_destroy);
	u64_map_init(&plan->by_id);
	plan->context.counters = g_array_new(FALSE, FALSE, sizeof(struct ctf_counter));
	plan_context(&plan->context, stream_class->event_context);
	plan_counters(&plan->context, pool);
	if (!plan_packet_header(&plan->packet, trace_class->packet_header, reason) ||
	    !check_type(trace_class, trace_class->packet_header, false, reason) ||
	    !check_type(trace_class, stream_class->event_header, true, reason) ||
	    !check_type(trace_class, stream_class->event_context, false, reason) ||
	    !check_type(trace_class, stream_class->packet_context, true, reason) ||
	    !plan_header(&plan->header, stream_class->event_header, reason) ||
	    !plan_packet(&plan->packet, stream_class->packet_context, reason) ||
	    !plan_events(plan, trace_class, interest, pool, reason)) {
		ctf_stream_plan_destroy(plan);
		return NULL;
	}
	note_actions(plan, !interest);
	return plan;
}

void ctf_stream_plan_destroy(struct ctf_stream_plan *plan)
{
	if (!plan) {
		return;
	}
	g_ptr_array_free(plan->events, TRUE);
	g_array_free(plan->context.counters, TRUE);
	g_free(plan->usual);
	u64_map_clear(&plan->by_id);
	g_free(plan);
}

const struct ctf_stream_plan *ctf_stream_plan_of(const GPtrArray *plans, uint64_t class_id)
{
	for (guint i = 0; i < plans->len; i++) {
		const struct ctf_stream_plan *plan = g_ptr_array_index(plans, i);

		if (plan->class->id == class_id) {
			return plan;
		}
	}
	return NULL;
}

void ctf_stream_plan_note_kinds(const struct ctf_stream_plan *plan, bool *lacks)
{
	for (guint i = 0; i < plan->events->len; i++) {
		const struct ctf_event_plan *event = g_ptr_array_index(plan->events, i);

		if (event->class.has_kind) {
			lacks[event->class.kind] = false;
		}
	}
}
