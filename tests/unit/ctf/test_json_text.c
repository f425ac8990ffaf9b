/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "core/ctf/ctf2/json_text.h"

static GStringChunk *texts;
static struct json_reader *reader;

static void setup(void)
{
	texts = g_string_chunk_new(256);
	reader = json_reader_create(texts);
}

static void teardown(void)
{
	json_reader_destroy(reader);
	g_string_chunk_free(texts);
}

TestSuite(json_text, .init = setup, .fini = teardown);

static const struct json_value *take(const char *text)
{
	char *reason = NULL;
	unsigned int line = 1;
	const struct json_value *value = json_reader_read(reader, text, strlen(text), &line, &reason);

	cr_assert(value, "%s: %s", text, reason);
	return value;
}

static void expect_refused(const char *text, size_t length, const char *why)
{
	char *reason = NULL;
	unsigned int line = 7;

	cr_expect_not(json_reader_read(reader, text, length, &line, &reason), "%s", text);
	cr_assert_not_null(reason);
	cr_expect(g_str_has_prefix(reason, "line "), "%s", reason);
	cr_expect(strstr(reason, why), "%s: %s, not %s", text, reason, why);
	g_free(reason);
}

#define REFUSED(text, why) expect_refused(text, sizeof(text) - 1, why)

Test(json_text, values_have_their_kind)
{
	const struct json_value *value = take(" {\"a\": [1, -2, \"x\", true, false, null, 1.5, 2e3], \"b\": {}}\r\n\t");

	cr_assert_eq(value->kind, JSON_KIND_OBJECT);
	cr_expect_null(value->key);
	value = value->first;
	cr_expect_str_eq(value->key, "a");
	cr_expect_eq(value->kind, JSON_KIND_ARRAY);
	cr_expect_str_eq(value->next->key, "b");
	cr_expect_eq(value->next->kind, JSON_KIND_OBJECT);
	cr_expect_null(value->next->first);
	cr_expect_null(value->next->next);
	value = value->first;
	cr_expect(value->kind == JSON_KIND_INTEGER && value->integer == 1 && !value->is_negative);
	value = value->next;
	cr_expect(value->kind == JSON_KIND_INTEGER && (int64_t)value->integer == -2 && value->is_negative);
	value = value->next;
	cr_expect(value->kind == JSON_KIND_TEXT && strcmp(value->text, "x") == 0);
	value = value->next;
	cr_expect(value->kind == JSON_KIND_BOOLEAN && value->is_true);
	value = value->next;
	cr_expect(value->kind == JSON_KIND_BOOLEAN && !value->is_true);
	value = value->next;
	cr_expect_eq(value->kind, JSON_KIND_NULL);
	value = value->next;
	cr_expect_eq(value->kind, JSON_KIND_REAL);
	cr_expect_eq(value->next->kind, JSON_KIND_REAL);
}

Test(json_text, integers_are_exact)
{
	cr_expect_eq(take("18446744073709551615")->integer, UINT64_MAX);
	cr_expect_eq((int64_t)take("-9223372036854775808")->integer, INT64_MIN);
	cr_expect(!take("-0")->is_negative);
	REFUSED("18446744073709551616", "more than 64 bits");
	REFUSED("-9223372036854775809", "more than 64 bits");
	REFUSED("99999999999999999999999999", "more than 64 bits");
}

