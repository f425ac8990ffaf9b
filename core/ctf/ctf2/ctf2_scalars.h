/* SPDX-License-Identifier: MIT */
/*
 * The field classes of CTF 2 that are one value: numbers and strings, and the properties that they share with others.
 * NULL or false: refused (ctf2_object.h).
 */
#ifndef ROS2BT_CTF2_SCALARS_H
#define ROS2BT_CTF2_SCALARS_H

#include "core/ctf/ctf2/ctf2_object.h"

/* `role`: NULL if it has none. */
const struct ctf_type *ctf2_integer_type(struct ctf2_reader *reader, const struct json_value *object, bool is_signed,
					 const char **role);
const struct ctf_type *ctf2_float_type(struct ctf2_reader *reader, const struct json_value *object);
const struct ctf_type *ctf2_string_type(struct ctf2_reader *reader, const struct json_value *object);
/* A byte of a string (`is_character`) or blob of known length. */
const struct ctf_type *ctf2_byte_type(struct ctf2_reader *reader, bool is_character);

/* Each value may be NULL: not given. */
bool ctf2_role(struct ctf2_reader *reader, const struct json_value *list, const char **role);
bool ctf2_is_utf8(struct ctf2_reader *reader, const struct json_value *encoding);
/* Bits: a power of two. Raises *alignment to it. */
bool ctf2_alignment(struct ctf2_reader *reader, const struct json_value *value, uint32_t *alignment);

/* [[lower, upper], …]: adds a label of this name for each. */
bool ctf2_ranges(struct ctf2_reader *reader, struct ctf_type *type, const char *name, const struct json_value *ranges);

#endif
