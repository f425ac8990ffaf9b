/* SPDX-License-Identifier: MIT */
#include "core/output/outputs.h"

#include <string.h>

#define OUTPUT_ADDRESS(name, text) &name##_output,

const struct output_class *const outputs[] = { OUTPUTS(OUTPUT_ADDRESS, ) NULL };

const struct output_class *output_find(const char *name)
{
	for (size_t i = 0; outputs[i]; i++) {
		if (strcmp(outputs[i]->name, name) == 0) {
			return outputs[i];
		}
	}
	return NULL;
}
