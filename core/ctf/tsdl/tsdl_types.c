/* SPDX-License-Identifier: MIT */
#include "core/ctf/tsdl/tsdl_types.h"

#include <string.h>

#include "core/ctf/tsdl/tsdl_scalars.h"

#define DEPTH_MAX 16
#define VALUES_MAX 65536

/* Makes the named member of an open structure keep its value; its index, or CTF_NO_VALUE. */
static uint32_t depend_on(struct tsdl_parser *parser, const char *name, const struct ctf_type **type)
{
	for (struct open_structure *open = parser->innermost; open; open = open->outer) {
		for (guint i = open->type->fields->len; i-- > 0;) {
			struct ctf_field *field = &g_array_index(open->type->fields, struct ctf_field, i);

			if (strcmp(field->declared_name, name) != 0) {
				continue;
			}
			if (field->type->kind != CTF_INTEGER) {
				return CTF_NO_VALUE;
			}
			if (field->value == CTF_NO_VALUE && parser->trace_class->value_count < VALUES_MAX) {
				field->value = parser->trace_class->value_count++;
			}
			*type = field->type;
			return field->value;
		}
	}
	return CTF_NO_VALUE;
}

/* `[3]` or `[ name ]` behind a member's name, innermost last. */
static const struct ctf_type *parse_dimensions(struct tsdl_parser *parser, const struct ctf_type *element)
{
	struct ctf_type *type;

	if (!tsdl_accept(parser, '[')) {
		return element;
	}
	if (element->kind != CTF_INTEGER && element->kind != CTF_FLOAT && element->kind != CTF_STRING) {
		tsdl_refuse(parser, "array of a structure, variant or sequence");
		return NULL;
	}
	if (parser->token.kind == TOKEN_INTEGER) {
		type = ctf_trace_class_add_type(parser->trace_class, CTF_ARRAY);
		type->length = parser->token.value;
		tsdl_advance(parser);
	} else {
		const char *name = tsdl_take_name(parser);
		const struct ctf_type *length_type = NULL;

		type = ctf_trace_class_add_type(parser->trace_class, CTF_SEQUENCE);
		if (!name) {
			return NULL;
		}
		type->depends_on = depend_on(parser, name, &length_type);
		if (type->depends_on == CTF_NO_VALUE || length_type->is_signed) {
			tsdl_refuse(parser,
				    "sequence length `%s` is not an unsigned integer member before the sequence", name);
			return NULL;
		}
	}
	type->element = element;
	type->alignment = element->alignment;
	if (!tsdl_expect(parser, ']')) {
		return NULL;
	}
	if (tsdl_is_at(parser, '[')) {
		tsdl_refuse(parser, "array of arrays");
		return NULL;
	}
	return type;
}

static const char *without_underscore(const char *name)
{
	return name[0] == '_' ? name + 1 : name;
}

static bool add_field(struct tsdl_parser *parser, struct ctf_type *owner, const char *name, const struct ctf_type *type)
{
	struct ctf_field field = {
		.name = without_underscore(name),
		.declared_name = name,
		.type = type,
		.value = CTF_NO_VALUE,
	};

	if (tsdl_is_reserved(parser, name)) {
		return tsdl_refuse(parser, "`%s` is a keyword or a type and cannot name a member", name);
	}
	if (ctf_type_find_field(owner, field.name)) {
		return tsdl_refuse(parser, "member `%s` is declared twice", name);
	}
	if (owner->kind == CTF_STRUCTURE && type->alignment > owner->alignment) {
		owner->alignment = type->alignment;
	}
	g_array_append_val(owner->fields, field);
	return true;
}

/* "unsigned long x" and the like: all names but the last one are the alias. */
static const struct ctf_type *parse_alias_and_name(struct tsdl_parser *parser, const char **name)
{
	g_autoptr(GString) alias = g_string_new(NULL);
	const struct ctf_type *type;

	*name = tsdl_take_name(parser);
	while (*name && parser->token.kind == TOKEN_NAME) {
		g_string_append_printf(alias, "%s%s", alias->len > 0 ? " " : "", *name);
		*name = tsdl_take_name(parser);
	}
	type = *name ? g_hash_table_lookup(parser->aliases, alias->str) : NULL;
	if (!type) {
		tsdl_refuse(parser, "unknown type `%s`", alias->str);
	}
	return type;
}

static bool is_at_type_keyword(const struct tsdl_parser *parser)
{
	static const char *const keywords[] = { "integer", "floating_point", "string", "struct", "variant", "enum" };

	for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++) {
		if (tsdl_is_at_name(parser, keywords[i])) {
			return true;
		}
	}
	return false;
}

