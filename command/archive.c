/* SPDX-License-Identifier: MIT */
#include "command/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/archive_library.h"

#define ENTRIES_MAX 1000000
#define TAR_END 1024 /* bytes of zeros */

struct unpacking {
	const struct archive_unpacking *task;
	const struct archive_library *library;
	struct archive *archive;
	uint64_t bytes;
	size_t entry_count, left_out_count;
	int64_t data_end; /* of the last entry, in the unpacked archive */
	bool has_metadata;
	char *left_out; /* the first entry that was left out, and why */
	char *nested;	/* the first archive within */
};

/* For a message: names in archives are whatever somebody wrote there. */
static char *printable(const char *name)
{
	g_autofree char *valid = g_utf8_make_valid(name, -1);
	GString *text = g_string_new(NULL);

	for (const char *c = valid; *c; c = g_utf8_next_char(c)) {
		gunichar character = g_utf8_get_char(c);

		g_string_append_unichar(text, g_unichar_iscntrl(character) ? '?' : character);
	}
	return g_string_free(text, FALSE);
}

static bool fail(const struct unpacking *unpacking, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);

static bool fail(const struct unpacking *unpacking, GError **error, const char *format, ...)
{
	g_autofree char *reason = NULL;
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	reason = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	text = printable(reason);
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", unpacking->task->path, text);
	return false;
}

static bool fail_to_write(const struct unpacking *unpacking, const char *name, GError **error)
{
	int reason = errno;

	return fail(unpacking, error, "cannot unpack %s to %s: %s%s", name, g_get_tmp_dir(), g_strerror(reason),
		    reason == ENOSPC ? "; TMPDIR may name a directory with more space" : "");
}

/* Of libarchive, whose texts are not always there. */
static bool fail_to_read(const struct unpacking *unpacking, GError **error)
{
	const char *reason = unpacking->library->error_string(unpacking->archive);

	return fail(unpacking, error, "cannot be unpacked: %s", reason ? reason : "the archive is broken");
}

static void leave_out(struct unpacking *unpacking, const char *name, const char *why)
{
	g_autofree char *text = printable(name);

	unpacking->left_out = unpacking->left_out ? unpacking->left_out : g_strdup_printf("%s (%s)", text, why);
	unpacking->left_out_count++;
}

/* By errno: what contradicts another name, or is too long, is left out; all else says nothing about the archive. */
static bool leave_out_or_fail(struct unpacking *unpacking, const char *name, GError **error)
{
	if (errno == ENOTDIR || errno == EISDIR || errno == EEXIST || errno == ENAMETOOLONG) {
		leave_out(unpacking, name, g_strerror(errno));
		return true;
	}
	return fail_to_write(unpacking, name, error);
}

static bool is_beyond(const struct unpacking *unpacking, uint64_t bytes)
{
	return bytes > unpacking->task->bytes_max || unpacking->bytes > unpacking->task->bytes_max - bytes;
}

static bool fail_for_size(const struct unpacking *unpacking, GError **error)
{
	g_autofree char *free_bytes = g_format_size(unpacking->task->bytes_max);

	return fail(unpacking, error,
		    "unpacked, it needs more than the %s that may be used in %s; TMPDIR may name a directory with more "
		    "space",
		    free_bytes, g_get_tmp_dir());
}

static bool go_on(const struct unpacking *unpacking, GError **error)
{
	const struct archive_unpacking *task = unpacking->task;
	int64_t bytes = unpacking->library->filter_bytes(unpacking->archive, -1);

	return task->progress(task->data, (uint64_t)MAX(bytes, 0)) ||
	       fail(unpacking, error, "interrupted while it was unpacked");
}

static bool write_at(int file, const char *bytes, size_t size, int64_t offset)
{
	while (size > 0) {
		ssize_t written = pwrite(file, bytes, size, offset);

		if (written < 0 && errno != EINTR) {
			return false;
		}
		bytes += MAX(written, 0);
		offset += MAX(written, 0);
		size -= (size_t)MAX(written, 0);
	}
	return true;
}

