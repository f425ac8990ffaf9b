/* SPDX-License-Identifier: MIT */
#include "core/bt/clock_identity.h"

#include <glib.h>
#include <string.h>

bool clock_identity(const bt_clock_class *clock_class, uint64_t mip_version, uint8_t identity[16])
{
	if (mip_version == 0) {
		bt_uuid uuid = bt_clock_class_get_uuid(clock_class);

		if (uuid) {
			memcpy(identity, uuid, 16);
		}
		return uuid != NULL;
	}
#ifdef HAVE_BT2_MIP1
	const char *uid = bt_clock_class_get_uid(clock_class);

	if (uid) {
		g_autoptr(GChecksum) digest = g_checksum_new(G_CHECKSUM_MD5);
		gsize size = 16;

		g_checksum_update(digest, (const guchar *)uid, -1);
		g_checksum_get_digest(digest, identity, &size);
		return true;
	}
#endif
	return false;
}

bool clocks_have_same_origin(const bt_clock_class *one, const bt_clock_class *other, uint64_t mip_version)
{
	uint8_t one_identity[16] = { 0 }, other_identity[16] = { 0 };
	bool is_since_epoch = bt_clock_class_origin_is_unix_epoch(one);

	if (is_since_epoch || bt_clock_class_origin_is_unix_epoch(other)) {
		return is_since_epoch == (bool)bt_clock_class_origin_is_unix_epoch(other);
	}
	return clock_identity(one, mip_version, one_identity) == clock_identity(other, mip_version, other_identity) &&
	       memcmp(one_identity, other_identity, sizeof(one_identity)) == 0;
}
