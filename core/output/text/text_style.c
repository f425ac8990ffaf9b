/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_style.h"

#include <glib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/output/text/text_line.h"

#define PLAIN_WIDTH 100
#define WIDTH_MIN 80
#define WIDTH_MAX 10000

static bool is_environment_set(const char *name)
{
	const char *value = g_getenv(name);

	return value && *value;
}

struct text_style text_style_plain(void)
{
	return (struct text_style){ .width = PLAIN_WIDTH, .limit = TEXT_WIDTH_MAX };
}

/* The width in COLUMNS, 0 if there is none. */
static unsigned int environment_width(void)
{
	guint64 width;

	return is_environment_set("COLUMNS") &&
			       g_ascii_string_to_unsigned(g_getenv("COLUMNS"), 10, 1, WIDTH_MAX, &width, NULL)
		       ? (unsigned int)width
		       : 0;
}

static unsigned int terminal_width(void)
{
	struct winsize size = { 0 };

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : PLAIN_WIDTH;
}

struct text_style text_style_of_standard_output(void)
{
	bool is_terminal = isatty(STDOUT_FILENO);
	unsigned int width = environment_width();

	if (!is_terminal && width == 0) {
		return text_style_plain();
	}
	return (struct text_style){
		.width = MAX(width > 0 ? width : terminal_width(), WIDTH_MIN),
		.shortens_names = true,
		.has_attributes =
			is_terminal && !is_environment_set("NO_COLOR") && g_strcmp0(g_getenv("TERM"), "dumb") != 0,
	};
}

void text_style_attribute(struct output_stream *stream, const struct text_style *style, const char *attribute)
{
	if (style->has_attributes) {
		output_stream_text(stream, attribute);
	}
}