/* Data with holes has the size with them. */
static bool write_data(struct unpacking *unpacking, const char *name, int file, GError **error)
{
	int64_t end = 0, offset;
	const void *block;
	size_t size;
	int status;

	while ((status = unpacking->library->read_data_block(unpacking->archive, &block, &size, &offset)) ==
		       ARCHIVE_OK ||
	       status == ARCHIVE_WARN) {
		if (offset < end || size > G_MAXINT64 - (uint64_t)offset) {
			return fail(unpacking, error, "cannot be unpacked: the data of %s overlaps", name);
		}
		if (is_beyond(unpacking, (uint64_t)offset + size)) {
			return fail_for_size(unpacking, error);
		}
		if (!write_at(file, block, size, offset)) {
			return fail_to_write(unpacking, name, error);
		}
		end = offset + (int64_t)size;
		if (!go_on(unpacking, error)) {
			return false;
		}
	}
	unpacking->bytes += (uint64_t)end;
	return status == ARCHIVE_EOF ? ftruncate(file, end) == 0 || fail_to_write(unpacking, name, error)
				     : fail_to_read(unpacking, error);
}

/*
 * A file that an archive holds twice is that of the later entry, as tar has it. Links are never made, so no name leads
 * out of the directory.
 */
static bool write_file(struct unpacking *unpacking, const char *path, const char *name, GError **error)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool is_written;

	if (file < 0) {
		return leave_out_or_fail(unpacking, name, error);
	}
	is_written = write_data(unpacking, name, file, error);
	if (close(file) != 0 && is_written) {
		return fail_to_write(unpacking, name, error);
	}
	return is_written;
}

/* The name below the directory: without "/" at its beginning, "." and empty parts. NULL: it leads elsewhere. To be
 * freed. */
static char *name_below(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "/", -1);
	GString *below = g_string_new(NULL);

	for (size_t i = 0; parts[i]; i++) {
		if (strcmp(parts[i], "..") == 0) {
			return g_string_free(below, TRUE);
		}
		if (parts[i][0] != '\0' && strcmp(parts[i], ".") != 0) {
			g_string_append_printf(below, "%s%s", below->len > 0 ? "/" : "", parts[i]);
		}
	}
	return g_string_free(below, FALSE);
}

static void note_name(struct unpacking *unpacking, const char *name)
{
	const char *last = strrchr(name, '/');

	unpacking->has_metadata |= strcmp(last ? last + 1 : name, "metadata") == 0;
	if (!unpacking->nested && archive_has_ending(name)) {
		unpacking->nested = g_strdup(name);
	}
}

static bool unpack_file(struct unpacking *unpacking, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(unpacking->task->directory, name, NULL);
	g_autofree char *parent = g_path_get_dirname(path);

	note_name(unpacking, name);
	return g_mkdir_with_parents(parent, 0700) == 0 ? write_file(unpacking, path, name, error)
						       : leave_out_or_fail(unpacking, name, error);
}

static bool unpack_directory(struct unpacking *unpacking, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(unpacking->task->directory, name, NULL);

	return g_mkdir_with_parents(path, 0700) == 0 || leave_out_or_fail(unpacking, name, error);
}

/* What is left out is read nevertheless, so its size counts. */
static bool skip(struct unpacking *unpacking, struct archive_entry *entry, const char *name, const char *why,
		 GError **error)
{
	uint64_t size = (uint64_t)MAX(unpacking->library->entry_size(entry), 0);

	leave_out(unpacking, name, why);
	if (is_beyond(unpacking, size)) {
		return fail_for_size(unpacking, error);
	}
	unpacking->bytes += size;
	return true;
}

static const char *name_of(const struct unpacking *unpacking, struct archive_entry *entry)
{
	const char *name = unpacking->library->entry_pathname(entry);

	return name ? name : unpacking->library->entry_pathname_utf8(entry);
}

