/* SPDX-License-Identifier: MIT */
#include "core/flow/service.h"

#include "core/flow/notes.h"
#include "core/flow/publish.h"
#include "core/flow/settle.h"
#include "core/flow/take.h"
#include "core/flow/take_links.h"

/*
 * A hash of gid, sequence number and direction in one word. The gid is a pointer into the string pool. Different keys
 * may have the same hash by chance, so take_links.c compares the parts.
 */
static uint64_t request_key(const char *client_gid, int64_t sequence_number, bool is_response)
{
	return (uint64_t)(uintptr_t)client_gid ^ (uint64_t)sequence_number * UINT64_C(0xD6E8FEB86659FD93) ^
	       (is_response ? UINT64_C(1) << 63 : 0);
}

static struct linked_publication *begin(struct flow_linker *linker, struct flow_thread *thread, const char *client_gid,
					int64_t sequence_number)
{
	struct linked_publication *publication = flow_publish_begin(linker, thread, linker->now_ns);

	publication->client_gid = client_gid;
	publication->sequence_number = sequence_number;
	return publication;
}

static void end(struct flow_linker *linker, struct linked_publication *publication, bool is_response)
{
	uint64_t key = request_key(publication->client_gid, publication->sequence_number, is_response);

	if (linker->keeps_notes) {
		flow_note_offer(linker, flow_note_create(linker, publication));
	}
	publication->is_open = false;
	take_links_key_is_known(linker, publication, key);
	linked_publication_release(linker, publication);
}

static void send_request(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint32_t process = thread->process_index;
	struct model_client *client = object_model_find_client_by_rmw(
		linker->model, process, record->word[RMW_SEND_REQUEST__rmw_client_handle], record->time_ns);
	struct linked_publication *publication;

	if (!client || !client->gid) {
		return;
	}
	publication = begin(linker, thread, client->gid, (int64_t)record->word[RMW_SEND_REQUEST__sequence_number]);
	publication->public.client = client;
	end(linker, publication, false);
}

static void take_request(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint32_t process = thread->process_index;
	struct flow_take *take = flow_take_next(linker, thread);

	take->client_gid = record_string(record, RMW_TAKE_REQUEST__client_gid);
	take->sequence_number = (int64_t)record->word[RMW_TAKE_REQUEST__sequence_number];
	take->delivery.take_ns = record->time_ns;
	take->delivery.service = object_model_find_service_by_rmw(
		linker->model, process, record->word[RMW_TAKE_REQUEST__rmw_service_handle], record->time_ns);
	if (record->word[RMW_TAKE_REQUEST__taken] && take->client_gid) {
		take->key = request_key(take->client_gid, take->sequence_number, false);
		flow_take_begin(linker, thread);
	}
}

static void send_response(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint32_t process = thread->process_index;
	struct model_service *service = object_model_find_service_by_rmw(
		linker->model, process, record->word[RMW_SEND_RESPONSE__rmw_service_handle], record->time_ns);
	const char *client_gid = record_string(record, RMW_SEND_RESPONSE__client_gid);
	struct linked_publication *publication;

	if (!service || !client_gid) {
		return;
	}
	publication = begin(linker, thread, client_gid, (int64_t)record->word[RMW_SEND_RESPONSE__sequence_number]);
	publication->public.service = service;
	end(linker, publication, true);
}

/* No callback of a client is recorded: the flow ends here. */
static void take_response(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint32_t process = thread->process_index;
	struct model_client *client = object_model_find_client_by_rmw(
		linker->model, process, record->word[RMW_TAKE_RESPONSE__rmw_client_handle], record->time_ns);
	struct flow_take *take = flow_take_next(linker, thread);

	if (!record->word[RMW_TAKE_RESPONSE__taken] || !client || !client->gid) {
		return;
	}
	take->client_gid = client->gid;
	take->sequence_number = (int64_t)record->word[RMW_TAKE_RESPONSE__sequence_number];
	take->is_response = true;
	take->delivery.take_ns = record->time_ns;
	take->delivery.client = client;
	take->key = request_key(take->client_gid, take->sequence_number, true);
	flow_take_begin(linker, thread);
	flow_take_drop(linker, thread);
}

G_GNUC_NO_INLINE void flow_service_feed(struct flow_linker *linker, struct flow_thread *thread,
					const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_RMW_SEND_REQUEST:
		send_request(linker, thread, record);
		break;
	case EVENT_RMW_TAKE_REQUEST:
		flow_settle_close_open(linker, thread);
		take_request(linker, thread, record);
		break;
	case EVENT_RMW_SEND_RESPONSE:
		send_response(linker, thread, record);
		break;
	case EVENT_RMW_TAKE_RESPONSE:
		flow_settle_close_open(linker, thread);
		take_response(linker, thread, record);
		break;
	default:
		break;
	}
}
