/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "core/base/arena.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/memory_layout.h"
#include "core/base/slots.h"

#define HUGE_PAGE ((size_t)2 * 1024 * 1024)
#define FIRST_CHUNK_SIZE ((size_t)64 * 1024)
#define DIVISION_MAX 8
#define PACKED_BLOCK ((size_t)4096)

struct chunk {
	uint8_t *bytes;
	size_t size;
};

struct owned_object {
	void *object;
	void (*free_object)(void *object);
};

struct arena {
	GArray *owned;	      /* struct owned_object */
	GArray *chunks;	      /* struct chunk */
	uint8_t *next, *end;  /* the unused rest of the last chunk, zeros */
	uint8_t *next_packed; /* the unused rest of the last block of packed objects, zeros */
	size_t packed_rest;
	GPtrArray *free_lists; /* returned blocks by size in cache lines; the first word of each links to the next */
	bool is_lasting;
};

struct arena *arena_create(void)
{
	struct arena *arena = g_new0(struct arena, 1);

	arena->owned = g_array_new(FALSE, FALSE, sizeof(struct owned_object));
	arena->chunks = g_array_new(FALSE, FALSE, sizeof(struct chunk));
	arena->free_lists = g_ptr_array_new();
	return arena;
}

void arena_destroy(struct arena *arena)
{
	if (!arena) {
		return;
	}
	for (guint i = arena->owned->len; i-- > 0;) {
		const struct owned_object *owned = &g_array_index(arena->owned, struct owned_object, i);

		owned->free_object(owned->object);
	}
	g_array_free(arena->owned, TRUE);
	for (guint i = 0; i < arena->chunks->len; i++) {
		const struct chunk *chunk = &g_array_index(arena->chunks, struct chunk, i);

		(void)munmap(chunk->bytes, chunk->size);
	}
	g_array_free(arena->chunks, TRUE);
	g_ptr_array_free(arena->free_lists, TRUE);
	g_free(arena);
}

void arena_set_lasting(struct arena *arena)
{
	arena->is_lasting = true;
}

bool arena_is_lasting(const struct arena *arena)
{
	return arena->is_lasting;
}

void *arena_own(struct arena *arena, void *object, void (*free_object)(void *object))
{
	g_array_append_val(arena->owned, ((struct owned_object){ object, free_object }));
	return object;
}

static uint8_t *map(size_t size)
{
	void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (bytes == MAP_FAILED) {
		g_error("out of memory: %zu bytes", size);
	}
	return bytes;
}

/* A multiple of the huge page size, aligned to it. `advice`: about huge pages; fails harmlessly where there are none.
 */
static uint8_t *map_for_huge_pages(size_t size, int advice)
{
	uint8_t *bytes = map(size + HUGE_PAGE);
	size_t before = round_up((uintptr_t)bytes, HUGE_PAGE) - (uintptr_t)bytes;

	if (before > 0) {
		(void)munmap(bytes, before);
	}
	(void)munmap(bytes + before + size, HUGE_PAGE - before);
	(void)madvise(bytes + before, size, advice);
	return bytes + before;
}

/* The pages of the last chunk, which is full, become huge ones. */
static void join_pages(const struct arena *arena)
{
	if (arena->chunks->len > 1) {
		const struct chunk *last = &g_array_index(arena->chunks, struct chunk, arena->chunks->len - 1);

		(void)madvise(last->bytes, last->size, MADV_HUGEPAGE);
	}
}

/* The first chunk is small, because most traces are. */
static void add_chunk(struct arena *arena, size_t size_min)
{
	struct chunk chunk = { .size = FIRST_CHUNK_SIZE };

	if (arena->is_lasting) {
		join_pages(arena);
	}
	if (arena->chunks->len == 0 && size_min <= FIRST_CHUNK_SIZE) {
		chunk.bytes = map(chunk.size);
	} else {
		chunk.size = round_up(size_min, HUGE_PAGE);
		chunk.bytes = map_for_huge_pages(chunk.size, arena->is_lasting ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
	}
	g_array_append_val(arena->chunks, chunk);
	arena->next = chunk.bytes;
	arena->end = chunk.bytes + chunk.size;
}

/* The cache lines that a block of a size occupies. */
static size_t line_count(size_t size)
{
	return round_up(MAX(size, 1), CACHE_LINE) / CACHE_LINE;
}

static void *take_again(struct arena *arena, size_t lines)
{
	void **list = &arena->free_lists->pdata[lines];
	void *bytes = *list;

	*list = *(void **)bytes;
	return memset(bytes, 0, lines * CACHE_LINE);
}

static void give_lines(struct arena *arena, void *bytes, size_t lines)
{
	gpointer *list = slot_at(arena->free_lists, (uint32_t)lines);

	*(void **)bytes = *list;
	*list = bytes;
}

/* Divides a returned block of twice, four or eight times the size; false: there is none. */
static bool divide_larger(struct arena *arena, size_t lines)
{
	for (size_t larger = 2 * lines; larger <= DIVISION_MAX * lines && larger < arena->free_lists->len;
	     larger *= 2) {
		uint8_t *bytes = arena->free_lists->pdata[larger];

		if (bytes) {
			arena->free_lists->pdata[larger] = *(void **)bytes;
			for (size_t line = 0; line < larger; line += lines) {
				give_lines(arena, bytes + line * CACHE_LINE, lines);
			}
			return true;
		}
	}
	return false;
}

void *arena_take(struct arena *arena, size_t size)
{
	size_t lines = line_count(size);
	uint8_t *bytes;

	if ((lines < arena->free_lists->len && arena->free_lists->pdata[lines]) || divide_larger(arena, lines)) {
		return take_again(arena, lines);
	}
	if ((size_t)(arena->end - arena->next) < lines * CACHE_LINE) {
		add_chunk(arena, lines * CACHE_LINE);
	}
	bytes = arena->next;
	arena->next += lines * CACHE_LINE;
	return bytes;
}

void *arena_take_packed(struct arena *arena, size_t size)
{
	uint8_t *bytes;

	size = round_up(size, sizeof(uint64_t));
	if (arena->packed_rest < size) {
		arena->packed_rest = MAX(size, PACKED_BLOCK);
		arena->next_packed = arena_take(arena, arena->packed_rest);
	}
	bytes = arena->next_packed;
	arena->next_packed += size;
	arena->packed_rest -= size;
	return bytes;
}

void arena_give(struct arena *arena, void *bytes, size_t size)
{
	if (bytes) {
		give_lines(arena, bytes, line_count(size));
	}
}

void *arena_copy(struct arena *arena, const void *bytes, size_t size)
{
	return bytes ? memcpy(arena_take(arena, size), bytes, size) : NULL;
}

void *arena_grow(struct arena *arena, void *bytes, size_t size, size_t new_size)
{
	void *larger = arena_take(arena, new_size);

	if (bytes) {
		memcpy(larger, bytes, size);
		arena_give(arena, bytes, size);
	}
	return larger;
}
