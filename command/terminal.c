/* SPDX-License-Identifier: MIT */
#include "command/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "ros2bt/base/ascii_text.h"
#include "ros2bt/ctf/file_views.h"
#include "ros2bt/reports/top_screen.h"

#define ENTER "\x1b[?1049h\x1b[?25l\x1b[?7l" /* alternate screen, no cursor, no wrapping */
#define LEAVE "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
#define ESCAPE 0x1b
#define SEQUENCE_MS 50 /* until the rest of an escape sequence has come */

static struct termios before, raw;
static pid_t parent; /* who started this program */
static volatile sig_atomic_t is_open;
static bool is_gone;		/* nothing can be read from it any more */
static int standard_error = -1; /* while it goes to a file */
static FILE *messages;

/* Not so if a shell has taken the terminal over and set it as it likes. */
static bool is_as_set(void)
{
	struct termios now;

	return tcgetattr(STDIN_FILENO, &now) == 0 && now.c_lflag == raw.c_lflag && now.c_iflag == raw.c_iflag &&
	       now.c_cc[VSUSP] == raw.c_cc[VSUSP];
}

/* Only what a signal handler may call. */
static void restore(void)
{
	if (is_open) {
		is_open = 0;
		(void)!write(STDOUT_FILENO, LEAVE, strlen(LEAVE));
		(void)signal(SIGTTOU, SIG_IGN); /* who is in the background may set it, too */
		if (is_as_set()) {
			(void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
		}
	}
}

static void restore_and_die(int signal_number)
{
	restore();
	(void)raise(signal_number); /* its action is the default again */
}

static void close_at_exit(void)
{
	terminal_close(true);
}

static void catch_crashes(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGHUP, SIGQUIT };
	struct sigaction action = { .sa_handler = restore_and_die, .sa_flags = (int)SA_RESETHAND };

	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++) {
		sigaction(signals[i], &action, NULL);
	}
	file_views_allow();
}

static void keep_messages(void)
{
	messages = tmpfile();
	if (messages) {
		fflush(stderr);
		standard_error = dup(STDERR_FILENO);
		(void)dup2(fileno(messages), STDERR_FILENO);
	}
}

/* They may contain names. */
static void tell_messages(bool tells)
{
	int character;

	if (!messages) {
		return;
	}
	fflush(stderr);
	(void)dup2(standard_error, STDERR_FILENO);
	close(standard_error);
	rewind(messages);
	while (tells && (character = getc(messages)) != EOF) {
		fputc(character == '\n' || !(character < ' ' || character == 0x7f) ? character : '?', stderr);
	}
	fclose(messages);
	messages = NULL;
}

bool terminal_open(GError **error)
{
	static bool is_registered;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0) {
		g_set_error_literal(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
				    "standard input and output must be a terminal");
		return false;
	}
	raw = before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
	raw.c_cc[VSUSP] = _POSIX_VDISABLE;
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (!is_registered) {
		is_registered = true;
		(void)atexit(close_at_exit);
	}
	catch_crashes();
	keep_messages();
	parent = getppid();
	is_open = 1;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	(void)!write(STDOUT_FILENO, ENTER, strlen(ENTER));
	return true;
}

void terminal_close(bool tells)
{
	restore();
	tell_messages(tells);
}

void terminal_size(guint *width, guint *height)
{
	struct winsize size;

	*width = 80;
	*height = 24;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
		*width = size.ws_col;
		*height = size.ws_row;
	}
}

/* --- output --- */

/* Standard output may have been set not to block, by whoever shares the terminal: then it is waited for. */
static void write_all(const char *text, size_t size)
{
	struct pollfd output = { STDOUT_FILENO, POLLOUT, 0 };

	while (size > 0) {
		ssize_t written = write(STDOUT_FILENO, text, size);

		if (written < 0 && errno != EINTR && errno != EAGAIN) {
			return;
		}
		if (written > 0) {
			text += written;
			size -= (size_t)written;
		} else if (written < 0 && errno == EAGAIN) {
			(void)poll(&output, 1, -1);
		}
	}
}

