#!/bin/sh
# Plimsoll collector for hosts with apt, version @VERSION@.
#
# Prints a report of this host's patch state: what is installed, what could be updated, what runs. It asks the host's
# own tools and passes on what they say. It changes nothing, fetches nothing, sends nothing and needs no root; what it
# could not see without root it says. Everything it reads is named in the function `sections_of_apt`.
