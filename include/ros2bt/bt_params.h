/* SPDX-License-Identifier: MIT */
/*
 * Initialization parameters of a component class, declared once, as an X-macro; validation, look-up with default, and
 * the help text come from it:
 *
 *   #define THING_PARAMS(PARAM) \
 *           PARAM(mode, STRING, "auto", "auto|window", "how it works") \
 *           PARAM(window, DURATION, "2s", "any", "how much trace time may be held back")
 *
 *   static const struct bt_param thing_rows[] = { THING_PARAMS(BT_PARAM_ROW) };
 *   #define THING_HELP "...\n\nParameters:\n\n" THING_PARAMS(BT_PARAM_HELP)
 *
 * PARAM(key, TYPE, default, allowed, help). The default is text as on the command line, items of an array separated by
 * commas, or "none". `allowed` is "a|b|c" of a STRING or of each item of STRINGS, "MIN..MAX" of a REAL or INTEGER
 * or of each item of REALS, or "any". In THING_HELP they must be literals.
 *
 * Types as the command line of babeltrace2 gives them: x=5 is a signed integer, x=+5 an unsigned one, both are taken;
 * an INTEGER is also taken where a REAL is wanted. A DURATION is a string as in duration_text.h.
 */
#ifndef ROS2BT_BT_PARAMS_H
#define ROS2BT_BT_PARAMS_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bt_param_type {
	BT_PARAM_BOOL,
	BT_PARAM_INTEGER,
	BT_PARAM_REAL,
	BT_PARAM_STRING,
	BT_PARAM_DURATION,
	BT_PARAM_STRING_OR_INTEGER,
	BT_PARAM_STRINGS,
	BT_PARAM_REALS,
};

#define BT_PARAM_TEXT_BOOL "boolean"
#define BT_PARAM_TEXT_INTEGER "integer"
#define BT_PARAM_TEXT_REAL "real"
#define BT_PARAM_TEXT_STRING "string"
#define BT_PARAM_TEXT_DURATION "string, a duration"
#define BT_PARAM_TEXT_STRING_OR_INTEGER "string or integer"
#define BT_PARAM_TEXT_STRINGS "array of strings"
#define BT_PARAM_TEXT_REALS "array of reals"

struct bt_param {
	const char *key;
	enum bt_param_type type;
	const char *default_text;
	const char *allowed;
	const char *help;
};

#define BT_PARAM_ROW(key_, type_, default_, allowed_, help_) { #key_, BT_PARAM_##type_, default_, allowed_, help_ },
#define BT_PARAM_HELP(key_, type_, default_, allowed_, help_)                                                          \
	"  " #key_ " (" BT_PARAM_TEXT_##type_ "; default: " default_ "; allowed: " allowed_ ")\n      " help_ "\n\n"

/* The rows of a component class and the values given to one component, both borrowed. */
struct bt_params {
	const struct bt_param *rows;
	size_t row_count;
	const bt_value *values; /* a map */
};

/* NULL if all is well, else what is wrong: names the key and what is allowed. To be freed with g_free(). */
char *bt_params_check(const struct bt_params *params);

/* Values, or the default. Only after bt_params_check(); asking for a key that is not in the rows is a programming
 * error. */
bool bt_params_bool(const struct bt_params *params, const char *key);
int64_t bt_params_integer(const struct bt_params *params, const char *key);
double bt_params_real(const struct bt_params *params, const char *key);
int64_t bt_params_duration_ns(const struct bt_params *params, const char *key);
/* NULL: not given, and there is no default. Borrowed from the values or the row. */
const char *bt_params_string(const struct bt_params *params, const char *key);
/* NULL-terminated, to be freed with g_strfreev(); empty if not given and there is no default. */
char **bt_params_strings(const struct bt_params *params, const char *key);
/* To be freed with g_free(). */
double *bt_params_reals(const struct bt_params *params, const char *key, size_t *count);

/* The value as given, NULL if not given. For types that the caller tells apart (STRING_OR_INTEGER). */
const bt_value *bt_params_value(const struct bt_params *params, const char *key);

/* The rows as a map: key → map of type, default, allowed, help. For queries. */
const bt_value *bt_params_describe(const struct bt_param *rows, size_t row_count);

#endif
