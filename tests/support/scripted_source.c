/* SPDX-License-Identifier: MIT */
#include "support/scripted_source.h"

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ros2bt/bt/own.h"
#include "support/must.h"

struct script_trace {
	bt_trace_class *trace_class; /* all owned */
	bt_trace *trace;
	bt_clock_class *clock_class;
};

struct script_stream {
	const struct script_trace *trace;
	bt_stream_class *stream_class; /* owned */
	bt_stream *stream;	       /* owned */
	bool has_packets, has_packet_times, has_lost_times;
};

struct script {
	GHashTable *traces;  /* name → struct script_trace */
	GHashTable *streams; /* name → struct script_stream */
	GHashTable *classes; /* name → bt_event_class */
	GPtrArray *rows;     /* char **, the messages */
	bool can_rewind;
};

struct player {
	bt_self_message_iterator *self;
	const struct script *script;
	GHashTable *packets; /* struct script_stream * → bt_packet, owned */
	guint position;
	bool has_ended;
};

static void die_at(char **words, const char *problem)
{
	g_autofree char *line = g_strjoinv(" ", words);

	g_error("script: %s: %s", line, problem);
}

static void *lookup(GHashTable *table, char **words, const char *name)
{
	void *found = name ? g_hash_table_lookup(table, name) : NULL;

	if (!found) {
		die_at(words, "unknown name");
	}
	return found;
}

static uint64_t number(const char *text)
{
	return text[0] == '-' ? (uint64_t)g_ascii_strtoll(text, NULL, 0) : g_ascii_strtoull(text, NULL, 0);
}

static bool has_word(char **words, const char *word)
{
	return g_strv_contains((const char *const *)words, word);
}

/* Field classes */

static bt_field_class *create_integer_class(bt_trace_class *trace_class, bool is_signed, bool is_enumeration,
					    uint64_t bits)
{
	bt_field_class *field_class;

	if (is_enumeration) {
		field_class = is_signed ? bt_field_class_enumeration_signed_create(trace_class)
					: bt_field_class_enumeration_unsigned_create(trace_class);
	} else {
		field_class = is_signed ? bt_field_class_integer_signed_create(trace_class)
					: bt_field_class_integer_unsigned_create(trace_class);
	}
	MUST(field_class);
	bt_field_class_integer_set_field_value_range(field_class, bits);
	return field_class;
}

static bt_field_class *create_scalar_class(bt_trace_class *trace_class, const char *type)
{
	bool is_enumeration = type[0] == 'e';
	const char *integer = is_enumeration ? type + 1 : type;

	if (strcmp(type, "str") == 0) {
		return bt_field_class_string_create(trace_class);
	}
	if (strcmp(type, "bool") == 0) {
		return bt_field_class_bool_create(trace_class);
	}
	if (strcmp(type, "bits") == 0) {
		return bt_field_class_bit_array_create(trace_class, 16);
	}
	if (strcmp(type, "real") == 0) {
		return bt_field_class_real_double_precision_create(trace_class);
	}
	if ((integer[0] != 'u' && integer[0] != 'i') || !g_ascii_isdigit(integer[1])) {
		g_error("script: unknown type %s", type);
	}
	return create_integer_class(trace_class, integer[0] == 'i', is_enumeration, number(integer + 1));
}

static bt_field_class *create_class_of_type(bt_trace_class *trace_class, const char *type)
{
	const char *bracket = strchr(type, '[');
	g_autofree char *scalar = g_strndup(type, bracket ? (size_t)(bracket - type) : strlen(type));
	g_autoptr(bt_field_class) element = create_scalar_class(trace_class, scalar);
	bt_field_class *field_class;

	if (!bracket) {
		return g_steal_pointer(&element);
	}
	if (bracket[1] == ']') {
		field_class = bt_field_class_array_dynamic_create(trace_class, element, NULL);
	} else {
		field_class = bt_field_class_array_static_create(trace_class, element, number(bracket + 1));
	}
	MUST(field_class);
	return field_class;
}

/* The structure of the FIELDs among the words that have the given first character ('\0': a letter), NULL if there are
 * none. */
