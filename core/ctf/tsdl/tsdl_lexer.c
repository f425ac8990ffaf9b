/* SPDX-License-Identifier: MIT */
#include "core/ctf/tsdl/tsdl_lexer.h"

#include <string.h>

void tsdl_lexer_init(struct tsdl_lexer *lexer, const char *text, size_t length)
{
	*lexer = (struct tsdl_lexer){ .at = text, .end = text + length, .line = 1, .string = g_string_new(NULL) };
}

void tsdl_lexer_clear(struct tsdl_lexer *lexer)
{
	g_string_free(lexer->string, TRUE);
}

static inline bool starts_with(const struct tsdl_lexer *lexer, const char *text)
{
	size_t length = strlen(text);

	return *lexer->at == *text && (size_t)(lexer->end - lexer->at) >= length &&
	       memcmp(lexer->at, text, length) == 0;
}

static void skip(struct tsdl_lexer *lexer, size_t count)
{
	for (; count > 0; count--, lexer->at++) {
		lexer->line += *lexer->at == '\n';
	}
}

/* Most of metadata is spaces, names and single characters. */
static void skip_spaces(struct tsdl_lexer *lexer)
{
	const char *at = lexer->at;

	for (; at < lexer->end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'); at++) {
		lexer->line += *at == '\n';
	}
	lexer->at = at;
}

/* Spaces and comments; false: a comment without end. */
static bool skip_space(struct tsdl_lexer *lexer)
{
	for (skip_spaces(lexer); lexer->at < lexer->end && *lexer->at == '/'; skip_spaces(lexer)) {
		if (starts_with(lexer, "//")) {
			while (lexer->at < lexer->end && *lexer->at != '\n') {
				lexer->at++;
			}
			if (lexer->at == lexer->end) {
				return false;
			}
		} else if (starts_with(lexer, "/*")) {
			skip(lexer, 2);
			while (lexer->at < lexer->end && !starts_with(lexer, "*/")) {
				skip(lexer, 1);
			}
			if (lexer->at == lexer->end) {
				return false;
			}
			skip(lexer, 2);
		} else {
			break;
		}
	}
	return true;
}

static bool is_name_character(char character)
{
	return g_ascii_isalnum(character) || character == '_';
}

static void read_name(struct tsdl_lexer *lexer, struct token *token)
{
	const char *at = lexer->at;

	while (at < lexer->end && is_name_character(*at)) {
		at++;
	}
	lexer->at = at;
	token->kind = TOKEN_NAME;
	token->length = (size_t)(at - token->start);
}

static void read_integer(struct tsdl_lexer *lexer, struct token *token)
{
	unsigned int base = 10;
	size_t digits = 0;

	token->kind = TOKEN_INTEGER;
	if (starts_with(lexer, "0x") || starts_with(lexer, "0X")) {
		base = 16;
		lexer->at += 2;
	} else if (*lexer->at == '0') {
		base = 8;
	}
	for (; lexer->at < lexer->end && g_ascii_isxdigit(*lexer->at); lexer->at++, digits++) {
		unsigned int digit = (unsigned int)g_ascii_xdigit_value(*lexer->at);

		if (digit >= base || __builtin_mul_overflow(token->value, base, &token->value) ||
		    __builtin_add_overflow(token->value, digit, &token->value)) {
			token->kind = TOKEN_INVALID;
		}
	}
	/* No suffixes, no 12ab */
	if (digits == 0 || (lexer->at < lexer->end && is_name_character(*lexer->at))) {
		token->kind = TOKEN_INVALID;
	}
}

static bool read_escape(struct tsdl_lexer *lexer)
{
	static const char letters[] = "abfnrtv\\\"'?";
	static const char characters[] = "\a\b\f\n\r\t\v\\\"'?";
	const char *found;

	if (lexer->at == lexer->end || *lexer->at == '\0') {
		return false;
	}
	found = strchr(letters, *lexer->at++);
	if (!found) {
		return false;
	}
	g_string_append_c(lexer->string, characters[found - letters]);
	return true;
}

static void read_string(struct tsdl_lexer *lexer, struct token *token)
{
	g_string_truncate(lexer->string, 0);
	token->kind = TOKEN_INVALID;
	lexer->at++;
	while (lexer->at < lexer->end && *lexer->at != '\n' && *lexer->at != '\0') {
		char character = *lexer->at++;

		if (character == '"') {
			token->kind = TOKEN_STRING;
			return;
		}
		if (character != '\\') {
			g_string_append_c(lexer->string, character);
		} else if (!read_escape(lexer)) {
			return;
		}
	}
}

struct token tsdl_lexer_next(struct tsdl_lexer *lexer)
{
	bool is_space_complete = skip_space(lexer);
	struct token token = { .kind = TOKEN_END, .start = lexer->at, .line = lexer->line };

	if (!is_space_complete) {
		token.kind = TOKEN_INVALID;
	} else if (lexer->at == lexer->end) {
		token.kind = TOKEN_END;
	} else if (g_ascii_isdigit(*lexer->at)) {
		read_integer(lexer, &token);
	} else if (is_name_character(*lexer->at)) {
		read_name(lexer, &token);
	} else if (*lexer->at == '"') {
		read_string(lexer, &token);
	} else if (starts_with(lexer, ":=")) {
		token.kind = TOKEN_ASSIGN_TYPE;
		lexer->at += 2;
	} else if (starts_with(lexer, "...")) {
		token.kind = TOKEN_RANGE;
		lexer->at += 3;
	} else if (strchr("{}[]<>;:,.=()-+", *lexer->at) && *lexer->at != '\0') {
		token.kind = TOKEN_CHARACTER;
		token.character = *lexer->at++;
	} else {
		token.kind = TOKEN_INVALID;
	}
	return token;
}