static bool unpack_entry(struct unpacking *unpacking, struct archive_entry *entry, GError **error)
{
	const char *name = name_of(unpacking, entry);
	g_autofree char *below = name ? name_below(name) : NULL;
	unsigned type = unpacking->library->entry_filetype(entry);

	if (!below) {
		return skip(unpacking, entry, name ? name : "?", "a name that leads elsewhere", error);
	}
	if (unpacking->library->entry_hardlink(entry) || type == AE_IFLNK) {
		return skip(unpacking, entry, name, "a link", error);
	}
	if (type == AE_IFDIR) {
		return unpack_directory(unpacking, below, error);
	}
	return type == AE_IFREG && below[0] != '\0' ? unpack_file(unpacking, below, error)
						    : skip(unpacking, entry, name, "not a file", error);
}

/* libarchive takes the end of a file between two entries for the end of the archive. */
static bool check_end(const struct unpacking *unpacking, GError **error)
{
	bool is_tar = (unpacking->library->format(unpacking->archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR;

	return !is_tar ||
	       unpacking->library->filter_bytes(unpacking->archive, 0) - unpacking->data_end >= TAR_END / 2 ||
	       fail(unpacking, error, "cannot be unpacked: it is cut, the end of the archive is missing");
}

static bool unpack_entries(struct unpacking *unpacking, GError **error)
{
	struct archive_entry *entry;
	int status;

	while ((status = unpacking->library->read_next_header(unpacking->archive, &entry)) == ARCHIVE_OK ||
	       status == ARCHIVE_WARN) {
		if (++unpacking->entry_count > ENTRIES_MAX) {
			return fail(unpacking, error, "it has more than %d entries", ENTRIES_MAX);
		}
		if (!unpack_entry(unpacking, entry, error) || !go_on(unpacking, error)) {
			return false;
		}
		unpacking->data_end = unpacking->library->filter_bytes(unpacking->archive, 0);
	}
	return status == ARCHIVE_EOF ? check_end(unpacking, error) : fail_to_read(unpacking, error);
}

static bool open_archive(struct unpacking *unpacking, GError **error)
{
	const struct archive_library *library = unpacking->library;
	struct archive *archive = unpacking->archive;

	(void)library->read_support_filter_bzip2(archive);
	(void)library->read_support_filter_gzip(archive);
	(void)library->read_support_filter_xz(archive);
	(void)library->read_support_filter_zstd(archive);
	(void)library->read_support_format_tar(archive);
	(void)library->read_support_format_zip_seekable(archive);
	return library->read_open_filename(archive, unpacking->task->path, 1 << 16) == ARCHIVE_OK ||
	       fail_to_read(unpacking, error);
}

bool archive_unpack(const struct archive_unpacking *task, char **left_out, GError **error)
{
	const char *problem = NULL;
	struct unpacking unpacking = { .task = task, .library = archive_library_load(&problem) };
	bool is_unpacked;

	*left_out = NULL;
	if (!unpacking.library) {
		return fail(&unpacking, error,
			    "archives need libarchive (the package libarchive13 of Debian 12, libarchive13t64 of "
			    "Debian 13, libarchive of others): %s",
			    problem);
	}
	unpacking.archive = unpacking.library->read_new();
	is_unpacked = open_archive(&unpacking, error) && unpack_entries(&unpacking, error);
	if (is_unpacked && unpacking.nested && !unpacking.has_metadata) {
		is_unpacked = fail(&unpacking, error,
				   "there is no trace in it but the archive %s, which has to be unpacked first",
				   unpacking.nested);
	}
	if (is_unpacked && unpacking.left_out) {
		*left_out = g_strdup_printf("%s: %zu of %zu entries are left out, first %s", task->path,
					    unpacking.left_out_count, unpacking.entry_count, unpacking.left_out);
	}
	(void)unpacking.library->read_free(unpacking.archive);
	g_free(unpacking.left_out);
	g_free(unpacking.nested);
	return is_unpacked;
}
