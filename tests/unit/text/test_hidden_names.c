/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/text/hidden_names.h"

Test(hidden_names, are_those_of_the_machinery)
{
	static const char *const hidden[] = { "/rosout",	   "/parameter_events",
					      "/_hidden",	   "/arm/_action/status",
					      "/a > /rosout > /b", "/a >> /x/_action/feedback > /b" };
	static const char *const shown[] = { "/rosout_agg", "/chatter", "/my_topic", "/a > /b", "", "_plain", "main" };

	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++) {
		cr_assert(name_is_hidden(hidden[i]), "%s", hidden[i]);
	}
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		cr_assert_not(name_is_hidden(shown[i]), "%s", shown[i]);
	}
}
