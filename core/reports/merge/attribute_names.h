/* SPDX-License-Identifier: MIT */
/*
 * The attributes of a manifest as columns of the merged tables. An attribute may have any name; where it is that of a
 * column of a table, of another attribute, or none, it becomes `manifest_NAME`, in all tables alike. Case does not
 * matter, because SQLite ignores it.
 */
#ifndef ROS2BT_ATTRIBUTE_NAMES_H
#define ROS2BT_ATTRIBUTE_NAMES_H

#include "core/reports/merge/manifest.h"
#include "core/tables/table.h"

/* By attribute, ended by NULL; to be freed with g_strfreev(). `schemas`: of the tables, ended by NULL. */
char **attribute_names(const struct manifest *manifest, const struct table_schema *const *schemas);

#endif
