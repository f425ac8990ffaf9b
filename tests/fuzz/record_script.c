/* SPDX-License-Identifier: MIT */
#include "record_script.h"

#include "ros2bt/base/string_pool.h"

#define FIRST_NS INT64_C(1700000000000000000)
#define FIRST_IS_EARLIEST 0x80 /* of the header's byte */
#define DELAY_FAR 0xff
#define PROCESS_WITHOUT_VPID 15
#define VTID_NONE 255
#define STREAMS_PER_TRACE 2
#define STAMPS 16
#define ADDRESS_BASE 0x1000

enum head_bit {
	HEAD_OTHER_STREAM = 0x10,
	HEAD_FROM_CARET = 0x20,
	HEAD_INIT_TIME = 0x40,
	HEAD_LACKS_WORDS = 0x80,
};

/* The first byte of a word. */
enum word_code {
	WORD_SMALL_MAX = 0xec, /* up to here: the value, or the number of an address or text */
	WORD_MINUS_ONE,
	WORD_NOW,   /* the time of the record, remembered as a stamp */
	WORD_STAMP, /* a byte: which of the last stamps */
	WORD_BYTES, /* eight bytes, remembered as a stamp; a length and bytes of a text */
};

struct state {
	struct recording *recording;
	uint32_t thread[RECORD_SCRIPT_THREADS];
	unsigned int thread_count;
	bool is_ended[RECORD_SCRIPT_TRACES * STREAMS_PER_TRACE];
	int64_t now_ns;
	uint64_t stamps[STAMPS];
	unsigned int stamp_count;
};

static const char *const texts[] = {
	"",
	"/a",
	"/b",
	"/c",
	"/rosout",
	"/parameter_events",
	"/",
	"talker",
	"listener",
	"rclcpp",
	"a",
	"b",
	"/a/b",
	"void (std::shared_ptr<int>)",
	"unconfigured",
	"inactive",
	"rmw_cyclonedds_cpp",
	"single_threaded_executor",
};

/* How much later: three bits, shifted by what five bits say. */
static int64_t delay_of(uint8_t code)
{
	return (int64_t)(code & 7) << (code >> 3);
}

/* Or much later: a byte more. The last time is the latest that a record can have. */
static int64_t read_time(struct fuzz_input *input, int64_t now_ns)
{
	uint8_t code = fuzz_input_byte(input);
	int64_t delay_ns = code == DELAY_FAR ? (int64_t)fuzz_input_byte(input) << 54 : delay_of(code);

	return (uint64_t)delay_ns < (uint64_t)RECORD_TIME_MAX_NS - (uint64_t)now_ns ? now_ns + delay_ns
										    : RECORD_TIME_MAX_NS;
}

/* Backwards. */
static int64_t read_earlier_time(struct fuzz_input *input, int64_t now_ns)
{
	return -read_time(input, -now_ns);
}

static uint8_t code_of_delay(int64_t delay_ns)
{
	unsigned int shift = 0;

	for (; shift < 31 && delay_ns > 7; shift++) {
		delay_ns >>= 1;
	}
	return MIN((uint8_t)(shift << 3 | (unsigned int)CLAMP(delay_ns, 0, 7)), DELAY_FAR - 1);
}

/* Reading */

static void read_traces(struct state *state)
{
	static const char *const hosts[RECORD_SCRIPT_TRACES] = { "robot", "robot", "base", "" };

	for (uint32_t i = 0; i < RECORD_SCRIPT_TRACES; i++) {
		const struct recording_trace_info info = { .name = "trace", .hostname = hosts[i] };

		recording_add_trace(state->recording, &info);
		for (unsigned int stream = 0; stream < STREAMS_PER_TRACE; stream++) {
			recording_add_stream(state->recording, i);
		}
	}
}

