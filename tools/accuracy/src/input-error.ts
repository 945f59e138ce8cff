/** What whoever brought folders and files has to mend; the message says which file, and where in it. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
