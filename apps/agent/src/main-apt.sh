main() {
  make_scratch
  report apt
}

# The last line: a script of which the end is missing runs nothing.
main </dev/null
