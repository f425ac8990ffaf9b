/* SPDX-License-Identifier: MIT */
/*
 * A source component that plays a script, for graphs in tests. A script is text, one row a line, words separated by
 * blanks and quoted as in a shell; "#" begins a comment.
 *
 *   trace T [KEY=VALUE…]
 *       environment entries; the trace's clock by frequency=, offset= (seconds), cycles= (offset), uuid= (a byte that
 *       fills it), or noclock, or unknownorigin; the trace's UUID by traceuuid= (a byte that fills it)
 *   stream A T [OPTION…] [FIELD…]
 *       options: packets, packetswithouttimes, lost (supports discarded events), lostpackets, lostwithouttimes, id=
 *       (of the stream); fields of the event common context, with a leading "@" of the packet context
 *   class C A NAME [FIELD…]
 *       an event class: payload fields, with a leading "+" of the specific context
 *   begin A [TIME] · end A [TIME]
 *   open A TIME [FIELD=VALUE…] · close A TIME
 *   event A C TIME [FIELD=VALUE…]
 *       fields not given are 0, "" or empty
 *   lost A FROM TO COUNT · lostpackets A FROM TO COUNT
 *       COUNT may be "?"
 *   inactivity T TIME
 *   again · fail
 *       the iterator answers so, once
 *   norewind
 *       the iterator cannot seek its beginning
 *
 * An iterator that is asked again after its end, without a seek, fails. Times are ticks. FIELD is NAME:TYPE of u8 u16
 * u32 u64 i8 i16 i32 i64 eu32 ei32 (enumerations) bool bits (16 of them) str real, TYPE[N] an array, TYPE[] a sequence;
 * their values are separated by ";".
 */
#ifndef ROS2BT_TESTS_SCRIPTED_SOURCE_H
#define ROS2BT_TESTS_SCRIPTED_SOURCE_H

#include <babeltrace2/babeltrace.h>

/* Adds the source to the graph; aborts the test on an error in the script. Its one port is "out". */
const bt_component_source *scripted_source_add(bt_graph *graph, const char *name, const char *script);

#endif
