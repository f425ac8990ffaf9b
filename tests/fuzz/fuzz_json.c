/* SPDX-License-Identifier: MIT */
/*
 * The reader of JSON and that of CTF 2 metadata, on any bytes: neither reads beyond them, and what the reader of JSON
 * accepts, jansson accepts as well, with the same values; what it refuses for being no JSON, jansson refuses. (Each
 * refuses more, as json_text.h says of ours: numbers of 64 bits and nesting.)
 */
#include <glib.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/ctf/ctf2/ctf2_metadata.h"
#include "ros2bt/ctf/ctf2_tsdl.h"
#include "core/ctf/ctf2/json_text.h"

static void check(bool is_right)
{
	if (!is_right) {
		abort();
	}
}

static void compare(const struct json_value *ours, const json_t *theirs)
{
	const char *key;
	json_t *member;
	size_t index, count = 0;

	switch (ours->kind) {
	case JSON_KIND_NULL:
		check(json_is_null(theirs));
		break;
	case JSON_KIND_BOOLEAN:
		check(ours->is_true ? json_is_true(theirs) : json_is_false(theirs));
		break;
	case JSON_KIND_INTEGER:
		check(json_is_integer(theirs) && json_integer_value(theirs) == (json_int_t)ours->integer);
		break;
	case JSON_KIND_REAL:
		check(json_is_real(theirs));
		break;
	case JSON_KIND_TEXT:
		check(json_is_string(theirs) && strcmp(json_string_value(theirs), ours->text) == 0);
		break;
	case JSON_KIND_ARRAY:
		check(json_is_array(theirs));
		ours = ours->first;
		json_array_foreach((json_t *)theirs, index, member)
		{
			check(ours);
			compare(ours, member);
			ours = ours->next;
		}
		check(!ours);
		break;
	case JSON_KIND_OBJECT:
		check(json_is_object(theirs));
		for (const struct json_value *one = ours->first; one; one = one->next) {
			key = one->key;
			compare(one, json_object_get(theirs, key));
			count++;
		}
		check(count == json_object_size(theirs));
		break;
	}
}

/* A reason for which jansson need not refuse as well, or the other way round. */
static bool is_our_own(const char *reason)
{
	return strstr(reason, "64 bits") || strstr(reason, "too deep");
}

static void check_json(const char *text, size_t size)
{
	GStringChunk *texts = g_string_chunk_new(64);
	struct json_reader *reader = json_reader_create(texts);
	json_error_t error;
	json_t *theirs = json_loadb(text, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
	char *reason = NULL;
	unsigned int line = 1;
	const struct json_value *ours = json_reader_read(reader, text, size, &line, &reason);

	check((ours == NULL) == (reason != NULL));
	if (memchr(text, '\0', size)) {
		/* where jansson stops */
		check(!ours);
	} else if (ours && theirs) {
		compare(ours, theirs);
	} else if (ours) {
		/* integers above 2^63 - 1, reals beyond a double */
		check(strstr(error.text, "too big") || strstr(error.text, "real number overflow"));
	} else if (theirs) {
		check(is_our_own(reason));
	}
	g_free(reason);
	json_decref(theirs);
	json_reader_destroy(reader);
	g_string_chunk_free(texts);
}

static void check_metadata(const char *text, size_t size)
{
	char *reason = NULL, *why = NULL;
	struct ctf_trace_class *trace_class = ctf2_parse(text, size, &reason);
	char *tsdl = ctf2_to_tsdl(text, size, &why);

	check((trace_class == NULL) == (reason != NULL));
	check((tsdl == NULL) == (why != NULL));
	check(trace_class || !tsdl);
	ctf_trace_class_destroy(trace_class);
	g_free(tsdl);
	g_free(reason);
	g_free(why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* exactly as long as it says, so that the sanitizer sees a read beyond the end */
	char *text = malloc(size ? size : 1);

	memcpy(text, data, size);
	check_json(text, size);
	check_metadata(text, size);
	free(text);
	return 0;
}
