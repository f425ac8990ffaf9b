/* SPDX-License-Identifier: MIT */
#include "core/flow/guessed_takes.h"

#include "core/base/slots.h"

struct guessed_take {
	const void *of; /* the subscription or service; NULL: none so far */
	bool is_wrong;
};

bool guessed_takes_start(struct flow_linker *linker, const struct flow_thread *thread,
			 const struct model_callback *callback, const void *of)
{
	struct guessed_take *guess;

	guess = array_at(linker->guessed_takes, struct guessed_take, callback->index);
	if (of) {
		guess->is_wrong |= guess->of && guess->of != of;
		guess->of = of;
	} else {
		guess->is_wrong |= linker->has_takes && !thread->is_cut;
	}
	return of && !guess->is_wrong;
}

GArray *guessed_takes_create(void)
{
	return g_array_new(FALSE, TRUE, sizeof(struct guessed_take));
}