static bt_field_class *create_structure(bt_trace_class *trace_class, char **words, char mark)
{
	bt_field_class *structure = NULL;

	for (; *words; words++) {
		const char *word = *words + (mark != '\0' ? 1 : 0);
		const char *colon = strchr(word, ':');
		g_autofree char *name = NULL;
		g_autoptr(bt_field_class) member = NULL;

		if (!colon || (mark != '\0' ? **words != mark : strchr("@+", **words) != NULL)) {
			continue;
		}
		if (!structure) {
			structure = bt_field_class_structure_create(trace_class);
		}
		name = g_strndup(word, (size_t)(colon - word));
		member = create_class_of_type(trace_class, colon + 1);
		MUST(bt_field_class_structure_append_member(structure, name, member) ==
		     BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK);
	}
	return structure;
}

/* Declarations */

static void set_environment(bt_trace *trace, const char *key, const char *value)
{
	if (g_ascii_isdigit(value[0]) || value[0] == '-') {
		MUST(bt_trace_set_environment_entry_integer(trace, key, (int64_t)number(value)) ==
		     BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK);
	} else {
		MUST(bt_trace_set_environment_entry_string(trace, key, value) ==
		     BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK);
	}
}

static void set_property(bt_clock_class *clock_class, const char *key, const char *value, bt_trace *trace)
{
	uint64_t frequency = bt_clock_class_get_frequency(clock_class);
	int64_t seconds;
	uint64_t cycles;
	uint8_t uuid[16];

	memset(uuid, (int)number(value), sizeof(uuid));
	bt_clock_class_get_offset(clock_class, &seconds, &cycles);
	if (strcmp(key, "frequency") == 0) {
		bt_clock_class_set_frequency(clock_class, number(value));
	} else if (strcmp(key, "offset") == 0) {
		bt_clock_class_set_offset(clock_class, (int64_t)number(value), cycles);
	} else if (strcmp(key, "cycles") == 0) {
		MUST(number(value) < frequency);
		bt_clock_class_set_offset(clock_class, seconds, number(value));
	} else if (strcmp(key, "uuid") == 0) {
		bt_clock_class_set_uuid(clock_class, uuid);
	} else if (strcmp(key, "traceuuid") == 0) {
		bt_trace_set_uuid(trace, uuid);
	} else {
		set_environment(trace, key, value);
	}
}

static void declare_trace(struct script *script, bt_self_component *self, char **words)
{
	struct script_trace *trace = g_new0(struct script_trace, 1);

	trace->trace_class = bt_trace_class_create(self);
	trace->trace = bt_trace_create(trace->trace_class);
	trace->clock_class = bt_clock_class_create(self);
	MUST(trace->trace && trace->clock_class);
	bt_trace_class_set_assigns_automatic_stream_class_id(trace->trace_class, BT_TRUE);
	bt_trace_set_name(trace->trace, words[1]);
	bt_clock_class_set_origin_is_unix_epoch(trace->clock_class, !has_word(words, "unknownorigin"));
	for (size_t i = 2; words[i]; i++) {
		const char *equals = strchr(words[i], '=');

		if (equals) {
			g_autofree char *key = g_strndup(words[i], (size_t)(equals - words[i]));

			set_property(trace->clock_class, key, equals + 1, trace->trace);
		}
	}
	if (has_word(words, "noclock")) {
		g_clear_pointer(&trace->clock_class, bt_clock_class_put_ref);
	}
	g_hash_table_insert(script->traces, words[1], trace);
}

static void set_context_classes(bt_stream_class *stream_class, bt_trace_class *trace_class, char **words)
{
	g_autoptr(bt_field_class) common = create_structure(trace_class, words + 3, '\0');
	g_autoptr(bt_field_class) packet = create_structure(trace_class, words + 3, '@');

	if (common) {
		MUST(bt_stream_class_set_event_common_context_field_class(stream_class, common) == 0);
	}
	if (packet) {
		MUST(bt_stream_class_set_packet_context_field_class(stream_class, packet) == 0);
	}
}

static bt_stream *create_stream(bt_stream_class *stream_class, bt_trace *trace, char **words)
{
	for (; *words; words++) {
		if (g_str_has_prefix(*words, "id=")) {
			bt_stream_class_set_assigns_automatic_stream_id(stream_class, BT_FALSE);
			return bt_stream_create_with_id(stream_class, trace, number(*words + 3));
		}
	}
	return bt_stream_create(stream_class, trace);
}

