/* SPDX-License-Identifier: MIT */
/*
 * Counts of what is missing or doubtful in a trace: the rows (what, count, detail) of the table `diagnostics`. `what`
 * is one of the kinds of core/events/diagnostic_table.h, in its order; `detail` names the place, "" if there is only
 * one.
 *
 * Memory: a row for each pair of kind and detail, so details must name objects of the system, not events.
 */
#ifndef ROS2BT_DIAGNOSTICS_H
#define ROS2BT_DIAGNOSTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/events/diagnostic_table.h"

struct diagnostics;

/* The kinds: diagnostic_table.h has a row for each, with its texts. */
enum diagnostic {
#define CONSTANT(name, ...) DIAGNOSTIC_##name,
	DIAGNOSTICS(CONSTANT)
#undef CONSTANT
		DIAGNOSTIC_COUNT,
};

/* What a kind means for the figures of the report, as diagnostic_table.h says. */
enum diagnostic_severity {
#define CONSTANT(name, text) SEVERITY_##name,
	DIAGNOSTIC_SEVERITIES(CONSTANT)
#undef CONSTANT
		SEVERITY_COUNT,
};

enum diagnostic_details {
	DETAILS_ARE_NAMES,
	DETAILS_ARE_FILES,
};

/* A row of diagnostic_table.h. */
struct diagnostic_kind {
	const char *name; /* as in the column `what` */
	enum diagnostic_severity severity;
	enum diagnostic_details details;
	const char *detail; /* what the column `detail` names; "": nothing */
	const char *text;   /* what it means; Markdown, as are detail and remedy */
	const char *remedy; /* what to do about it; "": nothing, or what `text` says */
};

/* The name of a kind, as in the column `what`. */
const char *diagnostic_name(enum diagnostic what);

const struct diagnostic_kind *diagnostic_kind(enum diagnostic what);

/* Whether the column `detail` names a file or a trace, which may be anywhere: a path there is no name of ROS. */
bool diagnostic_is_of_files(const struct diagnostic_kind *kind);

const char *diagnostic_severity_name(enum diagnostic_severity severity);

/* The kind of this name; NULL: none, as in the report of a newer version. */
const struct diagnostic_kind *diagnostic_kind_of_name(const char *name);

struct diagnostics *diagnostics_create(void);
void diagnostics_destroy(struct diagnostics *diagnostics);

/*
 * Adds to the count of (what, detail), up to UINT64_MAX; copies detail. O(log rows) for a known detail and O(rows of
 * `what`) for a new one, so count per object, and add the counts at the end, where events are frequent.
 */
void diagnostics_add(struct diagnostics *diagnostics, enum diagnostic what, const char *detail, uint64_t count);

/* The same of what the release that was recorded cannot record: a later one does, and nobody can do anything else. */
void diagnostics_add_of_release(struct diagnostics *diagnostics, enum diagnostic what, const char *detail,
				uint64_t count);
bool diagnostics_is_of_release(const struct diagnostics *diagnostics, enum diagnostic what, const char *detail);

/* The detail that was added before all others of a kind, NULL if there is none; borrowed until one is added. */
const char *diagnostics_first(const struct diagnostics *diagnostics, enum diagnostic what);

/* The count of (what, detail); with NULL, of all details. */
uint64_t diagnostics_count(const struct diagnostics *diagnostics, enum diagnostic what, const char *detail);

typedef void (*diagnostics_visitor)(void *data, enum diagnostic what, const char *detail, uint64_t count);

/* Visits all counts, sorted by `what`, then by detail. */
void diagnostics_foreach(const struct diagnostics *diagnostics, diagnostics_visitor visit, void *data);

/* Adds all counts, after those there are, in the order in which they were added. O(rows log rows). */
void diagnostics_add_all(struct diagnostics *into, const struct diagnostics *from);
void diagnostics_clear(struct diagnostics *diagnostics);

/* Whether the recording was not read to its end. What seems to be missing may then be in the part that was not read. */
bool diagnostics_has_part_only(const struct diagnostics *diagnostics);

#endif