void terminal_draw(const GArray *lines)
{
	static const char *const styles[] = {
		[TOP_PLAIN] = "\x1b[0m",
		[TOP_BOLD] = "\x1b[0;1m",
		[TOP_INVERSE] = "\x1b[0;7m",
	};
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < lines->len; i++) {
		const struct top_line *line = &g_array_index(lines, struct top_line, i);
		g_autofree char *shown = g_strdup(line->text);
		size_t size = strlen(shown);

		if (ascii_text_is_needed()) {
			(void)ascii_text_convert(shown, &size);
		}
		g_string_append_printf(text, "\x1b[%u;1H%s%.*s\x1b[0m\x1b[K", i + 1, styles[line->style], (int)size,
				       shown);
	}
	g_string_append(text, "\x1b[J");
	if (is_open) {
		write_all(text->str, text->len);
	}
	g_string_free(text, TRUE);
}

/* --- keys --- */

static int unread = -1; /* a byte that was read too early; -1: none */

/* The next byte; -1: none in that time. */
static int read_byte(int timeout_ms)
{
	struct pollfd input = { STDIN_FILENO, POLLIN, 0 };
	unsigned char byte;
	ssize_t count;
	int again = unread;

	unread = -1;
	if (again >= 0) {
		return again;
	}
	if (poll(&input, 1, timeout_ms) <= 0) {
		return -1;
	}
	count = read(STDIN_FILENO, &byte, 1);
	is_gone |= count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
	return count == 1 ? byte : -1;
}

static uint32_t key_of_number(int number)
{
	switch (number) {
	case 1:
	case 7:
		return TOP_KEY_HOME;
	case 4:
	case 8:
		return TOP_KEY_END;
	case 5:
		return TOP_KEY_PAGE_UP;
	case 6:
		return TOP_KEY_PAGE_DOWN;
	default:
		return 0;
	}
}

/* After ESC [ or ESC O: numbers, then a letter or ~. */
static uint32_t read_sequence(void)
{
	int number = 0, byte;

	while ((byte = read_byte(SEQUENCE_MS)) >= 0) {
		if (byte >= '0' && byte <= '9') {
			number = MIN(number * 10 + byte - '0', 1000);
		} else if (byte >= 0x40 && byte <= 0x7e) {
			break;
		}
	}
	switch (byte) {
	case 'A':
		return TOP_KEY_UP;
	case 'B':
		return TOP_KEY_DOWN;
	case 'C':
		return TOP_KEY_RIGHT;
	case 'D':
		return TOP_KEY_LEFT;
	case 'H':
		return TOP_KEY_HOME;
	case 'F':
		return TOP_KEY_END;
	case '~':
		return key_of_number(number);
	default:
		return 0;
	}
}

static bool is_inside_character(int byte)
{
	return byte >= 0x80 && byte <= 0xbf;
}

/* A character in UTF-8. What is none is left out, and takes no key with it. */
static uint32_t read_character(int first)
{
	char bytes[4] = { (char)first };
	int length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	gunichar character;

	for (int i = 1; i < length; i++) {
		int byte = read_byte(SEQUENCE_MS);

		if (!is_inside_character(byte)) {
			unread = byte;
			return 0;
		}
		bytes[i] = (char)byte;
	}
	character = g_utf8_get_char_validated(bytes, length);
	return character >= (gunichar)-2 ? 0 : character;
}

bool terminal_is_gone(void)
{
	return is_gone || (getppid() != parent && tcgetpgrp(STDIN_FILENO) != getpgrp());
}

uint32_t terminal_read_key(int timeout_ms)
{
	int byte = read_byte(timeout_ms);

	switch (byte) {
	case -1:
		return 0;
	case ESCAPE:
		byte = read_byte(SEQUENCE_MS);
		return byte == '[' || byte == 'O' ? read_sequence() : byte < 0 ? TOP_KEY_ESCAPE : 0;
	case '\r':
	case '\n':
		return TOP_KEY_ENTER;
	case '\t':
		return TOP_KEY_TAB;
	case 0x7f:
	case '\b':
		return TOP_KEY_BACKSPACE;
	default:
		return read_character(byte);
	}
}
