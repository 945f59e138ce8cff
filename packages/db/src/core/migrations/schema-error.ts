/** The database's server or schema does not fit this program. The message says what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
