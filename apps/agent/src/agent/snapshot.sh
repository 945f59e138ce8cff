# The message to send: proto/snapshot.proto's Snapshot with three fields, collected_at (2), collector_version (3) and
# report (15). A field consists of its number and kind in one byte, its length, and its content.

# varint NUMBER: NUMBER as a protobuf varint, seven bits per byte, the lowest first.
varint() (
  rest=$1
  while [ "$rest" -ge 128 ]; do
    byte $((rest % 128 + 128))
    rest=$((rest / 128))
  done
  byte "$rest"
)

# byte NUMBER
byte() {
  # The number in octal is the escape sequence of the byte.
  # shellcheck disable=SC2059
  printf "\\$(printf %03o "$1")"
}

# snapshot REPORT-FILE: the message for a report.
snapshot() {
  seconds=$(sed -n "s/^ collected_at$(printf '\t')//p" "$1" | head -n 1)
  byte 18
  varint $((1 + $(varint "$seconds" | wc -c)))
  byte 8
  varint "$seconds"
  byte 26
  varint "${#version}"
  printf %s "$version"
  byte 122
  varint "$(($(wc -c <"$1")))"
  cat "$1"
}