static void declare_stream(struct script *script, char **words)
{
	struct script_trace *trace = lookup(script->traces, words, words[2]);
	struct script_stream *stream = g_new0(struct script_stream, 1);
	bt_stream_class *stream_class = bt_stream_class_create(trace->trace_class);
	bool has_clock = trace->clock_class != NULL;
	bool lost_times = has_clock && !has_word(words, "lostwithouttimes");

	MUST(stream_class);
	stream->trace = trace;
	stream->stream_class = stream_class;
	stream->has_packet_times = has_clock && has_word(words, "packets");
	stream->has_packets = has_word(words, "packets") || has_word(words, "packetswithouttimes");
	stream->has_lost_times = lost_times;
	if (has_clock) {
		MUST(bt_stream_class_set_default_clock_class(stream_class, trace->clock_class) == 0);
	}
	bt_stream_class_set_supports_packets(stream_class, stream->has_packets, stream->has_packet_times,
					     stream->has_packet_times);
	if (has_word(words, "lost")) {
		bt_stream_class_set_supports_discarded_events(stream_class, BT_TRUE, lost_times);
	}
	if (has_word(words, "lostpackets")) {
		bt_stream_class_set_supports_discarded_packets(stream_class, BT_TRUE, lost_times);
	}
	set_context_classes(stream_class, trace->trace_class, words);
	stream->stream = create_stream(stream_class, trace->trace, words);
	MUST(stream->stream);
	bt_stream_set_name(stream->stream, words[1]);
	g_hash_table_insert(script->streams, words[1], stream);
}

static void declare_class(struct script *script, char **words)
{
	struct script_stream *stream = lookup(script->streams, words, words[2]);
	bt_trace_class *trace_class = stream->trace->trace_class;
	bt_event_class *event_class = bt_event_class_create(stream->stream_class);
	g_autoptr(bt_field_class) payload = create_structure(trace_class, words + 4, '\0');
	g_autoptr(bt_field_class) specific = create_structure(trace_class, words + 4, '+');

	MUST(event_class);
	MUST(bt_event_class_set_name(event_class, words[3]) == 0);
	if (payload) {
		MUST(bt_event_class_set_payload_field_class(event_class, payload) == 0);
	}
	if (specific) {
		MUST(bt_event_class_set_specific_context_field_class(event_class, specific) == 0);
	}
	g_hash_table_insert(script->classes, words[1], event_class);
}

static void free_trace(gpointer data)
{
	struct script_trace *trace = data;

	bt_clock_class_put_ref(trace->clock_class);
	bt_trace_put_ref(trace->trace);
	bt_trace_class_put_ref(trace->trace_class);
	g_free(trace);
}

static void free_stream(gpointer data)
{
	struct script_stream *stream = data;

	bt_stream_put_ref(stream->stream);
	bt_stream_class_put_ref(stream->stream_class);
	g_free(stream);
}

static void free_class(gpointer data)
{
	bt_event_class_put_ref(data);
}

static void free_words(gpointer data)
{
	g_strfreev(data);
}

static void script_destroy(struct script *script)
{
	g_hash_table_destroy(script->classes);
	g_hash_table_destroy(script->streams);
	g_hash_table_destroy(script->traces);
	g_ptr_array_free(script->rows, TRUE);
	g_free(script);
}

/* Takes the words. */
static void read_row(struct script *script, bt_self_component *self, char **words)
{
	/* kept for their strings, which are keys */
	g_ptr_array_add(script->rows, words);
	if (strcmp(words[0], "trace") == 0) {
		declare_trace(script, self, words);
	} else if (strcmp(words[0], "stream") == 0) {
		declare_stream(script, words);
	} else if (strcmp(words[0], "class") == 0) {
		declare_class(script, words);
	} else if (strcmp(words[0], "norewind") == 0) {
		script->can_rewind = false;
	}
}

static struct script *script_create(bt_self_component *self, const char *text)
{
	struct script *script = g_new0(struct script, 1);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	script->traces = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_trace);
	script->streams = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_stream);
	script->classes = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_class);
	script->rows = g_ptr_array_new_with_free_func(free_words);
	script->can_rewind = true;
	for (size_t i = 0; lines[i]; i++) {
		g_autoptr(GError) error = NULL;
		char **words = NULL;

		if (g_shell_parse_argv(lines[i], NULL, &words, &error)) {
			read_row(script, self, words);
		} else if (!g_error_matches(error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING)) {
			g_error("script: %s: %s", lines[i], error->message);
		}
	}
	return script;
}

