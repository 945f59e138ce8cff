#!/bin/sh
# Plimsoll collector for hosts with apt, version @VERSION@.
#
# Prints a report of this host's patch state: installed packages, available updates, running software. It runs the
# host's own tools and prints their output. It changes nothing, fetches nothing and sends nothing. It does not need
# root; the report lists what it could not read without root. The function `sections_of_apt` lists everything it reads.
