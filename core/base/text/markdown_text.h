/* SPDX-License-Identifier: MIT */
/*
 * Texts in GitHub-flavoured Markdown, in a cell of a table or elsewhere in a line, so that nothing in them is taken for
 * its markup. What GitHub and GitLab find outside code besides remains: mentions, references such as #1, addresses,
 * :emoji: and $math$, in sentences and in names that cannot be code, as they have a grave accent or a bar.
 */
#ifndef ROS2BT_MARKDOWN_TEXT_H
#define ROS2BT_MARKDOWN_TEXT_H

#include <glib.h>

/* A name, as code where Markdown allows it. */
void markdown_text_append_name(GString *line, const char *name);
/* A sentence. */
void markdown_text_append(GString *line, const char *text);

#endif
