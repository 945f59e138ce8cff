/** What is wrong with a key file or a sealed box. */
export type SecretsErrorCode =
  | 'file_missing'
  | 'file_unreadable'
  | 'file_unwritable'
  | 'file_exposed'
  | 'file_malformed'
  | 'keys_differ'
  | 'weak_key'
  | 'box_malformed'
  | 'unknown_version'
  | 'unknown_key'
  | 'not_authentic';

/**
 * A refusal with a sentence for an operator. It names files, lines and key ids, never the content of a file or box.
 */
export class SecretsError extends Error {
  override readonly name = 'SecretsError';
  readonly code: SecretsErrorCode;

  constructor(code: SecretsErrorCode, detail: string, options: { cause?: unknown } = {}) {
    super(detail, options);
    this.code = code;
  }
}
