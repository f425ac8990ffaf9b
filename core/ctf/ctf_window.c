/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_window.h"

void ctf_window_open(struct ctf_window *window, struct trace_file *file, uint64_t packet, uint64_t packet_size)
{
	window->file = file;
	window->packet = packet;
	window->packet_size = packet_size;
	window->begin = 0;
	window->size = 0;
}

void ctf_window_clear(struct ctf_window *window)
{
	g_free(window->bytes);
}

void ctf_window_move(struct ctf_window *window, uint64_t at, size_t size)
{
	window->begin = at - at % CTF_WINDOW_ALIGNMENT;
	window->size = (size_t)MIN(size, window->packet_size - window->begin);
	if (window->capacity != size) {
		g_free(window->bytes);
		window->bytes = g_malloc(size);
		window->capacity = size;
	}
	trace_file_read(window->file, window->packet + window->begin, window->bytes, window->size);
}
