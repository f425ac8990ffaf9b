/* SPDX-License-Identifier: MIT */
#include "core/events/points/point_builder.h"

#include <string.h>

#include "ros2bt/events/recording.h"

#define CHUNK_SIZE ((size_t)64 * 1024)
#define BATCH_BYTES_MAX ((size_t)256 * 1024)

void point_builder_init(struct point_builder *builder)
{
	builder->block = g_byte_array_new();
	builder->chunks = g_ptr_array_new_with_free_func(g_free);
	builder->used = CHUNK_SIZE;
	builder->batch_bytes = 0;
}

void point_builder_clear(struct point_builder *builder)
{
	g_byte_array_unref(builder->block);
	g_ptr_array_unref(builder->chunks);
}

void point_builder_begin_batch(struct point_builder *builder)
{
	if (builder->chunks->len > 1) {
		g_ptr_array_set_size(builder->chunks, 1);
	}
	/* the first chunk may have been made for a large block; it has at least this size */
	builder->used = builder->chunks->len > 0 ? 0 : CHUNK_SIZE;
	builder->batch_bytes = 0;
}

bool point_builder_is_full(const struct point_builder *builder)
{
	return builder->batch_bytes >= BATCH_BYTES_MAX;
}

static struct point_value *value_at(const struct point_builder *builder, size_t index)
{
	return &((struct point_values *)(void *)builder->block->data)->at[index];
}

/* Adds bytes to the block and gives their offset in it. */
static uint32_t append(struct point_builder *builder, const void *bytes, size_t size)
{
	guint offset = builder->block->len;

	g_byte_array_append(builder->block, bytes, (guint)size);
	return offset;
}

static uint32_t append_text(struct point_builder *builder, const char *text, size_t length)
{
	uint32_t offset = append(builder, text, length);

	append(builder, "", 1);
	return offset;
}

void point_builder_start(struct point_builder *builder, size_t count)
{
	size_t size = sizeof(struct point_values) + count * sizeof(struct point_value);

	g_byte_array_set_size(builder->block, (guint)size);
	memset(builder->block->data, 0, size);
	((struct point_values *)(void *)builder->block->data)->count = (uint32_t)count;
}

void point_builder_set_integer(struct point_builder *builder, size_t index, bool is_signed, uint64_t number,
			       const char *label)
{
	uint32_t offset = label ? append_text(builder, label, strlen(label)) : 0;
	struct point_value *value = value_at(builder, index);

	value->type = is_signed ? POINT_VALUE_SIGNED : POINT_VALUE_UNSIGNED;
	value->number = number;
	value->offset = offset;
}

void point_builder_set_real(struct point_builder *builder, size_t index, double real)
{
	struct point_value *value = value_at(builder, index);

	value->type = POINT_VALUE_REAL;
	value->real = real;
}

void point_builder_set_text(struct point_builder *builder, size_t index, const char *text, size_t length)
{
	uint32_t offset = append_text(builder, text, strnlen(text, length));
	struct point_value *value = value_at(builder, index);

	value->type = POINT_VALUE_TEXT;
	value->offset = offset;
}

void point_builder_set_list(struct point_builder *builder, size_t index, enum point_value_type element, uint64_t count)
{
	struct point_value *value = value_at(builder, index);

	value->type = POINT_VALUE_LIST;
	value->element = (uint8_t)element;
	value->offset = builder->block->len;
	value->count = count;
}

void point_builder_add_element(struct point_builder *builder, uint64_t bits)
{
	append(builder, &bits, sizeof(bits));
}

void point_builder_add_real_element(struct point_builder *builder, double real)
{
	append(builder, &real, sizeof(real));
}

/* Memory of the batch, aligned to 8 bytes. */
static void *take_room(struct point_builder *builder, size_t size)
{
	size_t rounded = (size + 7) & ~(size_t)7;
	char *room;

	if (builder->used + rounded > CHUNK_SIZE) {
		g_ptr_array_add(builder->chunks, g_malloc(MAX(rounded, CHUNK_SIZE)));
		builder->used = 0;
	}
	room = (char *)g_ptr_array_index(builder->chunks, builder->chunks->len - 1) + builder->used;
	builder->used += rounded;
	builder->batch_bytes += rounded;
	return room;
}

void point_builder_finish(struct point_builder *builder, size_t event, bool is_system, struct event_record *record)
{
	struct point_values *values = take_room(builder, builder->block->len);

	((struct point_values *)(void *)builder->block->data)->size = builder->block->len;
	memcpy(values, builder->block->data, builder->block->len);
	record->kind = RECORD_POINT;
	record->flags = 0;
	record->word[RECORD__point] = event;
	record->word[RECORD__values] = (uintptr_t)values;
	record->present = 1u << RECORD__point | 1u << RECORD__values;
	if (is_system) {
		record->word[RECORD__ids] = record->thread;
		record->present |= record->thread != RECORDING_NONE ? 1u << RECORD__ids : 0;
		record->thread = RECORDING_NONE;
	}
}
