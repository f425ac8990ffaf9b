/* SPDX-License-Identifier: MIT */
/*
 * Rows of a script (scripted_source.h) with every type of message, each with and without its optional parts: times,
 * counts, packets, fields, a clock. None of our components handles its events.
 */
#ifndef ROS2BT_TESTS_EVERY_MESSAGE_H
#define ROS2BT_TESTS_EVERY_MESSAGE_H

#define EVERY_MESSAGE_DECLARATIONS                                                                                     \
	"trace every_T hostname=robot number=5\n"                                                                      \
	"trace every_U noclock\n"                                                                                      \
	"stream whole every_T packets lost lostpackets vpid:i32 vtid:i32 @cpu_id:u32\n"                                \
	"stream timeless every_T packetswithouttimes lost lostpackets lostwithouttimes\n"                              \
	"stream bare every_T\n"                                                                                        \
	"stream clockless every_U packetswithouttimes lost lostpackets\n"                                              \
	"class all whole other:all +s:u8 n:str 'a:u16[2]' 'q:i64[]' b:bool r:real f:bits e:eu32 i:ei32\n"              \
	"class none timeless other:none\n"                                                                             \
	"class one bare other:one x:u8\n"                                                                              \
	"class untimed clockless other:untimed x:u8\n"

/* From 10 to 40. */
#define EVERY_MESSAGE                                                                                                  \
	"begin whole 10\n"                                                                                             \
	"open whole 11 cpu_id=3\n"                                                                                     \
	"event whole all 12 vpid=-4 s=255 'n=two words' 'a=1;2' 'q=-1;2;3' b=1 r=0.5 f=0xff e=9 i=-9\n"                \
	"event whole all 13\n"                                                                                         \
	"close whole 14\n"                                                                                             \
	"lost whole 14 15 7\n"                                                                                         \
	"lost whole 15 16 ?\n"                                                                                         \
	"lostpackets whole 16 17 3\n"                                                                                  \
	"lostpackets whole 17 18 ?\n"                                                                                  \
	"inactivity every_T 20\n"                                                                                      \
	"begin timeless\n"                                                                                             \
	"open timeless 0\n"                                                                                            \
	"event timeless none 25\n"                                                                                     \
	"close timeless 0\n"                                                                                           \
	"lost timeless 0 0 4\n"                                                                                        \
	"lost timeless 0 0 ?\n"                                                                                        \
	"lostpackets timeless 0 0 2\n"                                                                                 \
	"lostpackets timeless 0 0 ?\n"                                                                                 \
	"end timeless\n"                                                                                               \
	"begin bare 30\n"                                                                                              \
	"event bare one 31 x=1\n"                                                                                      \
	"end bare 32\n"                                                                                                \
	"begin clockless\n"                                                                                            \
	"open clockless 0\n"                                                                                           \
	"event clockless untimed 0 x=2\n"                                                                              \
	"close clockless 0\n"                                                                                          \
	"lost clockless 0 0 1\n"                                                                                       \
	"lostpackets clockless 0 0 ?\n"                                                                                \
	"end clockless\n"                                                                                              \
	"end whole 40\n"

#endif
