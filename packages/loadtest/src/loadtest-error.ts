/** A load test cannot begin or go on, for a reason that its sentence explains to the user. */
export class LoadtestError extends Error {
  override readonly name = 'LoadtestError';
}

/** The error about an answer that is not the wanted one; status 0: nothing answered. */
export function unwantedAnswer(
  what: string,
  { status, body }: { readonly status: number; readonly body: unknown },
): LoadtestError {
  const answer = status === 0 ? 'not answered' : `answered ${status}`;
  return new LoadtestError(`${what}: ${answer} ${JSON.stringify(body).slice(0, 500)}`);
}
