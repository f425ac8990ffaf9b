/* SPDX-License-Identifier: MIT */
#include "ros2bt/events/recording.h"

#include <glib.h>
#include <string.h>

#include "core/events/stream_packets.h"
#include "ros2bt/base/u64_map.h"

/* A scope of ids: the vpids of a (host, pid namespace), or the (vpid, vtid) pairs of a (trace, pid namespace). */
struct scope {
	uint32_t owner; /* host or trace */
	bool has_pid_ns;
	uint64_t pid_ns;
	struct u64_map ids; /* → index of process or thread */
};

struct trace_entry {
	struct recording_trace public;
	uint32_t process;     /* of all its events without a vpid, RECORDING_NONE until there is one */
	const char *procname; /* env, in the pool, may be NULL */
	uint32_t last_scope;  /* index into thread_scopes, RECORDING_NONE if none yet */
};

struct host_entry {
	struct recording_host public;
	bool has_uuid;
	uint8_t uuid[16];
};

struct stream_entry {
	uint32_t trace;
	struct stream_packets packets;
	uint32_t cpu;	 /* of the first packet, RECORDING_NONE if it names none */
	bool has_packet; /* the CPU of a packet is known */
};

struct recording {
	struct string_pool *pool;     /* borrowed */
	bool lacks[EVENT_KIND_COUNT]; /* no metadata has the kind */
	struct arena *arena;
	GArray *hosts;		 /* struct host_entry */
	GArray *traces;		 /* struct trace_entry */
	GArray *streams;	 /* struct stream_entry */
	size_t late_streams;	 /* those with lost_before > 0 */
	GArray *processes;	 /* struct recording_process */
	GArray *threads;	 /* struct recording_thread */
	GArray *unknown_classes; /* struct recording_unknown_class */
	GArray *process_scopes;	 /* struct scope */
	GArray *thread_scopes;	 /* struct scope */
	GArray *ids;		 /* struct recording_context */
	GArray *ids_scopes;	 /* struct scope */
};

static void scope_clear(gpointer scope)
{
	u64_map_clear(&((struct scope *)scope)->ids);
}

struct recording *recording_create(struct string_pool *pool)
{
	struct recording *recording = g_new0(struct recording, 1);

	recording->pool = pool;
	recording->arena = arena_create();
	recording->hosts = g_array_new(FALSE, TRUE, sizeof(struct host_entry));
	recording->traces = g_array_new(FALSE, TRUE, sizeof(struct trace_entry));
	recording->streams = g_array_new(FALSE, TRUE, sizeof(struct stream_entry));
	recording->processes = g_array_new(FALSE, TRUE, sizeof(struct recording_process));
	recording->threads = g_array_new(FALSE, TRUE, sizeof(struct recording_thread));
	recording->unknown_classes = g_array_new(FALSE, TRUE, sizeof(struct recording_unknown_class));
	recording->process_scopes = g_array_new(FALSE, TRUE, sizeof(struct scope));
	recording->thread_scopes = g_array_new(FALSE, TRUE, sizeof(struct scope));
	recording->ids = g_array_new(FALSE, TRUE, sizeof(struct recording_context));
	recording->ids_scopes = g_array_new(FALSE, TRUE, sizeof(struct scope));
	g_array_set_clear_func(recording->ids_scopes, scope_clear);
	g_array_set_clear_func(recording->process_scopes, scope_clear);
	g_array_set_clear_func(recording->thread_scopes, scope_clear);
	return recording;
}

void recording_destroy(struct recording *recording)
{
	if (!recording) {
		return;
	}
	arena_destroy(recording->arena);
	g_array_free(recording->hosts, TRUE);
	g_array_free(recording->traces, TRUE);
	g_array_free(recording->streams, TRUE);
	g_array_free(recording->processes, TRUE);
	g_array_free(recording->threads, TRUE);
	g_array_free(recording->unknown_classes, TRUE);
	g_array_free(recording->process_scopes, TRUE);
	g_array_free(recording->thread_scopes, TRUE);
	g_array_free(recording->ids, TRUE);
	g_array_free(recording->ids_scopes, TRUE);
	g_free(recording);
}

struct string_pool *recording_pool(struct recording *recording)
{
	return recording->pool;
}

struct arena *recording_arena(struct recording *recording)
{
	return recording->arena;
}

