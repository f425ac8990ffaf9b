/* SPDX-License-Identifier: MIT */
#include "core/events/trace_files/first_packet.h"

#include <criterion/criterion.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#define HEAD_SIZE 84

static uint8_t head[HEAD_SIZE];

static void put(size_t at, uint64_t value, size_t size, bool is_big_endian)
{
	for (size_t i = 0; i < size; i++) {
		head[at + i] = (uint8_t)(value >> 8 * (is_big_endian ? size - 1 - i : i));
	}
}

static void make(uint32_t magic, uint64_t sequence_number, bool is_big_endian)
{
	memset(head, 0, sizeof(head));
	put(0, magic, 4, is_big_endian);
	put(32, 1000, 8, is_big_endian);
	put(40, 2000, 8, is_big_endian);
	put(48, 8 * (HEAD_SIZE - 1), 8, is_big_endian);
	put(56, 8 * HEAD_SIZE, 8, is_big_endian);
	put(64, sequence_number, 8, is_big_endian);
}

static bool read_first(size_t size, struct first_packet *packet)
{
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "first_packet_XXXXXX", NULL);
	int file = g_mkstemp(path);
	bool is_read;

	cr_assert(file >= 0 && g_file_set_contents(path, (const char *)head, (gssize)size, NULL));
	is_read = first_packet_read(path, packet);
	g_close(file, NULL);
	g_unlink(path);
	return is_read;
}

Test(first_packet, its_begin_and_sequence_number_are_read_in_both_byte_orders)
{
	for (int is_big_endian = 0; is_big_endian < 2; is_big_endian++) {
		struct first_packet packet = { 0 };

		make(0xC1FC1FC1, 23, is_big_endian);
		cr_assert(read_first(HEAD_SIZE, &packet));
		cr_assert_eq(packet.begin, 1000U);
		cr_assert_eq(packet.sequence_number, 23U);
	}
}

/* As sink.ctf.fs writes packets: other words are where the sizes should be. */
Test(first_packet, a_packet_is_followed_by_another_one_or_by_nothing)
{
	struct first_packet packet;

	make(0xC1FC1FC1, 23, false);
	put(48, 600, 8, false);
	put(56, 640, 8, false);
	cr_assert_not(read_first(HEAD_SIZE, &packet), "no packet begins at byte 80");
	put(80, 0xC1FC1FC1, 4, false);
	cr_assert(read_first(HEAD_SIZE, &packet));
	put(56, 4096, 8, false);
	cr_assert_not(read_first(HEAD_SIZE, &packet), "the file ends before");
}

Test(first_packet, of_anything_else_nothing_is_known)
{
	struct first_packet packet;

	make(0x12345678, 23, false);
	cr_assert_not(read_first(HEAD_SIZE, &packet), "no packet");
	make(0xC1FC1FC1, 23, false);
	cr_assert_not(read_first(71, &packet), "cut");
	put(48, 8000 * 8, 8, false);
	cr_assert_not(read_first(HEAD_SIZE, &packet), "more content than packet: of another form");
	make(0xC1FC1FC1, 23, false);
	put(40, 500, 8, false);
	cr_assert_not(read_first(HEAD_SIZE, &packet), "ends before it begins: of another form");
	cr_assert_not(first_packet_read("/nowhere", &packet));
	cr_assert_not(first_packet_read("/", &packet));
}
