/* SPDX-License-Identifier: MIT */
/* The options of named paths: which paths to evaluate, and how. */
#ifndef ROS2BT_NAMED_PATH_OPTIONS_H
#define ROS2BT_NAMED_PATH_OPTIONS_H

#include "core/named_paths/architecture/path_pattern.h"

struct named_path_options {
	struct architecture *architecture; /* owned; NULL: none was given */
	GPtrArray *patterns;		   /* struct path_pattern *, owned; those of files first */
	bool follows_caret;		   /* evaluated with CARET's joins, else along the messages as recorded */
	/* Whether paths begin with the start of the callback that publishes first, else with the publication, and end
	 * with the end of the callback that receives last, else with its start; unless the pattern says. */
	bool first_callback, last_callback;
};

/* Without paths. */
void named_path_options_init(struct named_path_options *options);
/* Adds the paths of an architecture file or a target_path.json. At most one file. */
bool named_path_options_read_file(struct named_path_options *options, const char *file, GError **error);
/* Adds patterns, which NULL ends. */
bool named_path_options_read_texts(struct named_path_options *options, const char *const *texts, GError **error);
void named_path_options_clear(struct named_path_options *options);

static inline bool named_path_has_first_callback(const struct named_path_options *options,
						 const struct path_pattern *pattern)
{
	return pattern->first_callback == PATTERN_END_AS_ASKED ? options->first_callback
							       : pattern->first_callback == PATTERN_END_INCLUDED;
}

static inline bool named_path_has_last_callback(const struct named_path_options *options,
						const struct path_pattern *pattern)
{
	return pattern->last_callback == PATTERN_END_AS_ASKED ? options->last_callback
							      : pattern->last_callback == PATTERN_END_INCLUDED;
}

#endif