static uint32_t find_or_add_host(struct recording *recording, const struct recording_trace_info *info)
{
	struct host_entry host = { .public.hostname =
					   string_pool_intern(recording->pool, info->hostname ? info->hostname : "") };

	if (info->clock_uuid) {
		host.has_uuid = true;
		memcpy(host.uuid, info->clock_uuid, sizeof(host.uuid));
	}
	if (host.has_uuid || host.public.hostname[0] != '\0') {
		for (guint i = 0; i < recording->hosts->len; i++) {
			const struct host_entry *other = &g_array_index(recording->hosts, struct host_entry, i);

			if (other->public.hostname == host.public.hostname && other->has_uuid == host.has_uuid &&
			    memcmp(other->uuid, host.uuid, sizeof(host.uuid)) == 0) {
				return i;
			}
		}
	}
	g_array_append_val(recording->hosts, host);
	return recording->hosts->len - 1;
}

uint32_t recording_add_trace(struct recording *recording, const struct recording_trace_info *info)
{
	struct trace_entry trace = {
		.public.host = find_or_add_host(recording, info),
		.public.name = string_pool_intern(recording->pool, info->name ? info->name : ""),
		.public.is_kernel = info->is_kernel,
		.process = RECORDING_NONE,
		.public.has_vpid = info->has_vpid,
		.public.vpid = info->vpid,
		.procname = info->procname ? string_pool_intern(recording->pool, info->procname) : NULL,
		.last_scope = RECORDING_NONE,
	};

	g_array_append_val(recording->traces, trace);
	return recording->traces->len - 1;
}

uint16_t recording_add_stream(struct recording *recording, uint32_t trace)
{
	struct stream_entry stream = { .trace = trace, .cpu = RECORDING_NONE };

	stream_packets_init(&stream.packets);
	if (recording->streams->len > RECORDING_STREAM_MAX) {
		return RECORDING_STREAM_MAX;
	}
	g_array_append_val(recording->streams, stream);
	return (uint16_t)(recording->streams->len - 1);
}

void recording_set_stream_cpu(struct recording *recording, uint16_t stream, uint64_t cpu)
{
	struct stream_entry *entry = &g_array_index(recording->streams, struct stream_entry, stream);
	uint32_t named = cpu < RECORDING_NONE && stream != RECORDING_STREAM_MAX ? (uint32_t)cpu : RECORDING_NONE;

	entry->cpu = !entry->has_packet || entry->cpu == named ? named : RECORDING_NONE;
	entry->has_packet = true;
}

static struct stream_packets *packets_of(const struct recording *recording, uint16_t stream)
{
	return &g_array_index(recording->streams, struct stream_entry, stream).packets;
}

void recording_packet_begins(struct recording *recording, uint16_t stream, int64_t time_ns)
{
	stream_packets_begin(packets_of(recording, stream), recording->arena, time_ns);
}

void recording_packet_ends(struct recording *recording, uint16_t stream, int64_t time_ns)
{
	stream_packets_end(packets_of(recording, stream), time_ns);
}

void recording_packets_are_lost(struct recording *recording, uint16_t stream)
{
	stream_packets_lose(packets_of(recording, stream));
}

void recording_set_stream_has_more(struct recording *recording, uint16_t stream, bool has)
{
	packets_of(recording, stream)->has_more = has && stream != RECORDING_STREAM_MAX;
}

void recording_set_stream_lost_before(struct recording *recording, uint16_t stream, uint64_t packets, int64_t begin_ns)
{
	struct stream_packets *of = packets_of(recording, stream);

	/* of streams that share an index, nothing is known of one */
	if (stream == RECORDING_STREAM_MAX || of->lost_before > 0) {
		return;
	}
	of->first_begin_ns = begin_ns;
	of->lost_before = packets;
	recording->late_streams += packets > 0;
}

void recording_set_stream_has_switches(struct recording *recording, uint16_t stream)
{
	packets_of(recording, stream)->has_switches = stream != RECORDING_STREAM_MAX;
}

void recording_set_stream_has_definitions_only(struct recording *recording, uint16_t stream, bool has)
{
	packets_of(recording, stream)->has_definitions_only = has && stream != RECORDING_STREAM_MAX;
}

const struct stream_packets *recording_stream_packets(const struct recording *recording, uint16_t stream)
{
	return packets_of(recording, stream);
}

const size_t *recording_late_streams(const struct recording *recording)
{
	return &recording->late_streams;
}

void recording_set_lacks(struct recording *recording, const bool *lacks)
{
	memcpy(recording->lacks, lacks, sizeof(recording->lacks));
}

bool recording_lacks(const struct recording *recording, enum event_kind kind)
{
	return recording->lacks[kind];
}

