/** The service cannot start or continue, for a reason that one sentence explains to the user. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
