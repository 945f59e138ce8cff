/** Why an address may not be connected to, or a name has no address. */
export type AddressErrorCode = 'dns_failed' | 'address_refused';

/** A refusal, with one sentence that says what the operator must do. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  readonly code: AddressErrorCode;

  constructor(code: AddressErrorCode, detail: string, options: { cause?: unknown } = {}) {
    super(detail, options);
    this.code = code;
  }
}
