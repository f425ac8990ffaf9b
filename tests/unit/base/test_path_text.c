/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>

#include "core/base/text/human_text.h"
#include "core/base/text/path_text.h"

static const char path[] =
	"/process_29/node_0 > /chain_29/hop_0 > /process_3/node_1 >> /chain_29/hop_4 > /process_25/node_0";

static void expect_short(const char *text, size_t width, const char *expected)
{
	g_autofree char *shorter = path_text_shorten(text, width);

	cr_expect_str_eq(shorter, expected, "%s, not %s", shorter, expected);
	cr_expect_leq(human_text_width(shorter), width);
}

Test(path_text, a_path_loses_whole_elements)
{
	expect_short(path, strlen(path), path);
	expect_short(path, strlen(path) - 1,
		     "/process_29/node_0 > /chain_29/hop_0 > … >> /chain_29/hop_4 > /process_25/node_0");
	expect_short(path, 79, "/process_29/node_0 > /chain_29/hop_0 > … > /process_25/node_0");
	expect_short(path, 60, "/process_29/node_0 > … > /process_25/node_0");
	expect_short("/a > /b > [python3]", 18, "/a > … > [python3]");
}

Test(path_text, the_ends_of_a_path_are_shortened_one_by_one)
{
	expect_short(path, 30, "/proc…ode_0 > … > /proc…node_0");
	expect_short("/talker_of_the_left > /listener", 25, "/talke…e_left > /listener");
	expect_short("/talker > /chatter ~> /filter > /filtered > /sink", 37, "/talker > /chatter ~> … > /sink");
	expect_short("/talker > /chatter > /listener", 12, "/…er … /l…er");
	expect_short("/a > /listener_of_the_left_camera", 20, "/a > /listen…_camera");
}

Test(path_text, other_texts_lose_their_middle)
{
	expect_short("abcdefgh", 7, "abc…fgh");
	expect_short("f(std::allocator<void> > >, std::allocator<int> > >)", 17, "f(std::a…nt> > >)");
	expect_short(path, 7, "/pr…e_0");
}

Test(path_text, every_width_is_kept)
{
	for (size_t width = 1; width <= sizeof(path); width++) {
		g_autofree char *shorter = path_text_shorten(path, width);

		cr_expect_leq(human_text_width(shorter), width, "%zu: %s", width, shorter);
		cr_expect(g_utf8_validate(shorter, -1, NULL));
	}
}
