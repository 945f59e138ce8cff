#!/bin/sh
# plimsoll-agent, version @VERSION@
#
# Reports this host's patch state to a Plimsoll server: the same report that the collectors print, sent when it is due.
# It takes no orders: what the server answers is its interval and a receipt. It changes nothing on the host, runs
# without root and never updates itself. `plimsoll-agent report` prints what it would send.
