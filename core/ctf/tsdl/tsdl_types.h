/* SPDX-License-Identifier: MIT */
/*
 * The types of TSDL. Nesting is limited; what a variant or the length of a sequence depends on is an integer member
 * before it, in this structure or one around it. NULL or false: refused (tsdl_parser.h).
 */
#ifndef ROS2BT_TSDL_TYPES_H
#define ROS2BT_TSDL_TYPES_H

#include "core/ctf/tsdl/tsdl_parser.h"

const struct ctf_type *tsdl_parse_type(struct tsdl_parser *parser);
/* Behind the keyword: typealias TYPE := NAME; */
bool tsdl_parse_typealias(struct tsdl_parser *parser);

#endif
