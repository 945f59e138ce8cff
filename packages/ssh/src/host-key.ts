import { type HostKeyType, hostKeyTypes } from './algorithms.ts';
import { fingerprintOf } from './fingerprint.ts';

/** A host's key, as pinned and shown. */
export interface HostKey {
  readonly type: HostKeyType;
  /** `SHA256:` and 43 characters. */
  readonly fingerprint: string;
}

/** What is known about a host's key before connecting. */
export type ExpectedHostKey =
  /** Any key is accepted. */
  | { readonly kind: 'unknown' }
  /** Entered without its type: types are tried, one connection each, until one matches. */
  | { readonly kind: 'fingerprint'; readonly fingerprint: string }
  /** Only this type is negotiated, so that a server with an additional key of another type causes no false alarm. */
  | ({ readonly kind: 'pinned' } & HostKey);

/** Parses a key blob (RFC 4253, section 6.6); null for an unsupported type. */
export function readHostKey(blob: Buffer): HostKey | null {
  const type = hostKeyTypes.find(
    (name) =>
      blob.length > 4 + name.length &&
      blob.readUInt32BE(0) === name.length &&
      blob.toString('latin1', 4, 4 + name.length) === name,
  );
  return type === undefined ? null : { type, fingerprint: fingerprintOf(blob) };
}
