main() {
  make_scratch
  note_dnf_folder
  report rpm
  remove_dnf_folder
}

# The last line: a script of which the end is missing runs nothing.
main </dev/null
