/* SPDX-License-Identifier: MIT */
/*
 * The ROS 2 system that is played: who has which node, publisher, subscription, timer and service. It is made from
 * the options before the processes fork, so that all of them know it; the same options make the same plan.
 *
 * Chains: a timer publishes, a subscription callback takes and publishes on the next topic, and so on; the last
 * one publishes nothing. With `branches` a second subscription listens to the first topic of each chain.
 */
#ifndef RECORDER_PLAN_H
#define RECORDER_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#define NONE UINT32_MAX
#define HOPS_MAX 24

struct options {
	const char *layout;
	const char *library; /* folder of the libraries of tracepoints */
	const char *truth;   /* folder for the truth, NULL: none */
	uint64_t events;     /* stop after about so many, 0: no limit */
	double seconds;	     /* stop after so long, 0: no limit */
	double rate;	     /* of each chain in Hz, 0: as fast as possible */
	uint32_t processes;
	uint32_t nodes;	  /* of each process */
	uint32_t threads; /* of each process */
	uint32_t chains;
	uint32_t hops;	  /* of each chain */
	uint32_t polls;	  /* of the executor each time it finds nothing to do */
	uint32_t work_us; /* of each callback */
	uint32_t loss_percent;
	uint32_t empty_take_percent;
	uint32_t intra_percent; /* of the hops, where the layout and the placing allow it */
	uint32_t queue_depth;
	uint32_t seed;
	bool has_branches;
	bool has_services;
	bool is_reentrant;	  /* every second node runs its callbacks at the same time on several threads */
	bool has_links;		  /* a node with a message link between its subscription and its timer */
	uint32_t caret_processes; /* how many of the processes run under CARET */
	bool is_fastdds;	  /* CARET: the address of a bound stamp is 0 */
	bool has_caret_gap;	  /* a second WAIT, PREPARE, RECORD in the middle */
	uint32_t caret_wait_ms;	  /* length of WAIT */
	bool is_held;		  /* wait for a line on standard input between definitions and run */
	bool is_asked;		  /* go on as long as standard input has lines */
	uint32_t late_after;	  /* publications after which the last process begins; 0: with the others */
	uint32_t kill_after;	  /* publications after which the first process is killed; 0: it is not */
	bool is_catalogue;	  /* no system, only one event of each kind */
};

struct node_plan {
	char name[32];
	char full_name[64];
	uint32_t process, local;
	bool is_reentrant;
};

struct publisher_plan {
	char topic[64];
	uint32_t node, local;
	uint32_t first_subscription, subscription_count; /* they are adjacent */
	bool has_intra, has_inter;			 /* subscriptions of that kind */
};

struct subscription_plan {
	uint32_t node, local;
	uint32_t publisher; /* that it listens to */
	uint32_t next;	    /* publisher of its callback, or NONE */
	bool is_intra;
};

struct timer_plan {
	uint32_t node, local;
	uint32_t publisher; /* or NONE */
	uint32_t client;    /* or NONE */
	uint32_t chain;
	int64_t period_ns;
};

struct service_plan {
	char name[64];
	uint32_t node, local;
};

struct client_plan {
	uint32_t node, local, service;
};

struct plan {
	const struct options *options;
	struct node_plan *nodes;
	struct publisher_plan *publishers;
	struct subscription_plan *subscriptions;
	struct timer_plan *timers;
	struct service_plan *services;
	struct client_plan *clients;
	uint32_t node_count, publisher_count, subscription_count, timer_count, service_count, client_count;
	uint32_t link_subscription, link_publisher; /* or NONE */
};

/* The plan of the options; lives as long as the program. has_intra: the layout has intra-process communication. */
const struct plan *plan_create(const struct options *options);

#endif
