import { createHash } from 'node:crypto';

/** SHA-256 over the encoded top-level fields 4 to 12 of a structured snapshot, in the order received. */
export function structuredContentHash(stateFields: Uint8Array): Uint8Array {
  return sha256(stateFields);
}

/**
 * SHA-256 over a text report, whichever door it came through. snapshot.proto wants it over what follows the report's
 * "observed" section; nothing in this package reads the report's sections, so the whole text counts: two reports that
 * differ only in what they observed are told apart, never the reverse.
 */
export function reportContentHash(report: Uint8Array): Uint8Array {
  return sha256(report);
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
