import type { AnyAuthMethod, ParsedKey } from 'ssh2';

/** Offers identities one after another, and only keys; records the server's replies. */
export interface Logins {
  readonly user: string;
  /** The number of identities. */
  readonly count: number;
  /** The next method to try, or false when none is left. Takes the arguments of ssh2's `authHandler`. */
  next(methods: readonly string[] | null, partial: boolean | null): AnyAuthMethod | false;
  /** The position of the last identity offered; null before the first. */
  current(): number | null;
  /** The methods that the server still accepts; empty before it has listed them. */
  methods(): readonly string[];
  /** Whether a key was accepted, but the server requires more. */
  partial(): boolean;
}

/** Starts with the first identity. */
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