/* Members of a structure or options of a variant up to the closing brace. */
static bool parse_fields(struct tsdl_parser *parser, struct ctf_type *owner)
{
	while (!tsdl_accept(parser, '}')) {
		const struct ctf_type *type;
		const char *name = NULL;

		if (is_at_type_keyword(parser)) {
			type = tsdl_parse_type(parser);
			name = type ? tsdl_take_name(parser) : NULL;
		} else {
			type = parse_alias_and_name(parser, &name);
		}
		type = type && name ? parse_dimensions(parser, type) : NULL;
		if (!type || !add_field(parser, owner, name, type) || !tsdl_expect(parser, ';')) {
			return tsdl_refuse(parser, "expected a member");
		}
	}
	return true;
}

static bool parse_struct_alignment(struct tsdl_parser *parser, struct ctf_type *type)
{
	uint64_t alignment = 0;
	bool is_negative;

	if (!tsdl_accept_name(parser, "align")) {
		return true;
	}
	if (!tsdl_expect(parser, '(') || !tsdl_take_integer(parser, &alignment, &is_negative) ||
	    !tsdl_expect(parser, ')')) {
		return false;
	}
	if (is_negative || alignment == 0 || alignment > TSDL_ALIGNMENT_MAX || (alignment & (alignment - 1)) != 0) {
		return tsdl_refuse(parser, "alignment is not a power of two between 1 and 4096");
	}
	type->alignment = MAX(type->alignment, (uint32_t)alignment);
	return true;
}

static const struct ctf_type *parse_struct(struct tsdl_parser *parser)
{
	const char *name = parser->token.kind == TOKEN_NAME ? tsdl_take_name(parser) : NULL;
	struct open_structure open = { .outer = parser->innermost };
	bool is_complete;

	if (name && tsdl_is_reserved(parser, name)) {
		tsdl_refuse(parser, "`%s` is a keyword or a type and cannot name a structure", name);
		return NULL;
	}
	if (!tsdl_accept(parser, '{')) {
		const struct ctf_type *known = name ? g_hash_table_lookup(parser->structures, name) : NULL;

		if (!known) {
			tsdl_refuse(parser, "unknown structure `%s`", name ? name : "");
		}
		return known;
	}
	open.type = ctf_trace_class_add_type(parser->trace_class, CTF_STRUCTURE);
	parser->innermost = &open;
	is_complete = parse_fields(parser, open.type) && parse_struct_alignment(parser, open.type);
	parser->innermost = open.outer;
	if (is_complete && name && !g_hash_table_insert(parser->structures, (char *)name, open.type)) {
		is_complete = tsdl_refuse(parser, "structure `%s` is declared twice", name);
	}
	return is_complete ? open.type : NULL;
}

static bool has_label(const struct ctf_type *enumeration, const char *name)
{
	for (guint i = 0; i < enumeration->labels->len; i++) {
		if (strcmp(g_array_index(enumeration->labels, struct ctf_label, i).name, name) == 0) {
			return true;
		}
	}
	return false;
}

static const struct ctf_type *parse_variant(struct tsdl_parser *parser)
{
	struct ctf_type *type = ctf_trace_class_add_type(parser->trace_class, CTF_VARIANT);
	const char *tag;

	if (!tsdl_expect(parser, '<')) {
		return NULL;
	}
	tag = tsdl_take_name(parser);
	if (!tag || !tsdl_expect(parser, '>')) {
		return NULL;
	}
	type->depends_on = depend_on(parser, tag, &type->tag);
	if (type->depends_on == CTF_NO_VALUE || !type->tag->labels) {
		tsdl_refuse(parser, "variant tag `%s` is not an enumeration member before the variant", tag);
		return NULL;
	}
	if (!tsdl_expect(parser, '{') || !parse_fields(parser, type)) {
		return NULL;
	}
	for (guint i = 0; i < type->fields->len; i++) {
		const char *name = g_array_index(type->fields, struct ctf_field, i).declared_name;

		if (!has_label(type->tag, name)) {
			tsdl_refuse(parser, "variant option `%s` has no label in the tag's enumeration", name);
			return NULL;
		}
	}
	return type;
}

static bool add_label(struct tsdl_parser *parser, struct ctf_type *type, const struct ctf_label *label)
{
	const char *why = ctf_type_add_label(type, label);

	return !why || tsdl_refuse(parser, "enumeration label `%s`: %s", label->name, why);
}

