/* SPDX-License-Identifier: MIT */
#include "core/model/rclcpp_use.h"

void rclcpp_use_init(struct rclcpp_use *rclcpp)
{
	rclcpp->inferable_count = 0;
	rclcpp->is_counted = g_array_new(FALSE, TRUE, sizeof(bool));
	rclcpp->has_services = g_array_new(FALSE, TRUE, sizeof(bool));
	rclcpp->has_rclcpp = g_array_new(FALSE, TRUE, sizeof(bool));
	rclcpp->has_caret = g_array_new(FALSE, TRUE, sizeof(bool));
	u64_map_init(&rclcpp->waits);
	u64_map_init(&rclcpp->callbacks);
	rclcpp->callback_origins = g_ptr_array_new_with_free_func(g_free);
}

void rclcpp_use_clear(struct rclcpp_use *rclcpp)
{
	g_array_free(rclcpp->is_counted, TRUE);
	g_array_free(rclcpp->has_services, TRUE);
	g_array_free(rclcpp->has_rclcpp, TRUE);
	g_array_free(rclcpp->has_caret, TRUE);
	u64_map_clear(&rclcpp->waits);
	u64_map_clear(&rclcpp->callbacks);
	g_ptr_array_free(rclcpp->callback_origins, TRUE);
}
