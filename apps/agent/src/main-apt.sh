main() {
  make_scratch
  report apt
}

# The last line, so that a truncated script runs nothing.
main </dev/null
