/* SPDX-License-Identifier: MIT */
#include "drawings.h"

#include <glib/gstdio.h>

#include "core/output/outputs.h"
#include "core/statistics/duration_statistics.h"
#include "core/tables/timeline_tables.h"
#include "ros2bt/output/report.h"

#define IDS 6
#define EVENTS_MAX 24
#define ROWS_MAX 12

static const struct report_trace trace = { .trace_count = 1, .has_runtime_events = true, .end_ns = 1000000000 };

static struct report *begin_report(const struct output_class *format, const char *directory)
{
	const struct report_options options = { .format = format, .directory = directory };
	g_autoptr(GError) error = NULL;
	struct report *report = report_create(&options, &error);

	FUZZ_MUST(report, "%s", error->message);
	return report;
}

/* The file; it is gone afterwards. */
static char *end_report(struct report *report, const char *directory, const char *name, gsize *size)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	g_autoptr(GError) error = NULL;
	char *contents = NULL;

	FUZZ_MUST(report_finish(report, &trace, &error), "%s", error->message);
	report_destroy(report);
	FUZZ_MUST(g_file_get_contents(path, &contents, size, NULL), "%s", path);
	(void)g_unlink(path);
	return contents;
}

/* --- timeline --- */

static const struct table_schema track_schema = { .name = "tracks", TIMELINE_SCHEMA_TRACKS };
static const struct table_schema label_schema = { .name = "labels", TIMELINE_SCHEMA_LABELS };
static const struct table_schema event_schema = { .name = "events", TIMELINE_SCHEMA_EVENTS };

static struct cell any_arrow(struct fuzz_input *input)
{
	uint8_t byte = fuzz_input_byte(input);

	return byte & 1 ? cell_unsigned(byte) : CELL_NONE;
}

/* The number of packets of the event. */
static size_t write_event(struct table_writer *writer, struct fuzz_input *input)
{
	uint8_t bits = fuzz_input_byte(input);
	uint64_t track = 1 + bits / 4 % IDS, label = 1 + fuzz_input_byte(input) % IDS;
	int64_t begin_ns = (int64_t)fuzz_input_word(input);
	struct cell value = bits & 128 ? cell_integer((int64_t)fuzz_input_word(input)) : CELL_NONE;
	struct cell first = any_arrow(input), second = any_arrow(input);

	switch (bits % 4) {
	case 0:
		timeline_write_slice(writer, track, label, begin_ns, (int64_t)fuzz_input_word(input), value, first,
				     second);
		return 2;
	case 1:
		timeline_write_instant(writer, track, label, begin_ns, value, first, second);
		return 1;
	case 2:
		timeline_write_counter(writer, track, begin_ns, (int64_t)fuzz_input_word(input));
		return 1;
	default:
		timeline_write_arrows(writer, first, second);
		return 0;
	}
}

static void write_label(struct table_writer *writer, struct fuzz_input *input)
{
	static const char *const keys[] = { "name", "category", "value" };
	uint8_t bits = fuzz_input_byte(input);
	g_autofree char *key = fuzz_input_text(input), *text = fuzz_input_text(input);
	struct cell cell = bits & 64 ? cell_text(text) : cell_address(fuzz_input_word(input));

	timeline_write_label(writer, 1 + bits % IDS, bits & 128 ? keys[bits % G_N_ELEMENTS(keys)] : key, cell);
}

static void write_track(struct table_writer *writer, struct fuzz_input *input, uint64_t id)
{
	static const char *const kinds[] = { "process", "thread", "row", "counter" };
	uint8_t bits = fuzz_input_byte(input);
	g_autofree char *name = fuzz_input_text(input);

	timeline_write_track(writer,
			     &(struct timeline_track){
				     .id = id,
				     .parent = bits / 4 % (IDS + 3), /* also itself, in a circle, and unknown */
				     .kind = kinds[bits % G_N_ELEMENTS(kinds)],
				     .name = name,
				     .rank = bits,
				     .pid = bits & 128 ? cell_integer((int64_t)fuzz_input_word(input)) : CELL_NONE,
				     .tid = cell_integer(bits),
			     });
}

static uint64_t read_varint(const uint8_t **at, const uint8_t *end)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; shift < 64; shift += 7) {
		uint8_t byte;

		FUZZ_MUST(*at < end, "a number is cut");
		byte = *(*at)++;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			return value;
		}
	}
	FUZZ_MUST(false, "a number is too long");
	return value;
}

/* Goes over the fields of a message; the number of those that are the wanted one, which is a message. */
static size_t count_fields(const uint8_t *at, size_t size, uint64_t wanted)
{
	const uint8_t *end = at + size;
	size_t count = 0;

	while (at < end) {
		uint64_t tag = read_varint(&at, end);
		uint64_t length = 0;

		switch (tag & 7) {
		case 0:
			(void)read_varint(&at, end);
			break;
		case 1:
			length = 8;
			break;
		case 2:
			length = read_varint(&at, end);
			break;
		default:
			FUZZ_MUST(false, "type %d", (int)(tag & 7));
		}
		FUZZ_MUST(length <= (uint64_t)(end - at), "a field is cut");
		count += tag >> 3 == wanted;
		at += length;
	}
	return count;
}

