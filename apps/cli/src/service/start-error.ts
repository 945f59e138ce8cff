/** The service cannot be started or go on, for a reason that one sentence tells the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
