/* SPDX-License-Identifier: MIT */
#include "command/live.h"

#include "ros2bt/session/first_pass.h"

static const char *option_name(const struct command_options *options)
{
	return options->live ? "--live" : "--follow";
}

static bool refuse(const struct command_options *options, const char *what, GError **error)
{
	g_autofree char *text = g_strconcat(option_name(options), what, NULL);

	return command_refuse(error, text);
}

bool live_check(const struct command_options *options, const struct arguments *traces, GError **error)
{
	if (options->live && options->follow) {
		return refuse(options, " cannot be combined with --follow", error);
	}
	if (traces->count > 0) {
		return refuse(options,
			      options->live ? " reads a session instead of a TRACE: give only one of them"
					    : " reads a directory instead of a TRACE: give only one of them",
			      error);
	}
	if (options->reader != READER_AUTO) {
		return refuse(options, " cannot be combined with --reader", error);
	}
	if (first_pass_is_needed(&options->params.options)) {
		return refuse(
			options,
			" reads once: --clocks=align, --link=proposed and times before the end (\"-5s\") are for recordings that have "
			"ended",
			error);
	}
	if (options->follow && !g_file_test(options->follow, G_FILE_TEST_IS_DIR)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--follow: %s is no directory",
			    options->follow);
		return false;
	}
	return true;
}
