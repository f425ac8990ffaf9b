/* SPDX-License-Identifier: MIT */
#include "core/model/plain_objects.h"

void plain_objects_init(struct plain_objects *plain)
{
	plain->count = 0;
	plain->is_counted = g_array_new(FALSE, TRUE, sizeof(bool));
	plain->has_services = g_array_new(FALSE, TRUE, sizeof(bool));
	plain->has_rclcpp = g_array_new(FALSE, TRUE, sizeof(bool));
	plain->has_caret = g_array_new(FALSE, TRUE, sizeof(bool));
	u64_map_init(&plain->waits);
	u64_map_init(&plain->callbacks);
	plain->callback_origins = g_ptr_array_new_with_free_func(g_free);
}

void plain_objects_clear(struct plain_objects *plain)
{
	g_array_free(plain->is_counted, TRUE);
	g_array_free(plain->has_services, TRUE);
	g_array_free(plain->has_rclcpp, TRUE);
	g_array_free(plain->has_caret, TRUE);
	u64_map_clear(&plain->waits);
	u64_map_clear(&plain->callbacks);
	g_ptr_array_free(plain->callback_origins, TRUE);
}
