/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a component class, or options of a command line, declared once, as an X-macro; validation, look-up with
 * default, and the help text come from it:
 *
 *   #define THING_PARAMS(PARAM) \
 *           PARAM(mode, STRING, "auto", "auto|window", "How it works.") \
 *           PARAM(window, DURATION, "2s", "DURATION", "How much trace time may be held back.")
 *
 *   static const struct param thing_rows[] = { THING_PARAMS(PARAM_ROW) };
 *   #define THING_HELP "...\n\nParameters:\n\n" THING_PARAMS(PARAM_HELP)
 *
 * PARAM(key, TYPE, default, allowed, help). The default is text as on the command line, items of an array separated by
 * commas, or "none"; or, if the component only asks for a value that was given, a phrase for people. `allowed` is
 * "a|b|c" of a STRING or of each item of STRINGS, "MIN..MAX" of a REAL or INTEGER or of each item of REALS, "yes|no" of
 * a BOOL, or, if every value of the type is allowed, a word in capitals for it, such as "FILE": help shows it, and
 * completion offers files. The help is one or more sentences, then PARAM_CHOICE() for each choice that it explains. In
 * THING_HELP they must be literals.
 *
 * Types are those of babeltrace2's command line: x=5 is a signed integer, x=+5 an unsigned one, both are accepted; an
 * INTEGER is also accepted for a REAL. A DURATION is a string as in duration_text.h.
 */
#ifndef ROS2BT_PARAMS_H
#define ROS2BT_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ros2bt/base/param_values.h"

enum param_type {
	PARAM_BOOL,
	PARAM_INTEGER,
	PARAM_REAL,
	PARAM_STRING,
	PARAM_DURATION,
	PARAM_STRING_OR_INTEGER,
	PARAM_STRINGS,
	PARAM_REALS,
};

#define PARAM_TEXT_BOOL "boolean"
#define PARAM_TEXT_INTEGER "integer"
#define PARAM_TEXT_REAL "real"
#define PARAM_TEXT_STRING "string"
#define PARAM_TEXT_DURATION "string, a duration"
#define PARAM_TEXT_STRING_OR_INTEGER "string or integer"
#define PARAM_TEXT_STRINGS "array of strings"
#define PARAM_TEXT_REALS "array of reals"

struct param {
	const char *key;
	enum param_type type;
	const char *default_text;
	const char *allowed;
	const char *help;
};

#define PARAM_ROW(key_, type_, default_, allowed_, help_) { #key_, PARAM_##type_, default_, allowed_, help_ },
#define PARAM_HELP(key_, type_, default_, allowed_, help_)                                                             \
	"  " #key_ " (" PARAM_TEXT_##type_ "; default: " default_ "; allowed: " allowed_ ")\n      " help_ "\n\n"
/* A choice in the help, in a line below the sentences. */
#define PARAM_CHOICE(name, text) "\n        " #name ": " text

/* The rows of a component class and the values given to one component, both borrowed. */
struct params {
	const struct param *rows;
	size_t row_count;
	const struct param_values *values;
	bool are_options; /* messages name them as options of a command line */
};

/* The name of the command-line option that sets a parameter: each `--table=NAME` adds an item to `tables`. To be
 * freed. */
char *param_option_name(const struct param *row);

const char *param_type_text(enum param_type type);

/* Whether every value of the type is allowed. */
bool param_is_any(const struct param *row);

/* The name of a parameter in messages: `parameter "tables"`, or `--table`. To be freed. */
char *params_name(const struct params *params, const char *key);

/* NULL if everything is valid, otherwise a message that names the key and what is allowed. To be freed with g_free().
 */
char *params_check(const struct params *params);

/* Values, or the default. Only after params_check(); asking for a key that is not in the rows is a programming
 * error. */
bool params_bool(const struct params *params, const char *key);
int64_t params_integer(const struct params *params, const char *key);
double params_real(const struct params *params, const char *key);
int64_t params_duration_ns(const struct params *params, const char *key);
/* NULL: not given, and there is no default. Borrowed from the values or the row. */
const char *params_string(const struct params *params, const char *key);
/* NULL-terminated, to be freed with g_strfreev(); empty if not given and there is no default. */
char **params_strings(const struct params *params, const char *key);
/* To be freed with g_free(). */
double *params_reals(const struct params *params, const char *key, size_t *count);

/* The value as given, NULL if not given. For types that the caller distinguishes (STRING_OR_INTEGER). */
const struct param_value *params_value(const struct params *params, const char *key);

#endif
