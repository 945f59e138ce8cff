import type { AnyAuthMethod, ParsedKey } from 'ssh2';

/** Offers one identity after the other, and never anything but a key; remembers what the server said to it. */
export interface Logins {
  readonly user: string;
  /** How many identities there are. */
  readonly count: number;
  /** What to try next, or false when there is nothing left. Takes what ssh2 tells its `authHandler`. */
  next(methods: readonly string[] | null, partial: boolean | null): AnyAuthMethod | false;
  /** The position of the identity that was offered last; null before the first. */
  current(): number | null;
  /** The methods the server would still take; empty before it has said so. */
  methods(): readonly string[];
  /** Whether a key was right, but the server wants something more. */
  partial(): boolean;
}

/** Begins with the first identity. */
export function createLogins(user: string, identities: readonly ParsedKey[]): Logins {
  let offered = 0;
  let left: readonly string[] = [];
  let wasPartial = false;
  return {
    user,
    count: identities.length,
    current: () => (offered === 0 ? null : offered - 1),
    methods: () => left,
    partial: () => wasPartial,
    next(methods, partial) {
      if (methods !== null) left = methods;
      wasPartial ||= partial === true;
      const key = identities[offered];
      if (key === undefined || wasPartial || (methods !== null && !methods.includes('publickey')))
        return false;
      offered += 1;
      return { type: 'publickey', username: user, key };
    },
  };
}
