/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_tsdl.h"

#include <string.h>

#include "core/base/time_units.h"
#include "core/ctf/tsdl_lexer.h"

#define DEPTH_MAX 16
#define ALIGNMENT_MAX 4096
#define VALUES_MAX 65536
#define FEW_NAMES 16

/* A structure whose members are being parsed: a variant or sequence looks here for the member it depends on. */
struct open_structure {
	struct ctf_type *type;
	struct open_structure *outer;
};

struct parser {
	struct tsdl_lexer lexer;
	struct token token; /* the next one */
	struct ctf_trace_class *trace_class;
	GHashTable *aliases;	/* "unsigned long" → const struct ctf_type * */
	GHashTable *structures; /* name → const struct ctf_type * */
	struct open_structure *innermost;
	unsigned int depth;
	bool has_trace, has_env, has_clock, is_lttng;
	const char *mapped_clock; /* NULL: none named yet */
	char *reason;
};

/* An attribute such as `size = 32`. */
struct attribute {
	const char *name;
	enum { ATTRIBUTE_INTEGER, ATTRIBUTE_TEXT, ATTRIBUTE_TYPE } kind;
	bool is_quoted;
	bool is_negative;
	uint64_t integer;
	const char *text; /* a string or dotted name, in the trace class's strings */
	const struct ctf_type *type;
};

static const struct ctf_type *parse_type(struct parser *parser);

static bool refuse(struct parser *parser, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool refuse(struct parser *parser, const char *format, ...)
{
	if (!parser->reason) {
		g_autofree char *text = NULL;
		va_list arguments;

		va_start(arguments, format);
		text = g_strdup_vprintf(format, arguments);
		va_end(arguments);
		parser->reason = g_strdup_printf("metadata, line %u: %s", parser->token.line, text);
	}
	return false;
}

static void advance(struct parser *parser)
{
	parser->token = tsdl_lexer_next(&parser->lexer);
}

static bool is_at(const struct parser *parser, char character)
{
	return parser->token.kind == TOKEN_CHARACTER && parser->token.character == character;
}

static bool is_at_name(const struct parser *parser, const char *name)
{
	return parser->token.kind == TOKEN_NAME && strlen(name) == parser->token.length &&
	       memcmp(parser->token.start, name, parser->token.length) == 0;
}

static bool accept(struct parser *parser, char character)
{
	if (!is_at(parser, character)) {
		return false;
	}
	advance(parser);
	return true;
}

static bool accept_name(struct parser *parser, const char *name)
{
	if (!is_at_name(parser, name)) {
		return false;
	}
	advance(parser);
	return true;
}

static bool expect(struct parser *parser, char character)
{
	return accept(parser, character) || refuse(parser, "expected '%c'", character);
}

/* Words of the language, and names of types, cannot be names of members. */
static bool is_reserved(const struct parser *parser, const char *name)
{
	static const char *const words[] = { "align", "const",	  "char",	    "clock",	 "double",   "enum",
					     "env",   "event",	  "floating_point", "float",	 "integer",  "int",
					     "long",  "short",	  "signed",	    "stream",	 "string",   "struct",
					     "trace", "callsite", "typealias",	    "typedef",	 "unsigned", "variant",
					     "void",  "_Bool",	  "_Complex",	    "_Imaginary" };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (strcmp(name, words[i]) == 0) {
			return true;
		}
	}
	return g_hash_table_contains(parser->aliases, name);
}

/* The name at hand, NULL (and refused) if there is none. */
static const char *take_name(struct parser *parser)
{
	const char *name;

	if (parser->token.kind != TOKEN_NAME) {
		refuse(parser, "expected a name");
		return NULL;
	}
	name = g_string_chunk_insert_len(parser->trace_class->strings, parser->token.start,
					 (gssize)parser->token.length);
	advance(parser);
	return name;
}

static const char *take_string(struct parser *parser)
{
	const char *text = g_string_chunk_insert_len(parser->trace_class->strings, parser->lexer.string->str,
						     (gssize)parser->lexer.string->len);

	advance(parser);
	return text;
}

/* "a.b.c" */
static const char *take_dotted_name(struct parser *parser)
{
	const char *name = take_name(parser);
	g_autoptr(GString) dotted = NULL;

	if (!name || !is_at(parser, '.')) {
		return name;
	}
	dotted = g_string_new(name);
	while (accept(parser, '.')) {
		const char *part = take_name(parser);

		if (!part) {
			return NULL;
		}
		g_string_append_printf(dotted, ".%s", part);
	}
	return g_string_chunk_insert_len(parser->trace_class->strings, dotted->str, (gssize)dotted->len);
}

static bool take_integer(struct parser *parser, uint64_t *value, bool *is_negative)
{
	*is_negative = accept(parser, '-');
	if (!*is_negative) {
		accept(parser, '+');
	}
	if (parser->token.kind != TOKEN_INTEGER) {
		return refuse(parser, "expected an integer");
	}
	*value = parser->token.value;
	if (*is_negative && *value > (uint64_t)INT64_MAX + 1) {
		return refuse(parser, "integer below the 64-bit range");
	}
	if (*is_negative) {
		*value = -*value;
	}
	advance(parser);
	return true;
}

