/* SPDX-License-Identifier: MIT */
/*
 * From which inferred execution (core/model/inferred_executions.h) a publication comes. During the recording the
 * candidates of each publication are collected: the open inferred executions of the publisher's node on the same
 * thread. Which of them it is, if any, is decided at the end, for each publisher as a whole:
 *
 *   none       no inferred execution was open at any of its publications
 *   few        fewer than PROVENANCE_PUBLICATIONS_MIN publications with candidates: undecided
 *   timer      the publications keep to the due times of a timer of the process (created + k periods) better than they
 *              follow takes
 *   one        PROVENANCE_PURITY of its publications follow one callback, and each other callback, being of the same
 *              batches, has PROVENANCE_EXCEPTIONS_MIN times as many exceptions: they come from that callback
 *   several    the publications closely follow the takes of several callbacks: each comes from the one that it follows
 *   undecided  all others: publications after an await, of two sources, of both a take and an unrecorded cause
 *
 * "Closely": the mean over the callbacks of the spread of (publication - take) is below PROVENANCE_CLOSENESS of the
 * usual time between takes, which is their median distance times the number of threads that take. The spread of times
 * is their 90 % quantile minus their 10 % quantile. A timer's: the spread of (publication - creation) modulo the period
 * is less than half the period, and less than PROVENANCE_TIMER_SHARE of the spread of (publication - open take).
 *
 * Measured on rclpy and rclc (docs/internals/inferred_executions.md), which also set the constants: no wrong link. A
 * publisher that a timer and a callback share may be taken for the timer's.
 *
 * Cost: for each publication of a process that infers, one sample per timer of the process. Memory: a few distributions
 * for each publisher of such a process, and the sets of candidates (PROVENANCE_CONDITIONS_MAX).
 */
#ifndef ROS2BT_FLOW_PROVENANCE_H
#define ROS2BT_FLOW_PROVENANCE_H

#include "core/flow/linked_publications.h"

#define PROVENANCE_PUBLICATIONS_MIN 5
#define PROVENANCE_PURITY 0.95
#define PROVENANCE_EXCEPTIONS_MIN 3
#define PROVENANCE_CLOSENESS 0.15
#define PROVENANCE_TIMER_SHARE 0.75
#define PROVENANCE_TIMERS_MAX 64	/* of a process */
#define PROVENANCE_CONDITIONS_MAX 60000 /* of all publishers; candidates beyond are not collected */

struct provenance *provenance_create(struct recording *recording, struct object_model *model);
void provenance_destroy(struct provenance *provenance); /* NULL is allowed */

/* A timer was created; the message of an inferred execution was taken. Call in order of time. */
void provenance_add_timer(struct provenance *provenance, uint32_t process_index, int64_t init_ns, int64_t period_ns);
void provenance_add_take(struct provenance *provenance, uint32_t thread, int64_t take_ns);

/*
 * Adds the candidates of a publication as its first parents. The publication has a known publisher and lies outside of
 * any recorded callback.
 */
void provenance_add_candidates(struct flow_linker *linker, struct linked_publication *publication);

/* See flow_linker_candidate_count() and flow_linker_holds(). */
size_t provenance_candidate_count(const struct provenance *provenance, uint32_t candidates);
bool provenance_holds(const struct provenance *provenance, uint32_t condition);

/* At the end: decides, and adds what is undecided to the diagnostics. */
void provenance_decide(struct provenance *provenance, struct diagnostics *diagnostics);

#endif