static void read_threads(struct fuzz_input *input, struct state *state)
{
	uint8_t header = fuzz_input_byte(input);

	state->now_ns = header & FIRST_IS_EARLIEST ? -RECORD_TIME_MAX_NS : FIRST_NS;
	state->thread_count = 1 + (header & (RECORD_SCRIPT_THREADS - 1));
	for (unsigned int i = 0; i < state->thread_count; i++) {
		uint8_t byte = fuzz_input_byte(input);
		uint8_t vtid = fuzz_input_byte(input);
		uint32_t trace = byte % RECORD_SCRIPT_TRACES;
		uint8_t process = byte >> 2 & 0xf;
		const struct recording_context context = {
			.has_vpid = process != PROCESS_WITHOUT_VPID,
			.vpid = process,
			.has_vtid = vtid != VTID_NONE,
			.vtid = vtid,
		};

		state->thread[i] = recording_find_thread(state->recording, trace, &context);
		if (state->thread[i] == RECORDING_NONE) {
			state->thread[i] =
				recording_add_thread(state->recording, trace, &context, process & 1 ? "odd" : "even");
		}
	}
}

static void remember_stamp(struct state *state, uint64_t stamp)
{
	state->stamps[state->stamp_count++ % STAMPS] = stamp;
}

static uint64_t read_long_word(struct fuzz_input *input, struct state *state, uint8_t code)
{
	uint64_t word = (uint64_t)state->now_ns;

	switch (code) {
	case WORD_MINUS_ONE:
		return UINT64_MAX;
	case WORD_STAMP:
		return state->stamps[fuzz_input_byte(input) % STAMPS];
	case WORD_NOW:
		break;
	default:
		word = fuzz_input_word(input);
		break;
	}
	remember_stamp(state, word);
	return word;
}

static uint64_t read_address(struct fuzz_input *input, struct state *state)
{
	uint8_t code = fuzz_input_byte(input);

	if (code > WORD_SMALL_MAX) {
		return read_long_word(input, state, code);
	}
	return code == 0 ? 0 : ADDRESS_BASE + code;
}

static uint64_t read_number(struct fuzz_input *input, struct state *state)
{
	uint8_t code = fuzz_input_byte(input);

	return code > WORD_SMALL_MAX ? read_long_word(input, state, code) : code;
}

static uint64_t read_text(struct fuzz_input *input, struct state *state)
{
	uint8_t code = fuzz_input_byte(input);
	g_autofree char *text = NULL;

	if (code < G_N_ELEMENTS(texts)) {
		text = g_strdup(texts[code]);
	} else if (code <= WORD_SMALL_MAX) {
		text = g_strdup_printf("/t%u", code);
	} else {
		text = fuzz_input_text(input);
	}
	return (uint64_t)(uintptr_t)string_pool_intern(recording_pool(state->recording), text);
}

static uint64_t read_gid(struct fuzz_input *input, struct state *state)
{
	uint8_t bytes[GID_SIZE];

	memset(bytes, fuzz_input_byte(input), sizeof(bytes));
	return (uint64_t)(uintptr_t)string_pool_intern_bytes(recording_pool(state->recording), bytes, sizeof(bytes));
}

static uint64_t read_addresses(struct fuzz_input *input, struct state *state)
{
	uint64_t words[1 + 15];
	unsigned int count = fuzz_input_byte(input) & 15;

	words[0] = count;
	for (unsigned int i = 1; i <= count; i++) {
		words[i] = read_address(input, state);
	}
	return (uint64_t)(uintptr_t)string_pool_intern_bytes(recording_pool(state->recording), words,
							     (count + 1) * sizeof(words[0]));
}

static uint64_t read_word(struct fuzz_input *input, struct state *state, enum field_type type)
{
	switch (type) {
	case FIELD_TYPE_ADDRESS:
		return read_address(input, state);
	case FIELD_TYPE_I32:
		return (uint64_t)(int64_t)(int32_t)read_number(input, state);
	case FIELD_TYPE_U64:
	case FIELD_TYPE_I64:
		return read_number(input, state);
	case FIELD_TYPE_STRING:
	case FIELD_TYPE_NAME:
		return read_text(input, state);
	case FIELD_TYPE_GID:
		return read_gid(input, state);
	case FIELD_TYPE_ADDRESSES:
		return read_addresses(input, state);
	}
	return 0;
}

