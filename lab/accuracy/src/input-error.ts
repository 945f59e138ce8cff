/** A fault in the given folders and files; the message names the file and the position. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
