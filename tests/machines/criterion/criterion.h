/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for Criterion on machines for which Debian does not have it (scripts/test-on-machines): what the tests of
 * this project use of it, with the same meaning. Each test runs in a process of its own; a test that is killed has
 * failed. What differs: there is no limit of time and no option on the command line, and a suite is declared in the
 * file of its tests.
 *
 * Exit status: 0 if no test failed, otherwise 1.
 */
#ifndef STAND_IN_CRITERION_H
#define STAND_IN_CRITERION_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct stand_in_options {
	void (*init)(void);
	void (*fini)(void);
	double timeout; /* not used */
};

/* A test, or a suite: that has no function. */
struct stand_in {
	const char *suite;
	const char *name;
	void (*run)(void);
	struct stand_in_options options;
	struct stand_in *next;
};

#define STAND_IN_SKIPPED 77

static struct stand_in *stand_ins;
static struct stand_in **stand_ins_end = &stand_ins;
static bool stand_in_has_failed;

static inline void stand_in_register(struct stand_in *one)
{
	*stand_ins_end = one;
	stand_ins_end = &one->next;
}

__attribute__((format(printf, 4, 5))) static inline void stand_in_fail(bool is_last, const char *place,
								       const char *what, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: %s:", place, what);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	stand_in_has_failed = true;
	if (is_last) {
		fflush(NULL);
		_exit(1);
	}
}

static inline const struct stand_in_options *stand_in_suite(const char *name)
{
	static const struct stand_in_options none;

	for (const struct stand_in *one = stand_ins; one; one = one->next) {
		if (!one->run && strcmp(one->suite, name) == 0) {
			return &one->options;
		}
	}
	return &none;
}

static inline void stand_in_call(void (*function)(void))
{
	if (function) {
		function();
	}
}

/* The status of the process of a test, as waitpid() gives it. */
static inline int stand_in_run(const struct stand_in *test)
{
	const struct stand_in_options *suite = stand_in_suite(test->suite);
	int status = 1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		stand_in_call(suite->init);
		stand_in_call(test->options.init);
		test->run();
		stand_in_call(test->options.fini);
		stand_in_call(suite->fini);
		fflush(NULL);
		_exit(stand_in_has_failed);
	}
	return child > 0 && waitpid(child, &status, 0) == child ? status : 1;
}

int main(void)
{
	unsigned int count = 0, failed = 0, skipped = 0;

	for (const struct stand_in *one = stand_ins; one; one = one->next) {
		int status;

		if (!one->run) {
			continue;
		}
		count++;
		status = stand_in_run(one);
		if (WIFEXITED(status) && WEXITSTATUS(status) == STAND_IN_SKIPPED) {
			skipped++;
		} else if (status != 0) {
			failed++;
			printf("[FAIL] %s::%s%s\n", one->suite, one->name,
			       WIFSIGNALED(status) ? ": killed by a signal" : "");
		}
	}
	printf("[====] Synthesis: Tested: %u | Passing: %u | Failing: %u | Skipped: %u\n", count,
	       count - failed - skipped, failed, skipped);
	return failed > 0;
}

#define STAND_IN_REGISTER(identifier, suite_name, test_name, function, ...)                                            \
	__attribute__((constructor)) static void identifier(void)                                                      \
	{                                                                                                              \
		static struct stand_in one = { suite_name, test_name, function, { __VA_ARGS__ }, NULL };               \
		stand_in_register(&one);                                                                               \
	}