/* `name = value;` or `name := type;` */
static bool parse_attribute(struct parser *parser, struct attribute *attribute)
{
	*attribute = (struct attribute){ .name = take_dotted_name(parser) };
	if (!attribute->name) {
		return false;
	}
	if (parser->token.kind == TOKEN_ASSIGN_TYPE) {
		advance(parser);
		attribute->kind = ATTRIBUTE_TYPE;
		attribute->type = parse_type(parser);
		return attribute->type && expect(parser, ';');
	}
	if (!expect(parser, '=')) {
		return false;
	}
	if (parser->token.kind == TOKEN_STRING) {
		attribute->kind = ATTRIBUTE_TEXT;
		attribute->is_quoted = true;
		attribute->text = take_string(parser);
	} else if (parser->token.kind == TOKEN_NAME) {
		attribute->kind = ATTRIBUTE_TEXT;
		attribute->text = take_dotted_name(parser);
	} else {
		attribute->kind = ATTRIBUTE_INTEGER;
		if (!take_integer(parser, &attribute->integer, &attribute->is_negative)) {
			return false;
		}
	}
	return (attribute->kind != ATTRIBUTE_TEXT || attribute->text) && expect(parser, ';');
}

/* The names of a block so far: few, as a rule. Borrowed. */
typedef struct seen_names {
	size_t count;
	const char *few[FEW_NAMES];
	GHashTable *more; /* owned, NULL if there are none */
} seen_names;

