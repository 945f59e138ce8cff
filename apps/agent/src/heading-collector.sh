#!/bin/sh
# Plimsoll collector for hosts with apt and hosts with rpm, version @VERSION@.
#
# Prints a report of this host's patch state: installed packages, available updates, running software. It runs the
# host's own tools and prints their output. It changes nothing, fetches nothing and sends nothing. It does not need
# root; the report lists what it could not read without root. The functions `sections_of_apt` and `sections_of_rpm`
# list everything it reads; the function `family` chooses one of the two.
#
# A pull over SSH sends this script as input and runs it; the host keeps no copy. A line in authorized_keys with its
# SHA-256 runs exactly this script: one changed byte is refused. Read the whole script before you pin it, and compare
# the output of `sha256sum collector.sh` with the line.
