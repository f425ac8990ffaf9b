/* SPDX-License-Identifier: MIT */
/*
 * The store of the object model: objects by index, and by (process, address, time). init_events.c fills it from
 * initialization events, and object_relations.c resolves relations from it; neither knows the other.
 *
 * object_store.c implements the life cycle and the look-ups of ros2bt/model/object_model.h. A look-up is O(1): a table
 * of recent answers, else one hash and a step per newer definition of the address. Memory: the objects and definitions,
 * and 256 KB for the recent answers.
 */
#ifndef ROS2BT_OBJECT_STORE_H
#define ROS2BT_OBJECT_STORE_H

#include <glib.h>

#include "core/model/definitions.h"
#include "core/model/lifecycle_services.h"
#include "core/model/object_kinds.h"
#include "core/model/rclcpp_use.h"
#include "ros2bt/model/object_model.h"

/*
 * A recent answer of the store: that of the newest definition of an address, until another one is added for it. A
 * running system uses the same few objects over and over, and a look-up in the store touches several cold cache lines.
 */
struct recent_look_up {
	uint64_t address;
	uint64_t scope;	  /* process and kind of the definition */
	int64_t since_ns; /* valid from this time on */
	void *object;	  /* NULL: none */
};

#define RECENT_LOOK_UPS_BITS 13

struct object_model {
	struct recording *recording; /* borrowed */
	struct definitions *definitions;
	uint64_t version;
	GPtrArray *objects[MODEL_KIND_COUNT]; /* struct model_object *, in the recording's arena */
	GPtrArray *buffers;		      /* answers of object_relations.c, owned */
	GArray *has_definitions;	      /* bool by process */
	struct rclcpp_use rclcpp;
	struct lifecycle_services lifecycle;
	GPtrArray *versions;	       /* const char *, in the string pool: of tracetools, each once */
	GPtrArray *process_versions;   /* cache lines in the arena, of several processes: see model_process_version() */
	GArray *lacks_timer_links;     /* bool by process: its release does not record the nodes of timers */
	struct recent_look_up *recent; /* 1 << RECENT_LOOK_UPS_BITS, in the arena: two in a cache line */
};

/* Arrays of flags that grow on demand: unset elements are false. */
void model_set_flag(GArray *flags, uint32_t process);
bool model_get_flag(const GArray *flags, uint32_t process);

/*
 * Increases with each change of the definitions of a process, from 1 on: relations are between objects of one process.
 * The pointer is valid as long as the model.
 */
uint64_t *model_process_version(struct object_model *model, uint32_t process);

/* What depends on the definitions of a process is to be resolved anew. */
void model_note_change(struct object_model *model, uint32_t process);

/* Adds a definition, as definitions_add(). */
struct definition *model_define(struct object_model *model, uint32_t process, enum definition_kind kind,
				uint64_t address, const struct event_record *record, const uint64_t *words);

/* Adds an object of a kind, with only the index and the process set. */
struct model_object *model_add_object(struct object_model *model, enum model_kind kind, uint32_t process);

/* Adds the object of an address that is used but not defined; `definition` is the undefined one of the address. */
struct model_object *model_add_undefined(struct object_model *model, enum model_kind kind, enum definition_kind by,
					 uint32_t process, uint64_t address, int64_t time_ns,
					 struct definition *definition);

static inline struct definition *model_newest(const struct object_model *model, uint32_t process,
					      enum definition_kind kind, uint64_t address)
{
	return definitions_newest(model->definitions, process, kind, address);
}

/* --- recent answers --- */

static inline uint64_t model_scope_of(uint32_t process, enum definition_kind kind)
{
	return (uint64_t)process << 8 | kind;
}

/* Its place in model->recent. Processes of one program have the same addresses: all of the scope is turned into it. */
static inline size_t model_recent_place(uint64_t scope, uint64_t address)
{
	return (address ^ (scope << 48 | scope >> 16)) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - RECENT_LOOK_UPS_BITS);
}

/* The recent answer; NULL if there is none. */
static inline void *model_recent_object(const struct object_model *model, uint32_t process, enum definition_kind kind,
					uint64_t address, int64_t time_ns)
{
	uint64_t scope = model_scope_of(process, kind);
	const struct recent_look_up *recent = &model->recent[model_recent_place(scope, address)];

	return recent->address == address && recent->scope == scope && recent->since_ns <= time_ns ? recent->object
												   : NULL;
}

/* Of object_model_callback(). */
static inline struct model_callback *model_recent_callback(const struct object_model *model, uint32_t process,
							   uint64_t address, int64_t time_ns)
{
	return model_recent_object(model, process, DEFINITION_CALLBACK, address, time_ns);
}

#endif
