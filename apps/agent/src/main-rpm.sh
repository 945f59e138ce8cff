main() {
  make_scratch
  note_dnf_folder
  report rpm
}

# The last line: a script of which the end is missing runs nothing.
main </dev/null
