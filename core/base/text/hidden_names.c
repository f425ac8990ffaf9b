/* SPDX-License-Identifier: MIT */
#include "core/base/text/hidden_names.h"

#include <glib.h>
#include <string.h>

/* What CARET's tracer calls its own node in each process, before a UUID (trace_node.cpp of caret_trace). */
#define CARET_NODE "/caret_trace_"

static bool has_hidden_part(const char *token, size_t length)
{
	for (size_t i = 1; i < length; i++) {
		if (token[i] == '_' && token[i - 1] == '/') {
			return true;
		}
	}
	return false;
}

static bool is_hidden_token(const char *token, size_t length)
{
	static const char *const hidden[] = { "/rosout", "/parameter_events", "/caret/start_record",
					      "/caret/end_record", "/caret/status" };

	for (size_t i = 0; i < G_N_ELEMENTS(hidden); i++) {
		if (strlen(hidden[i]) == length && strncmp(token, hidden[i], length) == 0) {
			return true;
		}
	}
	if (length >= strlen(CARET_NODE) && strncmp(token, CARET_NODE, strlen(CARET_NODE)) == 0) {
		return true;
	}
	return token[0] == '/' && has_hidden_part(token, length);
}

/* Whether what follows a '/' may be hidden: it begins with '_', or as one of the names above. */
static inline bool may_begin_hidden(const char *text)
{
	switch (text[0]) {
	case '_':
		return true;
	case 'r':
		return text[1] == 'o' && text[2] == 's';
	case 'p':
		return text[1] == 'a' && text[2] == 'r';
	case 'c':
		return text[1] == 'a' && text[2] == 'r';
	default:
		return false;
	}
}

/* Most names need no further look: it is asked of each name of each row. */
static bool may_be_hidden(const char *text)
{
	while (text && *text && !(*text == '/' && may_begin_hidden(text + 1))) {
		text = strchr(text + 1, '/');
	}
	return text && *text;
}

bool name_is_hidden(const char *text)
{
	if (!may_be_hidden(text)) {
		return false;
	}
	while (*text) {
		size_t length = strcspn(text, " ");

		if (length > 0 && is_hidden_token(text, length)) {
			return true;
		}
		text += length + strspn(text + length, " ");
	}
	return false;
}
