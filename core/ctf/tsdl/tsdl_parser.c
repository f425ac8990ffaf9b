/* SPDX-License-Identifier: MIT */
#include "core/ctf/tsdl/tsdl_parser.h"

#include <string.h>

#include "core/ctf/refusal.h"

bool tsdl_refuse(struct tsdl_parser *parser, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	refusal_keep(&parser->reason, "metadata, line", parser->token.line, format, arguments);
	va_end(arguments);
	return false;
}

void tsdl_advance(struct tsdl_parser *parser)
{
	parser->token = tsdl_lexer_next(&parser->lexer);
}

bool tsdl_is_at(const struct tsdl_parser *parser, char character)
{
	return parser->token.kind == TOKEN_CHARACTER && parser->token.character == character;
}

bool tsdl_is_at_name(const struct tsdl_parser *parser, const char *name)
{
	return parser->token.kind == TOKEN_NAME && strlen(name) == parser->token.length &&
	       memcmp(parser->token.start, name, parser->token.length) == 0;
}

bool tsdl_accept(struct tsdl_parser *parser, char character)
{
	if (!tsdl_is_at(parser, character)) {
		return false;
	}
	tsdl_advance(parser);
	return true;
}

bool tsdl_accept_name(struct tsdl_parser *parser, const char *name)
{
	if (!tsdl_is_at_name(parser, name)) {
		return false;
	}
	tsdl_advance(parser);
	return true;
}

bool tsdl_expect(struct tsdl_parser *parser, char character)
{
	return tsdl_accept(parser, character) || tsdl_refuse(parser, "expected '%c'", character);
}

bool tsdl_is_reserved(const struct tsdl_parser *parser, const char *name)
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

const char *tsdl_take_name(struct tsdl_parser *parser)
{
	const char *name;

	if (parser->token.kind != TOKEN_NAME) {
		tsdl_refuse(parser, "expected a name");
		return NULL;
	}
	name = g_string_chunk_insert_len(parser->trace_class->strings, parser->token.start,
					 (gssize)parser->token.length);
	tsdl_advance(parser);
	return name;
}

const char *tsdl_take_string(struct tsdl_parser *parser)
{
	const char *text = g_string_chunk_insert_len(parser->trace_class->strings, parser->lexer.string->str,
						     (gssize)parser->lexer.string->len);

	tsdl_advance(parser);
	return text;
}

const char *tsdl_take_dotted_name(struct tsdl_parser *parser)
{
	const char *name = tsdl_take_name(parser);
	g_autoptr(GString) dotted = NULL;

	if (!name || !tsdl_is_at(parser, '.')) {
		return name;
	}
	dotted = g_string_new(name);
	while (tsdl_accept(parser, '.')) {
		const char *part = tsdl_take_name(parser);

		if (!part) {
			return NULL;
		}
		g_string_append_printf(dotted, ".%s", part);
	}
	return g_string_chunk_insert_len(parser->trace_class->strings, dotted->str, (gssize)dotted->len);
}

bool tsdl_take_integer(struct tsdl_parser *parser, uint64_t *value, bool *is_negative)
{
	*is_negative = tsdl_accept(parser, '-');
	if (!*is_negative) {
		tsdl_accept(parser, '+');
	}
	if (parser->token.kind != TOKEN_INTEGER) {
		return tsdl_refuse(parser, "expected an integer");
	}
	*value = parser->token.value;
	if (*is_negative && *value > (uint64_t)INT64_MAX + 1) {
		return tsdl_refuse(parser, "integer below the 64-bit range");
	}
	if (*is_negative) {
		*value = -*value;
	}
	tsdl_advance(parser);
	return true;
}
