#!/bin/sh
# plimsoll-agent, version @VERSION@
#
# Sends this host's patch state to a Plimsoll server at regular intervals: the same report that the collectors print.
# It takes no orders: the server answers only with a receipt and the next interval. It changes nothing on the host,
# runs without root and never updates itself. `plimsoll-agent report` prints the report that it would send.