static void seen_names_clear(seen_names *seen)
{
	g_clear_pointer(&seen->more, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(seen_names, seen_names_clear)

/* False: it is there already. */
static bool seen_names_add(seen_names *seen, const char *name)
{
	for (size_t i = 0; i < seen->count; i++) {
		if (strcmp(seen->few[i], name) == 0) {
			return false;
		}
	}
	if (seen->count < FEW_NAMES) {
		seen->few[seen->count++] = name;
		return true;
	}
	if (!seen->more) {
		seen->more = g_hash_table_new(g_str_hash, g_str_equal);
	}
	return g_hash_table_add(seen->more, (char *)name);
}

/* The next attribute of a block; `seen` holds the names so far, none may repeat. */
static bool parse_new_attribute(struct parser *parser, seen_names *seen, struct attribute *attribute)
{
	return parse_attribute(parser, attribute) && (seen_names_add(seen, attribute->name) ||
						      refuse(parser, "attribute `%s` is given twice", attribute->name));
}

static bool attribute_is(const struct attribute *attribute, const char *name)
{
	return strcmp(attribute->name, name) == 0;
}

static bool refuse_attribute(struct parser *parser, const struct attribute *attribute)
{
	refuse(parser, "unknown attribute `%s`, or unknown value of it", attribute->name);
	return false;
}

static bool attribute_unsigned(struct parser *parser, const struct attribute *attribute, uint64_t max, uint64_t *value)
{
	if (attribute->kind != ATTRIBUTE_INTEGER || attribute->is_negative || attribute->integer > max) {
		return refuse_attribute(parser, attribute);
	}
	*value = attribute->integer;
	return true;
}

static bool attribute_bool(struct parser *parser, const struct attribute *attribute, bool *value)
{
	if (attribute->kind == ATTRIBUTE_INTEGER && !attribute->is_negative && attribute->integer <= 1) {
		*value = attribute->integer == 1;
		return true;
	}
	if (attribute->kind == ATTRIBUTE_TEXT && !attribute->is_quoted) {
		if (strcmp(attribute->text, "true") == 0 || strcmp(attribute->text, "TRUE") == 0) {
			*value = true;
			return true;
		}
		if (strcmp(attribute->text, "false") == 0 || strcmp(attribute->text, "FALSE") == 0) {
			*value = false;
			return true;
		}
	}
	return refuse_attribute(parser, attribute);
}

static bool attribute_byte_order(struct parser *parser, const struct attribute *attribute, bool *is_native,
				 bool *is_big_endian)
{
	static const struct {
		const char *name;
		bool is_native, is_big_endian;
	} orders[] = {
		{ "le", false, false }, { "be", false, true }, { "network", false, true }, { "native", true, false }
	};

	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
		if (attribute->kind == ATTRIBUTE_TEXT && !attribute->is_quoted &&
		    strcmp(attribute->text, orders[i].name) == 0) {
			*is_native = orders[i].is_native;
			*is_big_endian = orders[i].is_big_endian;
			return true;
		}
	}
	return refuse_attribute(parser, attribute);
}

static bool attribute_text(struct parser *parser, const struct attribute *attribute, const char **text)
{
	if (attribute->kind != ATTRIBUTE_TEXT || !attribute->is_quoted || *text) {
		return refuse_attribute(parser, attribute);
	}
	*text = attribute->text;
	return true;
}

static bool attribute_alignment(struct parser *parser, const struct attribute *attribute, uint32_t *alignment)
{
	uint64_t value = 0;

	if (!attribute_unsigned(parser, attribute, ALIGNMENT_MAX, &value)) {
		return false;
	}
	if (value == 0 || (value & (value - 1)) != 0) {
		return refuse_attribute(parser, attribute);
	}
	*alignment = (uint32_t)value;
	return true;
}

static bool attribute_uuid(struct parser *parser, const struct attribute *attribute, uint8_t uuid[16])
{
	const char *text = NULL;
	size_t digits = 0;

	if (!attribute_text(parser, attribute, &text) || strlen(text) != 36) {
		return refuse_attribute(parser, attribute);
	}
	for (size_t i = 0; i < 36; i++) {
		bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (is_dash ? text[i] != '-' : !g_ascii_isxdigit(text[i])) {
			return refuse_attribute(parser, attribute);
		}
		if (!is_dash) {
			uint8_t *byte = &uuid[digits++ / 2];

			*byte = (uint8_t)(*byte << 4 | g_ascii_xdigit_value(text[i]));
		}
	}
	return true;
}

/* Whether `encoding` is that of text. */
static bool attribute_encoding(struct parser *parser, const struct attribute *attribute, bool *is_text)
{
	static const char *const text_encodings[] = { "UTF8", "utf8", "ASCII", "ascii" };

	if (attribute->kind != ATTRIBUTE_TEXT) {
		return refuse_attribute(parser, attribute);
	}
	*is_text = false;
	if (strcmp(attribute->text, "none") == 0) {
		return true;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(text_encodings); i++) {
		*is_text |= strcmp(attribute->text, text_encodings[i]) == 0;
	}
	return *is_text || refuse_attribute(parser, attribute);
}

/* `base` is for display only, but LTTng never writes an invalid one. */
static bool check_base(struct parser *parser, const struct attribute *attribute)
{
	uint64_t base = attribute->integer;

	return (attribute->kind == ATTRIBUTE_INTEGER && !attribute->is_negative &&
		(base == 2 || base == 8 || base == 10 || base == 16)) ||
	       refuse_attribute(parser, attribute);
}

static bool attribute_map(struct parser *parser, const struct attribute *attribute)
{
	g_auto(GStrv) parts = attribute->kind == ATTRIBUTE_TEXT ? g_strsplit(attribute->text, ".", 0) : NULL;

	if (!parts || g_strv_length(parts) != 3 || strcmp(parts[0], "clock") != 0 || strcmp(parts[2], "value") != 0) {
		return refuse_attribute(parser, attribute);
	}
	if (parser->mapped_clock && strcmp(parser->mapped_clock, parts[1]) != 0) {
		return refuse(parser, "more than one clock is used; only one is supported");
	}
	parser->mapped_clock = g_string_chunk_insert(parser->trace_class->strings, parts[1]);
	return true;
}

static bool set_integer_attribute(struct parser *parser, struct ctf_type *type, const struct attribute *attribute,
				  bool *is_text)
{
	uint64_t size = 0;

	if (attribute_is(attribute, "size")) {
		if (!attribute_unsigned(parser, attribute, 64, &size) || size == 0) {
			return refuse_attribute(parser, attribute);
		}
		type->size = (uint32_t)size;
		return true;
	}
	if (attribute_is(attribute, "align")) {
		return attribute_alignment(parser, attribute, &type->alignment);
	}
	if (attribute_is(attribute, "signed")) {
		return attribute_bool(parser, attribute, &type->is_signed);
	}
	if (attribute_is(attribute, "byte_order")) {
		bool is_native = false;
		bool is_known = attribute_byte_order(parser, attribute, &is_native, &type->is_big_endian);

		type->has_own_byte_order = !is_native;
		return is_known;
	}
	if (attribute_is(attribute, "encoding")) {
		return attribute_encoding(parser, attribute, is_text);
	}
	if (attribute_is(attribute, "base")) {
		return check_base(parser, attribute);
	}
	if (attribute_is(attribute, "map")) {
		type->is_clock_value = true;
		return attribute_map(parser, attribute);
	}
	return refuse_attribute(parser, attribute);
}

static const struct ctf_type *parse_integer(struct parser *parser)
{
	g_auto(seen_names) seen = { 0 };
	struct ctf_type *type = ctf_trace_class_add_type(parser->trace_class, CTF_INTEGER);
	bool is_text = false;

	type->alignment = 0;
	if (!expect(parser, '{')) {
		return NULL;
	}
	while (!accept(parser, '}')) {
		struct attribute attribute;

		if (!parse_new_attribute(parser, &seen, &attribute) ||
		    !set_integer_attribute(parser, type, &attribute, &is_text)) {
			return NULL;
		}
	}
	if (type->size == 0) {
		refuse(parser, "integer without size");
		return NULL;
	}
	if (type->is_clock_value && type->is_signed) {
		refuse(parser, "signed integer mapped to a clock");
		return NULL;
	}
	if (type->alignment == 0) {
		type->alignment = type->size % 8 == 0 ? 8 : 1;
	}
	type->is_character = is_text && type->size == 8 && type->alignment == 8;
	return type;
}

static const struct ctf_type *parse_floating_point(struct parser *parser)
{
	g_auto(seen_names) seen = { 0 };
	struct ctf_type *type = ctf_trace_class_add_type(parser->trace_class, CTF_FLOAT);
	uint64_t exponent = 0, mantissa = 0;

	type->alignment = 8;
	if (!expect(parser, '{')) {
		return NULL;
	}
	while (!accept(parser, '}')) {
		struct attribute attribute;
		bool is_native, is_known;

		if (!parse_new_attribute(parser, &seen, &attribute)) {
			return NULL;
		}
		is_known =
			attribute_is(&attribute, "exp_dig")    ? attribute_unsigned(parser, &attribute, 64, &exponent)
			: attribute_is(&attribute, "mant_dig") ? attribute_unsigned(parser, &attribute, 64, &mantissa)
			: attribute_is(&attribute, "align") ? attribute_alignment(parser, &attribute, &type->alignment)
			: attribute_is(&attribute, "byte_order")
				? attribute_byte_order(parser, &attribute, &is_native, &type->is_big_endian)
				: refuse_attribute(parser, &attribute);
		if (!is_known) {
			return NULL;
		}
	}
	type->size = (uint32_t)(exponent + mantissa);
	if (!(exponent == 8 && mantissa == 24) && !(exponent == 11 && mantissa == 53)) {
		refuse(parser, "floating-point number that is neither float nor double");
		return NULL;
	}
	return type;
}

static const struct ctf_type *parse_string(struct parser *parser)
{
	g_auto(seen_names) seen = { 0 };
	struct ctf_type *type = ctf_trace_class_add_type(parser->trace_class, CTF_STRING);

	type->alignment = 8;
	if (accept(parser, '{')) {
		while (!accept(parser, '}')) {
			struct attribute attribute;
			bool is_text;

			if (!parse_new_attribute(parser, &seen, &attribute) ||
			    !(attribute_is(&attribute, "encoding") ? attribute_encoding(parser, &attribute, &is_text)
								   : refuse_attribute(parser, &attribute))) {
				return NULL;
			}
		}
	}
	return type;
}

/* Makes the named member of an open structure keep its value; its index, or CTF_NO_VALUE. */
static uint32_t depend_on(struct parser *parser, const char *name, const struct ctf_type **type)
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
static const struct ctf_type *parse_dimensions(struct parser *parser, const struct ctf_type *element)
{
	struct ctf_type *type;

	if (!accept(parser, '[')) {
		return element;
	}
	if (element->kind != CTF_INTEGER && element->kind != CTF_FLOAT && element->kind != CTF_STRING) {
		refuse(parser, "array of a structure, variant or sequence");
		return NULL;
	}
	if (parser->token.kind == TOKEN_INTEGER) {
		type = ctf_trace_class_add_type(parser->trace_class, CTF_ARRAY);
		type->length = parser->token.value;
		advance(parser);
	} else {
		const char *name = take_name(parser);
		const struct ctf_type *length_type = NULL;

		type = ctf_trace_class_add_type(parser->trace_class, CTF_SEQUENCE);
		if (!name) {
			return NULL;
		}
		type->depends_on = depend_on(parser, name, &length_type);
		if (type->depends_on == CTF_NO_VALUE || length_type->is_signed) {
			refuse(parser, "sequence length `%s` is not an unsigned integer member before the sequence",
			       name);
			return NULL;
		}
	}
	type->element = element;
	type->alignment = element->alignment;
	if (!expect(parser, ']')) {
		return NULL;
	}
	if (is_at(parser, '[')) {
		refuse(parser, "array of arrays");
		return NULL;
	}
	return type;
}

static const char *without_underscore(const char *name)
{
	return name[0] == '_' ? name + 1 : name;
}

static bool add_field(struct parser *parser, struct ctf_type *owner, const char *name, const struct ctf_type *type)
{
	struct ctf_field field = {
		.name = without_underscore(name),
		.declared_name = name,
		.type = type,
		.value = CTF_NO_VALUE,
	};

	if (is_reserved(parser, name)) {
		return refuse(parser, "`%s` is a keyword or a type and cannot name a member", name);
	}
	if (ctf_type_find_field(owner, field.name)) {
		return refuse(parser, "member `%s` is declared twice", name);
	}
	if (owner->kind == CTF_STRUCTURE && type->alignment > owner->alignment) {
		owner->alignment = type->alignment;
	}
	g_array_append_val(owner->fields, field);
	return true;
}

/* "unsigned long x" and the like: all names but the last one are the alias. */
static const struct ctf_type *parse_alias_and_name(struct parser *parser, const char **name)
{
	g_autoptr(GString) alias = g_string_new(NULL);
	const struct ctf_type *type;

	*name = take_name(parser);
	while (*name && parser->token.kind == TOKEN_NAME) {
		g_string_append_printf(alias, "%s%s", alias->len > 0 ? " " : "", *name);
		*name = take_name(parser);
	}
	type = *name ? g_hash_table_lookup(parser->aliases, alias->str) : NULL;
	if (!type) {
		refuse(parser, "unknown type `%s`", alias->str);
	}
	return type;
}

static bool is_at_type_keyword(const struct parser *parser)
{
	static const char *const keywords[] = { "integer", "floating_point", "string", "struct", "variant", "enum" };

	for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++) {
		if (is_at_name(parser, keywords[i])) {
			return true;
		}
	}
	return false;
}

