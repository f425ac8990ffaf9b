/* SPDX-License-Identifier: MIT */
/* Numbers as text for programs, the same in every locale. */
#ifndef ROS2BT_NUMBER_TEXT_H
#define ROS2BT_NUMBER_TEXT_H

#include <stdint.h>

#define NUMBER_TEXT_SIZE 352 /* the longest real, with its NUL */

/* The returned text is within `buffer`, not necessarily at its start. */
const char *number_text_integer(char buffer[NUMBER_TEXT_SIZE], int64_t value);
const char *number_text_unsigned(char buffer[NUMBER_TEXT_SIZE], uint64_t value);
const char *number_text_address(char buffer[NUMBER_TEXT_SIZE], uint64_t value); /* 0x… */
const char *number_text_real(char buffer[NUMBER_TEXT_SIZE], double value);	/* three decimals; "" if not finite */

#endif