/* Fields */

static void set_scalar(bt_field *field, const char *value)
{
	bt_field_class_type type = bt_field_get_class_type(field);

	if (type == BT_FIELD_CLASS_TYPE_STRING) {
		MUST(bt_field_string_set_value(field, value) == BT_FIELD_STRING_SET_VALUE_STATUS_OK);
	} else if (type == BT_FIELD_CLASS_TYPE_BOOL) {
		bt_field_bool_set_value(field, number(value) != 0);
	} else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY) {
		bt_field_bit_array_set_value_as_integer(field, number(value));
	} else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL) {
		bt_field_real_double_precision_set_value(field, g_ascii_strtod(value, NULL));
	} else if (type == BT_FIELD_CLASS_TYPE_SIGNED_INTEGER || type == BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION) {
		bt_field_integer_signed_set_value(field, (int64_t)number(value));
	} else {
		bt_field_integer_unsigned_set_value(field, number(value));
	}
}

static void set_array(bt_field *field, const char *value)
{
	g_auto(GStrv) items = g_strsplit(value, ";", -1);
	guint given = value[0] == '\0' ? 0 : g_strv_length(items);

	if (bt_field_get_class_type(field) == BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITHOUT_LENGTH_FIELD) {
		MUST(bt_field_array_dynamic_set_length(field, given) == BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK);
	}
	for (uint64_t i = 0; i < bt_field_array_get_length(field); i++) {
		set_scalar(bt_field_array_borrow_element_field_by_index(field, i), i < given ? items[i] : "");
	}
}

static const char *value_of(char **assignments, const char *name)
{
	size_t length = strlen(name);

	for (; *assignments; assignments++) {
		if (strncmp(*assignments, name, length) == 0 && (*assignments)[length] == '=') {
			return *assignments + length + 1;
		}
	}
	return "";
}

static void set_structure(bt_field *structure, char **assignments)
{
	const bt_field_class *field_class = structure ? bt_field_borrow_class_const(structure) : NULL;
	uint64_t count = structure ? bt_field_class_structure_get_member_count(field_class) : 0;

	for (uint64_t i = 0; i < count; i++) {
		const char *value = value_of(
			assignments, bt_field_class_structure_member_get_name(
					     bt_field_class_structure_borrow_member_by_index_const(field_class, i)));
		bt_field *field = bt_field_structure_borrow_member_field_by_index(structure, i);
		bt_field_class_type type = bt_field_get_class_type(field);

		if (type == BT_FIELD_CLASS_TYPE_STATIC_ARRAY ||
		    type == BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITHOUT_LENGTH_FIELD) {
			set_array(field, value);
		} else {
			set_scalar(field, value);
		}
	}
}

/* Messages */

static bt_message *create_event(struct player *player, char **words)
{
	struct script_stream *stream = lookup(player->script->streams, words, words[1]);
	bt_event_class *event_class = lookup(player->script->classes, words, words[2]);
	const bt_packet *packet = g_hash_table_lookup(player->packets, stream);
	bt_message *message;
	bt_event *event;

	if (stream->has_packets && !packet) {
		die_at(words, "no packet is open");
	}
	if (stream->trace->clock_class) {
		uint64_t ticks = number(words[3]);

		message = packet ? bt_message_event_create_with_packet_and_default_clock_snapshot(
					   player->self, event_class, packet, ticks)
				 : bt_message_event_create_with_default_clock_snapshot(player->self, event_class,
										       stream->stream, ticks);
	} else {
		message = packet ? bt_message_event_create_with_packet(player->self, event_class, packet)
				 : bt_message_event_create(player->self, event_class, stream->stream);
	}
	MUST(message);
	event = bt_message_event_borrow_event(message);
	set_structure(bt_event_borrow_payload_field(event), words + 4);
	set_structure(bt_event_borrow_specific_context_field(event), words + 4);
	set_structure(bt_event_borrow_common_context_field(event), words + 4);
	return message;
}

static void put_packet(gpointer packet)
{
	bt_packet_put_ref(packet);
}

