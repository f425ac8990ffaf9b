/* SPDX-License-Identifier: MIT */
#include "core/analyses/analyses.h"

#define ANALYSIS_ADDRESS(name, text) &name##_analysis,

const struct analysis_class *const analyses[] = { ANALYSES(ANALYSIS_ADDRESS, ) NULL };