static const struct event_field *field_of_slot(const struct event_schema *schema, unsigned int slot)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		if (schema->fields[i].slot == slot) {
			return &schema->fields[i];
		}
	}
	return NULL;
}

static void read_event(struct fuzz_input *input, struct state *state, uint8_t head, struct event_record *record)
{
	const struct event_schema *schema = event_schema_of(record->kind);
	uint8_t lacking = head & HEAD_LACKS_WORDS ? fuzz_input_byte(input) : 0;

	for (unsigned int slot = 0; slot < EVENT_SLOTS; slot++) {
		const struct event_field *field = field_of_slot(schema, slot);

		if (field && !(lacking >> slot & 1)) {
			record->word[slot] = read_word(input, state, field->type);
			record->present |= 1u << slot;
		}
	}
	if (head & HEAD_FROM_CARET) {
		record->flags |= RECORD_FROM_CARET;
	}
	if (head & HEAD_FROM_CARET && head & HEAD_INIT_TIME && schema->class == EVENT_CLASS_INIT) {
		record->flags |= RECORD_HAS_INIT_TIME;
		record->word[EVENT_SLOT_INIT_TIME] = (uint64_t)read_earlier_time(input, record->time_ns);
		record->present |= 1u << EVENT_SLOT_INIT_TIME;
	}
}

static void read_loss(struct fuzz_input *input, struct event_record *record)
{
	uint8_t count = fuzz_input_byte(input);

	record->word[RECORD__count] = count == UINT8_MAX ? RECORD_COUNT_UNKNOWN : count;
	record->word[RECORD__end_ns] = (uint64_t)read_time(input, record->time_ns);
	record->present = 1u << RECORD__count | 1u << RECORD__end_ns;
}

/* What an event of a kernel has in place of the thread. */
static uint32_t ids_of(const struct state *state, uint32_t index)
{
	const struct recording_thread *thread = recording_thread(state->recording, index);
	const struct recording_process *process = recording_process(state->recording, thread->process);
	const struct recording_context context = {
		.has_vpid = process->has_vpid,
		.has_vtid = thread->has_vtid,
		.has_pid_ns = process->pid_ns != 0,
		.vpid = process->vpid,
		.vtid = thread->vtid,
		.pid_ns = process->pid_ns,
	};

	return context.has_vpid && context.has_vtid ? recording_add_ids(state->recording, &context) : RECORDING_NONE;
}

/* False: of a stream that has ended. */
static bool read_record(struct fuzz_input *input, struct state *state, struct event_record *record)
{
	uint8_t kind = fuzz_input_byte(input);
	uint8_t head = fuzz_input_byte(input);
	uint32_t thread = state->thread[(head & 0xf) % state->thread_count];
	uint32_t trace = recording_thread(state->recording, thread)->trace;
	uint16_t stream = (uint16_t)(trace * STREAMS_PER_TRACE + !!(head & HEAD_OTHER_STREAM));

	state->now_ns = read_time(input, state->now_ns);
	*record = (struct event_record){
		.time_ns = state->now_ns,
		/* joined polls, the last kind, hold an address: only readers make them */
		.kind = kind % RECORD_POLLS,
		.stream = stream,
		.thread = RECORDING_NONE,
	};
	if (record->kind < EVENT_KIND_COUNT) {
		record->thread = event_class_of(record->kind) == EVENT_CLASS_SYSTEM ? ids_of(state, thread) : thread;
		read_event(input, state, head, record);
	} else if (record->kind == RECORD_DISCARDED_EVENTS || record->kind == RECORD_DISCARDED_PACKETS) {
		read_loss(input, record);
	}
	if (state->is_ended[stream]) {
		return false;
	}
	state->is_ended[stream] = record->kind == RECORD_STREAM_END;
	return true;
}

