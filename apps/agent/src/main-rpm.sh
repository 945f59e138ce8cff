main() {
  make_scratch
  note_dnf_folder
  report rpm
}

# The last line, so that a truncated script runs nothing.
main </dev/null
