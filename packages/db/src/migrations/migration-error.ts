/** The database cannot be migrated, or not by this program. The message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