Test(json_text, texts_are_unescaped)
{
	cr_expect_str_eq(take("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"")->text, "\"\\/\b\f\n\r\t");
	cr_expect_str_eq(take("\"\\u00e9\\u20AC\\ud83d\\ude00 \xc3\xa9\"")->text,
			 "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xc3\xa9");
	cr_expect_str_eq(take("\"\"")->text, "");
}

Test(json_text, what_is_no_json_is_refused)
{
	REFUSED("", "no value");
	REFUSED("{", "no name");
	REFUSED("[1", "no end");
	REFUSED("[1,]", "no value");
	REFUSED("{\"a\":1,}", "no name");
	REFUSED("{\"a\" 1}", "no `:`");
	REFUSED("{'a':1}", "no name");
	REFUSED("[1] 2", "something follows");
	REFUSED("1\0", "something follows");
	REFUSED("tru", "no value");
	REFUSED("01", "begins with 0");
	REFUSED("-", "lacks digits");
	REFUSED("1.", "lacks digits");
	REFUSED("1e", "lacks digits");
	REFUSED("+1", "no value");
	REFUSED("\"a", "no end");
	REFUSED("\"a\nb\"", "control character");
	REFUSED("\"\0\"", "control character");
	REFUSED("\"\\x\"", "escape");
	REFUSED("\"\\u12g4\"", "four hexadecimal digits");
	REFUSED("\"\\ud800\"", "half of a character");
	REFUSED("\"\\ud800\\u0041\"", "half of a character");
	REFUSED("\"\\udc00\"", "half of a character");
	REFUSED("\"\\u0000\"", "NUL");
	REFUSED("\"\xff\"", "not UTF-8");
	REFUSED("\"\xed\xa0\x80\"", "not UTF-8");
	REFUSED("{\"a\":1,\"a\":2}", "`a` is given twice");
	REFUSED("// 1", "no value");
}

Test(json_text, a_key_is_found_twice_among_many)
{
	GString *text = g_string_new("{");

	for (int i = 0; i < 100; i++) {
		g_string_append_printf(text, "\"k%d\":%d,", i, i);
	}
	g_string_append(text, "\"k50\":0}");
	expect_refused(text->str, text->len, "`k50` is given twice");
	g_string_free(text, TRUE);
}

Test(json_text, nesting_is_limited)
{
	char text[2 * (JSON_DEPTH_MAX + 1)];

	memset(text, '[', JSON_DEPTH_MAX + 1);
	memset(text + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
	expect_refused(text, sizeof(text), "too deep");
	take("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
}

Test(json_text, a_reason_names_the_line)
{
	char *reason = NULL;
	unsigned int line = 10;

	cr_expect(json_reader_read(reader, "[1,\n2]\n", 7, &line, &reason));
	cr_expect_eq(line, 12);
	cr_expect_not(json_reader_read(reader, "[1,\n\n x]", 8, &line, &reason));
	cr_expect_str_eq(reason, "line 14: no value of JSON where one should be");
	g_free(reason);
}

/* Bytes are looked at eight at a time: an end, an escape, a control character and invalid UTF-8 at each place. */
Test(json_text, what_ends_a_text_is_seen_at_every_place)
{
	for (int before = 0; before < 20; before++) {
		for (int behind = 0; behind < 20; behind++) {
			g_autofree char *plain = g_strdup_printf("%*s%*s", before, "", behind, "");
			g_autofree char *simple = g_strdup_printf("\"%s\"", plain);
			g_autofree char *escaped = g_strdup_printf("\"%*s\\n%*s\"", before, "", behind, "");
			g_autofree char *accented = g_strdup_printf("\"%*sé%*s\"", before, "", behind, "");
			g_autofree char *unescaped = g_strdup_printf("%*s\n%*s", before, "", behind, "");
			g_autofree char *control = g_strdup_printf("\"%*s\x1f%*s\"", before, "", behind, "");
			g_autofree char *invalid = g_strdup_printf("\"%*s\xff%*s\"", before, "", behind, "");

			cr_expect_str_eq(take(simple)->text, plain);
			cr_expect_str_eq(take(escaped)->text, unescaped);
			cr_expect_eq(strlen(take(accented)->text), (size_t)(before + behind + 2));
			expect_refused(control, strlen(control), "control character");
			expect_refused(invalid, strlen(invalid), "not UTF-8");
		}
	}
}

Test(json_text, lines_are_counted_over_indentation)
{
	for (int blanks = 0; blanks < 40; blanks++) {
		g_autofree char *text =
			g_strdup_printf("[\n%*s1,\n\n\t%*s2\n%*s]\n", blanks, "", blanks, "", blanks, "");
		const struct json_value *value = take(text)->first;

		cr_expect_eq(value->line, 2);
		cr_expect_eq(value->next->line, 4);
		cr_expect_eq(value->next->integer, 2);
	}
}
