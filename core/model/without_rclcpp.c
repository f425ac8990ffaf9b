/* SPDX-License-Identifier: MIT */
#include "core/model/without_rclcpp.h"

const size_t *object_model_inferable_count(const struct object_model *model)
{
	return &model->rclcpp.inferable_count;
}

/* --- subscriptions --- */

static void count_subscription(struct object_model *model, const struct model_subscription *subscription)
{
	if (!model_get_flag(model->rclcpp.is_counted, subscription->index)) {
		model_set_flag(model->rclcpp.is_counted, subscription->index);
		model->rclcpp.inferable_count += !subscription->has_rclcpp;
	}
}

static void mark_subscription(struct object_model *model, struct model_subscription *subscription)
{
	if (!subscription->has_rclcpp) {
		subscription->has_rclcpp = true;
		model->rclcpp.inferable_count -= model_get_flag(model->rclcpp.is_counted, subscription->index);
	}
}

/* Calls a function for each object of a definition: two if a take was recorded before the definition. */
static void foreach_object(struct object_model *model, uint32_t process, const struct definition *subscription,
			   void (*call)(struct object_model *model, struct model_subscription *object))
{
	call(model, subscription->object);
	for (struct definition *by_rmw =
		     model_newest(model, process, DEFINITION_SUBSCRIPTION_BY_RMW, subscription->word[ENDPOINT_RMW]);
	     by_rmw; by_rmw = by_rmw->older) {
		if (by_rmw->is_defined && by_rmw->word[REFERENCE] == (uint64_t)(uintptr_t)subscription &&
		    by_rmw->object && by_rmw->object != subscription->object) {
			call(model, by_rmw->object);
		}
	}
}

static void count_object(struct object_model *model, struct model_subscription *object)
{
	count_subscription(model, object);
}

void model_note_subscription(struct object_model *model, uint32_t process, uint64_t handle)
{
	struct definition *newest = model_newest(model, process, DEFINITION_SUBSCRIPTION, handle);

	for (struct definition *subscription = newest; subscription; subscription = subscription->older) {
		if (subscription->is_defined) {
			foreach_object(model, process, subscription, count_object);
		}
	}
	for (struct definition *part = model_newest(model, process, DEFINITION_SUBSCRIPTION_PART, handle); part;
	     part = part->older) {
		struct definition *subscription =
			part->is_defined ? definition_at_or_from(newest, part->since_ns) : NULL;

		if (subscription && subscription->is_defined) {
			foreach_object(model, process, subscription, mark_subscription);
		}
	}
}

/* --- processes --- */

void model_note_service(struct object_model *model, uint32_t process)
{
	if (!model_get_flag(model->rclcpp.has_services, process)) {
		model_set_flag(model->rclcpp.has_services, process);
		model->rclcpp.inferable_count += !model_get_flag(model->rclcpp.has_rclcpp, process);
	}
}

void model_note_rclcpp(struct object_model *model, uint32_t process)
{
	if (!model_get_flag(model->rclcpp.has_rclcpp, process)) {
		model_set_flag(model->rclcpp.has_rclcpp, process);
		model->rclcpp.inferable_count -= model_get_flag(model->rclcpp.has_services, process);
	}
}

void model_note_caret(struct object_model *model, uint32_t process)
{
	model_note_rclcpp(model, process);
	model_set_flag(model->rclcpp.has_caret, process);
}

/* Whether any event of rclcpp or CARET was recorded of the process. */
static bool has_rclcpp(const struct object_model *model, uint32_t process)
{
	return model_get_flag(model->rclcpp.has_rclcpp, process);
}

/* --- callbacks --- */

static struct model_callback *callback_of(struct object_model *model, const struct model_endpoint *endpoint,
					  enum callback_owner owner)
{
	struct rclcpp_use *rclcpp = &model->rclcpp;
	uint64_t key = (uint64_t)(uintptr_t)endpoint;
	struct model_callback *callback = u64_map_get_pointer(&rclcpp->callbacks, key);

	if (!callback) {
		struct definition *definition = g_malloc0(sizeof(*definition) + 2 * sizeof(definition->word[0]));

		callback = (struct model_callback *)model_add_object(model, MODEL_CALLBACK, endpoint->process);
		definition->is_defined = true;
		definition->since_ns = endpoint->since_ns;
		definition->object = callback;
		definition->word[CALLBACK_OWNER] = owner;
		definition->word[CALLBACK_OWNER_ADDRESS] = key;
		g_ptr_array_add(rclcpp->callback_origins, definition);
		model_kinds[MODEL_CALLBACK].complete((struct model_object *)callback, definition);
		callback->since_ns = endpoint->since_ns;
		callback->is_defined = true;
		u64_map_set_pointer(&rclcpp->callbacks, key, callback);
	}
	return callback;
}

struct model_callback *object_model_inferred_subscription(struct object_model *model,
							  struct model_subscription *subscription)
{
	if (!subscription->is_defined || subscription->has_rclcpp ||
	    model_get_flag(model->rclcpp.has_caret, subscription->process)) {
		return NULL;
	}
	return callback_of(model, &subscription->endpoint, OWNER_INFERRED_SUBSCRIPTION);
}

struct model_callback *object_model_polled_subscription(struct object_model *model,
							struct model_subscription *subscription)
{
	return callback_of(model, &subscription->endpoint, OWNER_INFERRED_SUBSCRIPTION);
}

struct model_callback *object_model_inferred_service(struct object_model *model, struct model_service *service)
{
	if (!service->is_defined || has_rclcpp(model, service->process)) {
		return NULL;
	}
	return callback_of(model, &service->endpoint, OWNER_INFERRED_SERVICE);
}

/* --- timers --- */

/* False if the period cannot be that of waits, as one of a thousand days. */
static bool wait_key(uint32_t process, int64_t period_ns, uint64_t *key)
{
	*key = (uint64_t)process << 48 | (uint64_t)period_ns;
	return period_ns > 0 && period_ns >> 48 == 0 && process >> 16 == 0;
}

void model_note_timer(struct object_model *model, uint32_t process, int64_t period_ns, bool is_at_old_address)
{
	uint64_t key;

	if (wait_key(process, period_ns, &key)) {
		u64_map_count(&model->rclcpp.waits, key, (UINT64_C(1) << 32) + is_at_old_address);
	}
}

bool object_model_is_wait_period(const struct object_model *model, uint32_t process, int64_t period_ns)
{
	uint64_t key;
	uint64_t counts;

	if (!wait_key(process, period_ns, &key) || has_rclcpp(model, process)) {
		return false;
	}
	counts = u64_map_get(&model->rclcpp.waits, key);
	if (counts == U64_MAP_NONE) {
		return false;
	}
	return counts >> 32 >= WAIT_TIMERS_SURE ||
	       (counts >> 32 >= WAIT_TIMERS_MIN && (uint32_t)counts >= (counts >> 32) / 2);
}
