/* SPDX-License-Identifier: MIT */
/* The bytes of one input of libFuzzer, taken from the front; 0 behind the end. */
#ifndef ROS2BT_TESTS_FUZZ_INPUT_H
#define ROS2BT_TESTS_FUZZ_INPUT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct fuzz_input {
	const uint8_t *bytes; /* borrowed */
	size_t size;	      /* left */
};

static inline uint8_t fuzz_input_byte(struct fuzz_input *input)
{
	if (input->size == 0) {
		return 0;
	}
	input->size--;
	return *input->bytes++;
}

/* Little endian. */
static inline uint64_t fuzz_input_word(struct fuzz_input *input)
{
	uint64_t word = 0;

	for (unsigned int i = 0; i < sizeof(word); i++) {
		word |= (uint64_t)fuzz_input_byte(input) << 8 * i;
	}
	return word;
}

/* A length (a byte, up to 254; 255: a byte more, in units of 256), then that many bytes without NULs; to be freed. */
static inline char *fuzz_input_text(struct fuzz_input *input)
{
	size_t length = fuzz_input_byte(input);
	GString *text = g_string_new(NULL);

	if (length == UINT8_MAX) {
		length = (size_t)fuzz_input_byte(input) << 8;
	}
	for (; length > 0 && input->size > 0; length--) {
		char character = (char)fuzz_input_byte(input);

		if (character != '\0') {
			g_string_append_c(text, character);
		}
	}
	return g_string_free(text, FALSE);
}

/* A finding: this input violates what must hold for every input. */
#define FUZZ_MUST(condition, ...)                                                                                      \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: not %s: ", __FILE__, __LINE__, #condition);                            \
			fprintf(stderr, __VA_ARGS__);                                                                  \
			fputc('\n', stderr);                                                                           \
			abort();                                                                                       \
		}                                                                                                      \
	} while (0)

#endif
