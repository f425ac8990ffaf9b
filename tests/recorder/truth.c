/* SPDX-License-Identifier: MIT */
#include "truth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tracing.h"

static struct {
	const struct plan *plan;
	FILE *callbacks, *publications, *receptions, *paths;
} files;

static FILE *open_file(const char *what, const char *header)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s-%d.csv", files.plan->options->truth, what, getpid());
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(1);
	}
	if (files.plan->options->kill_after > 0) {
		setvbuf(file, NULL, _IOLBF, 0);
	}
	fprintf(file, "%s\n", header);
	return file;
}

void truth_open(const struct plan *plan)
{
	files.plan = plan;
	if (!plan->options->truth) {
		return;
	}
	files.callbacks =
		open_file("callbacks", "node,kind,source,callback,is_intra_process,vtid,start_from_ns,start_to_ns,"
				       "end_from_ns,end_to_ns,start_phase,end_phase");
	files.publications = open_file("publications", "topic,node,number,kind,source_timestamp,publish_from_ns,"
						       "publish_to_ns,phase");
	files.receptions =
		open_file("receptions", "topic,number,publisher_node,publisher_vpid,node,kind,source_timestamp,"
					"publish_from_ns,publish_to_ns,take_from_ns,take_to_ns,"
					"start_from_ns,start_to_ns,is_recorded");
	files.paths = open_file("paths", "path,hops,origin_from_ns,origin_to_ns,end_from_ns,end_to_ns,is_recorded");
}

void truth_close(void)
{
	FILE *all[] = { files.callbacks, files.publications, files.receptions, files.paths };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i] && fclose(all[i]) != 0) {
			perror("recorder: truth");
			_exit(1);
		}
	}
}

static void print_bracket(FILE *file, const struct bracket *bracket)
{
	fprintf(file, ",%" PRId64 ",%" PRId64, bracket->from_ns, bracket->to_ns);
}

void truth_callback(const struct callback_truth *truth)
{
	FILE *file = files.callbacks;

	if (!file) {
		return;
	}
	flockfile(file);
	fprintf(file, "%s,%s,%s,0x%" PRIx64 ",%d,%d", files.plan->nodes[truth->node].full_name, truth->kind,
		truth->source, truth->callback, truth->is_intra_process, gettid());
	print_bracket(file, &truth->start);
	print_bracket(file, &truth->end);
	fprintf(file, ",%u,%u\n", truth->start_phase, truth->end_phase);
	funlockfile(file);
}

static const char *topic_of(const struct message *message)
{
	return files.plan->publishers[message->publisher].topic;
}

static const char *publisher_node(const struct message *message)
{
	return files.plan->nodes[files.plan->publishers[message->publisher].node].full_name;
}

void truth_publication(const struct message *message, bool is_intra)
{
	FILE *file = files.publications;

	if (!file) {
		return;
	}
	flockfile(file);
	fprintf(file, "%s,%s,%" PRIu64 ",%s,%" PRId64, topic_of(message), publisher_node(message), message->number,
		is_intra ? "intra_process" : "inter_process", message->source_timestamp);
	print_bracket(file, &message->published);
	fprintf(file, ",%u\n", tracing_phase());
	funlockfile(file);
}

void truth_reception(const struct message *message, uint32_t subscription, const struct bracket *take,
		     const struct bracket *start, bool is_recorded)
{
	const struct subscription_plan *receiver = &files.plan->subscriptions[subscription];
	FILE *file = files.receptions;

	if (!file) {
		return;
	}
	flockfile(file);
	fprintf(file, "%s,%" PRIu64 ",%s,%d,%s,%s,%" PRId64, topic_of(message), message->number,
		publisher_node(message), message->publisher_vpid, files.plan->nodes[receiver->node].full_name,
		receiver->is_intra ? "intra_process" : "inter_process", message->source_timestamp);
	print_bracket(file, &message->published);
	print_bracket(file, take);
	print_bracket(file, start);
	fprintf(file, ",%d\n", is_recorded);
	funlockfile(file);
}

static void print_end_of_path(const struct message *message, uint32_t last_node, uint32_t hops,
			      const struct bracket *end, bool is_recorded)
{
	fprintf(files.paths, "%s,%u", files.plan->nodes[last_node].full_name, hops);
	print_bracket(files.paths, &message->origin);
	print_bracket(files.paths, end);
	fprintf(files.paths, ",%d\n", is_recorded);
}

void truth_path(const struct message *message, uint32_t last_node, const struct bracket *end, bool is_recorded)
{
	const struct plan *plan = files.plan;

	if (!files.paths) {
		return;
	}
	flockfile(files.paths);
	for (uint16_t i = 0; i < message->trail_length; i++) {
		const struct publisher_plan *publisher = &plan->publishers[message->trail[i]];

		fprintf(files.paths, "%s > %s > ", plan->nodes[publisher->node].full_name, publisher->topic);
	}
	print_end_of_path(message, last_node, message->trail_length, end, is_recorded);
	funlockfile(files.paths);
}

void truth_request_path(const struct message *request, const struct bracket *end, bool is_recorded)
{
	const struct client_plan *client = &files.plan->clients[request->client];
	const struct service_plan *service = &files.plan->services[client->service];

	if (!files.paths) {
		return;
	}
	flockfile(files.paths);
	fprintf(files.paths, "%s > %s > ", files.plan->nodes[client->node].full_name, service->name);
	print_end_of_path(request, service->node, 1, end, is_recorded);
	funlockfile(files.paths);
}
