/* SPDX-License-Identifier: MIT */
/*
 * Writes one JSON text (RFC 8259) to an output stream in one pass. It is valid whatever bytes the texts hold (utf8.h);
 * integers of 64 bits stay integers. The caller balances begin and end; the writer puts commas and line breaks.
 * Embedded: only init.
 */
#ifndef ROS2BT_JSON_WRITER_H
#define ROS2BT_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/tables/table.h"

struct output_stream;

struct json_writer {
	struct output_stream *stream; /* borrowed */
	bool needs_comma;	      /* before the next key or element */
};

void json_writer_init(struct json_writer *writer, struct output_stream *stream);

void json_writer_begin_object(struct json_writer *writer);
void json_writer_end_object(struct json_writer *writer);
void json_writer_begin_array(struct json_writer *writer);
void json_writer_end_array(struct json_writer *writer);

/* The key of the next value. */
void json_writer_key(struct json_writer *writer, const char *key);

/* The same for many objects with the same keys: a key is put into its form once, to be freed, and then only copied. */
char *json_writer_form_key(const char *key);
void json_writer_formed_key(struct json_writer *writer, const char *formed);

void json_writer_text(struct json_writer *writer, const char *text);
void json_writer_text_or_null(struct json_writer *writer, const char *text); /* NULL is null */
void json_writer_integer(struct json_writer *writer, int64_t value);
void json_writer_unsigned(struct json_writer *writer, uint64_t value);
void json_writer_real(struct json_writer *writer, double value); /* three decimals; null if not finite */
void json_writer_bool(struct json_writer *writer, bool value);
void json_writer_null(struct json_writer *writer);

/* An empty cell is null. */
void json_writer_cell(struct json_writer *writer, const struct cell *cell);

/* A value that is JSON already. */
void json_writer_formed(struct json_writer *writer, const char *value);

/* A line break before the next key or element. */
void json_writer_line_break(struct json_writer *writer);

/* A key with its value; of an array or object, the begin. */
static inline void json_writer_member_text(struct json_writer *writer, const char *key, const char *text)
{
	json_writer_key(writer, key);
	json_writer_text(writer, text);
}

static inline void json_writer_member_text_or_null(struct json_writer *writer, const char *key, const char *text)
{
	json_writer_key(writer, key);
	json_writer_text_or_null(writer, text);
}

static inline void json_writer_member_integer(struct json_writer *writer, const char *key, int64_t value)
{
	json_writer_key(writer, key);
	json_writer_integer(writer, value);
}

static inline void json_writer_member_unsigned(struct json_writer *writer, const char *key, uint64_t value)
{
	json_writer_key(writer, key);
	json_writer_unsigned(writer, value);
}

static inline void json_writer_member_real(struct json_writer *writer, const char *key, double value)
{
	json_writer_key(writer, key);
	json_writer_real(writer, value);
}

static inline void json_writer_member_bool(struct json_writer *writer, const char *key, bool value)
{
	json_writer_key(writer, key);
	json_writer_bool(writer, value);
}

static inline void json_writer_member_cell(struct json_writer *writer, const char *key, struct cell cell)
{
	json_writer_key(writer, key);
	json_writer_cell(writer, &cell);
}

static inline void json_writer_member_object(struct json_writer *writer, const char *key)
{
	json_writer_key(writer, key);
	json_writer_begin_object(writer);
}

static inline void json_writer_member_array(struct json_writer *writer, const char *key)
{
	json_writer_key(writer, key);
	json_writer_begin_array(writer);
}

/* All of it: an array of texts. */
void json_writer_member_texts(struct json_writer *writer, const char *key, const char *const *texts, size_t count);

/* Appends the elements that another writer has put into a spool; they are inserted unchanged. */
void json_writer_splice(struct json_writer *writer, struct output_stream *spool);

/*
 * Appends some of them: those for which `keeps` says so, by their number. Each must have been put on a line of its own
 * (json_writer_line_break()).
 */
void json_writer_splice_some(struct json_writer *writer, struct output_stream *spool,
			     bool (*keeps)(const void *data, uint64_t number), const void *data);

#endif
