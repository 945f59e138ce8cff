main() {
  make_scratch
  collect_report
}

# This must be the last line: a truncated script then runs nothing.
main </dev/null
