/* SPDX-License-Identifier: MIT */
/* Leaks on purpose: scripts/sanitize and scripts/valgrind must notice although Criterion calls the test passed. */
#include <criterion/criterion.h>
#include <stdlib.h>

Test(sanitizers, a_leak)
{
	volatile char *leak = malloc(17);

	leak[0] = 1;
	leak = NULL;
}
