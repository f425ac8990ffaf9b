/* SPDX-License-Identifier: MIT */
#include "core/base/text/markdown_text.h"

#include <string.h>

#include "core/base/text/human_text.h"

void markdown_text_append(GString *line, const char *text)
{
	g_autofree char *clean = human_text_clean(text);

	for (const char *c = clean; *c; c++) {
		if (strchr("&<>|`*_~[]\\@#", *c)) {
			g_string_append_printf(line, "&#%d;", *c);
		} else {
			g_string_append_c(line, *c);
		}
	}
}

void markdown_text_append_name(GString *line, const char *name)
{
	g_autofree char *clean = human_text_clean(name);

	/* code ends at a grave accent, and a cell at a bar even within code */
	if (*clean == '\0' || strpbrk(clean, "`|")) {
		markdown_text_append(line, clean);
	} else {
		g_string_append_printf(line, "`%s`", clean);
	}
}