static bt_message *create_open(struct player *player, struct script_stream *stream, char **words)
{
	bt_packet *packet = bt_packet_create(stream->stream);

	MUST(packet);
	set_structure(bt_packet_borrow_context_field(packet), words + 3);
	g_hash_table_insert(player->packets, stream, packet);
	return stream->has_packet_times ? bt_message_packet_beginning_create_with_default_clock_snapshot(
						  player->self, packet, number(words[2]))
					: bt_message_packet_beginning_create(player->self, packet);
}

static bt_message *create_close(struct player *player, struct script_stream *stream, char **words)
{
	bt_packet *packet = g_hash_table_lookup(player->packets, stream);
	bt_message *message;

	if (!packet) {
		die_at(words, "no packet is open");
	}
	message = stream->has_packet_times ? bt_message_packet_end_create_with_default_clock_snapshot(
						     player->self, packet, number(words[2]))
					   : bt_message_packet_end_create(player->self, packet);
	g_hash_table_remove(player->packets, stream);
	return message;
}

static bt_message *create_lost(struct player *player, struct script_stream *stream, char **words)
{
	bt_message *message;

	if (stream->has_lost_times) {
		message = bt_message_discarded_events_create_with_default_clock_snapshots(
			player->self, stream->stream, number(words[2]), number(words[3]));
	} else {
		message = bt_message_discarded_events_create(player->self, stream->stream);
	}
	MUST(message);
	if (strcmp(words[4], "?") != 0) {
		bt_message_discarded_events_set_count(message, number(words[4]));
	}
	return message;
}

static bt_message *create_lost_packets(struct player *player, struct script_stream *stream, char **words)
{
	bt_message *message;

	if (stream->has_lost_times) {
		message = bt_message_discarded_packets_create_with_default_clock_snapshots(
			player->self, stream->stream, number(words[2]), number(words[3]));
	} else {
		message = bt_message_discarded_packets_create(player->self, stream->stream);
	}
	MUST(message);
	if (strcmp(words[4], "?") != 0) {
		bt_message_discarded_packets_set_count(message, number(words[4]));
	}
	return message;
}

static bt_message *create_begin(struct player *player, struct script_stream *stream, char **words)
{
	bt_message *message = bt_message_stream_beginning_create(player->self, stream->stream);

	if (words[2]) {
		bt_message_stream_beginning_set_default_clock_snapshot(message, number(words[2]));
	}
	return message;
}

static bt_message *create_end(struct player *player, struct script_stream *stream, char **words)
{
	bt_message *message = bt_message_stream_end_create(player->self, stream->stream);

	if (words[2]) {
		bt_message_stream_end_set_default_clock_snapshot(message, number(words[2]));
	}
	return message;
}

static const struct {
	const char *word;
	guint length; /* words at least */
	bt_message *(*create)(struct player *player, struct script_stream *stream, char **words);
} stream_messages[] = {
	{ "begin", 2, create_begin }, { "end", 2, create_end },	  { "open", 3, create_open },
	{ "close", 3, create_close }, { "lost", 5, create_lost }, { "lostpackets", 5, create_lost_packets },
};

static bt_message *create_message(struct player *player, char **words)
{
	if (strcmp(words[0], "event") == 0) {
		return create_event(player, words);
	}
	if (strcmp(words[0], "inactivity") == 0) {
		const struct script_trace *trace = lookup(player->script->traces, words, words[1]);

		return bt_message_message_iterator_inactivity_create(player->self, trace->clock_class,
								     number(words[2]));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(stream_messages); i++) {
		if (strcmp(words[0], stream_messages[i].word) == 0) {
			if (g_strv_length(words) < stream_messages[i].length) {
				die_at(words, "too short");
			}
			return stream_messages[i].create(player, lookup(player->script->streams, words, words[1]),
							 words);
		}
	}
	die_at(words, "unknown row");
	return NULL;
}

static bool is_declaration(const char *word)
{
	static const char *const declarations[] = { "trace", "stream", "class", "norewind", NULL };

	return g_strv_contains(declarations, word);
}

/* The component class */

