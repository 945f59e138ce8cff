main() {
  make_scratch
  note_dnf_folder
  report rpm
}

# This must be the last line: a truncated script then runs nothing.
main </dev/null
