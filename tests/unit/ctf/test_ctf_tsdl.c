/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "core/ctf/tsdl/ctf_tsdl.h"

#define TRACE                                                                                                          \
	"trace { major = 1; minor = 8; uuid = \"b3715d12-7911-4f2d-9fff-c08d725ac2e5\"; byte_order = be;\n"            \
	"packet.header := struct { uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; "                             \
	"uint64_t stream_instance_id; }; };\n"
#define ALIASES                                                                                                        \
	"/* CTF 1.8 */ typealias integer { size = 8; align = 8; signed = false; } := uint8_t; // bytes\n"              \
	"typealias integer { size = 32; align = 32; byte_order = le; } := uint32_t;\n"                                 \
	"typealias integer { size = 64; align = 64; signed = 1; base = 16; } := unsigned long;\n"                      \
	"typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := uint64_t;\n"
#define ENV "env { tracer_name = \"lttng-ust\"; tracer_major = 2; vpid = -7; hostname = \"a\\\"b\"; };\n"
#define CLOCK "clock { name = monotonic_; };\n"
#define GOOD_CLOCK "clock { name = \"monotonic\"; freq = 1000; offset_s = 5; offset = 2500; };\n"
#define STREAM "stream { id = 3; packet.context := struct { }; event.header := struct { unsigned long x; }; };\n"
#define EVENT "event { id = 7; name = \"p:e\"; stream_id = 3; loglevel = 13; fields := struct { %s }; };\n"

static struct ctf_trace_class *parse(const char *text, char **reason)
{
	struct ctf_trace_class *trace_class;

	*reason = NULL;
	trace_class = tsdl_parse(text, strlen(text), reason);
	cr_assert(!trace_class == !!*reason, "either a trace class or a reason");
	return trace_class;
}

static struct ctf_trace_class *parse_event(const char *fields, char **reason)
{
	g_autofree char *text = g_strdup_printf(ALIASES TRACE ENV GOOD_CLOCK EVENT STREAM, fields);

	return parse(text, reason);
}

static const struct ctf_type *payload(const struct ctf_trace_class *trace_class)
{
	return g_array_index(trace_class->events, struct ctf_event_class, 0).payload;
}

Test(ctf_tsdl, a_trace_of_lttng_is_understood_with_its_streams_after_its_events)
{
	char *reason;
	struct ctf_trace_class *trace_class = parse_event("uint8_t _a; unsigned long b[3];", &reason);

	cr_assert_not_null(trace_class, "%s", reason);
	cr_assert(trace_class->is_big_endian);
	cr_assert_str_eq(trace_class->hostname, "a\"b");
	cr_assert(trace_class->has_vpid && trace_class->vpid == -7);
	cr_assert_eq(trace_class->clock.offset_s, 7, "whole seconds of the offset in cycles are seconds");
	cr_assert_eq(trace_class->clock.offset_cycles, 500);
	cr_assert_eq(trace_class->uuid[0], 0xb3);
	cr_assert_not_null(ctf_trace_class_find_stream(trace_class, 3));
	cr_assert_eq(payload(trace_class)->alignment, 64, "a structure is aligned like its widest member");
	ctf_trace_class_destroy(trace_class);
}

Test(ctf_tsdl, byte_order_is_that_of_the_trace_unless_told)
{
	char *reason;
	struct ctf_trace_class *trace_class = parse_event("unsigned long _native; uint32_t _little;", &reason);

	cr_assert_not_null(trace_class, "%s", reason);
	cr_assert(ctf_type_find_field(payload(trace_class), "native")->type->is_big_endian);
	cr_assert_not(ctf_type_find_field(payload(trace_class), "little")->type->is_big_endian);
	ctf_trace_class_destroy(trace_class);
}

Test(ctf_tsdl, sequences_and_variants_find_what_they_depend_on)
{
	char *reason;
	struct ctf_trace_class *trace_class =
		parse_event("uint8_t __n; string _s[ __n ]; enum : uint8_t { a, b = 5 ... 9, \"c d\" } _t; "
			    "struct { variant <_t> { uint8_t a; string b; } v; } _nested;",
			    &reason);

	cr_assert_not_null(trace_class, "%s", reason);
	cr_assert_eq(ctf_type_find_field(payload(trace_class), "s")->type->depends_on,
		     ctf_type_find_field(payload(trace_class), "_n")->value);
	ctf_trace_class_destroy(trace_class);
}

