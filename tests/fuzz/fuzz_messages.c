/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer: any messages through the components of the plugin, in graphs. The messages keep the rules of babeltrace2;
 * their contents are arbitrary. The output of the filters must keep the rules of messages, no graph may fail, and the
 * report must be the same behind filter.ros2.dedup, and a sink must merge its ports as filter.utils.muxer does.
 *
 * An input: eight bytes of options (how the trace is laid out, which components), then a script of records
 * (record_script.h), which is written as the text of a scripted source.
 */
#include <glib/gstdio.h>
#include <inttypes.h>
#include <limits.h>
#include <unistd.h>

#include "fuzz_input.h"
#include "record_script.h"
#include "support/test_graph.h"

#define OPTION_BYTES 8
#define STREAMS (RECORD_SCRIPT_TRACES * 2)
#define NS_PER_S INT64_C(1000000000)
#define LEAD_S 10 /* from the origin of the first trace's clock to the first record */

/* options[0]: which graph */
enum graph {
	GRAPH_SINK,
	GRAPH_DEDUP,
	GRAPH_INIT_TIMESTAMP,
	GRAPH_INIT_TIMESTAMP_WINDOW,
	GRAPH_NORMALIZE,
	GRAPH_NORMALIZE_WINDOW,
	GRAPH_FLOW_ANNOTATE,
	GRAPH_FLOW_EVENTS,
	GRAPH_ALL_FILTERS,
	GRAPH_SAME_REPORT,
	GRAPH_MERGE,
	GRAPH_COUNT,
};

/* options[1]: streams */
enum stream_option {
	STREAM_PACKETS = 1,
	STREAM_PACKETS_WITHOUT_TIMES = 2,
	STREAM_LOST = 4,
	STREAM_LOST_PACKETS = 8,
	STREAM_LOST_WITHOUT_TIMES = 16,
	STREAM_HAS_PROCNAME = 32,
	STREAM_HAS_PID_NS = 64,
	STREAM_LACKS_CONTEXT = 128,
};

/* options[2]: the source */
enum source_option {
	SOURCE_NO_REWIND = 1,
	SOURCE_AGAIN = 2,
	SOURCE_INACTIVITY = 4,
	SOURCE_NO_CLOCK = 8,	   /* of the last trace */
	SOURCE_CLOCKS_APART = 16,  /* each trace has an origin of its own */
	SOURCE_TRACE_PROCESS = 32, /* the environment holds vpid and procname */
	SOURCE_ENDS_EARLY = 64,	   /* no stream_end records: all end at the end anyway */
};

/* options[3..7]: the layout of an event class: by its kind, one of five */
enum layout_option {
	LAYOUT_ADDRESS_32 = 0x10,
	LAYOUT_GID_24 = 0x20,
	LAYOUT_ODD_TYPE = 0x40, /* of the first field */
	LAYOUT_EXTRA = 0x80,	/* an unknown field, and a specific context */
};

struct script {
	GString *text;
	const uint8_t *options;
	const struct recording *recording;
	bool is_begun[STREAMS], is_ended[STREAMS], is_open[STREAMS];
	int64_t origin_s;
	GHashTable *classes; /* names of the event classes that are declared */
	GString *declarations;
	int64_t now_ns;
};

static bool has_option(const struct script *script, unsigned int byte, uint8_t bit)
{
	return script->options[byte] & bit;
}

static bool has_packets(const struct script *script)
{
	return has_option(script, 1, STREAM_PACKETS | STREAM_PACKETS_WITHOUT_TIMES);
}

static bool has_clock(const struct script *script, uint16_t stream)
{
	return stream / 2 + 1 < RECORD_SCRIPT_TRACES || !has_option(script, 2, SOURCE_NO_CLOCK);
}

static int64_t origin_s(const struct script *script, uint16_t stream)
{
	return script->origin_s - (has_option(script, 2, SOURCE_CLOCKS_APART) ? stream / 2 : 0);
}

static uint64_t ticks_of(const struct script *script, uint16_t stream, int64_t time_ns)
{
	return (uint64_t)time_ns - (uint64_t)origin_s(script, stream) * NS_PER_S;
}