/* Members of a structure or options of a variant up to the closing brace. */
static bool parse_fields(struct parser *parser, struct ctf_type *owner)
{
	while (!accept(parser, '}')) {
		const struct ctf_type *type;
		const char *name = NULL;

		if (is_at_type_keyword(parser)) {
			type = parse_type(parser);
			name = type ? take_name(parser) : NULL;
		} else {
			type = parse_alias_and_name(parser, &name);
		}
		type = type && name ? parse_dimensions(parser, type) : NULL;
		if (!type || !add_field(parser, owner, name, type) || !expect(parser, ';')) {
			return refuse(parser, "expected a member");
		}
	}
	return true;
}

static bool parse_struct_alignment(struct parser *parser, struct ctf_type *type)
{
	uint64_t alignment = 0;
	bool is_negative;

	if (!accept_name(parser, "align")) {
		return true;
	}
	if (!expect(parser, '(') || !take_integer(parser, &alignment, &is_negative) || !expect(parser, ')')) {
		return false;
	}
	if (is_negative || alignment == 0 || alignment > ALIGNMENT_MAX || (alignment & (alignment - 1)) != 0) {
		return refuse(parser, "alignment is not a power of two between 1 and 4096");
	}
	type->alignment = MAX(type->alignment, (uint32_t)alignment);
	return true;
}

