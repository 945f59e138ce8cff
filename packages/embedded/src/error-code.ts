/** The `code` of an error of Node's file and process functions, or `null`. */
export function errorCode(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null;
}