/* --- declarations --- */

static void declare_trace(struct script *script, uint16_t trace)
{
	static const char *const hosts[RECORD_SCRIPT_TRACES] = { "robot", "robot", "base", "" };

	g_string_append_printf(script->text, "trace T%u traceuuid=%u offset=%" PRIi64, trace, trace,
			       origin_s(script, trace * 2));
	if (hosts[trace][0] != '\0') {
		g_string_append_printf(script->text, " hostname=%s uuid=%u", hosts[trace], hosts[trace][0]);
	}
	if (has_option(script, 2, SOURCE_TRACE_PROCESS)) {
		g_string_append_printf(script->text, " vpid=%u procname=p", trace);
	}
	g_string_append(script->text, has_clock(script, trace * 2) ? "\n" : " noclock\n");
}

static void declare_stream(struct script *script, uint16_t stream)
{
	static const struct {
		uint8_t bit;
		const char *word;
	} words[] = {
		{ STREAM_PACKETS, " packets" },
		{ STREAM_PACKETS_WITHOUT_TIMES, " packetswithouttimes" },
		{ STREAM_LOST, " lost" },
		{ STREAM_LOST_PACKETS, " lostpackets" },
		{ STREAM_LOST_WITHOUT_TIMES, " lostwithouttimes" },
	};

	g_string_append_printf(script->text, "stream S%u T%u", stream, stream / 2);
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		/* discarded packets need packets */
		if (has_option(script, 1, words[i].bit) &&
		    (words[i].bit != STREAM_LOST_PACKETS || has_packets(script))) {
			g_string_append(script->text, words[i].word);
		}
	}
	if (!has_option(script, 1, STREAM_LACKS_CONTEXT) || stream & 1) {
		g_string_append(script->text, " vpid:i32 vtid:i32");
	}
	g_string_append(script->text, has_option(script, 1, STREAM_HAS_PROCNAME) ? " procname:str" : "");
	g_string_append(script->text, has_option(script, 1, STREAM_HAS_PID_NS) ? " pid_ns:u32" : "");
	g_string_append_c(script->text, '\n');
}

static void append_field_type(GString *text, const struct event_field *field, uint8_t layout)
{
	static const char *const types[] = {
		[FIELD_TYPE_ADDRESS] = "u64",	  [FIELD_TYPE_U64] = "u64",    [FIELD_TYPE_I64] = "i64",
		[FIELD_TYPE_I32] = "i32",	  [FIELD_TYPE_STRING] = "str", [FIELD_TYPE_GID] = "u8[16]",
		[FIELD_TYPE_ADDRESSES] = "u64[]",
	};
	static const char *const odd_types[] = { "str", "real", "bool", "eu32", "i64[]", "u8", "bits", "ei32" };
	const char *type = types[field->type];

	if (layout & LAYOUT_ADDRESS_32 && field->type == FIELD_TYPE_ADDRESS) {
		type = "u32";
	} else if (layout & LAYOUT_GID_24 && field->type == FIELD_TYPE_GID) {
		type = "u8[24]";
	}
	if (layout & LAYOUT_ODD_TYPE && field->slot == 0) {
		type = odd_types[layout & 7];
	}
	g_string_append_printf(text, " %s:%s", field->name, type);
}

static uint8_t layout_of(const struct script *script, enum event_kind kind)
{
	return script->options[3 + kind % (OPTION_BYTES - 3)];
}

/* Fields by release; those of no release have all. */
static bool has_field(const struct event_schema *schema, const struct event_field *field, uint8_t layout)
{
	enum release release = (layout & 0xf) % RELEASE_COUNT;

	if (field->type == FIELD_TYPE_NAME) {
		return false;
	}
	return !event_schema_in_release(schema, release) || event_field_in_release(field, release);
}

