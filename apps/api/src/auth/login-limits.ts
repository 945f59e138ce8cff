/** How many failed attempts are allowed, and for how long they are remembered. */
export interface LoginLimits {
  /** Of one account from one address. */
  readonly failuresPerPair: number;
  /** From one address, for all accounts that it is not known to be used for. */
  readonly failuresPerAddress: number;
  /** For how long these two are remembered, in seconds. */
  readonly windowSeconds: number;
  /** Of one account from all addresses that it is not used from, before attempts have to wait for each other. */
  readonly failuresPerAccount: number;
  /** For how long these are remembered, in seconds. */
  readonly accountWindowSeconds: number;
  /** The longest wait between two attempts then, in seconds; the first is one second, each next one twice as long. */
  readonly longestWaitSeconds: number;
  /** Days after its last sign-in for which an address is one that the account is used from. */
  readonly knownAddressDays: number;
}

/** The limits in force. docs/decisions/0048 has the reasons. */
export const loginLimits: LoginLimits = {
  failuresPerPair: 10,
  failuresPerAddress: 60,
  windowSeconds: 15 * 60,
  failuresPerAccount: 100,
  accountWindowSeconds: 60 * 60,
  longestWaitSeconds: 60,
  knownAddressDays: 90,
};
