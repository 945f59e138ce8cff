/** The number of failed attempts allowed, and how long they count. */
export interface LoginLimits {
  /** Failures of one account from one address. */
  readonly failuresPerPair: number;
  /** Failures from one address, for all accounts that it is not known for. */
  readonly failuresPerAddress: number;
  /** How long these two count, in seconds. */
  readonly windowSeconds: number;
  /** Failures of one account from all addresses not known for it, before attempts have to wait for each other. */
  readonly failuresPerAccount: number;
  /** How long these count, in seconds. */
  readonly accountWindowSeconds: number;
  /** The longest wait between two such attempts, in seconds. The first wait is one second; each further one doubles. */
  readonly longestWaitSeconds: number;
  /** Days after its last sign-in for which an address is known for an account. */
  readonly knownAddressDays: number;
}

/** The limits in force; docs/decisions/sign-in.md gives the reasons. */
export const loginLimits: LoginLimits = {
  failuresPerPair: 10,
  failuresPerAddress: 60,
  windowSeconds: 15 * 60,
  failuresPerAccount: 100,
  accountWindowSeconds: 60 * 60,
  longestWaitSeconds: 60,
  knownAddressDays: 90,
};