static const struct ctf_type *parse_struct(struct parser *parser)
{
	const char *name = parser->token.kind == TOKEN_NAME ? take_name(parser) : NULL;
	struct open_structure open = { .outer = parser->innermost };
	bool is_complete;

	if (name && is_reserved(parser, name)) {
		refuse(parser, "`%s` is a keyword or a type and cannot name a structure", name);
		return NULL;
	}
	if (!accept(parser, '{')) {
		const struct ctf_type *known = name ? g_hash_table_lookup(parser->structures, name) : NULL;

		if (!known) {
			refuse(parser, "unknown structure `%s`", name ? name : "");
		}
		return known;
	}
	open.type = ctf_trace_class_add_type(parser->trace_class, CTF_STRUCTURE);
	parser->innermost = &open;
	is_complete = parse_fields(parser, open.type) && parse_struct_alignment(parser, open.type);
	parser->innermost = open.outer;
	if (is_complete && name && !g_hash_table_insert(parser->structures, (char *)name, open.type)) {
		is_complete = refuse(parser, "structure `%s` is declared twice", name);
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

static const struct ctf_type *parse_variant(struct parser *parser)
{
	struct ctf_type *type = ctf_trace_class_add_type(parser->trace_class, CTF_VARIANT);
	const char *tag;

	if (!expect(parser, '<')) {
		return NULL;
	}
	tag = take_name(parser);
	if (!tag || !expect(parser, '>')) {
		return NULL;
	}
	type->depends_on = depend_on(parser, tag, &type->tag);
	if (type->depends_on == CTF_NO_VALUE || !type->tag->labels) {
		refuse(parser, "variant tag `%s` is not an enumeration member before the variant", tag);
		return NULL;
	}
	if (!expect(parser, '{') || !parse_fields(parser, type)) {
		return NULL;
	}
	for (guint i = 0; i < type->fields->len; i++) {
		const char *name = g_array_index(type->fields, struct ctf_field, i).declared_name;

		if (!has_label(type->tag, name)) {
			refuse(parser, "variant option `%s` has no label in the tag's enumeration", name);
			return NULL;
		}
	}
	return type;
}

static bool labels_overlap(const struct ctf_type *type, const struct ctf_label *one, const struct ctf_label *other)
{
	return type->is_signed
		       ? (int64_t)one->lower <= (int64_t)other->upper && (int64_t)other->lower <= (int64_t)one->upper
		       : one->lower <= other->upper && other->lower <= one->upper;
}

/* Two labels of one value are legal, but it would be ambiguous which one a variant takes. */
static bool add_label(struct parser *parser, struct ctf_type *type, const struct ctf_label *label)
{
	bool is_reversed =
		type->is_signed ? (int64_t)label->lower > (int64_t)label->upper : label->lower > label->upper;

	if (is_reversed) {
		return refuse(parser, "range of enumeration label `%s` is empty: it ends below its beginning",
			      label->name);
	}
	if (type->labels->len > 1024) {
		return refuse(parser, "enumeration has more than 1025 labels");
	}
	for (guint i = 0; i < type->labels->len; i++) {
		if (labels_overlap(type, label, &g_array_index(type->labels, struct ctf_label, i))) {
			return refuse(parser, "enumeration labels overlap");
		}
	}
	g_array_append_val(type->labels, *label);
	return true;
}

static bool parse_label(struct parser *parser, struct ctf_type *type, uint64_t *next)
{
	struct ctf_label label = { .lower = *next, .upper = *next };
	bool is_negative = false;
	bool is_quoted = parser->token.kind == TOKEN_STRING;

	label.name = is_quoted ? take_string(parser) : take_name(parser);
	if (!label.name || (!is_quoted && is_reserved(parser, label.name))) {
		return refuse(parser, "expected an enumeration label");
	}
	if (accept(parser, '=')) {
		if (!take_integer(parser, &label.lower, &is_negative)) {
			return false;
		}
		label.upper = label.lower;
		if (parser->token.kind == TOKEN_RANGE) {
			advance(parser);
			if (!take_integer(parser, &label.upper, &is_negative)) {
				return false;
			}
		}
	}
	*next = label.upper + 1;
	return add_label(parser, type, &label);
}

static const struct ctf_type *parse_enum_container(struct parser *parser)
{
	g_autoptr(GString) alias = g_string_new(NULL);
	const struct ctf_type *type;

	if (is_at_type_keyword(parser)) {
		type = parse_type(parser);
	} else {
		while (parser->token.kind == TOKEN_NAME) {
			g_string_append_printf(alias, "%s%s", alias->len > 0 ? " " : "", take_name(parser));
		}
		type = g_hash_table_lookup(parser->aliases, alias->str);
	}
	if (!type || type->kind != CTF_INTEGER || type->is_clock_value) {
		refuse(parser, "enumeration of a type that is not an integer");
		return NULL;
	}
	return type;
}

static const struct ctf_type *parse_enum(struct parser *parser)
{
	const struct ctf_type *container;
	struct ctf_type *type;
	uint64_t next = 0;

	if (!expect(parser, ':')) {
		return NULL;
	}
	container = parse_enum_container(parser);
	if (!container || !expect(parser, '{')) {
		return NULL;
	}
	type = ctf_trace_class_add_type(parser->trace_class, CTF_INTEGER);
	*type = *container;
	type->labels = g_array_new(FALSE, FALSE, sizeof(struct ctf_label));
	do {
		if (is_at(parser, '}')) {
			break;
		}
		if (!parse_label(parser, type, &next)) {
			return NULL;
		}
	} while (accept(parser, ','));
	return expect(parser, '}') ? type : NULL;
}

static const struct ctf_type *parse_type_keyword(struct parser *parser)
{
	if (accept_name(parser, "integer")) {
		return parse_integer(parser);
	}
	if (accept_name(parser, "floating_point")) {
		return parse_floating_point(parser);
	}
	if (accept_name(parser, "string")) {
		return parse_string(parser);
	}
	if (accept_name(parser, "struct")) {
		return parse_struct(parser);
	}
	if (accept_name(parser, "variant")) {
		return parse_variant(parser);
	}
	if (accept_name(parser, "enum")) {
		return parse_enum(parser);
	}
	refuse(parser, "expected a type");
	return NULL;
}

static const struct ctf_type *parse_type(struct parser *parser)
{
	const struct ctf_type *type = NULL;

	if (parser->depth == DEPTH_MAX) {
		refuse(parser, "types are nested too deep");
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

/* typealias TYPE := NAME; */
static bool parse_typealias(struct parser *parser)
{
	const struct ctf_type *type = parse_type(parser);
	g_autoptr(GString) alias = g_string_new(NULL);
	bool is_integer = false;

	if (!type) {
		return false;
	}
	if (parser->token.kind != TOKEN_ASSIGN_TYPE) {
		return refuse(parser, "expected ':='");
	}
	advance(parser);
	while (parser->token.kind == TOKEN_NAME) {
		const char *word = take_name(parser);

		/* `uint8_t` or `unsigned long`, and nothing between */
		if (is_integer_word(word) ? alias->len > 0 && !is_integer
					  : alias->len > 0 || is_reserved(parser, word)) {
			return refuse(parser, "`%s` is a keyword and cannot name a type", word);
		}
		is_integer = is_integer_word(word);
		g_string_append_printf(alias, "%s%s", alias->len > 0 ? " " : "", word);
	}
	if (alias->len == 0 || !g_hash_table_insert(parser->aliases, g_strdup(alias->str), (void *)type)) {
		return refuse(parser, "type `%s` is declared twice", alias->str);
	}
	return expect(parser, ';');
}

/* The attributes of a block, each given to `set`. */
static bool parse_block(struct parser *parser, bool (*set)(struct parser *, const struct attribute *, void *),
			void *data)
{
	g_auto(seen_names) seen = { 0 };
	if (!expect(parser, '{')) {
		return false;
	}
	while (!accept(parser, '}')) {
		struct attribute attribute;

		if (!parse_new_attribute(parser, &seen, &attribute) || !set(parser, &attribute, data)) {
			return false;
		}
	}
	return expect(parser, ';');
}

static bool set_type(struct parser *parser, const struct attribute *attribute, const struct ctf_type **type)
{
	if (attribute->kind != ATTRIBUTE_TYPE || attribute->type->kind != CTF_STRUCTURE || *type) {
		return refuse_attribute(parser, attribute);
	}
	*type = attribute->type;
	return true;
}

struct trace_block {
	bool has_major, has_minor, has_uuid, has_byte_order;
};

static bool set_version(struct parser *parser, const struct attribute *attribute, uint64_t version, bool *has)
{
	*has = true;
	return (attribute->kind == ATTRIBUTE_INTEGER && attribute->integer == version) || refuse(parser, "not CTF 1.8");
}

static bool set_trace_attribute(struct parser *parser, const struct attribute *attribute, void *data)
{
	struct trace_block *block = data;
	bool is_native = false;

	if (attribute_is(attribute, "major")) {
		return set_version(parser, attribute, 1, &block->has_major);
	}
	if (attribute_is(attribute, "minor")) {
		return set_version(parser, attribute, 8, &block->has_minor);
	}
	if (attribute_is(attribute, "uuid") && !block->has_uuid) {
		block->has_uuid = true;
		return attribute_uuid(parser, attribute, parser->trace_class->uuid);
	}
	if (attribute_is(attribute, "byte_order") && !block->has_byte_order) {
		block->has_byte_order = true;
		return (attribute_byte_order(parser, attribute, &is_native, &parser->trace_class->is_big_endian) &&
			!is_native) ||
		       refuse_attribute(parser, attribute);
	}
	if (attribute_is(attribute, "packet.header")) {
		return set_type(parser, attribute, &parser->trace_class->packet_header);
	}
	return refuse_attribute(parser, attribute);
}

static bool parse_trace(struct parser *parser)
{
	struct trace_block block = { 0 };

	if (parser->has_trace) {
		return refuse(parser, "second trace block");
	}
	parser->has_trace = true;
	if (!parse_block(parser, set_trace_attribute, &block)) {
		return false;
	}
	return (block.has_major && block.has_minor && block.has_uuid && block.has_byte_order &&
		parser->trace_class->packet_header) ||
	       refuse(parser, "trace block lacks a required attribute");
}

static bool set_env_entry(struct parser *parser, const struct attribute *attribute, void *data)
{
	struct ctf_trace_class *trace_class = parser->trace_class;
	bool is_integer = attribute->kind == ATTRIBUTE_INTEGER;

	if (attribute->kind == ATTRIBUTE_TYPE || (attribute->kind == ATTRIBUTE_TEXT && !attribute->is_quoted) ||
	    is_reserved(parser, attribute->name)) {
		return refuse_attribute(parser, attribute);
	}
	if (is_integer && !attribute->is_negative && attribute->integer > INT64_MAX) {
		return refuse_attribute(parser, attribute);
	}
	if (attribute_is(attribute, "hostname")) {
		return attribute_text(parser, attribute, &trace_class->hostname);
	}
	if (attribute_is(attribute, "procname")) {
		return attribute_text(parser, attribute, &trace_class->procname);
	}
	if (attribute_is(attribute, "tracer_name")) {
		parser->is_lttng = !is_integer && strcmp(attribute->text, "lttng-ust") == 0;
	} else if (attribute_is(attribute, "tracer_major") && is_integer) {
		trace_class->tracer_major = (int64_t)attribute->integer;
	} else if (attribute_is(attribute, "tracer_minor") && is_integer) {
		trace_class->tracer_minor = (int64_t)attribute->integer;
	} else if (attribute_is(attribute, "vpid")) {
		if (trace_class->has_vpid || !is_integer) {
			return refuse_attribute(parser, attribute);
		}
		trace_class->has_vpid = true;
		trace_class->vpid = (int64_t)attribute->integer;
	}
	return true;
}

static bool parse_env(struct parser *parser)
{
	if (parser->has_env) {
		return refuse(parser, "second env block");
	}
	parser->has_env = true;
	return parse_block(parser, set_env_entry, NULL) &&
	       (parser->is_lttng || refuse(parser, "not a trace of LTTng-UST"));
}

static bool set_clock_attribute(struct parser *parser, const struct attribute *attribute, void *data)
{
	struct ctf_clock *clock = &parser->trace_class->clock;
	const char *ignored = NULL;
	uint64_t value;

	if (attribute_is(attribute, "name")) {
		return attribute_text(parser, attribute, &clock->name);
	}
	if (attribute_is(attribute, "uuid")) {
		clock->has_uuid = true;
		return attribute_uuid(parser, attribute, clock->uuid);
	}
	if (attribute_is(attribute, "description")) {
		return attribute_text(parser, attribute, &ignored);
	}
	if (attribute_is(attribute, "freq")) {
		return attribute_unsigned(parser, attribute, UINT64_MAX - 1, &clock->frequency);
	}
	if (attribute_is(attribute, "precision")) {
		return attribute_unsigned(parser, attribute, UINT64_MAX, &value);
	}
	if (attribute_is(attribute, "offset")) {
		return attribute_unsigned(parser, attribute, INT64_MAX, &clock->offset_cycles);
	}
	if (attribute_is(attribute, "offset_s")) {
		clock->offset_s = (int64_t)attribute->integer;
		return (attribute->kind == ATTRIBUTE_INTEGER &&
			(attribute->is_negative || attribute->integer <= INT64_MAX / 4)) ||
		       refuse_attribute(parser, attribute);
	}
	if (attribute_is(attribute, "absolute")) {
		return attribute_bool(parser, attribute, &clock->is_since_epoch);
	}
	return refuse_attribute(parser, attribute);
}

static bool parse_clock(struct parser *parser)
{
	struct ctf_clock *clock = &parser->trace_class->clock;

	if (parser->has_clock) {
		return refuse(parser, "more than one clock is used; only one is supported");
	}
	parser->has_clock = true;
	clock->frequency = (uint64_t)NS_PER_S;
	if (!parse_block(parser, set_clock_attribute, NULL)) {
		return false;
	}
	if (!clock->name || clock->frequency == 0) {
		return refuse(parser, "clock without name or frequency");
	}
	/* LTTng does not declare that its own clock is absolute. */
	clock->is_since_epoch |= parser->is_lttng && strcmp(clock->name, "monotonic") == 0;
	if (!clock->is_since_epoch) {
		return refuse(parser, "clock does not count from the Unix epoch");
	}
	clock->offset_s += (int64_t)(clock->offset_cycles / clock->frequency);
	clock->offset_cycles %= clock->frequency;
	return true;
}

struct stream_block {
	struct ctf_stream_class class;
	bool has_id;
};

static bool set_stream_attribute(struct parser *parser, const struct attribute *attribute, void *data)
{
	struct stream_block *block = data;

	if (attribute_is(attribute, "id") && !block->has_id) {
		block->has_id = true;
		return attribute_unsigned(parser, attribute, INT64_MAX, &block->class.id);
	}
	if (attribute_is(attribute, "event.header")) {
		return set_type(parser, attribute, &block->class.event_header);
	}
	if (attribute_is(attribute, "event.context")) {
		return set_type(parser, attribute, &block->class.event_context);
	}
	if (attribute_is(attribute, "packet.context")) {
		return set_type(parser, attribute, &block->class.packet_context);
	}
	return refuse_attribute(parser, attribute);
}

static bool parse_stream(struct parser *parser)
{
	struct stream_block block = { 0 };

	if (!parse_block(parser, set_stream_attribute, &block)) {
		return false;
	}
	if (!block.has_id || !block.class.event_header || !block.class.packet_context) {
		return refuse(parser, "stream block lacks a required attribute");
	}
	if (ctf_trace_class_find_stream(parser->trace_class, block.class.id)) {
		return refuse(parser, "second stream with this id");
	}
	g_array_append_val(parser->trace_class->streams, block.class);
	return true;
}

struct event_block {
	struct ctf_event_class class;
	bool has_id, has_stream_id;
};

static bool set_event_attribute(struct parser *parser, const struct attribute *attribute, void *data)
{
	struct event_block *block = data;
	const char *ignored = NULL;
	uint64_t value;

	if (attribute_is(attribute, "name")) {
		return attribute_text(parser, attribute, &block->class.name);
	}
	if (attribute_is(attribute, "id") && !block->has_id) {
		block->has_id = true;
		return attribute_unsigned(parser, attribute, UINT32_MAX, &block->class.id);
	}
	if (attribute_is(attribute, "stream_id") && !block->has_stream_id) {
		block->has_stream_id = true;
		return attribute_unsigned(parser, attribute, INT64_MAX, &block->class.stream_id);
	}
	if (attribute_is(attribute, "loglevel")) {
		return attribute_unsigned(parser, attribute, INT64_MAX, &value);
	}
	if (attribute_is(attribute, "model.emf.uri")) {
		return attribute_text(parser, attribute, &ignored);
	}
	if (attribute_is(attribute, "context")) {
		return set_type(parser, attribute, &block->class.context);
	}
	if (attribute_is(attribute, "fields")) {
		return set_type(parser, attribute, &block->class.payload);
	}
	return refuse_attribute(parser, attribute);
}

static bool parse_event(struct parser *parser)
{
	struct event_block block = { 0 };

	if (!parse_block(parser, set_event_attribute, &block)) {
		return false;
	}
	if (!block.has_id || !block.has_stream_id || !block.class.name) {
		return refuse(parser, "event block lacks a required attribute");
	}
	g_array_append_val(parser->trace_class->events, block.class);
	return true;
}

static bool parse_top_level(struct parser *parser)
{
	if (accept_name(parser, "typealias")) {
		return parse_typealias(parser);
	}
	if (is_at_name(parser, "struct")) {
		return parse_type(parser) && expect(parser, ';');
	}
	if (accept_name(parser, "trace")) {
		return parse_trace(parser);
	}
	if (accept_name(parser, "env")) {
		return parse_env(parser);
	}
	if (accept_name(parser, "clock")) {
		return parse_clock(parser);
	}
	if (accept_name(parser, "stream")) {
		return parse_stream(parser);
	}
	if (accept_name(parser, "event")) {
		return parse_event(parser);
	}
	return refuse(parser, "expected a declaration");
}

static gint compare_streams(gconstpointer a, gconstpointer b)
{
	const struct ctf_stream_class *left = a;
	const struct ctf_stream_class *right = b;

	return (left->id > right->id) - (left->id < right->id);
}

static gint compare_events(gconstpointer a, gconstpointer b)
{
	const struct ctf_event_class *left = a;
	const struct ctf_event_class *right = b;

	if (left->stream_id != right->stream_id) {
		return left->stream_id > right->stream_id ? 1 : -1;
	}
	return (left->id > right->id) - (left->id < right->id);
}

static bool check_events(struct parser *parser)
{
	GArray *events = parser->trace_class->events;

	g_array_sort(events, compare_events);
	for (guint i = 0; i < events->len; i++) {
		const struct ctf_event_class *event = &g_array_index(events, struct ctf_event_class, i);

		if (!ctf_trace_class_find_stream(parser->trace_class, event->stream_id)) {
			return refuse(parser, "event `%s` belongs to no stream", event->name);
		}
		if (i > 0 && compare_events(event - 1, event) == 0) {
			return refuse(parser, "second event with this id in its stream");
		}
	}
	return true;
}

/* Integers without a byte order have that of the trace, which may be declared after them. */
static void resolve_byte_orders(struct ctf_trace_class *trace_class)
{
	for (guint i = 0; i < trace_class->types->len; i++) {
		struct ctf_type *type = g_ptr_array_index(trace_class->types, i);

		if (type->kind == CTF_INTEGER && !type->has_own_byte_order) {
			type->is_big_endian = trace_class->is_big_endian;
		}
	}
}

static bool parse_all(struct parser *parser)
{
	advance(parser);
	while (parser->token.kind != TOKEN_END) {
		if (!parse_top_level(parser)) {
			return refuse(parser, "text that is not TSDL");
		}
	}
	if (!parser->has_trace || !parser->has_env || !parser->has_clock || parser->trace_class->streams->len == 0) {
		return refuse(parser, "trace, env, clock or stream block is missing");
	}
	if (parser->mapped_clock && strcmp(parser->mapped_clock, parser->trace_class->clock.name) != 0) {
		return refuse(parser, "unknown clock `%s`", parser->mapped_clock);
	}
	g_array_sort(parser->trace_class->streams, compare_streams);
	resolve_byte_orders(parser->trace_class);
	return check_events(parser);
}

struct ctf_trace_class *tsdl_parse(const char *text, size_t length, char **reason)
{
	struct parser parser = {
		.trace_class = ctf_trace_class_create(),
		.aliases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.structures = g_hash_table_new(g_str_hash, g_str_equal),
	};
	struct ctf_trace_class *trace_class = parser.trace_class;

	tsdl_lexer_init(&parser.lexer, text, length);
	if (!parse_all(&parser)) {
		ctf_trace_class_destroy(trace_class);
		trace_class = NULL;
	}
	*reason = parser.reason;
	tsdl_lexer_clear(&parser.lexer);
	g_hash_table_destroy(parser.aliases);
	g_hash_table_destroy(parser.structures);
	return trace_class;
}
