import { createHash } from 'node:crypto';
import { observedEnd } from '../report/observed-extent.ts';

/** SHA-256 over the encoded top-level fields 4 to 12 of a structured snapshot, in the order received. */
export function structuredContentHash(stateFields: Uint8Array): Uint8Array {
  return sha256(stateFields);
}

/**
 * SHA-256 over every byte of a text report after its `observed` section, however it was received. Over the whole
 * report if it does not begin with that section: a wrong "changed" is safe, a wrong "unchanged" is not. Finds the
 * section without reading the rest.
 */
export function reportContentHash(report: Uint8Array): Uint8Array {
  return sha256(report.subarray(observedEnd(report) ?? 0));
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
