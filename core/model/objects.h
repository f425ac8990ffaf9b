/* SPDX-License-Identifier: MIT */
/*
 * The store of the object model, shared by define.c (events → definitions and objects) and resolve.c (relations asked
 * for). Neither knows the other.
 */
#ifndef ROS2BT_MODEL_OBJECTS_H
#define ROS2BT_MODEL_OBJECTS_H

#include <glib.h>

#include "core/model/definitions.h"
#include "core/model/kinds.h"
#include "core/model/plain_objects.h"
#include "ros2bt/object_model.h"

/*
 * An answer of the store, which holds until the next definition: running systems ask for the same few objects over and
 * over, and the way to each leads through several cold places.
 */
struct recent_look_up {
	uint64_t address;
	int64_t since_ns; /* holds from here on */
	void *object;
	uint64_t version;
	uint32_t process;
	enum definition_kind kind;
};

#define RECENT_LOOK_UPS_BITS 12

struct object_model {
	struct recording *recording; /* borrowed */
	struct definitions *definitions;
	uint64_t version;
	GPtrArray *objects[MODEL_KIND_COUNT]; /* struct model_object *, owned */
	GPtrArray *buffers;		      /* answers of resolve.c, owned */
	GArray *has_definitions;	      /* bool by process */
	struct plain_objects plain;
	GArray *lacks_timer_links; /* bool by process: its release does not record the nodes of timers */
	struct recent_look_up recent[1 << RECENT_LOOK_UPS_BITS];
};

void model_set_flag(GArray *flags, uint32_t process);
bool model_get_flag(const GArray *flags, uint32_t process);

/* A new object of a kind, of which only the index and the process are set. */
struct model_object *model_add_object(struct object_model *model, enum model_kind kind, uint32_t process);

/* The object of an address that is used, but not defined; `definition` is the undefined one. */
struct model_object *model_add_undefined(struct object_model *model, enum model_kind kind, enum definition_kind by,
					 uint32_t process, uint64_t address, int64_t time_ns,
					 struct definition *definition);

static inline struct definition *model_newest(const struct object_model *model, uint32_t process,
					      enum definition_kind kind, uint64_t address)
{
	return definitions_newest(model->definitions, process, kind, address);
}

#endif
