/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <locale.h>
#include <string.h>

#include "ros2bt/base/ascii_text.h"

static void expect(const char *utf8, const char *ascii)
{
	g_autofree char *text = g_strdup(utf8);
	size_t size = strlen(text);

	cr_expect_eq(ascii_text_convert(text, &size), 0);
	text[size] = '\0';
	cr_expect_str_eq(text, ascii);
}

Test(ascii_text, what_the_report_is_made_of_has_a_letter_of_the_same_width)
{
	expect("/talker  1.23 µs", "/talker  1.23 us");
	expect("── duration ──", "-- duration --");
	expect("/go…d  2×", "/go~d  2x");
}

Test(ascii_text, characters_of_names_are_a_question_mark_a_column)
{
	expect("/caf\u00e9", "/caf?");
	expect("/\u30ed\u30dc", "/????");
	expect("/e\u0301", "/e");
	expect("/\xff/", "/?/");
}

Test(ascii_text, a_character_that_is_cut_is_left_for_the_next_call)
{
	for (size_t cut = 1; cut < strlen("─"); cut++) {
		char text[] = "a─b";
		size_t size = 1 + cut;
		size_t rest = ascii_text_convert(text, &size);

		cr_expect_eq(size, 1);
		cr_expect_eq(rest, cut);
		size = strlen("─b");
		cr_expect_eq(ascii_text_convert(text + 1, &size), 0);
		cr_expect_eq(memcmp(text, "a-b", 3), 0);
	}
}

static bool is_needed(const char *all, const char *ctype, const char *lang)
{
	g_setenv("LC_ALL", all, TRUE);
	g_setenv("LC_CTYPE", ctype, TRUE);
	g_setenv("LANG", lang, TRUE);
	return ascii_text_is_needed();
}

Test(ascii_text, the_environment_decides_not_the_locale_of_the_process)
{
	setlocale(LC_ALL, "C");
	cr_expect(is_needed("", "", ""));
	cr_expect(is_needed("", "", "C"));
	cr_expect(is_needed("C", "C.UTF-8", "C.UTF-8"));
	cr_expect(is_needed("", "POSIX", "C.UTF-8"));
	cr_expect_not(is_needed("", "", "C.UTF-8"));
	cr_expect_not(is_needed("", "C.utf8", "C"));
	cr_expect_not(is_needed("C.UTF-8", "C", "C"));
}

Test(ascii_text, a_locale_that_is_not_installed_is_known_by_its_name)
{
	cr_expect_not(is_needed("", "", "xx_XX.UTF-8"));
	cr_expect_not(is_needed("", "", "xx_XX.utf8@modifier"));
	cr_expect(is_needed("", "", "xx_XX.ISO-8859-1"));
	cr_expect(is_needed("", "", "xx_XX"));
}
