/** A database cannot be backed up or restored, for a reason that its sentence explains. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