static bt_message_iterator_class_next_method_status
player_next(bt_self_message_iterator *self, bt_message_array_const messages, uint64_t capacity, uint64_t *count)
{
	struct player *player = bt_self_message_iterator_get_data(self);

	*count = 0;
	while (*count < capacity && player->position < player->script->rows->len) {
		char **words = player->script->rows->pdata[player->position];
		bool is_again = strcmp(words[0], "again") == 0;

		if (is_again || strcmp(words[0], "fail") == 0) {
			if (*count > 0) {
				break;
			}
			player->position++;
			return is_again ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN
					: BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
		}
		player->position++;
		if (!is_declaration(words[0])) {
			messages[(*count)++] = create_message(player, words);
		}
	}
	if (*count > 0) {
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	}
	if (player->has_ended) {
		/* the library checks that in its developer mode only */
		(void)bt_current_thread_error_append_cause_from_message_iterator(self, __FILE__, __LINE__,
										 "asked again after its end");
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
	}
	player->has_ended = true;
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
}

static bt_message_iterator_class_initialize_method_status
player_initialize(bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
		  bt_self_component_port_output *port)
{
	struct player *player = g_new0(struct player, 1);

	player->self = self;
	player->script = bt_self_component_get_data(bt_self_message_iterator_borrow_component(self));
	player->packets = g_hash_table_new_full(NULL, NULL, NULL, put_packet);
	bt_self_message_iterator_configuration_set_can_seek_forward(configuration, player->script->can_rewind);
	bt_self_message_iterator_set_data(self, player);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void player_finalize(bt_self_message_iterator *self)
{
	struct player *player = bt_self_message_iterator_get_data(self);

	g_hash_table_destroy(player->packets);
	g_free(player);
}

static bt_message_iterator_class_can_seek_beginning_method_status
player_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek)
{
	struct player *player = bt_self_message_iterator_get_data(self);

	*can_seek = player->script->can_rewind;
	return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_OK;
}

static bt_message_iterator_class_seek_beginning_method_status player_seek_beginning(bt_self_message_iterator *self)
{
	struct player *player = bt_self_message_iterator_get_data(self);

	g_hash_table_remove_all(player->packets);
	player->position = 0;
	player->has_ended = false;
	return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
}

static bt_component_class_initialize_method_status
source_initialize(bt_self_component_source *self, bt_self_component_source_configuration *configuration,
		  const bt_value *params, void *data)
{
	bt_self_component *component = bt_self_component_source_as_self_component(self);

	bt_self_component_set_data(component, script_create(component, data));
	MUST(bt_self_component_source_add_output_port(self, "out", NULL, NULL) == BT_SELF_COMPONENT_ADD_PORT_STATUS_OK);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void source_finalize(bt_self_component_source *self)
{
	script_destroy(bt_self_component_get_data(bt_self_component_source_as_self_component(self)));
}

static bt_component_class_get_supported_mip_versions_method_status
source_mip_versions(bt_self_component_class_source *self, const bt_value *params, void *data,
		    bt_logging_level logging_level, bt_integer_range_set_unsigned *versions)
{
	MUST(bt_integer_range_set_unsigned_add_range(versions, 0, 1) == 0);
	return BT_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_STATUS_OK;
}

static bt_component_class_source *create_source_class(void)
{
	bt_message_iterator_class *iterator_class = bt_message_iterator_class_create(player_next);
	bt_component_class_source *source_class;

	MUST(iterator_class);
	bt_message_iterator_class_set_initialize_method(iterator_class, player_initialize);
	bt_message_iterator_class_set_finalize_method(iterator_class, player_finalize);
	bt_message_iterator_class_set_seek_beginning_methods(iterator_class, player_seek_beginning,
							     player_can_seek_beginning);
	source_class = bt_component_class_source_create("scripted", iterator_class);
	MUST(source_class);
	bt_component_class_source_set_initialize_method(source_class, source_initialize);
	bt_component_class_source_set_finalize_method(source_class, source_finalize);
	bt_component_class_source_set_get_supported_mip_versions_method(source_class, source_mip_versions);
	bt_message_iterator_class_put_ref(iterator_class);
	return source_class;
}

const bt_component_source *scripted_source_add(bt_graph *graph, const char *name, const char *script)
{
	bt_component_class_source *source_class = create_source_class();
	const bt_component_source *source = NULL;

	MUST(bt_graph_add_source_component_with_initialize_method_data(graph, source_class, name, NULL, (void *)script,
								       BT_LOGGING_LEVEL_NONE,
								       &source) == BT_GRAPH_ADD_COMPONENT_STATUS_OK);
	bt_component_class_source_put_ref(source_class);
	return source;
}
