import { createHash } from 'node:crypto';
import type { UploadId } from '@plimsoll/model';
import { countedFactsColumn } from '../../ingest/stored-facts.ts';

/** The parts of a snapshot that decide with which others it counts alike, besides its release and package set. */
interface InputParts {
  readonly facts: string;
  readonly upgrades: string;
  readonly hasHistory: boolean;
}

const formatBytes = 4;
const idBytes = 16;
const digestBytes = 12;
const flagsAt = formatBytes;
const idAt = flagsAt + 1;
const factsAt = idAt + idBytes;
const upgradesAt = factsAt + digestBytes;
const inputBytes = upgradesAt + digestBytes;

const historyFlag = 1;

/** Another selection of facts gives other digests, so that inputs stored for the old one are no longer used. */
const format = createHash('sha256').update(`1 ${countedFactsColumn}`).digest().subarray(0, formatBytes);

/** A digest of text for counted inputs, in base64: 96 bits, because a host must not find the digest of another. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, digestBytes).toString('base64');
}

/** The value of host_state.counted_input for a snapshot. */
export function encodeCountedInput(
  snapshotId: UploadId,
  { facts, upgrades, hasHistory }: InputParts,
): Buffer {
  return Buffer.concat([
    format,
    Buffer.of(hasHistory ? historyFlag : 0),
    idOf(snapshotId),
    Buffer.from(facts, 'base64'),
    Buffer.from(upgrades, 'base64'),
  ]);
}

/** Reads a stored input. Null if it is of another snapshot, or was stored for another selection of facts. */
export function decodeCountedInput(
  stored: Uint8Array,
  snapshotId: UploadId,
): (InputParts & { readonly input: Buffer }) | null {
  const input = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  if (input.length !== inputBytes || !input.subarray(0, formatBytes).equals(format)) return null;
  if (!input.subarray(idAt, factsAt).equals(idOf(snapshotId))) return null;
  return {
    facts: input.toString('base64', factsAt, upgradesAt),
    upgrades: input.toString('base64', upgradesAt),
    hasHistory: input[flagsAt] === historyFlag,
    input,
  };
}

function idOf(id: UploadId): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}
