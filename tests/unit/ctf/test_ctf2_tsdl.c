/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "ros2bt/ctf/ctf2_tsdl.h"
#include "core/ctf/tsdl/ctf_tsdl.h"

/* clang-format off */
#define RS "\x1e"
#define UNSIGNED(bits) "\"type\":\"fixed-length-unsigned-integer\",\"byte-order\":\"little-endian\",\"length\":" bits
#define MEMBER(name, class) "{\"name\":\"" name "\",\"field-class\":{" class "}}"
#define WITH_ROLE(name, role, class) MEMBER(name, class ",\"roles\":[\"" role "\"]")
#define STRUCTURE(members) "{\"type\":\"structure\",\"member-classes\":[" members "]}"
#define FORMAT \
	RS "{\"type\":\"preamble\",\"version\":2,\"uuid\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,255]}" \
	RS "{\"type\":\"trace-class\",\"uid\":\"x\",\"environment\":{\"domain\":\"ust\",\"tracer_name\":\"lttng-ust\"," \
	   "\"tracer_major\":2,\"tracer_minor\":16,\"hostname\":\"a \\\"b\\\" \\\\ c\\n\"},\"packet-header-field-class\":" \
	   STRUCTURE(WITH_ROLE("m", "packet-magic-number", UNSIGNED("32") ",\"alignment\":8") "," \
		     WITH_ROLE("u", "metadata-stream-uuid", "\"type\":\"static-length-blob\",\"length\":16") "," \
		     WITH_ROLE("s", "data-stream-class-id", UNSIGNED("32") ",\"alignment\":8")) "}" \
	RS "{\"type\":\"clock-class\",\"id\":\"my clock\",\"frequency\":1000,\"origin\":\"unix-epoch\"," \
	   "\"offset-from-origin\":{\"seconds\":-7,\"cycles\":42}}" \
	RS "{\"type\":\"data-stream-class\",\"default-clock-class-id\":\"my clock\",\"packet-context-field-class\":" \
	   STRUCTURE(WITH_ROLE("x", "packet-content-length", UNSIGNED("64")) "," \
		     WITH_ROLE("y", "packet-total-length", UNSIGNED("64"))) \
	   ",\"event-record-header-field-class\":" \
	   STRUCTURE(WITH_ROLE("i", "event-record-class-id", UNSIGNED("16")) "," \
		     WITH_ROLE("t", "default-clock-timestamp", UNSIGNED("32"))) "}" \
	RS "{\"type\":\"event-record-class\",\"name\":\"a:b\",\"id\":3,\"attributes\":{\"lttng.org,2009\":" \
	   "{\"log-level\":\"debug:line\"}},\"payload-field-class\":" STRUCTURE("%s") "}"
#define LENGTH MEMBER("_l", UNSIGNED("8")) ","
#define LOCATION ",\"length-field-location\":{\"origin\":\"event-record-payload\",\"path\":[\"_l\"]}"
#define VARIANT(labels) \
	MEMBER("tag", UNSIGNED("8") ",\"mappings\":{" labels "}") "," \
	MEMBER("v", "\"type\":\"variant\",\"selector-field-location\":{\"origin\":\"event-record-payload\"," \
		    "\"path\":[\"tag\"]},\"options\":[{\"selector-field-ranges\":[[1,2]],\"field-class\":{" UNSIGNED("8") \
		    "}},{\"selector-field-ranges\":[[3,3]],\"field-class\":{\"type\":\"null-terminated-string\"}}]")
/* clang-format on */

static char *tsdl_of(const char *members, char **reason)
{
	g_autofree char *text = g_strdup_printf(FORMAT, members);

	*reason = NULL;
	return ctf2_to_tsdl(text, strlen(text), reason);
}

static void expect(const char *members, const char *expected)
{
	char *reason;
	g_autofree char *tsdl = tsdl_of(members, &reason);

	cr_assert(tsdl, "%s: %s", members, reason);
	cr_expect(strstr(tsdl, expected), "%s\nis not in\n%s", expected, tsdl);
}

static void expect_refused(const char *members, const char *expected)
{
	char *reason;
	g_autofree char *tsdl = tsdl_of(members, &reason);

	cr_expect_null(tsdl, "%s", members);
	cr_assert_not_null(reason);
	cr_expect(strstr(reason, expected), "%s: %s", members, reason);
	g_free(reason);
}