#define TestSuite(suite, ...) STAND_IN_REGISTER(stand_in_suite_##suite, #suite, NULL, NULL, __VA_ARGS__) struct stand_in
#define Test(suite, test, ...)                                                                                         \
	static void stand_in_run_##suite##_##test(void);                                                               \
	STAND_IN_REGISTER(stand_in_test_##suite##_##test, #suite, #test, stand_in_run_##suite##_##test, __VA_ARGS__)   \
	static void stand_in_run_##suite##_##test(void)

#define STAND_IN_TEXT(number) #number
#define STAND_IN_LINE(number) STAND_IN_TEXT(number)
#define STAND_IN_PLACE __FILE__ ":" STAND_IN_LINE(__LINE__)
/* The message is made only if it is needed: it may be about what is not there. */
#define STAND_IN(is_last, is_right, what, ...)                                                                         \
	((is_right) ? (void)0 : stand_in_fail(is_last, STAND_IN_PLACE, what, " " __VA_ARGS__))
#define STAND_IN_STRING_EQ(is_last, is_equal, a, b, ...)                                                               \
	do {                                                                                                           \
		const char *stand_in_a = (a), *stand_in_b = (b);                                                       \
		bool stand_in_are_equal = strcmp(stand_in_a, stand_in_b) == 0;                                         \
		if (stand_in_are_equal != (is_equal)) {                                                                \
			fprintf(stderr, "\"%s\" and \"%s\"\n", stand_in_a, stand_in_b);                                \
		}                                                                                                      \
		STAND_IN(is_last, stand_in_are_equal == (is_equal), #a ", " #b, __VA_ARGS__);                          \
	} while (0)

#define cr_log_info(...) ((void)0)
#define cr_skip(...) _exit(STAND_IN_SKIPPED)
#define cr_assert_fail(...) (STAND_IN(true, false, "fail", __VA_ARGS__), abort())

#define cr_assert(is_right, ...) STAND_IN(true, is_right, #is_right, __VA_ARGS__)
#define cr_assert_not(is_wrong, ...) STAND_IN(true, !(is_wrong), "not " #is_wrong, __VA_ARGS__)
#define cr_assert_null(a, ...) STAND_IN(true, (a) == NULL, #a " is null", __VA_ARGS__)
#define cr_assert_not_null(a, ...) STAND_IN(true, (a) != NULL, #a " is not null", __VA_ARGS__)
#define cr_assert_eq(a, b, ...) STAND_IN(true, (a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...) STAND_IN(true, (a) != (b), #a " != " #b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...) STAND_IN(true, (a) < (b), #a " < " #b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...) STAND_IN(true, (a) <= (b), #a " <= " #b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...) STAND_IN(true, (a) > (b), #a " > " #b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...) STAND_IN(true, (a) >= (b), #a " >= " #b, __VA_ARGS__)
#define cr_assert_float_eq(a, b, epsilon, ...) STAND_IN(true, fabs((a) - (b)) <= (epsilon), #a " ~ " #b, __VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...) STAND_IN(true, memcmp(a, b, size) == 0, #a " == " #b, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) STAND_IN_STRING_EQ(true, true, a, b, __VA_ARGS__)
#define cr_assert_str_neq(a, b, ...) STAND_IN_STRING_EQ(true, false, a, b, __VA_ARGS__)

#define cr_expect(is_right, ...) STAND_IN(false, is_right, #is_right, __VA_ARGS__)
#define cr_expect_not(is_wrong, ...) STAND_IN(false, !(is_wrong), "not " #is_wrong, __VA_ARGS__)
#define cr_expect_null(a, ...) STAND_IN(false, (a) == NULL, #a " is null", __VA_ARGS__)
#define cr_expect_not_null(a, ...) STAND_IN(false, (a) != NULL, #a " is not null", __VA_ARGS__)
#define cr_expect_eq(a, b, ...) STAND_IN(false, (a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...) STAND_IN(false, (a) != (b), #a " != " #b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...) STAND_IN(false, (a) < (b), #a " < " #b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...) STAND_IN(false, (a) <= (b), #a " <= " #b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...) STAND_IN(false, (a) > (b), #a " > " #b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...) STAND_IN(false, (a) >= (b), #a " >= " #b, __VA_ARGS__)
#define cr_expect_str_empty(a, ...) STAND_IN(false, (a)[0] == '\0', #a " is empty", __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) STAND_IN_STRING_EQ(false, true, a, b, __VA_ARGS__)
#define cr_expect_str_neq(a, b, ...) STAND_IN_STRING_EQ(false, false, a, b, __VA_ARGS__)

#endif
