/* SPDX-License-Identifier: MIT */
#include "core/normalize/look_ahead.h"

#include <glib.h>

struct look_ahead *look_ahead_create(struct recording *recording, bool are_kept)
{
	struct look_ahead *ahead = g_new0(struct look_ahead, 1);

	ahead->stamps = publication_stamps_create(recording, are_kept);
	ahead->takes = inferred_takes_create(recording, are_kept);
	return ahead;
}

void look_ahead_destroy(struct look_ahead *ahead)
{
	if (ahead) {
		publication_stamps_destroy(ahead->stamps);
		inferred_takes_destroy(ahead->takes);
		g_free(ahead);
	}
}

void look_ahead_learn(struct look_ahead *ahead, const struct event_record *record)
{
	publication_stamps_learn(ahead->stamps, record);
	inferred_takes_learn(ahead->takes, record);
}

void look_ahead_finish(struct look_ahead *ahead)
{
	publication_stamps_finish(ahead->stamps);
	inferred_takes_finish(ahead->takes);
}

void look_ahead_rewind(struct look_ahead *ahead)
{
	publication_stamps_rewind(ahead->stamps);
	inferred_takes_rewind(ahead->takes);
}