static uint32_t find_or_add_scope(GArray *scopes, uint32_t owner, const struct recording_context *context)
{
	struct scope scope = {
		.owner = owner,
		.has_pid_ns = context->has_pid_ns,
		.pid_ns = context->has_pid_ns ? context->pid_ns : 0,
	};

	for (guint i = 0; i < scopes->len; i++) {
		const struct scope *other = &g_array_index(scopes, struct scope, i);

		if (other->owner == owner && other->has_pid_ns == scope.has_pid_ns && other->pid_ns == scope.pid_ns) {
			return i;
		}
	}
	u64_map_init(&scope.ids);
	g_array_append_val(scopes, scope);
	return scopes->len - 1;
}

static struct scope *thread_scope(struct recording *recording, struct trace_entry *trace, uint32_t trace_index,
				  const struct recording_context *context)
{
	if (trace->last_scope != RECORDING_NONE) {
		struct scope *scope = &g_array_index(recording->thread_scopes, struct scope, trace->last_scope);

		if (scope->has_pid_ns == context->has_pid_ns &&
		    (!scope->has_pid_ns || scope->pid_ns == context->pid_ns)) {
			return scope;
		}
	}
	trace->last_scope = find_or_add_scope(recording->thread_scopes, trace_index, context);
	return &g_array_index(recording->thread_scopes, struct scope, trace->last_scope);
}

static uint64_t thread_key(const struct recording_context *context)
{
	uint64_t vpid = context->has_vpid ? (uint32_t)context->vpid : UINT32_MAX;
	uint64_t vtid = context->has_vtid ? (uint32_t)context->vtid : UINT32_MAX;

	return vpid << 32 | vtid;
}

uint32_t recording_find_thread(struct recording *recording, uint32_t trace, const struct recording_context *context)
{
	struct trace_entry *entry = &g_array_index(recording->traces, struct trace_entry, trace);
	uint64_t index = u64_map_get(&thread_scope(recording, entry, trace, context)->ids, thread_key(context));

	return index == U64_MAP_NONE ? RECORDING_NONE : (uint32_t)index;
}

static uint32_t add_process(struct recording *recording, const struct recording_process *process)
{
	g_array_append_val(recording->processes, *process);
	return recording->processes->len - 1;
}

/* The process of all events of a trace without vpids. */
static uint32_t process_of_trace(struct recording *recording, uint32_t trace_index)
{
	struct trace_entry *trace = &g_array_index(recording->traces, struct trace_entry, trace_index);

	if (trace->process == RECORDING_NONE) {
		struct recording_process process = {
			.host = trace->public.host,
			.procname = trace->procname ? trace->procname : string_pool_intern(recording->pool, ""),
		};

		trace->process = add_process(recording, &process);
	}
	return trace->process;
}

static uint32_t process_of_vpid(struct recording *recording, uint32_t host, const struct recording_context *context)
{
	uint32_t scope_index = find_or_add_scope(recording->process_scopes, host, context);
	struct scope *scope = &g_array_index(recording->process_scopes, struct scope, scope_index);
	uint64_t found = u64_map_get(&scope->ids, (uint32_t)context->vpid);
	struct recording_process process = {
		.host = host,
		.has_vpid = true,
		.vpid = context->vpid,
		.pid_ns = context->has_pid_ns ? context->pid_ns : 0,
		.procname = string_pool_intern(recording->pool, ""),
	};

	if (found != U64_MAP_NONE) {
		return (uint32_t)found;
	}
	u64_map_set(&scope->ids, (uint32_t)context->vpid, recording->processes->len);
	return add_process(recording, &process);
}

uint32_t recording_add_thread(struct recording *recording, uint32_t trace, const struct recording_context *context,
			      const char *procname)
{
	struct trace_entry *entry = &g_array_index(recording->traces, struct trace_entry, trace);
	struct recording_context complete = *context;
	struct recording_thread thread = { .trace = trace, .has_vtid = context->has_vtid, .vtid = context->vtid };
	struct recording_process *process;

	if (!complete.has_vpid && entry->public.has_vpid) {
		complete.has_vpid = true;
		complete.vpid = entry->public.vpid;
	}
	thread.process = complete.has_vpid ? process_of_vpid(recording, entry->public.host, &complete)
					   : process_of_trace(recording, trace);
	process = &g_array_index(recording->processes, struct recording_process, thread.process);
	if (procname && procname[0] != '\0') {
		bool is_main_thread = thread.has_vtid && process->has_vpid && thread.vtid == process->vpid;

		if (is_main_thread || process->procname[0] == '\0') {
			process->procname = string_pool_intern(recording->pool, procname);
		}
	} else if (process->procname[0] == '\0' && entry->procname) {
		process->procname = entry->procname;
	}
	entry = &g_array_index(recording->traces, struct trace_entry, trace);
	u64_map_set(&thread_scope(recording, entry, trace, context)->ids, thread_key(context), recording->threads->len);
	g_array_append_val(recording->threads, thread);
	return recording->threads->len - 1;
}

