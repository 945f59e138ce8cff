/** The files of a certificate cannot be used; the message is one sentence for an operator. Holds nothing of the key. */
export class TlsError extends Error {
  override readonly name = 'TlsError';
}
