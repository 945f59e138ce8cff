main() {
  make_scratch
  collect_report
}

# The last line, so that a truncated script runs nothing.
main </dev/null