/* As it is recorded: with a provider, or as the kernel's; one that stands for several, as one of them. */
static char *full_name(const struct event_schema *schema, bool is_caret)
{
	enum event_provider provider = schema->providers;

	if (provider == EVENT_PROVIDER_KERNEL) {
		return g_strconcat(schema->name, g_str_has_suffix(schema->name, "_") ? "read" : "", NULL);
	}
	if (provider == EVENT_PROVIDER_BOTH) {
		provider = is_caret ? EVENT_PROVIDER_CARET : EVENT_PROVIDER_ROS2;
	}
	return g_strdup_printf("%s:%s", event_provider_name(provider), schema->name);
}

static char *declare_class(struct script *script, uint16_t stream, const struct event_record *record)
{
	const struct event_schema *schema = event_schema_of(record->kind);
	uint8_t layout = layout_of(script, record->kind);
	bool is_caret = schema->providers == EVENT_PROVIDER_CARET ||
			(schema->providers == EVENT_PROVIDER_BOTH && record->flags & RECORD_FROM_CARET);
	bool has_init_time = is_caret && record->flags & RECORD_HAS_INIT_TIME;
	char *name = g_strdup_printf("C%u-%u-%d-%d", record->kind, stream, is_caret, has_init_time);
	g_autofree char *event_name = full_name(schema, is_caret);

	if (!g_hash_table_add(script->classes, g_strdup(name))) {
		return name;
	}
	g_string_append_printf(script->declarations, "class %s S%u %s", name, stream, event_name);
	for (size_t i = 0; i < schema->field_count; i++) {
		if (has_field(schema, &schema->fields[i], layout)) {
			append_field_type(script->declarations, &schema->fields[i], layout);
		}
	}
	g_string_append(script->declarations, has_init_time ? " init_timestamp:i64" : "");
	g_string_append(script->declarations, layout & LAYOUT_EXTRA ? " more:real[2] +perf:u8\n" : "\n");
	return name;
}

/* --- messages --- */

static void append_text(GString *line, const char *name, const char *text)
{
	/* a row is a line */
	g_autofree char *one_line = g_strdelimit(g_strdup(text), "\n", ' ');
	g_autofree char *quoted = g_shell_quote(one_line);

	g_string_append_printf(line, " %s=%s", name, quoted);
}

static void append_value(GString *line, const struct event_field *field, uint64_t word)
{
	const struct address_list *list = (const struct address_list *)(uintptr_t)word;
	const uint8_t *bytes = (const uint8_t *)(uintptr_t)word;

	switch (field->type) {
	case FIELD_TYPE_STRING:
	case FIELD_TYPE_NAME:
		append_text(line, field->name, (const char *)bytes);
		break;
	case FIELD_TYPE_GID:
		g_string_append_printf(line, " %s=%u", field->name, bytes[0]);
		for (size_t i = 1; i < GID_SIZE; i++) {
			g_string_append_printf(line, "\\;%u", bytes[i]);
		}
		break;
	case FIELD_TYPE_ADDRESSES:
		g_string_append_printf(line, " %s=", field->name);
		for (uint64_t i = 0; i < list->count; i++) {
			g_string_append_printf(line, "%s%" PRIu64, i > 0 ? "\\;" : "", list->address[i]);
		}
		break;
	case FIELD_TYPE_I64:
	case FIELD_TYPE_I32:
		g_string_append_printf(line, " %s=%" PRIi64, field->name, (int64_t)word);
		break;
	default:
		g_string_append_printf(line, " %s=%" PRIu64, field->name, word);
		break;
	}
}

/* So that they fit a field of 32 bits. */
static uint64_t word_in_layout(const struct event_field *field, uint64_t word, uint8_t layout)
{
	if (field->type == FIELD_TYPE_I32) {
		return (uint64_t)(int64_t)(int32_t)word;
	}
	if (field->type == FIELD_TYPE_ADDRESS && layout & (LAYOUT_ADDRESS_32 | LAYOUT_ODD_TYPE)) {
		return (uint32_t)word;
	}
	return word;
}