Test(ctf_tsdl, what_is_not_known_exactly_is_refused_with_a_reason)
{
	static const char *const fields[] = {
		"nothing_t _x;",
		"uint8_t _x; uint8_t _x;",
		"uint8_t int;",
		"uint8_t uint8_t;",
		"uint8_t _x[_n];",
		"uint8_t _a[2][3];",
		"struct { uint8_t x; } _a[2];",
		"integer { size = 65; } _x;",
		"integer { size = 0; } _x;",
		"integer { size = 8; size = 8; } _x;",
		"integer { size = 8; align = 3; } _x;",
		"integer { size = 8; colour = 3; } _x;",
		"integer { size = 8; map = clock.other.value; } _x;",
		"integer { size = 99999999999999999999; } _x;",
		"floating_point { exp_dig = 5; mant_dig = 11; } _x;",
		"enum : uint8_t { a = 1, b = 1 } _x;",
		"enum : uint8_t { a = 3 ... 1 } _x;",
		"enum : uint8_t { a } _t; variant <_t> { uint8_t b; } _v;",
		"variant <_t> { uint8_t a; } _v;",
		"struct nothing _x;",
		"typedef uint8_t x;",
		"uint8_t \"x\";",
		"uint8_t _x; } ; };",
		"/* no end",
		"",
	};

	for (size_t i = 0; fields[i][0] != '\0'; i++) {
		char *reason;
		struct ctf_trace_class *trace_class = parse_event(fields[i], &reason);

		cr_expect_null(trace_class, "%s", fields[i]);
		ctf_trace_class_destroy(trace_class);
		g_free(reason);
	}
}

Test(ctf_tsdl, incomplete_metadata_and_other_tracers_are_refused)
{
	static const char *const texts[] = {
		"",
		ALIASES TRACE ENV GOOD_CLOCK,
		ALIASES TRACE GOOD_CLOCK STREAM,
		ALIASES ENV GOOD_CLOCK STREAM,
		ALIASES TRACE ENV STREAM,
		ALIASES TRACE ENV CLOCK STREAM,
		ALIASES TRACE ENV GOOD_CLOCK GOOD_CLOCK STREAM,
		ALIASES TRACE ENV GOOD_CLOCK STREAM STREAM,
		ALIASES TRACE "env { tracer_name = \"barectf\"; };" GOOD_CLOCK STREAM,
		ALIASES TRACE ENV "clock { name = \"realtime\"; freq = 1000000000; };" STREAM,
		ALIASES TRACE ENV GOOD_CLOCK STREAM "event { name = \"p:e\"; id = 1; stream_id = 9; };",
		ALIASES TRACE ENV GOOD_CLOCK STREAM "\f",
		NULL,
	};

	for (size_t i = 0; texts[i]; i++) {
		char *reason;
		struct ctf_trace_class *trace_class = parse(texts[i], &reason);

		cr_expect_null(trace_class, "%zu: %s", i, texts[i]);
		ctf_trace_class_destroy(trace_class);
		g_free(reason);
	}
}

Test(ctf_tsdl, nesting_without_end_is_refused_before_the_stack_is_used_up)
{
	g_autoptr(GString) fields = g_string_new(NULL);
	char *reason;

	for (int i = 0; i < 100000; i++) {
		g_string_append(fields, "struct { ");
	}
	cr_assert_null(parse_event(fields->str, &reason));
	cr_assert_not_null(strstr(reason, "deep"), "%s", reason);
	g_free(reason);
}

Test(ctf_tsdl, clocks_become_ns_as_libbabeltrace2_has_it)
{
	struct ctf_clock clock = { .frequency = 1000, .offset_s = 7, .offset_cycles = 500 };
	int64_t time_ns;

	cr_assert(ctf_clock_to_ns(&clock, 3, &time_ns));
	cr_assert_eq(time_ns, INT64_C(7503000000));
	clock.frequency = UINT64_C(1000000000);
	cr_assert(ctf_clock_to_ns(&clock, 3, &time_ns));
	cr_assert_eq(time_ns, INT64_C(7000000503));
	cr_assert_not(ctf_clock_to_ns(&clock, UINT64_MAX - 1, &time_ns), "beyond 64 bits");
	clock.offset_s = INT64_MAX / 2;
	cr_assert_not(ctf_clock_to_ns(&clock, 3, &time_ns), "beyond 64 bits");
}
