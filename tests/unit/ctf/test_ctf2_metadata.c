/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "core/ctf/ctf2/ctf2_metadata.h"

#define RS "\x1e"
#define UNSIGNED(length, rest)                                                                                                  \
	"{\"type\":\"fixed-length-unsigned-integer\",\"byte-order\":\"little-endian\",\"alignment\":8,\"length\":" #length rest \
	"}"
#define MEMBER(name, class) "{\"name\":\"" name "\",\"field-class\":" class "}"
#define ROLE(role) ",\"roles\":[\"" role "\"]"

#define PREAMBLE RS "{\"type\":\"preamble\",\"version\":2,\"uuid\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,255]}\n"
#define TRACE                                                                                                          \
	RS "{\"type\":\"trace-class\",\"uid\":\"x\",\"environment\":{\"hostname\":\"robot\",\"vpid\":7,"               \
	   "\"tracer_name\":\"lttng-ust\",\"tracer_major\":2,\"tracer_minor\":16},"                                    \
	   "\"packet-header-field-class\":{\"type\":\"structure\",\"member-classes\":[" MEMBER(                        \
		   "m",                                                                                                \
		   UNSIGNED(32,                                                                                        \
			    ROLE("packet-magic-number"))) "," MEMBER("s",                                              \
								     UNSIGNED(32,                                      \
									      ROLE("data-stream-class-id"))) "]}}\n"
#define CLOCK                                                                                                          \
	RS "{\"type\":\"clock-class\",\"id\":\"c\",\"frequency\":1000000000,\"origin\":\"unix-epoch\","                \
	   "\"offset-from-origin\":{\"seconds\":5,\"cycles\":42},\"uid\":\"00010203-0405-0607-0809-0a0b0c0d0eff\"}\n"
#define STREAM                                                                                                                                                                                                    \
	RS "{\"type\":\"data-stream-class\",\"id\":3,\"default-clock-class-id\":\"c\","                                                                                                                           \
	   "\"packet-context-field-class\":{\"type\":\"structure\",\"member-classes\":[" MEMBER(                                                                                                                  \
		   "b",                                                                                                                                                                                           \
		   UNSIGNED(                                                                                                                                                                                      \
			   64,                                                                                                                                                                                    \
			   ROLE("default-clock-timestamp"))) "]},"                                                                                                                                                \
							     "\"event-record-header-field-class\":{\"type\":\"structure\",\"member-classes\":[" MEMBER(                                                           \
								     "id",                                                                                                                                        \
								     UNSIGNED(                                                                                                                                    \
									     16,                                                                                                                                  \
									     ROLE("event-record-class-id"))) "," MEMBER("v",                                                                                      \
															"{\"type\":\"variant\",\"selector-field-location\":{\"origin\":\"event-record-header\","  \
															"\"path\":[\"id\"]},\"options\":[{\"selector-field-ranges\":[[0,65534]],\"field-class\":" \
															"{\"type\":\"structure\",\"member-classes\":[" MEMBER(                                    \
																"t",                                                                              \
																UNSIGNED(                                                                         \
																	32,                                                                       \
																	ROLE("default-clock-timestamp"))) "]}}]}") "]}}\n"
#define EVENT                                                                                                               \
	RS "{\"type\":\"event-record-class\",\"id\":9,\"data-stream-class-id\":3,\"name\":\"a:b\",\"payload-field-class\":" \
	   "{\"type\":\"structure\",\"member-classes\":[" MEMBER("n", UNSIGNED(8, "")) "," MEMBER(                          \
		   "_x", "{\"type\":\"dynamic-length-string\",\"length-field-location\":"                                   \
			 "{\"origin\":\"event-record-payload\",\"path\":[\"n\"]}}") "]}}\n"
#define METADATA PREAMBLE TRACE CLOCK STREAM EVENT

static struct ctf_trace_class *parse(const char *text)
{
	g_autofree char *reason = NULL;
	struct ctf_trace_class *trace_class = ctf2_parse(text, strlen(text), &reason);

	cr_assert(trace_class, "%s", reason);
	return trace_class;
}