static void append_context(const struct script *script, GString *line, const struct event_record *record)
{
	struct recording_context ids = { .has_vpid = false };
	const char *procname = "";

	if (event_class_of(record->kind) != EVENT_CLASS_SYSTEM) {
		const struct recording_thread *thread = recording_thread(script->recording, record->thread);
		const struct recording_process *process = recording_process(script->recording, thread->process);

		ids = (struct recording_context){ .vpid = process->vpid, .vtid = thread->vtid };
		procname = process->procname;
	} else if (record->thread != RECORDING_NONE) {
		ids = *recording_ids(script->recording, record->thread);
	}
	g_string_append_printf(line, " vpid=%d vtid=%d procname=%s pid_ns=%d", ids.vpid, ids.vtid, procname,
			       ids.vpid & 1);
}

/* Whether the first field, of an odd type, can take the value at all. */
static bool is_sayable(const struct event_field *field, uint8_t layout)
{
	return !(layout & LAYOUT_ODD_TYPE) || field->slot != 0;
}

static void write_event(struct script *script, const struct event_record *record)
{
	const struct event_schema *schema = event_schema_of(record->kind);
	uint8_t layout = layout_of(script, record->kind);
	g_autofree char *class_name = declare_class(script, record->stream, record);

	g_string_append_printf(script->text, "event S%u %s %" PRIu64, record->stream, class_name,
			       ticks_of(script, record->stream, record->time_ns));
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct event_field *field = &schema->fields[i];

		if (field->slot != SKIP && record_has(record, field->slot) && has_field(schema, field, layout) &&
		    is_sayable(field, layout)) {
			append_value(script->text, field, word_in_layout(field, record->word[field->slot], layout));
		}
	}
	if (record->flags & RECORD_HAS_INIT_TIME) {
		g_string_append_printf(script->text, " init_timestamp=%" PRIu64,
				       ticks_of(script, record->stream, record_since_ns(record)));
	}
	append_context(script, script->text, record);
	g_string_append_c(script->text, '\n');
}

static void write_packet(struct script *script, uint16_t stream, bool is_open, int64_t time_ns)
{
	if (has_packets(script) && script->is_open[stream] != is_open) {
		g_string_append_printf(script->text, "%s S%u %" PRIu64 "\n", is_open ? "open" : "close", stream,
				       ticks_of(script, stream, time_ns));
		script->is_open[stream] = is_open;
	}
}

static void write_begin(struct script *script, uint16_t stream)
{
	if (!script->is_begun[stream]) {
		script->is_begun[stream] = true;
		g_string_append_printf(script->text, "begin S%u\n", stream);
	}
}

static void write_end(struct script *script, uint16_t stream, int64_t time_ns)
{
	write_begin(script, stream);
	write_packet(script, stream, false, time_ns);
	g_string_append_printf(script->text, "end S%u\n", stream);
	script->is_ended[stream] = true;
}

static void write_loss(struct script *script, const struct event_record *record)
{
	bool is_events = record->kind == RECORD_DISCARDED_EVENTS;

	if (!has_option(script, 1, is_events ? STREAM_LOST : STREAM_LOST_PACKETS) ||
	    (!is_events && !has_packets(script))) {
		return;
	}
	write_packet(script, record->stream, false, record->time_ns);
	g_string_append_printf(script->text, "%s S%u %" PRIu64 " %" PRIu64, is_events ? "lost" : "lostpackets",
			       record->stream, ticks_of(script, record->stream, record->time_ns),
			       ticks_of(script, record->stream, (int64_t)record->word[RECORD__end_ns]));
	if (record->word[RECORD__count] == RECORD_COUNT_UNKNOWN || record->word[RECORD__count] == 0) {
		g_string_append(script->text, " ?\n");
	} else {
		g_string_append_printf(script->text, " %" PRIu64 "\n", record->word[RECORD__count]);
	}
}

static void write_pause(struct script *script, const struct event_record *record)
{
	if (record->time_ns & 1 && has_option(script, 2, SOURCE_AGAIN)) {
		g_string_append(script->text, "again\n");
	}
	if (record->time_ns & 2 && has_option(script, 2, SOURCE_INACTIVITY) && has_clock(script, record->stream)) {
		g_string_append_printf(script->text, "inactivity T%u %" PRIu64 "\n", record->stream / 2,
				       ticks_of(script, record->stream, record->time_ns));
	}
}

