/* SPDX-License-Identifier: MIT */
/*
 * The head of the first packet of a stream file, as LTTng writes it since 2.8, in CTF 1.8 and CTF 2 alike (header:
 * magic, UUID, stream id, stream instance id; context: begin, end, sizes, sequence number). For streams that
 * babeltrace2 reads: it knows the sequence numbers of packets but does not tell them, so that nobody behind it sees
 * whether packets are missing before the first one.
 */
#ifndef ROS2BT_FIRST_PACKET_H
#define ROS2BT_FIRST_PACKET_H

#include <stdbool.h>
#include <stdint.h>

struct first_packet {
	uint64_t begin; /* ticks of the trace's clock */
	uint64_t sequence_number;
};

/*
 * False if the file cannot be read or does not begin with such a packet: then nothing is known. That the packet has
 * this layout and not another one, such as that of sink.ctf.fs, is known by its size: another packet begins behind it,
 * or the file ends. Reads 77 bytes.
 */
bool first_packet_read(const char *path, struct first_packet *packet);

#endif
