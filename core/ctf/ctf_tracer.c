/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_tracer.h"

#include <string.h>

void ctf_tracer_set_text(struct ctf_tracer *tracer, const char *name, const char *text)
{
	if (strcmp(name, "tracer_name") != 0) {
		return;
	}
	tracer->kind = strcmp(text, "lttng-ust") == 0	    ? CTF_TRACER_LTTNG_UST
		       : strcmp(text, "lttng-modules") == 0 ? CTF_TRACER_LTTNG_MODULES
							    : CTF_TRACER_OTHER;
}

void ctf_tracer_set_integer(struct ctf_tracer *tracer, const char *name, int64_t value)
{
	if (strcmp(name, "tracer_major") == 0) {
		tracer->has_major = true;
		tracer->major = value;
	} else if (strcmp(name, "tracer_minor") == 0) {
		tracer->minor = value;
	} else if (strcmp(name, "tracer_patch") == 0) {
		tracer->has_patch = true;
		tracer->patch = value;
	} else if (strcmp(name, "tracer_patchlevel") == 0 && !tracer->has_patch) {
		tracer->patch = value;
	}
}

bool ctf_tracer_is_lttng(const struct ctf_tracer *tracer)
{
	return tracer->kind != CTF_TRACER_OTHER;
}

/* The first patch of a minor version 2.X in which events do not follow the end of their packet. */
static int64_t first_right_patch(const struct ctf_tracer *tracer)
{
	bool is_kernel = tracer->kind == CTF_TRACER_LTTNG_MODULES;

	if (tracer->minor >= 11) {
		return INT64_MIN;
	}
	return is_kernel && tracer->minor == 10 ? 10 : is_kernel && tracer->minor == 9 ? 13 : INT64_MAX;
}

bool ctf_tracer_ends_packets_early(const struct ctf_tracer *tracer)
{
	if (!ctf_tracer_leaves_packets_open(tracer) || tracer->major > 2) {
		return false;
	}
	return tracer->major < 2 || tracer->patch < first_right_patch(tracer);
}

bool ctf_tracer_leaves_packets_open(const struct ctf_tracer *tracer)
{
	return ctf_tracer_is_lttng(tracer) && tracer->has_major;
}