GArray *record_script_read(struct fuzz_input *input, struct recording *recording)
{
	struct state state = { .recording = recording };
	GArray *records = g_array_new(FALSE, FALSE, sizeof(struct event_record));

	read_traces(&state);
	read_threads(input, &state);
	while (input->size > 0) {
		struct event_record record;

		if (read_record(input, &state, &record)) {
			g_array_append_val(records, record);
		}
	}
	return records;
}

/* Writing */

struct writer {
	GByteArray *script;
	const struct recording *recording;
	GHashTable *addresses; /* uint64_t * → number, from 1 */
	GHashTable *texts;     /* pointer → number */
	GHashTable *gids;      /* pointer → number */
	GHashTable *hosts;     /* host → trace of the script + 1 */
	GHashTable *processes; /* process → number + 1 */
	uint64_t stamps[STAMPS];
	unsigned int stamp_count;
	int64_t now_ns;
};

static void write_byte(struct writer *writer, unsigned int value)
{
	uint8_t byte = (uint8_t)value;

	g_byte_array_append(writer->script, &byte, 1);
}

static unsigned int number_of(GHashTable *table, gpointer key, unsigned int first)
{
	gpointer number = g_hash_table_lookup(table, key);

	if (!number) {
		number = GUINT_TO_POINTER(g_hash_table_size(table) + first);
		g_hash_table_insert(table, key, number);
	}
	return GPOINTER_TO_UINT(number);
}

static void write_bytes(struct writer *writer, uint64_t word)
{
	uint64_t little = GUINT64_TO_LE(word);

	for (unsigned int i = 0; i < MIN(writer->stamp_count, STAMPS); i++) {
		if (writer->stamps[i] == word) {
			write_byte(writer, WORD_STAMP);
			write_byte(writer, i);
			return;
		}
	}
	if (word == (uint64_t)writer->now_ns) {
		write_byte(writer, WORD_NOW);
	} else {
		write_byte(writer, WORD_BYTES);
		g_byte_array_append(writer->script, (const guint8 *)&little, sizeof(little));
	}
	writer->stamps[writer->stamp_count++ % STAMPS] = word;
}

static void write_address(struct writer *writer, uint64_t address)
{
	unsigned int number = address ? number_of(writer->addresses, (gpointer)(uintptr_t)address, 1) : 0;

	if (number <= WORD_SMALL_MAX) {
		write_byte(writer, number);
	} else {
		write_bytes(writer, address);
	}
}

static void write_text(struct writer *writer, const char *text)
{
	unsigned int number;

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		if (strcmp(texts[i], text) == 0) {
			write_byte(writer, (unsigned int)i);
			return;
		}
	}
	number = number_of(writer->texts, (gpointer)text, G_N_ELEMENTS(texts));
	write_byte(writer, MIN(number, WORD_SMALL_MAX));
}

static void write_word(struct writer *writer, enum field_type type, uint64_t word)
{
	const struct address_list *list = (const struct address_list *)(uintptr_t)word;

	switch (type) {
	case FIELD_TYPE_ADDRESS:
		write_address(writer, word);
		break;
	case FIELD_TYPE_U64:
	case FIELD_TYPE_I64:
	case FIELD_TYPE_I32:
		if (word <= WORD_SMALL_MAX) {
			write_byte(writer, (unsigned int)word);
		} else if (word == UINT64_MAX) {
			write_byte(writer, WORD_MINUS_ONE);
		} else {
			write_bytes(writer, word);
		}
		break;
	case FIELD_TYPE_STRING:
	case FIELD_TYPE_NAME:
		write_text(writer, (const char *)(uintptr_t)word);
		break;
	case FIELD_TYPE_GID:
		write_byte(writer, number_of(writer->gids, (gpointer)(uintptr_t)word, 1));
		break;
	case FIELD_TYPE_ADDRESSES:
		write_byte(writer, (unsigned int)MIN(list->count, 15));
		for (uint64_t i = 0; i < MIN(list->count, 15); i++) {
			write_address(writer, list->address[i]);
		}
		break;
	}
}

