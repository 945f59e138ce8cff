/** The `code` of an error that Node.js or one of its libraries throws, such as `ENOENT`; null for one without a code. */
export function systemErrorCode(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null;
}
