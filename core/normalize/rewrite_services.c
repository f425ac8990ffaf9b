/* SPDX-License-Identifier: MIT */
/* The rules for services and clients, their requests and responses. */
#include "core/normalize/rewrite.h"

/* --- definitions --- */

static bool has_node(const struct rewrite *rewrite, uint64_t node)
{
	return rewrite_is_related(rewrite, NODE, node);
}

void rewrite_rcl_service_init(struct rewrite *rewrite)
{
	const uint64_t *word = rewrite->input->word;
	uint64_t service = word[RCL_SERVICE_INIT__service_handle];

	rewrite_relate(rewrite, SERVICE_OF_RMW, word[RCL_SERVICE_INIT__rmw_service_handle], service);
	rewrite_relate(rewrite, NAME_OF_SERVICE, service, word[RCL_SERVICE_INIT__service_name]);
	rewrite_unrelate(rewrite, SERVICE_WITH_CALLBACK, service);
	rewrite_unrelate(rewrite, SERVICE_WITH_NODE, service);
	if (has_node(rewrite, word[RCL_SERVICE_INIT__node_handle])) {
		rewrite_relate(rewrite, SERVICE_WITH_NODE, service, 0);
	}
	rewrite_pass(rewrite);
}

void rewrite_rclcpp_service_callback_added(struct rewrite *rewrite)
{
	rewrite_relate(rewrite, SERVICE_WITH_CALLBACK,
		       rewrite->input->word[RCLCPP_SERVICE_CALLBACK_ADDED__service_handle], 0);
	rewrite_pass(rewrite);
}

void rewrite_rmw_client_init(struct rewrite *rewrite)
{
	rewrite_relate(rewrite, WAITING_RMW_CLIENT, rewrite->input->word[RMW_CLIENT_INIT__rmw_client_handle],
		       pointer_word(record_string(rewrite->input, RMW_CLIENT_INIT__gid)));
	rewrite_pass(rewrite);
}

void rewrite_rcl_client_init(struct rewrite *rewrite)
{
	const uint64_t *word = rewrite->input->word;
	uint64_t rmw_client = word[RCL_CLIENT_INIT__rmw_client_handle];
	uint64_t gid = rewrite_unrelate(rewrite, WAITING_RMW_CLIENT, rmw_client);

	if (gid != 0 && has_node(rewrite, word[RCL_CLIENT_INIT__node_handle])) {
		rewrite_relate(rewrite, GID_OF_CLIENT, rmw_client, gid);
	}
	rewrite_pass(rewrite);
}

/*
 * rclpy, rclc and the action servers of rclcpp take requests without a callback of the service. The service stands for
 * its callback: by its address, which is no callback's, and by its name.
 */
static void supply_callback(struct rewrite *rewrite, uint64_t service)
{
	struct event_record *added = rewrite_add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCLCPP_SERVICE_CALLBACK_ADDED);
	struct event_record *registered;

	record_set(added, RCLCPP_SERVICE_CALLBACK_ADDED__service_handle, service);
	record_set(added, RCLCPP_SERVICE_CALLBACK_ADDED__callback, service);
	registered = rewrite_add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCLCPP_CALLBACK_REGISTER);
	record_set(registered, RCLCPP_CALLBACK_REGISTER__callback, service);
	record_set(registered, RCLCPP_CALLBACK_REGISTER__symbol, rewrite_related(rewrite, NAME_OF_SERVICE, service));
	rewrite_relate(rewrite, SERVICE_WITH_CALLBACK, service, 0);
}

/* --- requests and responses --- */

static bool completes(const struct rewrite *rewrite)
{
	return rewrite->normalizer->options.completes;
}

/* Adds the input, which uses a service, and before it the callback that the service lacks. */
static void pass_use(struct rewrite *rewrite, uint64_t service)
{
	if (completes(rewrite) && rewrite_is_related(rewrite, NAME_OF_SERVICE, service) &&
	    !rewrite_is_related(rewrite, SERVICE_WITH_CALLBACK, service)) {
		supply_callback(rewrite, service);
	}
	rewrite_pass(rewrite);
}

static bool drops_empty_take(const struct rewrite *rewrite, unsigned int taken_slot)
{
	return rewrite->normalizer->options.drops_empty_takes && !rewrite->input->word[taken_slot];
}

void rewrite_rmw_send_request(struct rewrite *rewrite)
{
	const uint64_t *word = rewrite->input->word;
	uint64_t gid = rewrite_related(rewrite, GID_OF_CLIENT, word[RMW_SEND_REQUEST__rmw_client_handle]);

	if (completes(rewrite) && gid != U64_MAP_NONE) {
		sent_calls_add_request(rewrite->normalizer->calls, (const void *)(uintptr_t)gid,
				       (int64_t)word[RMW_SEND_REQUEST__sequence_number]);
	}
	rewrite_pass(rewrite);
}

/* Whether Trace Compass would look for the sending of a request or response, and not find it. */
static bool lacks_request(const struct rewrite *rewrite, uint64_t service)
{
	return completes(rewrite) && service != U64_MAP_NONE &&
	       !sent_calls_has_request(rewrite->normalizer->calls,
				       record_string(rewrite->input, RMW_TAKE_REQUEST__client_gid),
				       (int64_t)rewrite->input->word[RMW_TAKE_REQUEST__sequence_number]);
}

static bool lacks_response(const struct rewrite *rewrite, uint64_t gid)
{
	return completes(rewrite) && gid != U64_MAP_NONE &&
	       !sent_calls_take_response(rewrite->normalizer->calls, (const void *)(uintptr_t)gid,
					 (int64_t)rewrite->input->word[RMW_TAKE_RESPONSE__sequence_number],
					 (int64_t)rewrite->input->word[RMW_TAKE_RESPONSE__source_timestamp]);
}

void rewrite_rmw_take_request(struct rewrite *rewrite)
{
	uint64_t service =
		rewrite_related(rewrite, SERVICE_OF_RMW, rewrite->input->word[RMW_TAKE_REQUEST__rmw_service_handle]);

	if (!drops_empty_take(rewrite, RMW_TAKE_REQUEST__taken) && !lacks_request(rewrite, service)) {
		pass_use(rewrite, service);
	}
}

void rewrite_rmw_send_response(struct rewrite *rewrite)
{
	const uint64_t *word = rewrite->input->word;
	uint64_t service = rewrite_related(rewrite, SERVICE_OF_RMW, word[RMW_SEND_RESPONSE__rmw_service_handle]);

	if (completes(rewrite) && rewrite_is_related(rewrite, SERVICE_WITH_NODE, service)) {
		sent_calls_add_response(
			rewrite->normalizer->calls, record_string(rewrite->input, RMW_SEND_RESPONSE__client_gid),
			(int64_t)word[RMW_SEND_RESPONSE__sequence_number], (int64_t)word[RMW_SEND_RESPONSE__timestamp]);
	}
	pass_use(rewrite, service);
}

void rewrite_rmw_take_response(struct rewrite *rewrite)
{
	uint64_t gid =
		rewrite_related(rewrite, GID_OF_CLIENT, rewrite->input->word[RMW_TAKE_RESPONSE__rmw_client_handle]);

	if (!drops_empty_take(rewrite, RMW_TAKE_RESPONSE__taken) && !lacks_response(rewrite, gid)) {
		rewrite_pass(rewrite);
	}
}
