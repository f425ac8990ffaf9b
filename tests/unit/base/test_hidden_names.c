/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/base/text/hidden_names.h"

Test(hidden_names, are_those_of_the_machinery)
{
	static const char *const hidden[] = { "/rosout",
					      "/parameter_events",
					      "/_hidden",
					      "/arm/_action/status",
					      "/a > /rosout > /b",
					      "/a >> /x/_action/feedback > /b",
					      "/caret_trace_8e11c1e7",
					      "/caret/status" };
	static const char *const shown[] = { "/rosout_agg", "/chatter", "/my_topic",	 "/a > /b",	   "",
					     "_plain",	    "main",	"/caret_tracer", "/caret/statuses" };

	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++) {
		cr_assert(name_is_hidden(hidden[i]), "%s", hidden[i]);
	}
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		cr_assert_not(name_is_hidden(shown[i]), "%s", shown[i]);
	}
}
