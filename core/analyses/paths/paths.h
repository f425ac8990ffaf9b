/* SPDX-License-Identifier: MIT */
/* What others ask of the analysis paths. */
#ifndef ROS2BT_PATHS_H
#define ROS2BT_PATHS_H

#include "core/analyses/shared/analysis.h"

/* The links that would join paths (path_joins.h), after finish(): texts, ended by NULL, to be freed. */
char **paths_propose_links(const struct analysis *analysis);

#endif
