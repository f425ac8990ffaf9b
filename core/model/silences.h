/* SPDX-License-Identifier: MIT */
/*
 * Silences: times in which events may be missing, in the order of their ends; those of several streams may overlap.
 * Part of the coverage (coverage.h).
 *
 * Cost: adding O(1) in this order; a question is O(silences since its begin). Memory: the last SILENCES_KEPT of a list.
 */
#ifndef ROS2BT_SILENCES_H
#define ROS2BT_SILENCES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define SILENCES_KEPT 16384
#define SILENCE_OF_NO_STREAM UINT32_MAX

/* A time in which events of a stream may be missing. */
struct silence {
	int64_t begin_ns, end_ns; /* INT64_MIN: since ever. INT64_MAX: it is silent still */
	/*
	 * At most begin_ns: where the packet begins that lost events. A large event may have been dropped before
	 * smaller ones that still fitted into the packet (event_record.h), so a single event may be missing from here
	 * on.
	 */
	int64_t doubt_ns;
	uint32_t stream;
};

/* A list; zeroed, it is empty. */
struct silences {
	GArray *past; /* struct silence; NULL: none */
	bool has_forgotten;
	int64_t forgotten_until_ns; /* of silences that are no longer kept */
};

enum silence_aspect {
	SILENCE_TIMES,	/* in which events may be missing */
	SILENCE_EVENTS, /* in which even a single one may be */
	SILENCE_LENGTH, /* how long that is: of a break around a pause, only the pause is */
};

/* What of [from_ns, to_ns] is asked about, and of which stream (SILENCE_OF_NO_STREAM: all). */
typedef bool (*silence_visit)(void *data, const struct silence *silence);
struct silence_question {
	int64_t from_ns, to_ns;
	uint32_t stream;
	enum silence_aspect aspect;
	silence_visit visit; /* false: no more */
	void *data;
};

void silences_clear(struct silences *silences);
void silences_add(struct silences *silences, struct silence silence);

/* Visits the silence if it overlaps the time of the question (touching does not count). False: `visit` returned it. */
bool silence_ask(const struct silence *silence, const struct silence_question *question);

/* The same of all in the list, the latest first. */
bool silences_ask(const struct silences *silences, const struct silence_question *question);

/* A visit that appends the silence to an array of struct silence. */
bool silence_collect(void *data, const struct silence *silence);

/* The length of the union of an array of struct silence, which is sorted if need be, within [from_ns, to_ns]. */
int64_t silences_union_ns(GArray *silences, int64_t from_ns, int64_t to_ns);

#endif
