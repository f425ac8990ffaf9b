/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_metadata.h"

#include <string.h>

#include "core/ctf/ctf2/ctf2_metadata.h"
#include "core/events/trace_files/ctf2.h"
#include "core/events/trace_files/metadata_packets.h"
#include "core/ctf/ctf_cursor.h"
#include "core/ctf/tsdl/ctf_tsdl.h"
#include "core/ctf/trace_file.h"

#define TEXT_SIGNATURE "/* CTF 1.8"
#define PACKET_MAGIC UINT32_C(0x75D11D57)
#define METADATA_SIZE_MAX ((size_t)64 * 1024 * 1024)

/* Offsets in the header of a packet, which has no padding. */
enum {
	PACKET_UUID = 4,
	PACKET_CHECKSUM = 20,
	PACKET_CONTENT_SIZE = 24, /* bits */
	PACKET_SIZE = 28,	  /* bits */
	PACKET_SCHEMES = 32,	  /* compression, encryption, checksum: one byte each */
	PACKET_MAJOR = 35,
	PACKET_MINOR = 36,
	PACKET_HEADER_SIZE = 37,
};

static bool refuse(char **reason, const char *what)
{
	*reason = g_strdup_printf("metadata: %s", what);
	return false;
}

/* One packet's text; moves *bytes and *size behind the packet. */
static bool append_packet(GString *text, const uint8_t **bytes, size_t *size, bool is_big_endian, uint8_t uuid[16],
			  char **reason)
{
	static const uint8_t no_schemes[3] = { 0 };
	uint32_t content_size, packet_size;

	if (*size < sizeof(uint32_t) || ctf_load32(*bytes, is_big_endian) != PACKET_MAGIC) {
		return refuse(reason, text->len == 0 ? "not the metadata of a trace, which begins with " TEXT_SIGNATURE
						       " or with the magic number of a packet"
						     : "no packet where one should begin: the magic number is missing");
	}
	if (*size < PACKET_HEADER_SIZE) {
		return refuse(reason, METADATA_CUT);
	}
	content_size = ctf_load32(*bytes + PACKET_CONTENT_SIZE, is_big_endian);
	packet_size = ctf_load32(*bytes + PACKET_SIZE, is_big_endian);
	if (content_size % 8 != 0 || packet_size % 8 != 0 || content_size / 8 < PACKET_HEADER_SIZE ||
	    content_size > packet_size) {
		return refuse(reason, "a packet header holds an impossible size");
	}
	if (packet_size / 8 > *size) {
		return refuse(reason, METADATA_CUT);
	}
	if (ctf_load32(*bytes + PACKET_CHECKSUM, is_big_endian) != 0 ||
	    memcmp(*bytes + PACKET_SCHEMES, no_schemes, sizeof(no_schemes)) != 0 || (*bytes)[PACKET_MAJOR] != 1 ||
	    (*bytes)[PACKET_MINOR] != 8) {
		return refuse(reason, "a packet is not CTF 1.8, or it is compressed, encrypted or has a checksum");
	}
	if (text->len > 0 && memcmp(uuid, *bytes + PACKET_UUID, 16) != 0) {
		return refuse(reason, "packets hold the UUIDs of different traces");
	}
	memcpy(uuid, *bytes + PACKET_UUID, 16);
	g_string_append_len(text, (const char *)*bytes + PACKET_HEADER_SIZE,
			    (gssize)(content_size / 8) - PACKET_HEADER_SIZE);
	*bytes += packet_size / 8;
	*size -= packet_size / 8;
	return true;
}

/* NULL with the reason in *reason. The caller checks `uuid`, that of the packets, against that in the text. */
static GString *text_of(const uint8_t *bytes, size_t size, bool *has_uuid, uint8_t uuid[16], char **reason)
{
	g_autoptr(GString) text = g_string_new(NULL);
	bool is_big_endian;

	*has_uuid = false;
	if (size > METADATA_SIZE_MAX) {
		refuse(reason, "larger than 64 MiB");
		return NULL;
	}
	if (size >= strlen(TEXT_SIGNATURE) && memcmp(bytes, TEXT_SIGNATURE, strlen(TEXT_SIGNATURE)) == 0) {
		g_string_append_len(text, (const char *)bytes, (gssize)size);
		return g_steal_pointer(&text);
	}
	is_big_endian = size >= 4 && ctf_load32(bytes, true) == PACKET_MAGIC;
	*has_uuid = true;
	do {
		if (!append_packet(text, &bytes, &size, is_big_endian, uuid, reason)) {
			return NULL;
		}
	} while (size > 0);
	return g_steal_pointer(&text);
}

/* That of CTF 2 is one piece. */
static struct ctf_trace_class *parse_ctf2(const uint8_t *bytes, size_t size, char **reason)
{
	g_autofree char *why = NULL;
	struct ctf_trace_class *trace_class = NULL;

	if (size > METADATA_SIZE_MAX) {
		refuse(reason, "larger than 64 MiB");
		return NULL;
	}
	trace_class = ctf2_parse((const char *)bytes, size, &why);
	if (!trace_class) {
		refuse(reason, why);
	}
	return trace_class;
}

static struct ctf_trace_class *parse(const uint8_t *bytes, size_t size, char **reason)
{
	g_autoptr(GString) text = NULL;
	struct ctf_trace_class *trace_class;
	uint8_t uuid[16];
	bool has_uuid;

	text = text_of(bytes, size, &has_uuid, uuid, reason);
	if (!text) {
		return NULL;
	}
	if (strlen(text->str) != text->len) {
		refuse(reason, "the text holds a NUL byte");
		return NULL;
	}
	trace_class = tsdl_parse(text->str, text->len, reason);
	if (trace_class && has_uuid && memcmp(uuid, trace_class->uuid, sizeof(uuid)) != 0) {
		refuse(reason, "the UUID of the packets does not match the one in the metadata");
		ctf_trace_class_destroy(trace_class);
		return NULL;
	}
	return trace_class;
}

struct ctf_trace_class *ctf_metadata_load(const char *path, char **reason)
{
	g_autoptr(GError) error = NULL;
	struct trace_file *file = trace_file_open(path, &error);
	struct ctf_trace_class *trace_class = NULL;
	g_autofree uint8_t *bytes = NULL;
	size_t size;

	if (!file) {
		*reason = g_strdup(error->message);
		return NULL;
	}
	size = (size_t)MIN(trace_file_size(file), METADATA_SIZE_MAX + 1);
	bytes = g_malloc(size);
	trace_file_read(file, 0, bytes, size);
	trace_class = ctf2_is_metadata(bytes, size) ? parse_ctf2(bytes, size, reason) : parse(bytes, size, reason);
	trace_file_close(file);
	return trace_class;
}