static void check_timeline(const uint8_t *at, size_t size, size_t events)
{
	const uint8_t *end = at + size;
	size_t found = 0;

	while (at < end) {
		FUZZ_MUST(*at++ == (1 << 3 | 2), "a packet");
		size = read_varint(&at, end);
		FUZZ_MUST(size <= (size_t)(end - at), "a packet is cut");
		found += count_fields(at, size, 11);
		at += size;
	}
	FUZZ_MUST(found == events, "%zu events, %zu expected", found, events);
}

void fuzz_timeline(struct fuzz_input *input, const char *directory)
{
	struct report *report = begin_report(&perfetto_output, directory);
	struct table_output *tables = report_tables(report);
	struct table_writer *track_writer = tables->open(tables, &track_schema);
	struct table_writer *label_writer = tables->open(tables, &label_schema);
	struct table_writer *event_writer = tables->open(tables, &event_schema);
	g_autofree char *file = NULL;
	size_t events = 0;
	gsize size;

	for (unsigned int count = fuzz_input_byte(input) % EVENTS_MAX; count > 0; count--) {
		events += write_event(event_writer, input);
	}
	for (unsigned int count = fuzz_input_byte(input) % ROWS_MAX; count > 0; count--) {
		write_label(label_writer, input);
	}
	for (unsigned int id = fuzz_input_byte(input) % (IDS + 1); id > 0; id--) {
		write_track(track_writer, input, id);
	}
	file = end_report(report, directory, "timeline.pftrace", &size);
	check_timeline((const uint8_t *)file, size, events);
}

/* --- graph --- */

static const struct table_column message_columns[] = {
	{ .name = "topic" },	 { .name = "publisher_node" }, { .name = "subscription_node" },
	{ .name = "published" }, { .name = "received" },       { .name = "lost" },
};
static const struct table_schema message_schema = { .name = "communications",
						    .selection = "communications",
						    .columns = message_columns,
						    .column_count = G_N_ELEMENTS(message_columns) };

static const struct table_column callback_columns[] = {
	{ .name = "node" }, { .name = "kind" }, { .name = "source" }, { .name = "count" }, { .name = "rate_hz" },
};
static const struct table_schema callback_schema = { .name = "callbacks",
						     .selection = "callbacks",
						     .columns = callback_columns,
						     .column_count = G_N_ELEMENTS(callback_columns) };

static void write_message(struct table_writer *writer, struct fuzz_input *input)
{
	g_autofree char *topic = fuzz_input_text(input), *from = fuzz_input_text(input), *to = fuzz_input_text(input);
	uint8_t bits = fuzz_input_byte(input);

	table_row(writer, (struct cell[]){ cell_text(topic), bits & 1 ? cell_text(from) : CELL_NONE, cell_text(to),
					   cell_unsigned(fuzz_input_word(input)), cell_unsigned(bits),
					   cell_unsigned(bits / 8) });
}

static void write_callback(struct table_writer *writer, struct fuzz_input *input)
{
	g_autofree char *node = fuzz_input_text(input), *source = fuzz_input_text(input);
	uint8_t bits = fuzz_input_byte(input);

	table_row(writer, (struct cell[]){ cell_text(node), cell_text("subscription"),
					   bits & 1 ? cell_text(source) : cell_integer((int64_t)fuzz_input_word(input)),
					   cell_unsigned(bits), bits & 2 ? cell_real(bits) : CELL_NONE });
}

/* Outside quotes nothing but what the output writes itself; quotes end on the line where they begin. */
static void check_graph(const char *text)
{
	bool is_quoted = false;

	FUZZ_MUST(g_utf8_validate(text, -1, NULL), "%s", text);
	FUZZ_MUST(g_str_has_prefix(text, "digraph ros2 {\n") && g_str_has_suffix(text, "\n}\n"), "%s", text);
	for (const char *at = text; *at; at++) {
		if (is_quoted && *at == '\\') {
			at++;
			FUZZ_MUST(*at == '"' || *at == '\\' || *at == 'n', "escaped %c", *at);
		} else if (*at == '"') {
			is_quoted = !is_quoted;
		} else if (is_quoted) {
			FUZZ_MUST((unsigned char)*at >= ' ' && *at != 0x7f, "control character %d", *at);
		} else {
			FUZZ_MUST(g_ascii_isalnum(*at) || strchr(" \t\n{}[]=,;->._", *at), "%c outside quotes", *at);
		}
	}
	FUZZ_MUST(!is_quoted, "%s", text);
}

void fuzz_graph(struct fuzz_input *input, const char *directory)
{
	struct report *report = begin_report(&dot_output, directory);
	struct table_output *tables = report_tables(report);
	struct table_writer *messages = tables->open(tables, &message_schema);
	struct table_writer *callbacks = tables->open(tables, &callback_schema);
	g_autofree char *file = NULL;
	gsize size;

	for (unsigned int count = fuzz_input_byte(input) % ROWS_MAX; count > 0; count--) {
		write_callback(callbacks, input);
	}
	for (unsigned int count = fuzz_input_byte(input) % ROWS_MAX; count > 0; count--) {
		write_message(messages, input);
	}
	file = end_report(report, directory, "graph.dot", &size);
	check_graph(file);
}
