/* SPDX-License-Identifier: MIT */
/*
 * Publications without a recorded stamp (Humble, Iron): which one does a take's source timestamp belong to?
 *
 * The stamp is taken within microseconds of the rmw_publish event (measured on Humble with Cyclone DDS: 0.1 to 53 µs
 * after it; with Jazzy's layout just before it), but by another clock: CLOCK_REALTIME, against the trace's clock plus
 * an offset that was sampled once. So the distance stamp − event is learnt from links that are beyond doubt: the
 * nearest publication of the topic, ten times nearer than the second. Its median follows the drift of the clocks. A
 * publication is accepted when it is the only one of its topic within the learnt range, or much nearer to the median
 * than any other one; never farther than 1 ms or half the way to its neighbours.
 *
 * core/normalize/publication_stamps.h answers the same question by a simpler rule: the latest publication at or before
 * the stamp, within 1 ms. It gives each publication its stamp for good and sees all takes of the next seconds; this
 * file sees a take once, can leave it open, and must also hold where the clocks have drifted apart, so that a stamp may
 * lie before its event. tests/flow/compare_inference.c compares both on recordings.
 *
 * Cost: O(unsettled publications of the topic without stamp) for a take.
 */
#ifndef ROS2BT_FLOW_INFER_H
#define ROS2BT_FLOW_INFER_H

#include "core/flow/state.h"

struct inference *inference_create(void);
void inference_destroy(struct inference *inference);

/* The publication of a release that records no stamps: a candidate. */
void flow_infer_add(struct flow_linker *linker, struct linked_publication *publication);

/* The publication of the topic that the stamp belongs to; NULL: none (yet), or *is_ambiguous: never to be decided. */
struct linked_publication *flow_infer(struct flow_linker *linker, struct flow_topic *topic, int64_t stamp,
				      bool *is_ambiguous);

#endif
