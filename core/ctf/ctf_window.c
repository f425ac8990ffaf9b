/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_window.h"

#include "core/ctf/ctf_packet.h"

#define ALL_SIZE_MAX ((size_t)8 * 1024 * 1024)
#ifndef WINDOW_SIZE_MAX
#define WINDOW_SIZE_MAX ((size_t)1024 * 1024)
#endif

size_t ctf_window_size(size_t windows)
{
	return CLAMP(ALL_SIZE_MAX / MAX(windows, 1), CTF_PACKET_HEAD_MAX, WINDOW_SIZE_MAX);
}

void ctf_window_open(struct ctf_window *window, struct trace_file *file, uint64_t packet, uint64_t packet_size)
{
	/* it is known by the address of its file, which another one may have once this one is closed */
	if (window->file != file) {
		file_view_close(&window->view);
	}
	window->file = file;
	window->packet = packet;
	window->packet_size = packet_size;
	window->begin = 0;
	window->size = 0;
}

void ctf_window_close(struct ctf_window *window)
{
	file_view_close(&window->view);
	arena_give(window->arena, window->copy, window->copy_size);
	window->copy = NULL;
	window->copy_size = 0;
	window->bytes = NULL;
}

/* A copy that was too small once has room for the largest window from then on, so that it is seldom replaced. */
static const uint8_t *copy_bytes(struct ctf_window *window)
{
	if (window->copy_size < window->size) {
		size_t size = window->copy ? window->capacity : window->size;

		arena_give(window->arena, window->copy, window->copy_size);
		window->copy = arena_take(window->arena, size);
		window->copy_size = size;
	}
	trace_file_read(window->file, window->packet + window->begin, window->copy, window->size);
	return window->copy;
}

void ctf_window_move(struct ctf_window *window, uint64_t at, size_t size)
{
	window->begin = at - at % CTF_WINDOW_ALIGNMENT;
	window->size = (size_t)MIN(size, window->packet_size - window->begin);
	window->capacity = size;
	window->bytes = size < CTF_WINDOW_VIEW_MIN
				? NULL
				: trace_file_view(window->file, &window->view, window->packet + window->begin,
						  window->size, size);
	if (!window->bytes) {
		window->bytes = copy_bytes(window);
	}
}
