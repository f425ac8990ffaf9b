/* SPDX-License-Identifier: MIT */
/*
 * Which tracer made a trace, as the environment of its metadata says, and which known faults its packets have. Both are
 * decided as source.ctf.fs does: a tracer without name or major version has none of the faults.
 *
 * Source: babeltrace2 2.0.4, src/plugins/ctf/fs-src/fs.c, "affected versions".
 */
#ifndef ROS2BT_CTF_TRACER_H
#define ROS2BT_CTF_TRACER_H

#include <stdbool.h>
#include <stdint.h>

enum ctf_tracer_kind { CTF_TRACER_OTHER, CTF_TRACER_LTTNG_UST, CTF_TRACER_LTTNG_MODULES };

/* All zero: nothing known. */
struct ctf_tracer {
	enum ctf_tracer_kind kind;
	bool has_major, has_patch;
	int64_t major, minor, patch; /* 0 if not recorded */
};

/* An entry of the environment; others than the tracer's are ignored. */
void ctf_tracer_set_text(struct ctf_tracer *tracer, const char *name, const char *text);
void ctf_tracer_set_integer(struct ctf_tracer *tracer, const char *name, int64_t value);

bool ctf_tracer_is_lttng(const struct ctf_tracer *tracer);

/* Before 2.11 (modules: 2.10.10, 2.9.13): events may be later than the end of their packet. */
bool ctf_tracer_ends_packets_early(const struct ctf_tracer *tracer);

/* All of LTTng: a packet that was never closed (lttng-crash) ends at 0. */
bool ctf_tracer_leaves_packets_open(const struct ctf_tracer *tracer);

#endif
