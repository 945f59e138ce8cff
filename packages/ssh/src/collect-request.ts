import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { hostKeyTypes } from './algorithms.ts';
import { collectorLimitBytes } from './authorized-keys-line.ts';
import { parseFingerprint } from './fingerprint.ts';
import type { ExpectedHostKey, HostKey } from './host-key.ts';
import type { KeyPair } from './key-pair.ts';
import type { Address } from './open-socket.ts';
import type { Collector } from './run-collector.ts';
import type { SessionErrorCode } from './session-failure.ts';

/** A pull of one host. */
export interface CollectRequest {
  /** Resolved and checked by the caller; tried in this order. At least one. */
  readonly addresses: readonly Address[];
  readonly port: number;
  readonly user: string;
  /** The current pair first; each is tried in turn on the same connection. At least one. */
  readonly identities: readonly KeyPair[];
  readonly hostKey: ExpectedHostKey;
  readonly collector: Collector;
  readonly limits: CollectLimits;
}

/** Limits of one pull. */
export interface CollectLimits {
  /** For one connection until the end of its key exchange, for all its addresses together. */
  readonly connectMs: number;
  /** For the whole pull, including the wait for a large output's turn. */
  readonly totalMs: number;
  readonly outputBytes: number;
}

/** How a pull ended. */
export type CollectResult =
  | {
      readonly kind: 'collected';
      /** From the line `plimsoll-report …` on. */
      readonly output: Buffer;
      /** Call it once `output` is stored and dropped: until then a large one makes others wait. */
      readonly release: () => void;
      /** Whether a line on the host restricts the key to one script. */
      readonly pinned: boolean;
      /** Position of the identity that the host accepted. */
      readonly identity: number;
      readonly hostKey: HostKey;
      readonly address: string;
    }
  | {
      /** The host's line runs only the script with this SHA-256, which is not the one sent. */
      readonly kind: 'pin';
      readonly sha256: string;
      readonly identity: number;
      readonly hostKey: HostKey;
      readonly address: string;
    }
  | {
      readonly kind: 'failed';
      readonly code: SessionErrorCode;
      /** One sentence for an operator. Text from the host in it is printable and short. */
      readonly message: string;
      /** Whether a later retry makes sense. */
      readonly mayHeal: boolean;
      /** The key that the host has proved to hold, if it got that far; with host_key_mismatch, the new one. */
      readonly hostKey: HostKey | null;
      /** The address at which SSH answered, if it got that far; the sentence always names the address. */
      readonly address: string | null;
    };

/** Throws RangeError for a request that is invalid regardless of the host. */
export function checkRequest({
  addresses,
  port,
  user,
  identities,
  hostKey,
  collector,
  limits,
}: CollectRequest) {
  const checks: readonly (readonly [string, boolean])[] = [
    ['addresses', addresses.length > 0 && addresses.every(({ address, family }) => isIP(address) === family)],
    ['port', Number.isInteger(port) && port >= 1 && port <= 65_535],
    ['user', /^[^\p{Cc}]{1,255}$/u.test(user)],
    ['identities', identities.length > 0],
    ['host key', isExpectable(hostKey)],
    ['collector', collector.script.length > 0 && collector.script.length < collectorLimitBytes],
    ['SHA-256', createHash('sha256').update(collector.script).digest('hex') === collector.sha256],
    ['limits', [limits.connectMs, limits.totalMs, limits.outputBytes].every((limit) => limit > 0)],
  ];
  for (const [what, holds] of checks) {
    if (!holds) throw new RangeError(`a pull needs a valid ${what}`);
  }
}

function isExpectable(hostKey: ExpectedHostKey): boolean {
  if (hostKey.kind === 'unknown') return true;
  if (parseFingerprint(hostKey.fingerprint) !== hostKey.fingerprint) return false;
  return hostKey.kind === 'fingerprint' || hostKeyTypes.includes(hostKey.type);
}