Test(ctf2_tsdl, scopes_have_the_names_of_their_roles)
{
	expect("", "integer { size = 32; align = 8; } magic;\n"
		   "integer { size = 8; align = 8; base = 16; } uuid[16];\n"
		   "integer { size = 32; align = 8; } stream_id;\n");
	expect("", "} content_size;\ninteger { size = 64; align = 1; } packet_size;\n");
	expect("", "integer { size = 16; align = 1; } id;\n"
		   "integer { size = 32; align = 1; map = clock.my_clock.value; } timestamp;\n");
	expect("", "uuid = \"00010203-0405-0607-0809-0a0b0c0d0eff\";");
	expect("", "freq = 1000;\noffset_s = -7;\noffset = 42;\n");
	expect("", "hostname = \"a \\\"b\\\" \\\\ c\\n\";");
	expect("", "name = \"a:b\";\nid = 3;\nstream_id = 0;\nloglevel = 13;\n");
}

Test(ctf2_tsdl, fields_have_the_names_that_lttng_gives_them)
{
	expect(MEMBER("plain", UNSIGNED("8") ",\"preferred-display-base\":16"),
	       "integer { size = 8; align = 1; base = 16; } _plain;");
	expect(MEMBER("_already", "\"type\":\"null-terminated-string\""), "string __already;");
	expect(MEMBER("$app.a:b", "\"type\":\"null-terminated-string\""), "string __app_a_b;");
}

Test(ctf2_tsdl, numbers_keep_their_form)
{
	expect(MEMBER("n", "\"type\":\"fixed-length-signed-integer\",\"byte-order\":\"big-endian\",\"length\":64,"
			   "\"alignment\":32"),
	       "integer { size = 64; align = 32; byte_order = be; signed = true; } _n;");
	expect(MEMBER("f", "\"type\":\"fixed-length-floating-point-number\",\"byte-order\":\"little-endian\","
			   "\"length\":32,\"alignment\":8"),
	       "floating_point { exp_dig = 8; mant_dig = 24; align = 8; } _f;");
	expect(MEMBER("e", "\"type\":\"fixed-length-signed-integer\",\"byte-order\":\"little-endian\",\"length\":8,"
			   "\"mappings\":{\"a \\\"b\":[[-128,-1],[3,3]]}"),
	       "\"a \\\"b\" = -128 ... -1,\n\"a \\\"b\" = 3 ... 3,\n} _e;");
	expect(MEMBER("e", UNSIGNED("64") ",\"mappings\":{\"huge\":[[9223372036854775808,18446744073709551615]]}"),
	       "\"huge\" = 9223372036854775808 ... 18446744073709551615,");
}

Test(ctf2_tsdl, arrays_and_what_becomes_one)
{
	expect(MEMBER("a", "\"type\":\"static-length-array\",\"length\":3,\"element-field-class\":{" UNSIGNED("8") "}"),
	       "integer { size = 8; align = 1; } _a[3];");
	expect(LENGTH MEMBER("a",
			     "\"type\":\"dynamic-length-array\",\"element-field-class\":{" UNSIGNED("8") "}" LOCATION),
	       "integer { size = 8; align = 1; } _a[__l];");
	expect(LENGTH MEMBER("a", "\"type\":\"dynamic-length-string\"" LOCATION),
	       "integer { size = 8; align = 8; encoding = UTF8; } _a[__l];");
	expect(LENGTH MEMBER("a", "\"type\":\"dynamic-length-blob\"" LOCATION),
	       "integer { size = 8; align = 8; base = 16; } _a[__l];");
}

/* CTF 2 chooses an option by ranges, CTF 1.8 by the label with its name. */
Test(ctf2_tsdl, variants_are_chosen_by_labels)
{
	expect(VARIANT("\"my one\":[[1,2]],\"string\":[[3,3]]"),
	       "\"my_one\" = 1 ... 2,\n\"_string\" = 3 ... 3,\n} _tag;\nvariant <_tag> {\n"
	       "integer { size = 8; align = 1; } my_one;\nstring _string;\n} _v;");
	expect_refused(VARIANT("\"one\":[[1,2]]"), "an option of a variant has no label");
	expect_refused(VARIANT("\"one\":[[1,1]],\"two\":[[3,3]]"), "an option of a variant has no label");
}

Test(ctf2_tsdl, what_cannot_be_written_is_refused)
{
	char *reason = NULL;

	expect_refused(MEMBER("a.b", UNSIGNED("8")) "," MEMBER("a:b", UNSIGNED("8")), "cannot be written as CTF 1.8: ");
	expect_refused(MEMBER("b", "\"type\":\"variable-length-unsigned-integer\""), "is not supported");
	cr_expect_null(ctf2_to_tsdl("/* CTF 1.8 */", 13, &reason));
	cr_expect_str_eq(reason, "no record separator at the beginning");
	g_free(reason);
}
