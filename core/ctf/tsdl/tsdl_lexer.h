/* SPDX-License-Identifier: MIT */
/* The tokens of TSDL. Part of the parser, not of the interface. */
#ifndef ROS2BT_TSDL_LEXER_H
#define ROS2BT_TSDL_LEXER_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
	TOKEN_END,
	TOKEN_INVALID,
	TOKEN_NAME,
	TOKEN_INTEGER,	   /* .value; a sign is a token of its own */
	TOKEN_STRING,	   /* .text, without quotes and escapes */
	TOKEN_ASSIGN_TYPE, /* := */
	TOKEN_RANGE,	   /* ... */
	TOKEN_CHARACTER,   /* .character */
};

struct token {
	enum token_kind kind;
	const char *start; /* TOKEN_NAME: in the text of the metadata */
	size_t length;
	uint64_t value;
	char character;
	unsigned int line;
};

struct tsdl_lexer {
	const char *at, *end;
	unsigned int line;
	GString *string; /* of the last TOKEN_STRING */
};

void tsdl_lexer_init(struct tsdl_lexer *lexer, const char *text, size_t length);
void tsdl_lexer_clear(struct tsdl_lexer *lexer);

struct token tsdl_lexer_next(struct tsdl_lexer *lexer);

#endif
