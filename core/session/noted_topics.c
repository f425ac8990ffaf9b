/* SPDX-License-Identifier: MIT */
#include "core/session/noted_topics.h"

#include "core/base/name_filter.h"
#include "ros2bt/model/object_model.h"

void noted_topics_note(const struct object_model *model, const struct name_filter *topics)
{
	if (!topics) {
		return;
	}
	for (size_t i = 0; i < object_model_publisher_count(model); i++) {
		name_filter_note(topics, object_model_publisher_at(model, i)->topic);
	}
	for (size_t i = 0; i < object_model_subscription_count(model); i++) {
		name_filter_note(topics, object_model_subscription_at(model, i)->topic);
	}
	for (size_t i = 0; i < object_model_service_count(model); i++) {
		name_filter_note(topics, object_model_service_at(model, i)->name);
	}
}
