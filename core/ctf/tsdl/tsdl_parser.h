/* SPDX-License-Identifier: MIT */
/*
 * The state of the TSDL parser, and its smallest steps: looking at the next token, accepting it, taking names and
 * numbers.
 *
 *   ctf_tsdl.c        blocks: trace, env, clock, stream, event          uses all below
 *   tsdl_types.c      structures, variants, enumerations, typealias     scalars
 *   tsdl_scalars.c    integers, floating-point numbers, strings         attributes
 *   tsdl_attribute.c  `name = value;`                                   parser
 *   tsdl_parser.c     this                                              tsdl_lexer.h
 *
 * A function that returns false or NULL has refused the text: the first reason is kept.
 */
#ifndef ROS2BT_TSDL_PARSER_H
#define ROS2BT_TSDL_PARSER_H

#include <glib.h>
#include <stdbool.h>

#include "core/ctf/ctf_type.h"
#include "core/ctf/tsdl/tsdl_lexer.h"

#define TSDL_ALIGNMENT_MAX 4096

/* A structure whose members are being parsed: a variant or sequence looks here for the member it depends on. */
struct open_structure {
	struct ctf_type *type;
	struct open_structure *outer;
};

struct tsdl_parser {
	struct tsdl_lexer lexer;
	struct token token; /* the next one */
	struct ctf_trace_class *trace_class;
	GHashTable *aliases;	/* "unsigned long" → const struct ctf_type * */
	GHashTable *structures; /* name → const struct ctf_type * */
	struct open_structure *innermost;
	unsigned int depth;
	bool has_trace, has_env, has_clock;
	const char *mapped_clock; /* NULL: none named yet */
	char *reason;
};

/* Keeps the reason, with the line, unless there is one; false. */
bool tsdl_refuse(struct tsdl_parser *parser, const char *format, ...) G_GNUC_PRINTF(2, 3);

void tsdl_advance(struct tsdl_parser *parser);
bool tsdl_is_at(const struct tsdl_parser *parser, char character);
bool tsdl_is_at_name(const struct tsdl_parser *parser, const char *name);
/* Whether it is the next token; if so, moves past it. */
bool tsdl_accept(struct tsdl_parser *parser, char character);
bool tsdl_accept_name(struct tsdl_parser *parser, const char *name);
/* The same, and refuses any other token. */
bool tsdl_expect(struct tsdl_parser *parser, char character);

/* Words of the language, and names of types, cannot be names of members. */
bool tsdl_is_reserved(const struct tsdl_parser *parser, const char *name);
/* The next token, a name; NULL (and refused) if it is none. In the trace class's strings, as all texts. */
const char *tsdl_take_name(struct tsdl_parser *parser);
/* The next token, a string. */
const char *tsdl_take_string(struct tsdl_parser *parser);
/* "a.b.c" */
const char *tsdl_take_dotted_name(struct tsdl_parser *parser);
/* A negative one as its two's complement. */
bool tsdl_take_integer(struct tsdl_parser *parser, uint64_t *value, bool *is_negative);

#endif
