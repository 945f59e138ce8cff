/** The certificate files cannot be used; the message is one sentence for an operator, without any part of the key. */
export class TlsError extends Error {
  override readonly name = 'TlsError';
}