static void write_thread(struct writer *writer, uint32_t index)
{
	const struct recording_thread *thread = recording_thread(writer->recording, index);
	const struct recording_process *process = recording_process(writer->recording, thread->process);
	unsigned int trace =
		number_of(writer->hosts, GUINT_TO_POINTER(recording_trace(writer->recording, thread->trace)->host), 1) -
		1;
	unsigned int number = number_of(writer->processes, GUINT_TO_POINTER(thread->process), 1) - 1;

	number = process->has_vpid ? number % PROCESS_WITHOUT_VPID : PROCESS_WITHOUT_VPID;
	write_byte(writer, number << 2 | (trace * 2) % RECORD_SCRIPT_TRACES);
	write_byte(writer, thread->has_vtid ? index % VTID_NONE : VTID_NONE);
}

static void write_event(struct writer *writer, const struct event_record *record)
{
	const struct event_schema *schema = event_schema_of(record->kind);
	uint8_t lacking = 0;
	unsigned int head = record->thread % RECORD_SCRIPT_THREADS;

	for (unsigned int slot = 0; slot < EVENT_SLOTS; slot++) {
		lacking |= (uint8_t)((field_of_slot(schema, slot) && !record_has(record, slot)) << slot);
	}
	head |= record->flags & RECORD_FROM_CARET ? HEAD_FROM_CARET : 0;
	head |= record->flags & RECORD_HAS_INIT_TIME ? HEAD_INIT_TIME : 0;
	head |= lacking ? HEAD_LACKS_WORDS : 0;
	write_byte(writer, head);
	write_byte(writer, code_of_delay(record->time_ns - writer->now_ns));
	writer->now_ns = record->time_ns;
	if (lacking) {
		write_byte(writer, lacking);
	}
	for (unsigned int slot = 0; slot < EVENT_SLOTS; slot++) {
		const struct event_field *field = field_of_slot(schema, slot);

		if (field && record_has(record, slot)) {
			write_word(writer, field->type, record->word[slot]);
		}
	}
	if (record->flags & RECORD_HAS_INIT_TIME) {
		write_byte(writer, code_of_delay(record->time_ns - record_since_ns(record)));
	}
}

static void write_gap(struct writer *writer, const struct event_record *record)
{
	write_byte(writer, record->stream & 1 ? HEAD_OTHER_STREAM : 0);
	write_byte(writer, code_of_delay(record->time_ns - writer->now_ns));
	writer->now_ns = record->time_ns;
	if (record->kind == RECORD_DISCARDED_EVENTS || record->kind == RECORD_DISCARDED_PACKETS) {
		write_byte(writer, (unsigned int)MIN(record->word[RECORD__count], UINT8_MAX));
		write_byte(writer, code_of_delay((int64_t)record->word[RECORD__end_ns] - record->time_ns));
	}
}

void record_script_write(GByteArray *script, const struct recording *recording, const struct event_record *records,
			 size_t count)
{
	struct writer writer = {
		.script = script,
		.recording = recording,
		.addresses = g_hash_table_new(NULL, NULL),
		.texts = g_hash_table_new(NULL, NULL),
		.gids = g_hash_table_new(NULL, NULL),
		.hosts = g_hash_table_new(NULL, NULL),
		.processes = g_hash_table_new(NULL, NULL),
		.now_ns = count > 0 ? records[0].time_ns : 0,
	};
	size_t thread_count = CLAMP(recording_thread_count(recording), 1, RECORD_SCRIPT_THREADS);

	write_byte(&writer, (unsigned int)thread_count - 1);
	for (uint32_t i = 0; i < MIN(recording_thread_count(recording), thread_count); i++) {
		write_thread(&writer, i);
	}
	for (size_t i = 0; i < count; i++) {
		write_byte(&writer, records[i].kind);
		if (records[i].kind < EVENT_KIND_COUNT) {
			write_event(&writer, &records[i]);
		} else {
			write_gap(&writer, &records[i]);
		}
	}
	g_hash_table_destroy(writer.addresses);
	g_hash_table_destroy(writer.texts);
	g_hash_table_destroy(writer.gids);
	g_hash_table_destroy(writer.hosts);
	g_hash_table_destroy(writer.processes);
}
