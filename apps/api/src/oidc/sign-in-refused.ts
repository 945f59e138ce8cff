import type { SignInRefusal } from '@plimsoll/model';

/** A user of the provider, for the log and the audit log. */
interface Refused {
  readonly subject: string;
  readonly email: string | null;
}

/** A sign-in with the provider that is refused. The user sees only the reason; the message is for the log. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly reason: SignInRefusal;
  /** The user, if the provider has authenticated one. */
  readonly who: Refused | null;

  constructor(
    reason: SignInRefusal,
    detail: string,
    { who, ...options }: { readonly cause?: unknown; readonly who?: Refused } = {},
  ) {
    super(detail, options);
    this.reason = reason;
    this.who = who ?? null;
  }
}

/** Longer texts come from a provider that does not behave. */
const longestText = 300;
const deepestCause = 5;

/**
 * An error with its causes as one line for the log. Only messages: the causes of the library contain tokens. Without
 * control characters, because providers write parts of it.
 */
export function lineOf(error: unknown): string {
  const messages: string[] = [];
  let next: unknown = error;
  while (next instanceof Error && messages.length < deepestCause) {
    if (!messages.includes(next.message)) messages.push(next.message);
    next = next.cause;
  }
  return messages.join(': ').replace(/\p{C}/gu, ' ').slice(0, longestText);
}