void recording_name_process(struct recording *recording, uint32_t thread, const char *procname, size_t length)
{
	const struct recording_thread *of = recording_thread(recording, thread);
	struct recording_process *process = &g_array_index(recording->processes, struct recording_process, of->process);
	g_autofree char *name = NULL;

	if (!procname || length == 0 || procname[0] == '\0' || process->has_node || !of->has_vtid ||
	    !process->has_vpid || of->vtid != process->vpid) {
		return;
	}
	name = g_strndup(procname, length);
	process->procname = string_pool_intern(recording->pool, name);
	process->has_node = true;
}

uint32_t recording_add_ids(struct recording *recording, const struct recording_context *context)
{
	uint32_t scope_index = find_or_add_scope(recording->ids_scopes, 0, context);
	struct u64_map *ids = &g_array_index(recording->ids_scopes, struct scope, scope_index).ids;
	uint64_t found = u64_map_get(ids, thread_key(context));

	if (found != U64_MAP_NONE) {
		return (uint32_t)found;
	}
	u64_map_set(ids, thread_key(context), recording->ids->len);
	g_array_append_val(recording->ids, *context);
	return recording->ids->len - 1;
}

uint32_t recording_add_unknown_class(struct recording *recording, const char *name, const char *reason)
{
	struct recording_unknown_class unknown = {
		.name = string_pool_intern(recording->pool, name),
		.reason = string_pool_intern(recording->pool, reason),
	};

	for (guint i = 0; i < recording->unknown_classes->len; i++) {
		const struct recording_unknown_class *other =
			&g_array_index(recording->unknown_classes, struct recording_unknown_class, i);

		if (other->name == unknown.name && other->reason == unknown.reason) {
			return i;
		}
	}
	g_array_append_val(recording->unknown_classes, unknown);
	return recording->unknown_classes->len - 1;
}

void recording_count_unknown(struct recording *recording, uint32_t unknown_class)
{
	g_array_index(recording->unknown_classes, struct recording_unknown_class, unknown_class).count++;
}

size_t recording_host_count(const struct recording *recording)
{
	return recording->hosts->len;
}

size_t recording_trace_count(const struct recording *recording)
{
	return recording->traces->len;
}

size_t recording_stream_count(const struct recording *recording)
{
	return recording->streams->len;
}

size_t recording_process_count(const struct recording *recording)
{
	return recording->processes->len;
}

size_t recording_thread_count(const struct recording *recording)
{
	return recording->threads->len;
}

size_t recording_ids_count(const struct recording *recording)
{
	return recording->ids->len;
}

size_t recording_unknown_class_count(const struct recording *recording)
{
	return recording->unknown_classes->len;
}

const struct recording_host *recording_host(const struct recording *recording, uint32_t index)
{
	return &g_array_index(recording->hosts, struct host_entry, index).public;
}

const struct recording_trace *recording_trace(const struct recording *recording, uint32_t index)
{
	return &g_array_index(recording->traces, struct trace_entry, index).public;
}

uint32_t recording_stream_trace(const struct recording *recording, uint16_t stream)
{
	return g_array_index(recording->streams, struct stream_entry, stream).trace;
}

uint32_t recording_stream_cpu(const struct recording *recording, uint16_t stream)
{
	return g_array_index(recording->streams, struct stream_entry, stream).cpu;
}

const struct recording_process *recording_process(const struct recording *recording, uint32_t index)
{
	return &g_array_index(recording->processes, struct recording_process, index);
}

char *recording_process_text(const struct recording *recording, uint32_t index)
{
	const struct recording_process *process = recording_process(recording, index);
	const char *hostname = recording_host(recording, process->host)->hostname;
	const char *procname = process->procname[0] != '\0' ? process->procname : "unknown process";
	g_autofree char *vpid = process->has_vpid ? g_strdup_printf(" (vpid %d)", process->vpid) : g_strdup("");
	bool needs_host = recording->hosts->len > 1 && hostname[0] != '\0';

	return g_strconcat(procname, vpid, needs_host ? " on " : "", needs_host ? hostname : "", NULL);
}

const struct recording_thread *recording_thread(const struct recording *recording, uint32_t index)
{
	return &g_array_index(recording->threads, struct recording_thread, index);
}

const struct recording_context *recording_ids(const struct recording *recording, uint32_t index)
{
	return &g_array_index(recording->ids, struct recording_context, index);
}

const struct recording_unknown_class *recording_unknown_class(const struct recording *recording, uint32_t index)
{
	return &g_array_index(recording->unknown_classes, struct recording_unknown_class, index);
}
