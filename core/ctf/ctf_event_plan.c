/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_event_plan.h"

#include "core/events/normalized_mark.h"
#include "ros2bt/events/poll.h"

#define ARRAY_BITS_MAX (UINT64_C(1) << 32)
/* Bits: more than the alignment of three scopes adds. */
#define CTF_LAYOUT_PADDING_MAX 256

/* Whether a type has the same size at every aligned position, in whole bytes. */
static bool fixed_size(const struct ctf_type *type, uint64_t *bits);

static bool fixed_array_size(const struct ctf_type *type, uint64_t *bits)
{
	const struct ctf_type *element = type->element;

	return element->kind != CTF_STRING && element->alignment % 8 == 0 && element->size % element->alignment == 0 &&
	       !__builtin_mul_overflow(type->length, element->size, bits) && *bits <= ARRAY_BITS_MAX;
}

static bool fixed_structure_size(const struct ctf_type *type, uint64_t *bits)
{
	uint64_t at = 0, size;

	for (guint i = 0; i < type->fields->len; i++) {
		const struct ctf_field *field = ctf_type_field(type, i);

		if (field->value != CTF_NO_VALUE || !fixed_size(field->type, &size)) {
			return false;
		}
		at = ctf_align_up(at, field->type->alignment) + size;
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

struct ctf_scope ctf_scope_plan(const struct ctf_type *type)
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

bool ctf_copy_plan(struct ctf_copy *copy, const struct ctf_member *member)
{
	bool is_extended = member->is_signed && member->mask == UINT64_MAX;

	/* The sign extension of an address is removed again, so it does not count as signed. */
	if (!member->is_fixed_integer || (member->is_big_endian && member->bytes > 1) || member->offset > INT32_MAX ||
	    (member->is_signed && !is_extended && member->mask != all_bits(member->type))) {
		return false;
	}
	*copy = (struct ctf_copy){
		.offset = (int32_t)member->offset,
		.mask = UINT64_MAX >> (64 - 8 * member->bytes),
		.sign = is_extended ? UINT64_C(1) << (8 * member->bytes - 1) : 0,
	};
	return true;
}

struct ctf_member ctf_member_plan(const struct ctf_scope *scope, const char *name, enum field_type type)
{
	struct ctf_member member = { .load = CTF_LOAD_NONE };
	const struct ctf_field *field = ctf_type_find_field(scope->type, name);
	uint64_t at = 0, size = 0;

	if (!field) {
		return member;
	}
	member.type = field->type;
	member.index = (uint32_t)(field - ctf_type_field(scope->type, 0));
	for (guint i = 0; scope->is_fixed && i < member.index; i++) {
		fixed_size(ctf_type_field(scope->type, i)->type, &size);
		at = ctf_align_up(at, ctf_type_field(scope->type, i)->type->alignment) + size;
	}
	member.offset = ctf_align_up(at, field->type->alignment) / 8;
	if (type == FIELD_TYPE_GID || type == FIELD_TYPE_ADDRESSES) {
		plan_array(&member, type);
	} else if (type != FIELD_TYPE_STRING) {
		plan_integer(&member, type);
	} else if (field->type->kind == CTF_STRING || ctf_type_is_text(field->type)) {
		member.load = CTF_LOAD_TEXT;
	}
	return member;
}

static bool plan_member(void *data, const char *name, const struct event_field *field)
{
	struct ctf_event_plan *plan = data;
	struct ctf_member member = ctf_member_plan(&plan->payload, name, field->type);

	if (member.load == CTF_LOAD_NONE) {
		return false;
	}
	if (field->slot != SKIP) {
		member.slot = field->slot;
		plan->members[plan->member_count++] = member;
		plan->is_by_offset &= member.is_fixed_integer;
	}
	return true;
}

static bool has_member(const void *data, const char *name)
{
	const struct ctf_event_plan *plan = data;

	return ctf_type_find_field(plan->payload.type, name) != NULL;
}

static const struct class_members members = { plan_member, has_member };

static void plan_init_time(struct ctf_event_plan *plan)
{
	if (plan->class.may_have_init_time) {
		plan->init_time = ctf_member_plan(&plan->payload, "init_timestamp", FIELD_TYPE_I64);
		plan->has_init_time = plan->init_time.load == CTF_LOAD_INTEGER;
		plan->is_by_offset &= !plan->has_init_time || plan->init_time.is_fixed_integer;
	}
}

/* A field of the payload, from the end of the event. */
static int32_t offset_from_end(const struct ctf_event_plan *plan, const struct ctf_member *member)
{
	return (int32_t)member->offset - (int32_t)(plan->payload.size / 8);
}

static bool plan_comm(struct ctf_event_plan *plan, const struct ctf_member *member)
{
	const struct ctf_type *type = member->type;

	if (!plan->class.is_system || member->load != CTF_LOAD_TEXT || type->kind != CTF_ARRAY ||
	    type->length != COMM_CACHE_SIZE || plan->comm_count == CTF_COMMS_MAX) {
		return false;
	}
	plan->comms[plan->comm_count++] =
		(struct ctf_comm_copy){ .offset = offset_from_end(plan, member), .slot = member->slot };
	return true;
}

static bool plan_copy(struct ctf_event_plan *plan, const struct ctf_member *member)
{
	struct ctf_copy_pair *pair = &plan->pairs[member->slot / 2];
	struct ctf_copy copy;

	if (plan_comm(plan, member)) {
		return true;
	}
	if (!ctf_copy_plan(&copy, member)) {
		return false;
	}
	/* in the order of the members: of two with one name, the later one counts */
	pair->offsets[member->slot % 2] = offset_from_end(plan, member);
	pair->masks[member->slot % 2] = copy.mask;
	pair->signs[member->slot % 2] = copy.sign;
	plan->pair_count = MAX(plan->pair_count, (uint8_t)(member->slot / 2 + 1));
	return true;
}

static bool plan_copies(struct ctf_event_plan *plan)
{
	bool is_copied = plan->is_laid_out && !plan->has_init_time && plan->context.size == 0 &&
			 (plan->class.is_system || !plan->class.text);

	for (size_t i = 0; is_copied && i < plan->member_count; i++) {
		is_copied = plan_copy(plan, &plan->members[i]);
	}
	return is_copied;
}

static bool is_flat(const struct ctf_scope *scope)
{
	return scope->is_fixed && scope->alignment == (scope->size > 0 ? 8 : 1);
}

/* Whether the scope is at the same place in all events of the same phase. */
static bool is_fixed_in_phase(const struct ctf_scope *scope)
{
	return scope->is_fixed && scope->alignment <= CTF_PHASES * CTF_PHASE_BITS;
}

/* The bytes that follow a header that ends at `begin` bits, which tell the phase. */
static uint32_t size_from(const struct ctf_event_plan *plan, const struct ctf_scope *common, uint64_t begin)
{
	uint64_t context = ctf_align_up(begin, common->alignment) + common->size;
	uint64_t payload = ctf_align_up(ctf_align_up(context, plan->context.alignment) + plan->context.size,
					plan->payload.alignment);

	return (uint32_t)((payload + plan->payload.size - begin) / 8);
}

static void plan_layouts(struct ctf_event_plan *plan, const struct ctf_stream_plan *stream)
{
	const struct ctf_scope *common = &stream->context.scope;
	bool is_aligned = ctf_header_is_aligned(&stream->header) && is_fixed_in_phase(common) &&
			  is_fixed_in_phase(&plan->context) && is_fixed_in_phase(&plan->payload);

	plan->is_laid_out = (plan->is_flat || is_aligned) && plan->flat_size < UINT32_MAX - CTF_LAYOUT_PADDING_MAX;
	for (uint64_t phase = 0; plan->is_laid_out && phase < CTF_PHASES; phase++) {
		plan->sizes[phase] = size_from(plan, common, phase * CTF_PHASE_BITS);
	}
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

/* For an event that is all copies. */
static enum ctf_usual copied_how(const struct ctf_event_plan *plan, const struct event_interest *interest)
{
	enum event_kind kind = plan->class.kind;

	if (interest && interest->joins_polls && event_class_of(kind) == EVENT_CLASS_POLL && plan->member_count <= 1) {
		return CTF_JOINED_POLL;
	}
	/* the name of a call that begins is that of the class */
	if (interest && interest->joins_calls &&
	    (kind == EVENT_SYSCALL_EXIT || (kind == EVENT_SYSCALL_ENTRY && plan->class.text))) {
		return CTF_JOINED_CALL;
	}
	return plan->class.is_system ? CTF_COPIED_SYSTEM : CTF_COPIED;
}

/* What ctf_stream.record_head does not know. */
static uint64_t record_head_of(const struct ctf_event_plan *plan)
{
	struct event_record record = { .kind = (uint8_t)plan->class.kind, .flags = plan->class.flags & 3 };

	if (plan->usual == CTF_JOINED_POLL) {
		record.kind = RECORD_POLLS;
		record.present = 1u << RECORD__count | 1u << RECORD__polls;
	} else if (plan->usual == CTF_JOINED_CALL) {
		record.thread = RECORDING_NONE;
		record.kind = RECORD_CALLS;
		record.present = 1u << RECORD__count | 1u << RECORD__calls;
	} else {
		for (size_t i = 0; i < plan->member_count; i++) {
			record.present |= 1u << plan->members[i].slot;
		}
		record.present |= plan->class.text ? 1u << plan->class.text_slot : 0;
	}
	return event_record_head(&record);
}

static void plan_usual(struct ctf_event_plan *plan, const struct event_interest *interest)
{
	if (plan->class.action == CLASS_IGNORE) {
		plan->usual = plan->is_laid_out ? CTF_SKIPPED : CTF_UNUSUAL;
	} else if (plan->class.has_kind && !plan->point && plan_copies(plan)) {
		/* the values of a point are read member by member: such an event is neither copied nor joined */
		plan->usual = copied_how(plan, interest);
		plan->record_head = record_head_of(plan);
		plan->polls[0] = (uint8_t)poll_kind_of(plan->class.kind, 1);
		plan->polls[1] = (uint8_t)poll_kind_of(plan->class.kind, 0);
		plan->call = plan->class.kind == EVENT_SYSCALL_ENTRY ? plan->class.text : NULL;
	}
}

/* Of a class that is in the recording. */
static void plan_payload(struct ctf_event_plan *plan, const struct ctf_type *payload,
			 const struct event_interest *interest, struct string_pool *pool)
{
	if (interest && interest->classes) {
		ctf_point_describe(interest->classes, plan->class.name, payload);
	}
	plan->point = ctf_point_plan_create(interest ? interest->points : NULL, plan->class.name,
					    plan->class.provider == EVENT_PROVIDER_KERNEL, payload);
	plan->is_by_offset = plan->payload.is_fixed;
	class_plan_choose(&plan->class, interest, plan->point != NULL, &members, plan, pool);
	plan_init_time(plan);
}

struct ctf_event_plan *ctf_event_plan_create(const struct ctf_event_class *class, const struct ctf_stream_plan *stream,
					     const struct event_interest *interest, struct string_pool *pool)
{
	const struct ctf_scope *common = &stream->context.scope;
	struct ctf_event_plan *plan = g_new0(struct ctf_event_plan, 1);

	plan->id = class->id;
	plan->context = ctf_scope_plan(class->context);
	plan->payload = ctf_scope_plan(class->payload);
	plan->is_flat = is_flat(common) && is_flat(&plan->context) && is_flat(&plan->payload);
	plan->flat_size = common->size + plan->context.size + plan->payload.size;
	plan_layouts(plan, stream);
	class_plan_init(&plan->class, class->name);
	if (plan->class.schema) {
		class_plan_set_mark(&plan->class, class_mark(class));
	}
	if (!class_plan_is_supplied(&plan->class)) {
		plan_payload(plan, class->payload, interest, pool);
	}
	plan_usual(plan, interest);
	return plan;
}

void ctf_event_plan_destroy(gpointer data)
{
	struct ctf_event_plan *plan = data;

	if (plan) {
		class_plan_clear(&plan->class);
		ctf_point_plan_destroy(plan->point);
		g_free(plan);
	}
}
