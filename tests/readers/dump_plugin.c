/* SPDX-License-Identifier: MIT */
/*
 * A plugin with a sink of any number of ports that writes each message it receives: sink.dump.messages, each message
 * with its fields as a line of text (message_text.h). For the comparison of a muxer's order with that of the merge.
 */
#include <stdio.h>

#include "core/bt/merge/message_merge.h"
#include "support/message_text.h"

#pragma GCC visibility push(default)
BT_PLUGIN_MODULE();
#pragma GCC visibility pop

BT_PLUGIN(dump);

static bt_component_class_initialize_method_status initialize(bt_self_component_sink *self,
							      bt_self_component_sink_configuration *configuration,
							      const bt_value *params, void *data)
{
	/* the status enumerations give one meaning one number (func-status.h) */
	return (int)message_merge_add_port(self);
}

static bt_component_class_port_connected_method_status
port_connected(bt_self_component_sink *self, bt_self_component_port_input *port, const bt_port_output *other)
{
	return (int)message_merge_add_port(self);
}

static bt_component_class_sink_graph_is_configured_method_status graph_is_configured(bt_self_component_sink *self)
{
	struct message_merge *merge = NULL;
	int status = message_merge_create(self, &merge);

	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), merge);
	return status;
}

static bt_component_class_sink_consume_method_status consume(bt_self_component_sink *self)
{
	struct message_merge *merge = bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
	const bt_message *message;
	int status = message_merge_next(merge, &message);

	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
		GString *text = g_string_new(NULL);

		message_text_append(text, message);
		fputs(text->str, stdout);
		g_string_free(text, TRUE);
		bt_message_put_ref(message);
	}
	return status;
}

static void finalize(bt_self_component_sink *self)
{
	message_merge_destroy(bt_self_component_get_data(bt_self_component_sink_as_self_component(self)));
}

BT_PLUGIN_SINK_COMPONENT_CLASS(messages, consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(messages, initialize);
BT_PLUGIN_SINK_COMPONENT_CLASS_INPUT_PORT_CONNECTED_METHOD(messages, port_connected);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(messages, graph_is_configured);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(messages, finalize);
