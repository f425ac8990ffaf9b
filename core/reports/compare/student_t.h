/* SPDX-License-Identifier: MIT */
/* Student's t and the normal distribution: how far from its mean something lies by chance. */
#ifndef ROS2BT_STUDENT_T_H
#define ROS2BT_STUDENT_T_H

#include <stddef.h>

/* The value that Student's t exceeds on either side with the probability alpha, with this many degrees of freedom. */
double student_t(double alpha, size_t freedom);

/* The value that a standard normal variable exceeds with the probability alpha, and the probability of a value. */
double normal_quantile(double alpha);
double normal_beyond(double value);

#endif
