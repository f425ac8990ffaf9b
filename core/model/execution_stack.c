/* SPDX-License-Identifier: MIT */
#include "core/model/execution_stack.h"

#include <glib.h>

struct open_execution **execution_stack_outermost(struct execution_stack *stack)
{
	struct open_execution **link = &stack->innermost;

	g_assert(*link);
	while ((*link)->outer) {
		link = &(*link)->outer;
	}
	return link;
}

struct open_execution **execution_stack_find_ambiguous(struct execution_stack *stack, uint64_t callback)
{
	struct open_execution **oldest = NULL;

	for (struct open_execution **link = &stack->innermost; *link; link = &(*link)->outer) {
		if ((*link)->is_ambiguous && (*link)->execution.callback->address == callback) {
			oldest = link;
		}
	}
	return oldest;
}

void execution_stack_note_loss(struct execution_stack *stack)
{
	for (struct open_execution *frame = stack->innermost; frame; frame = frame->outer) {
		frame->has_loss = true;
	}
}
