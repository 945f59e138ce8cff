main() {
  make_scratch
  collect_report
}

# The last line: a script of which the end is missing runs nothing.
main </dev/null