static void write_record(struct script *script, const struct event_record *record)
{
	write_pause(script, record);
	write_begin(script, record->stream);
	switch (record->kind) {
	case RECORD_DISCARDED_EVENTS:
	case RECORD_DISCARDED_PACKETS:
		write_loss(script, record);
		break;
	case RECORD_GAP:
		write_packet(script, record->stream, false, record->time_ns);
		break;
	case RECORD_STREAM_END:
		if (!has_option(script, 2, SOURCE_ENDS_EARLY)) {
			write_end(script, record->stream, record->time_ns);
		}
		break;
	default:
		write_packet(script, record->stream, true, record->time_ns);
		write_event(script, record);
		break;
	}
}

/* Of the traces whose bits are in `traces`. */
static char *script_of(const uint8_t *options, const struct recording *recording, const GArray *records,
		       unsigned int traces)
{
	struct script script = {
		.text = g_string_new(NULL),
		.declarations = g_string_new(NULL),
		.options = options,
		.recording = recording,
		.classes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};
	gsize messages;

	if (records->len > 0) {
		script.now_ns = g_array_index(records, struct event_record, 0).time_ns;
		script.origin_s = script.now_ns / NS_PER_S - LEAD_S;
	}

	for (uint16_t trace = 0; trace < RECORD_SCRIPT_TRACES; trace++) {
		declare_trace(&script, trace);
	}
	for (uint16_t stream = 0; stream < STREAMS; stream++) {
		declare_stream(&script, stream);
	}
	g_string_append(script.text, has_option(&script, 2, SOURCE_NO_REWIND) ? "norewind\n" : "");
	messages = script.text->len;
	for (guint i = 0; i < records->len; i++) {
		const struct event_record *record = &g_array_index(records, struct event_record, i);

		if (!script.is_ended[record->stream] && traces >> record->stream / 2 & 1) {
			script.now_ns = record->time_ns;
			write_record(&script, record);
		}
	}
	for (uint16_t stream = 0; stream < STREAMS; stream++) {
		if (script.is_begun[stream] && !script.is_ended[stream]) {
			write_end(&script, stream, script.now_ns);
		}
	}
	g_string_insert_len(script.text, (gssize)messages, script.declarations->str, (gssize)script.declarations->len);
	g_string_free(script.declarations, TRUE);
	g_hash_table_destroy(script.classes);
	return g_string_free(script.text, FALSE);
}

/* --- graphs --- */

static const char *folder(void)
{
	static char *path;

	if (!path) {
		path = g_strdup_printf("%s/fuzz-messages-%d", g_get_tmp_dir(), getpid());
	}
	return path;
}

static void add(struct test_graph *graph, const char *class_name, const char *params)
{
	FUZZ_MUST(test_graph_add(graph, class_name, params), "%s %s: %s", class_name, params, test_graph_error(graph));
}

static void check_filters(const char *script, const char *const *components, size_t count)
{
	g_autoptr(test_graph) graph = test_graph_create(script);
	const char *text;

	for (size_t i = 0; i < count; i++) {
		add(graph, components[2 * i], components[2 * i + 1]);
	}
	text = test_graph_run(graph);
	FUZZ_MUST(!g_str_has_suffix(text, "error\n"), "%s\n%s", test_graph_error(graph), script);
	FUZZ_MUST(!strstr(text, "\nbroken: "), "%s\n%s", text, script);
}

/* The report, to be freed. `filter` is NULL or a component upstream of the sink. */
static char *report(const char *script, const char *filter, const char *tables)
{
	g_autoptr(test_graph) graph = test_graph_create(script);
	g_autofree char *params = g_strdup_printf("output=%s format=json instances=yes tables=[%s]", folder(), tables);
	g_autofree char *path = g_build_filename(folder(), "report.json", NULL);
	char *text = NULL;

	if (filter) {
		add(graph, filter, "");
	}
	add(graph, "latency", params);
	test_graph_run(graph);
	FUZZ_MUST(g_file_get_contents(path, &text, NULL, NULL), "%s\n%s", test_graph_error(graph), script);
	(void)g_unlink(path);
	return text;
}