Test(ctf2_metadata, declares_what_it_says)
{
	struct ctf_trace_class *trace_class = parse(METADATA);
	const struct ctf_stream_class *stream = ctf_trace_class_find_stream(trace_class, 3);
	const struct ctf_event_class *event = &g_array_index(trace_class->events, struct ctf_event_class, 0);
	const struct ctf_type *text;

	cr_expect_eq(trace_class->uuid[1], 1);
	cr_expect_eq(trace_class->uuid[15], 255);
	cr_expect_str_eq(trace_class->hostname, "robot");
	cr_expect(trace_class->has_vpid && trace_class->vpid == 7);
	cr_expect_eq(trace_class->tracer.minor, 16);
	cr_expect_eq(trace_class->clock.offset_s, 5);
	cr_expect_eq(trace_class->clock.offset_cycles, 42);
	cr_expect(trace_class->clock.has_uuid && trace_class->clock.uuid[15] == 0xff);
	cr_assert_not_null(stream);
	cr_expect(ctf_type_find_field(stream->packet_context, "timestamp_begin")->type->is_clock_value,
		  "a member is known by its role");
	cr_expect_str_eq(ctf_type_field(stream->packet_context, 0)->declared_name, "b");
	cr_expect_eq(ctf_type_field(stream->event_header, 1)->type->depends_on,
		     ctf_type_field(stream->event_header, 0)->value);
	cr_expect_eq(event->id, 9);
	cr_expect_str_eq(event->name, "a:b");
	cr_expect_str_eq(ctf_type_field(event->payload, 1)->name, "_x", "names are raw");
	text = ctf_type_field(event->payload, 1)->type;
	cr_expect_eq(text->kind, CTF_SEQUENCE);
	cr_expect(ctf_type_is_text(text));
	cr_expect_eq(text->depends_on, ctf_type_field(event->payload, 0)->value);
	ctf_trace_class_destroy(trace_class);
}

/* The metadata with one text replaced by another. */
static char *changed(const char *old, const char *new)
{
	const char *at = strstr(METADATA, old);

	cr_assert_not_null(at, "%s", old);
	return g_strdup_printf("%.*s%s%s", (int)(at - METADATA), METADATA, new, at + strlen(old));
}

static const struct {
	const char *old, *new, *why;
} refusals[] = {
	{ "\"version\":2", "\"version\":1", "not version 2" },
	{ "13,14,255]", "13,14]", "16 bytes" },
	{ "13,14,255]", "13,14,255,1]", "16 bytes" },
	{ "13,14,255]", "13,14,256]", "from 0 to 255" },
	{ ",\"uuid\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,255]", "", "`uuid` is missing" },
	{ RS "{\"type\":\"preamble\"", "{\"type\":\"preamble\"", "no record separator" },
	{ PREAMBLE, PREAMBLE PREAMBLE, "preamble" },
	{ PREAMBLE, "", "preamble" },
	{ TRACE, "", "is missing" },
	{ TRACE, TRACE TRACE, "second trace class" },
	{ CLOCK, "", "unknown clock" },
	{ CLOCK, CLOCK CLOCK, "more than one clock" },
	{ STREAM, "", "belongs to no stream" },
	{ STREAM, STREAM STREAM, "second stream class" },
	{ EVENT, EVENT EVENT, "second event" },
	{ STREAM EVENT, EVENT STREAM, "belongs to no stream" },
	{ "\"type\":\"event-record-class\"", "\"type\":\"event-class\"", "not supported" },
	{ "\"name\":\"a:b\"", "\"name\":\"a:b\",\"colour\":1", "unknown property `colour`" },
	{ "\"name\":\"a:b\"", "\"name\":\"a:b\",\"extensions\":{\"x\":{}}", "extension" },
	{ "\"name\":\"a:b\"", "\"name\":5", "wrong kind" },
	{ "lttng-ust", "barectf", "not a trace of LTTng" },
	{ "\"vpid\":7", "\"vpid\":\"7\"", "no integer" },
	{ "\"vpid\":7", "\"vpid\":7.0", "neither a text nor an integer" },
	{ "unix-epoch", "boot", "Unix epoch" },
	{ "\"cycles\":42", "\"cycles\":1000000000", "from 0 to 999999999" },
	{ "\"frequency\":1000000000", "\"frequency\":0", "not an integer" },
	{ "0d0eff\"", "0d0e\"", "no UUID" },
	{ "\"default-clock-class-id\":\"c\"", "\"default-clock-class-id\":\"d\"", "unknown clock" },
	{ "packet-magic-number", "packet-end", "no meaning here" },
	{ "\"name\":\"b\",", "\"name\":\"b\",\"x\":1,", "unknown property" },
	{ "\"origin\":\"event-record-payload\"", "\"origin\":\"event-record-header\"", "not at the top" },
	{ "\"path\":[\"n\"]", "\"path\":[\"n\",\"n\"]", "not at the top" },
	{ "\"path\":[\"n\"]", "\"path\":[\"later\"]", "no integer before it" },
	{ "[[0,65534]]", "[[0]]", "range" },
	{ "[[0,65534]]", "[[5,4]]", "empty" },
	{ "[[0,65534]]", "[[0,5],[5,6]]", "overlap" },
	{ "[[0,65534]]", "[[-1,5]]", "range" },
	{ "dynamic-length-string", "dynamic-length-thing", "not supported" },
	{ "\"length\":8", "\"length\":65", "from 1 to 64" },
	{ "\"length\":8", "\"length\":0", "from 1 to 64" },
	{ "\"alignment\":8,\"length\":8", "\"alignment\":3,\"length\":8", "power of two" },
	{ "\"byte-order\":\"little-endian\",\"alignment\":8,\"length\":8", "\"alignment\":8,\"length\":8",
	  "is missing" },
	{ "\"byte-order\":\"little-endian\",\"alignment\":8,\"length\":8",
	  "\"byte-order\":\"middle-endian\",\"alignment\":8,\"length\":8", "byte order" },
	{ "\"name\":\"_x\"", "\"name\":\"n\"", "two members" },
	{ "{\"type\":\"preamble\"", "{\"type\":\"preamble\",\"type\":\"preamble\"", "given twice" },
};

