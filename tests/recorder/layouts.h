/* SPDX-License-Identifier: MIT */
/*
 * The layouts that the recorder can record: what the tracepoints of one release look like, those of ros2_tracing
 * and those of the CARET of its time.
 */
#ifndef RECORDER_LAYOUTS_H
#define RECORDER_LAYOUTS_H

#include "ros2bt/events/event_schema.h"

struct layout {
	const char *name;
	enum release release;
	bool is_fork; /* with what CARET's fork of rclcpp adds */
	/* CARET before v0.4 has no events of its own for what ros2_tracing defines, no caret_init and no
	 * init_timestamp. */
	bool has_caret_definitions;
};

/* NULL if there is no layout of that name. */
const struct layout *layout_find(const char *name);

/* Whether the provider has the event in the layout. */
bool layout_has_event(const struct layout *layout, enum event_provider provider, const struct event_schema *schema);

/* Whether the provider's event, which the layout has, has the field. */
bool layout_has_field(const struct layout *layout, enum event_provider provider, const struct event_schema *schema,
		      const struct event_field *field);

/* Whether the provider's event ends with init_timestamp. */
bool layout_has_init_timestamp(const struct layout *layout, enum event_provider provider,
			       const struct event_schema *schema);

/* Bytes of a gid. */
unsigned int layout_gid_size(const struct layout *layout);

#endif
