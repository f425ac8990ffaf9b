/* SPDX-License-Identifier: MIT */
#include "layouts.h"

#include <string.h>

static const struct layout layouts[] = {
	{ "dashing", RELEASE_DASHING, false, false },
	{ "eloquent", RELEASE_ELOQUENT, false, false },
	{ "foxy", RELEASE_FOXY, false, false },
	{ "galactic", RELEASE_GALACTIC, false, true },
	{ "galactic_fork", RELEASE_GALACTIC, true, false },
	{ "humble", RELEASE_HUMBLE, false, true },
	{ "iron", RELEASE_IRON, false, true },
	{ "early_jazzy", RELEASE_EARLY_JAZZY, false, true },
	{ "jazzy", RELEASE_JAZZY, false, true },
	{ "rolling", RELEASE_ROLLING, false, true },
	{ "kilted", RELEASE_KILTED, false, true },
};

const struct layout *layout_find(const char *name)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		if (strcmp(layouts[i].name, name) == 0) {
			return &layouts[i];
		}
	}
	return NULL;
}

/* The fork adds fields to events of ros2_tracing, also to such that its release does not have yet. */
static bool is_changed_by_fork(const struct event_schema *schema)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		if (event_field_in_release(&schema->fields[i], RELEASE_FORK)) {
			return true;
		}
	}
	return event_schema_in_release(schema, RELEASE_FORK);
}

bool layout_has_event(const struct layout *layout, enum event_provider provider, const struct event_schema *schema)
{
	bool is_caret = provider == EVENT_PROVIDER_CARET;

	if (!(schema->providers & provider)) {
		return false;
	}
	if (is_caret && !layout->has_caret_definitions &&
	    (schema->providers != EVENT_PROVIDER_CARET || schema->class == EVENT_CLASS_MARK)) {
		return false;
	}
	if (is_caret && schema->class == EVENT_CLASS_INIT && layout->release >= RELEASE_HUMBLE) {
		return true; /* one CARET for all of them: it declares also what the release never does */
	}
	return event_schema_in_release(schema, layout->release) ||
	       (layout->is_fork && !is_caret && is_changed_by_fork(schema));
}

bool layout_has_field(const struct layout *layout, enum event_provider provider, const struct event_schema *schema,
		      const struct event_field *field)
{
	enum release release = event_schema_in_release(schema, layout->release) ? layout->release : schema->first;

	if (provider == EVENT_PROVIDER_CARET && schema->kind == EVENT_RCL_INIT && field->slot == RCL_INIT__version) {
		return false;
	}
	return event_field_in_release(field, release) ||
	       (layout->is_fork && event_field_in_release(field, RELEASE_FORK));
}

bool layout_has_init_timestamp(const struct layout *layout, enum event_provider provider,
			       const struct event_schema *schema)
{
	return provider == EVENT_PROVIDER_CARET && layout->has_caret_definitions && schema->class == EVENT_CLASS_INIT;
}

unsigned int layout_gid_size(const struct layout *layout)
{
	return layout->release >= RELEASE_ROLLING ? 16 : 24;
}
