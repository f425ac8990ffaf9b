/* SPDX-License-Identifier: MIT */
#include "core/analyses/analyses.h"

#define ANALYSIS_ADDRESS(name, text) &name##_analysis,

const struct analysis_class *const analyses[] = { ANALYSES(ANALYSIS_ADDRESS, ) NULL };

const struct table_schema *const *analyses_tables(void)
{
	static GPtrArray *schemas;

	if (!schemas) {
		schemas = g_ptr_array_new();
		for (size_t i = 0; analyses[i]; i++) {
			for (size_t j = 0; analyses[i]->tables[j]; j++) {
				g_ptr_array_add(schemas, (gpointer)analyses[i]->tables[j]);
			}
		}
		g_ptr_array_add(schemas, NULL);
	}
	return (const struct table_schema *const *)schemas->pdata;
}
