/** Why a file cannot be imported at all, in contrast to a broken record in it. */
export type ImportErrorCode =
  | 'not_recognised'
  | 'corrupt_archive'
  | 'too_large'
  | 'invalid_json'
  | 'invalid_xml'
  | 'unknown_release'
  | 'no_file'
  | 'not_there'
  | 'denied'
  | 'no_records'
  | 'too_few_records'
  | 'fetch_failed';

/** The failure of a whole import: a code, and a sentence for the user who started it. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly code: ImportErrorCode;

  constructor(code: ImportErrorCode, detail: string, options: { cause?: unknown } = {}) {
    super(detail, options);
    this.code = code;
  }
}
