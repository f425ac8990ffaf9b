/* SPDX-License-Identifier: MIT */
#include "command/live.h"

#include "ros2bt/session/first_pass.h"

bool live_check(const struct command_options *options, const struct arguments *traces, GError **error)
{
	if (traces->count > 0) {
		return command_refuse(error, "--live reads a session instead of a TRACE: give only one of them");
	}
	if (options->reader != READER_AUTO) {
		return command_refuse(error, "--live cannot be combined with --reader");
	}
	if (first_pass_is_needed(&options->params.options)) {
		return command_refuse(error,
				      "--live reads once: --clocks=align, --link=proposed and times before the end "
				      "(\"-5s\") are for recordings that have ended");
	}
	return true;
}
