/** Why an address may not be connected to, or a name leads nowhere. */
export type AddressErrorCode = 'dns_failed' | 'address_refused';

/** A refusal, with one sentence that tells an operator what to do. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  readonly code: AddressErrorCode;

  constructor(code: AddressErrorCode, detail: string, options: { cause?: unknown } = {}) {
    super(detail, options);
    this.code = code;
  }
}