Test(ctf2_metadata, what_is_not_known_is_refused)
{
	for (size_t i = 0; i < G_N_ELEMENTS(refusals); i++) {
		g_autofree char *text = changed(refusals[i].old, refusals[i].new);
		g_autofree char *reason = NULL;
		struct ctf_trace_class *trace_class = ctf2_parse(text, strlen(text), &reason);

		cr_expect_null(trace_class, "%s", refusals[i].new);
		cr_expect(reason && strstr(reason, refusals[i].why), "%s: %s", refusals[i].new, reason);
		ctf_trace_class_destroy(trace_class);
	}
}

static const struct {
	const char *old, *new;
} acceptances[] = {
	{ "}\n" RS, "} \r\n\n" RS RS },
	{ "\"name\":\"a:b\"", "\"name\":\"a:b\",\"attributes\":{\"x\":[1,{}]},\"extensions\":{}" },
	{ ",\"offset-from-origin\":{\"seconds\":5,\"cycles\":42}", "" },
	{ ",\"uid\":\"00010203-0405-0607-0809-0a0b0c0d0eff\"", "" },
	{ "\"alignment\":8,\"length\":8", "\"length\":8" },
	{ "\"length\":8", "\"length\":8,\"mappings\":{\"all \\\"of\\\" it\":[[0,18446744073709551615]]}" },
	{ "\"uid\":\"x\"", "\"uid\":\"x\",\"name\":\"n\",\"namespace\":\"lttng.org,2009\"" },
};

Test(ctf2_metadata, what_makes_no_difference_is_accepted)
{
	for (size_t i = 0; i < G_N_ELEMENTS(acceptances); i++) {
		g_autofree char *text = changed(acceptances[i].old, acceptances[i].new);

		ctf_trace_class_destroy(parse(text));
	}
}

Test(ctf2_metadata, every_cut_is_refused_or_lacks_whole_events_only)
{
	size_t length = strlen(METADATA);

	for (size_t i = 0; i < length; i++) {
		g_autofree char *reason = NULL;
		struct ctf_trace_class *trace_class = ctf2_parse(METADATA, i, &reason);

		cr_expect((trace_class == NULL) == (reason != NULL), "%zu", i);
		cr_expect(!trace_class || i >= length - strlen(EVENT) - 1, "%zu", i);
		ctf_trace_class_destroy(trace_class);
	}
}

Test(ctf2_metadata, a_reason_names_the_line)
{
	g_autofree char *text = changed("\"name\":\"a:b\"", "\"nome\":\"a:b\"");
	g_autofree char *reason = NULL;

	cr_expect_null(ctf2_parse(text, strlen(text), &reason));
	cr_expect_str_eq(reason, "line 5: unknown property `nome`");
}

Test(ctf2_metadata, lines_between_the_texts_count)
{
	g_autofree char *text = changed("\"name\":\"a:b\"", "\"nome\":\"a:b\"");
	g_autofree char *moved = g_strconcat("\x1e\n\n", text, NULL);
	g_autofree char *reason = NULL;

	cr_expect_null(ctf2_parse(moved, strlen(moved), &reason));
	cr_expect_str_eq(reason, "line 7: unknown property `nome`");
}
