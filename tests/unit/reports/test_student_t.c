/* SPDX-License-Identifier: MIT */
#include "core/reports/compare/student_t.h"

#include <criterion/criterion.h>

Test(student_t, it_is_that_of_tables)
{
	cr_assert_float_eq(student_t(0.025, 1), 12.7062, 1e-3);
	cr_assert_float_eq(student_t(0.025, 2), 4.3027, 1e-3);
	cr_assert_float_eq(student_t(0.025, 10), 2.2281, 1e-3);
	cr_assert_float_eq(student_t(0.005, 29), 2.7564, 1e-3);
	cr_assert_float_eq(student_t(0.0005, 20), 3.8495, 1e-3);
	cr_assert_float_eq(student_t(0.025, 100000), 1.9600, 1e-3);
}

Test(student_t, the_normal_distribution_is_that_of_tables)
{
	cr_assert_float_eq(normal_quantile(0.025), 1.959964, 1e-6);
	cr_assert_float_eq(normal_beyond(1.959964), 0.025, 1e-7);
}