/* Without the diagnostics, which count all events. */
static void check_same_report(const char *script, const char *filter)
{
	g_autofree char *plain = report(script, NULL, "callbacks,communications,paths");
	g_autofree char *filtered = report(script, filter, "callbacks,communications,paths");

	FUZZ_MUST(strcmp(plain, filtered) == 0, "%s changes the report:\n%s\n%s\n%s", filter, plain, filtered, script);
}

/* What two sources give, merged by the sink or by filter.utils.muxer; to be freed. */
static char *merged(const char *first, const char *second, bool has_muxer)
{
	g_autoptr(test_graph) graph = test_graph_create(first);

	test_graph_add_source(graph, second);
	if (has_muxer) {
		test_graph_add_muxer(graph);
	}
	return g_strdup(test_graph_run(graph));
}

/* For inputs on which both behave alike: without pauses, and all streams with a clock. */
static void check_merge(const uint8_t *options, const struct recording *recording, const GArray *records)
{
	uint8_t common[OPTION_BYTES];
	g_autofree char *first = NULL, *second = NULL, *by_sink = NULL, *by_muxer = NULL;

	memcpy(common, options, OPTION_BYTES);
	common[2] &= ~(unsigned int)(SOURCE_NO_CLOCK | SOURCE_AGAIN | SOURCE_INACTIVITY);
	first = script_of(common, recording, records, 5);
	second = script_of(common, recording, records, 10);
	by_sink = merged(first, second, false);
	by_muxer = merged(first, second, true);
	FUZZ_MUST(strcmp(by_sink, by_muxer) == 0 || g_str_has_suffix(by_muxer, "error\n"), "%s\n%s\n%s\n%s", by_sink,
		  by_muxer, first, second);
}

static void check(enum graph graph, const char *script)
{
	static const struct {
		size_t count;
		const char *components[8];
	} filters[GRAPH_COUNT] = {
		[GRAPH_DEDUP] = { 1, { "dedup", "" } },
		[GRAPH_INIT_TIMESTAMP] = { 1, { "init-timestamp", "" } },
		[GRAPH_INIT_TIMESTAMP_WINDOW] = { 1, { "init-timestamp", "mode=window window=1ms" } },
		[GRAPH_NORMALIZE] = { 1, { "normalize", "" } },
		[GRAPH_NORMALIZE_WINDOW] = { 1,
					     { "normalize",
					       "mode=window window=1ms drop-empty-takes=yes "
					       "drop-rosout=yes complete=yes intra-process=as-inter-process" } },
		[GRAPH_FLOW_ANNOTATE] = { 1, { "flow", "" } },
		[GRAPH_FLOW_EVENTS] = { 1, { "flow", "mode=events" } },
		[GRAPH_ALL_FILTERS] = { 4, { "dedup", "", "init-timestamp", "", "normalize", "", "flow", "" } },
	};

	if (graph == GRAPH_SINK) {
		g_free(report(script, NULL, "callbacks,communications,paths,diagnostics"));
	} else if (graph == GRAPH_SAME_REPORT) {
		check_same_report(script, "dedup");
	} else {
		check_filters(script, filters[graph].components, filters[graph].count);
	}
}

/* A run without failure leaves no error behind: the next one would fail with it. */
static void check_no_error(const char *script)
{
	const bt_error *error = bt_current_thread_take_error();

	FUZZ_MUST(!error, "%s\n%s", bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0)), script);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fuzz_input input = { bytes, size };
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	g_autoptr(GArray) records = NULL;
	g_autofree char *script = NULL;
	uint8_t options[OPTION_BYTES];

	(void)g_setenv("ROS2BT_PLUGIN", ROS2BT_PLUGIN, FALSE);
	for (unsigned int i = 0; i < OPTION_BYTES; i++) {
		options[i] = fuzz_input_byte(&input);
	}
	records = record_script_read(&input, recording);
	script = script_of(options, recording, records, UINT_MAX);
	if (options[0] % GRAPH_COUNT == GRAPH_MERGE) {
		check_merge(options, recording, records);
	} else {
		check(options[0] % GRAPH_COUNT, script);
	}
	check_no_error(script);
	recording_destroy(recording);
	string_pool_destroy(pool);
	return 0;
}
