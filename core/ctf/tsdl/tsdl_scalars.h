/* SPDX-License-Identifier: MIT */
/* The types of TSDL that are one value, from behind their keyword on. NULL: refused (tsdl_parser.h). */
#ifndef ROS2BT_TSDL_SCALARS_H
#define ROS2BT_TSDL_SCALARS_H

#include "core/ctf/tsdl/tsdl_parser.h"

const struct ctf_type *tsdl_parse_integer(struct tsdl_parser *parser);
const struct ctf_type *tsdl_parse_floating_point(struct tsdl_parser *parser);
const struct ctf_type *tsdl_parse_string(struct tsdl_parser *parser);

#endif
