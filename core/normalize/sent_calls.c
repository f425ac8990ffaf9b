/* SPDX-License-Identifier: MIT */
#include "core/normalize/sent_calls.h"

#include <glib.h>

#include "ros2bt/base/u64_map.h"

/* Sequence numbers from first to last. */
struct range {
	int64_t first, last;
};

struct client {
	GArray *requests;	  /* struct range, ascending; neither overlapping nor adjacent */
	struct u64_map responses; /* response_key() → sequence number */
};

struct sent_calls {
	struct u64_map clients; /* gid → struct client * */
};

struct sent_calls *sent_calls_create(void)
{
	struct sent_calls *calls = g_new0(struct sent_calls, 1);

	u64_map_init(&calls->clients);
	return calls;
}

static void client_destroy(struct client *client)
{
	g_array_free(client->requests, TRUE);
	u64_map_clear(&client->responses);
	g_free(client);
}

void sent_calls_destroy(struct sent_calls *calls)
{
	uint64_t key, value;

	for (size_t position = 0; u64_map_next(&calls->clients, &position, &key, &value);) {
		client_destroy((struct client *)(uintptr_t)value);
	}
	u64_map_clear(&calls->clients);
	g_free(calls);
}

static struct client *find_client(const struct sent_calls *calls, const void *gid)
{
	return u64_map_get_pointer(&calls->clients, (uintptr_t)gid);
}

static struct client *get_client(struct sent_calls *calls, const void *gid)
{
	struct client *client = find_client(calls, gid);

	if (!client) {
		client = g_new0(struct client, 1);
		client->requests = g_array_new(FALSE, FALSE, sizeof(struct range));
		u64_map_init(&client->responses);
		u64_map_set_pointer(&calls->clients, (uintptr_t)gid, client);
	}
	return client;
}

static struct range *range_at(const GArray *ranges, guint index)
{
	return &g_array_index(ranges, struct range, index);
}

/* The number of ranges that begin at or before the sequence number. */
static guint count_up_to(const GArray *ranges, int64_t number)
{
	guint low = 0, high = ranges->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (range_at(ranges, middle)->first <= number) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static bool has_number(const GArray *ranges, int64_t number)
{
	guint count = count_up_to(ranges, number);

	return count > 0 && number <= range_at(ranges, count - 1)->last;
}

static void add_number(GArray *ranges, int64_t number)
{
	guint next = count_up_to(ranges, number);
	struct range *before = next > 0 ? range_at(ranges, next - 1) : NULL;
	struct range *after = next < ranges->len ? range_at(ranges, next) : NULL;
	struct range range = { number, number };

	if (before && number <= before->last) {
		return;
	}
	if (before && before->last == number - 1) {
		before->last = number;
		if (after && after->first - 1 == number) {
			before->last = after->last;
			g_array_remove_index(ranges, next);
		}
	} else if (after && after->first - 1 == number) {
		after->first = number;
	} else {
		g_array_insert_val(ranges, next, range);
		if (ranges->len > SENT_RANGES_MAX) {
			g_array_remove_index(ranges, 0);
		}
	}
}

void sent_calls_add_request(struct sent_calls *calls, const void *gid, int64_t sequence_number)
{
	add_number(get_client(calls, gid)->requests, sequence_number);
}

bool sent_calls_has_request(const struct sent_calls *calls, const void *gid, int64_t sequence_number)
{
	const struct client *client = find_client(calls, gid);

	return client && has_number(client->requests, sequence_number);
}

/* With the sequence number, which is the entry's value, it determines the timestamp. */
static uint64_t response_key(int64_t sequence_number, int64_t timestamp)
{
	return (uint64_t)timestamp + (uint64_t)sequence_number * UINT64_C(0x9E3779B97F4A7C15);
}

void sent_calls_add_response(struct sent_calls *calls, const void *gid, int64_t sequence_number, int64_t timestamp)
{
	struct client *client = find_client(calls, gid);

	if (client && (uint64_t)sequence_number != U64_MAP_NONE) {
		u64_map_set(&client->responses, response_key(sequence_number, timestamp), (uint64_t)sequence_number);
	}
}

bool sent_calls_take_response(struct sent_calls *calls, const void *gid, int64_t sequence_number, int64_t timestamp)
{
	struct client *client = find_client(calls, gid);
	uint64_t key = response_key(sequence_number, timestamp);

	if (!client || u64_map_get(&client->responses, key) != (uint64_t)sequence_number ||
	    (uint64_t)sequence_number == U64_MAP_NONE) {
		return false;
	}
	u64_map_remove(&client->responses, key);
	return true;
}
