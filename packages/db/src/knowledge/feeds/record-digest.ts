import { createHash } from 'node:crypto';
import type { StatementFix } from '@plimsoll/model';
import type { KeyedRecord } from './key-statements.ts';

/** First 16 bytes of SHA-256 over all stored fields of a record. */
export function recordDigest({ advisory, statements }: KeyedRecord): Buffer {
  const { packages: _, ...stored } = advisory;
  const keyless = statements.map(({ fix, ...statement }) => ({
    ...statement,
    fix: fix.kind === 'fixed' ? fixedIn(fix) : fix,
  }));
  return createHash('sha256')
    .update(JSON.stringify([stored, keyless]))
    .digest()
    .subarray(0, 16);
}

/** Fixes without a service keep the form, and so the digest, that they had before services were part of it. */
function fixedIn({ version, service }: Extract<StatementFix, { readonly kind: 'fixed' }>) {
  return service === null ? version : { version, service };
}
