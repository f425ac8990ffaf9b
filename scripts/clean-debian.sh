# SPDX-License-Identifier: MIT
# Clean Debian systems, for the scripts that need one: made by debootstrap, and kept in ~/.cache/babeltrace2-ros2 for the next
# run. Needs root. To be sourced by bash with `set -eu`.
# shellcheck shell=bash
cache=${XDG_CACHE_HOME:-$HOME/.cache}/babeltrace2-ros2
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

# run_in ROOT COMMAND...: with a separate /proc; its processes end with it
run_in() {
	unshare --mount --fork --pid --kill-child bash -euc '
		root=$1
		shift
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=dumb \
			DEBIAN_FRONTEND=noninteractive "$@"' - "$@"
}

# apt_in ROOT ARGUMENTS...: silent unless it fails
apt_in() {
	local root=$1
	shift
	run_in "$root" apt-get --quiet=2 --yes --no-install-recommends "$@" >"$root.log" 2>&1 || {
		cat "$root.log"
		exit 1
	}
}

# make_clean SUITE: $cache/SUITE, with babeltrace2; exits with 77 and a message if the Debian archive cannot be reached
make_clean() {
	local suite=$1 root=$cache/$1
	[ ! -e "$root/made" ] || return 0
	rm -rf "$root"
	mkdir -p "$cache"
	echo "making $root" >&2
	if ! debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1; then
		echo "$(basename "$0"): skipped: no Debian $suite from $mirror (see $root.log)" >&2
		exit 77
	fi
	cp /etc/resolv.conf /etc/hosts "$root/etc/"
	apt_in "$root" update
	apt_in "$root" install babeltrace2
	touch "$root/made"
}

# without the files that the package manager keeps for itself
files_of() {
	(cd "$1" && find etc opt usr var ! -type d ! -path 'var/lib/dpkg/*' ! -path 'var/lib/apt/*' ! -path 'var/cache/*' \
		! -path 'var/log/*' | sort)
}
