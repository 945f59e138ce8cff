import { createHash } from 'node:crypto';
import type { KeyedRecord } from './key-statements.ts';

/** First 16 bytes of SHA-256 over all stored fields of a record. */
export function recordDigest({ advisory, statements }: KeyedRecord): Buffer {
  const { packages: _, ...stored } = advisory;
  const keyless = statements.map(({ fix, ...statement }) => ({
    ...statement,
    fix: fix.kind === 'fixed' ? fix.version : fix,
  }));
  return createHash('sha256')
    .update(JSON.stringify([stored, keyless]))
    .digest()
    .subarray(0, 16);
}
