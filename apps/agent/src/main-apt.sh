main() {
  make_scratch
  report apt
}

# This must be the last line: a truncated script then runs nothing.
main </dev/null
