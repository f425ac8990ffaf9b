/* SPDX-License-Identifier: MIT */
/* core/output/sqlite/sqlite_views.sql, as it is in the source, ended by NUL: for output_sqlite.c. */

	.section .rodata
	.globl sqlite_views
	.hidden sqlite_views
sqlite_views:
	.incbin "core/output/sqlite/sqlite_views.sql"
	.byte 0

	.section .note.GNU-stack, "", %progbits