static bool parse_label(struct tsdl_parser *parser, struct ctf_type *type, uint64_t *next)
{
	struct ctf_label label = { .lower = *next, .upper = *next };
	bool is_negative = false;
	bool is_quoted = parser->token.kind == TOKEN_STRING;

	label.name = is_quoted ? tsdl_take_string(parser) : tsdl_take_name(parser);
	if (!label.name || (!is_quoted && tsdl_is_reserved(parser, label.name))) {
		return tsdl_refuse(parser, "expected an enumeration label");
	}
	if (tsdl_accept(parser, '=')) {
		if (!tsdl_take_integer(parser, &label.lower, &is_negative)) {
			return false;
		}
		label.upper = label.lower;
		if (parser->token.kind == TOKEN_RANGE) {
			tsdl_advance(parser);
			if (!tsdl_take_integer(parser, &label.upper, &is_negative)) {
				return false;
			}
		}
	}
	*next = label.upper + 1;
	return add_label(parser, type, &label);
}

static const struct ctf_type *parse_enum_container(struct tsdl_parser *parser)
{
	g_autoptr(GString) alias = g_string_new(NULL);
	const struct ctf_type *type;

	if (is_at_type_keyword(parser)) {
		type = tsdl_parse_type(parser);
	} else {
		while (parser->token.kind == TOKEN_NAME) {
			g_string_append_printf(alias, "%s%s", alias->len > 0 ? " " : "", tsdl_take_name(parser));
		}
		type = g_hash_table_lookup(parser->aliases, alias->str);
	}
	if (!type || type->kind != CTF_INTEGER || type->is_clock_value) {
		tsdl_refuse(parser, "enumeration of a type that is not an integer");
		return NULL;
	}
	return type;
}

static const struct ctf_type *parse_enum(struct tsdl_parser *parser)
{
	const struct ctf_type *container;
	struct ctf_type *type;
	uint64_t next = 0;

	if (!tsdl_expect(parser, ':')) {
		return NULL;
	}
	container = parse_enum_container(parser);
	if (!container || !tsdl_expect(parser, '{')) {
		return NULL;
	}
	type = ctf_trace_class_add_type(parser->trace_class, CTF_INTEGER);
	*type = *container;
	type->labels = g_array_new(FALSE, FALSE, sizeof(struct ctf_label));
	do {
		if (tsdl_is_at(parser, '}')) {
			break;
		}
		if (!parse_label(parser, type, &next)) {
			return NULL;
		}
	} while (tsdl_accept(parser, ','));
	return tsdl_expect(parser, '}') ? type : NULL;
}

static const struct ctf_type *parse_type_keyword(struct tsdl_parser *parser)
{
	if (tsdl_accept_name(parser, "integer")) {
		return tsdl_parse_integer(parser);
	}
	if (tsdl_accept_name(parser, "floating_point")) {
		return tsdl_parse_floating_point(parser);
	}
	if (tsdl_accept_name(parser, "string")) {
		return tsdl_parse_string(parser);
	}
	if (tsdl_accept_name(parser, "struct")) {
		return parse_struct(parser);
	}
	if (tsdl_accept_name(parser, "variant")) {
		return parse_variant(parser);
	}
	if (tsdl_accept_name(parser, "enum")) {
		return parse_enum(parser);
	}
	tsdl_refuse(parser, "expected a type");
	return NULL;
}

const struct ctf_type *tsdl_parse_type(struct tsdl_parser *parser)
{
	const struct ctf_type *type = NULL;

	if (parser->depth == DEPTH_MAX) {
		tsdl_refuse(parser, "types are nested too deep");
		return NULL;
	}
	parser->depth++;
	type = parse_type_keyword(parser);
	parser->depth--;
	return type;
}

static bool is_integer_word(const char *word)
{
	static const char *const words[] = { "unsigned", "signed", "char", "short", "int", "long" };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (strcmp(word, words[i]) == 0) {
			return true;
		}
	}
	return false;
}

bool tsdl_parse_typealias(struct tsdl_parser *parser)
{
	const struct ctf_type *type = tsdl_parse_type(parser);
	g_autoptr(GString) alias = g_string_new(NULL);
	bool is_integer = false;

	if (!type) {
		return false;
	}
	if (parser->token.kind != TOKEN_ASSIGN_TYPE) {
		return tsdl_refuse(parser, "expected ':='");
	}
	tsdl_advance(parser);
	while (parser->token.kind == TOKEN_NAME) {
		const char *word = tsdl_take_name(parser);

		/* `uint8_t` or `unsigned long`, and nothing between */
		if (is_integer_word(word) ? alias->len > 0 && !is_integer
					  : alias->len > 0 || tsdl_is_reserved(parser, word)) {
			return tsdl_refuse(parser, "`%s` is a keyword and cannot name a type", word);
		}
		is_integer = is_integer_word(word);
		g_string_append_printf(alias, "%s%s", alias->len > 0 ? " " : "", word);
	}
	if (alias->len == 0 || !g_hash_table_insert(parser->aliases, g_strdup(alias->str), (void *)type)) {
		return tsdl_refuse(parser, "type `%s` is declared twice", alias->str);
	}
	return tsdl_expect(parser, ';');
}
