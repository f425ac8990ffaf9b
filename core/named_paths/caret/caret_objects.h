/* SPDX-License-Identifier: MIT */
/*
 * The records from which CARET evaluates named paths, by publisher, callback and subscription: what caret_records.h
 * keeps, and tables of it. Kept are records of the publishers and subscriptions of some topics, and of the callbacks of
 * some nodes. Records of an object that is not defined yet are kept until it is, in case it is one of these.
 *
 * Memory: 8 bytes a cell of each table; it grows with the recording.
 */
#ifndef ROS2BT_CARET_OBJECTS_H
#define ROS2BT_CARET_OBJECTS_H

#include <glib.h>

#include "core/named_paths/caret/caret_join.h"
#include "ros2bt/model/object_model.h"

/* Columns of tables. CARET_NO_TIME: there was no such event. */
enum caret_publication_column {
	CARET_PUBLICATION_PUBLISH,
	CARET_PUBLICATION_RCL,
	CARET_PUBLICATION_WRITE,
	CARET_PUBLICATION_STAMP,    /* the source timestamp */
	CARET_PUBLICATION_BEGIN,    /* of the callback that started last on its thread */
	CARET_PUBLICATION_CALLBACK, /* index of the callback that was running there; CARET_NO_TIME: none was */
	CARET_PUBLICATION_COLUMNS,
};

enum caret_reception_column {
	CARET_RECEPTION_START,
	CARET_RECEPTION_STAMP, /* CARET_NO_TIME: within a process */
	CARET_RECEPTION_COLUMNS,
};

enum caret_execution_column {
	CARET_EXECUTION_START,
	CARET_EXECUTION_END,
	CARET_EXECUTION_COLUMNS,
};

enum caret_delivery_column {
	CARET_DELIVERY_PUBLISH,
	CARET_DELIVERY_START,
	CARET_DELIVERY_COLUMNS,
};

enum caret_take_column {
	CARET_TAKE_STAMP, /* 0: there was nothing to take */
	CARET_TAKE_TIME,
	CARET_TAKE_COLUMNS,
};

/* Whether the records of an object are kept. */
struct caret_interest {
	bool is_decided, is_kept;
	uint64_t version; /* of the model at the last look-up */
};

/* Tables are NULL if nothing is kept. */
struct caret_publisher {
	struct caret_interest interest;
	struct caret_table *inter;	/* enum caret_publication_column */
	struct caret_table *intra;	/* within the process: when, when the callback began, and its index */
	struct caret_table *deliveries; /* enum caret_delivery_column, and the index of the callback */
};

struct caret_receiver {
	struct caret_interest interest;
	struct caret_table *receptions; /* enum caret_reception_column */
	struct caret_table *executions; /* enum caret_execution_column */
	int64_t dispatched_stamp;	/* of a dispatch without a start so far, or CARET_NO_TIME */
};

struct caret_taker {
	struct caret_interest interest;
	struct caret_table *takes; /* enum caret_take_column */
};

struct caret_objects {
	struct object_model *model; /* borrowed, like the names */
	GHashTable *nodes, *topics; /* of interest: const char * → anything */
	GPtrArray *publishers;	    /* struct caret_publisher *, by index of the model; NULL: none */
	GPtrArray *receivers;	    /* struct caret_receiver *, of callbacks, likewise */
	GPtrArray *takers;	    /* struct caret_taker *, of subscriptions, likewise */
};

void caret_objects_init(struct caret_objects *objects, struct arena *arena, struct object_model *model,
			GHashTable *nodes, GHashTable *topics);

/* O(1), except after new definitions. */
struct caret_publisher *caret_objects_publisher(struct caret_objects *objects, const struct model_publisher *publisher);
struct caret_receiver *caret_objects_receiver(struct caret_objects *objects, struct model_callback *callback);
struct caret_taker *caret_objects_taker(struct caret_objects *objects, const struct model_subscription *subscription);

/* Whether a list of struct model_callback * includes the one with this index of the model. */
bool caret_objects_include(const GPtrArray *callbacks, int64_t index);

/* Adds a row of two columns. */
void caret_objects_add(struct caret_table *table, int64_t first, int64_t second);

/* --- tables of several objects together, sorted by all columns; destroy them --- */

/* Lists of struct model_publisher *, struct model_callback * and struct model_subscription *. */
struct caret_table *caret_objects_publications(const struct caret_objects *objects, const GPtrArray *publishers);
struct caret_table *caret_objects_receptions(const struct caret_objects *objects, const GPtrArray *callbacks);
struct caret_table *caret_objects_executions(const struct caret_objects *objects, const GPtrArray *callbacks);
/* Within a process. */
struct caret_table *caret_objects_deliveries(const struct caret_objects *objects, const GPtrArray *publishers,
					     const GPtrArray *callbacks);
/* Including takes without a callback. */
struct caret_table *caret_objects_takes(const struct caret_objects *objects, const GPtrArray *subscriptions);

#endif
