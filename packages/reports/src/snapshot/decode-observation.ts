import type { Observation, RepositoryRefresh } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import { textLimits } from '../limits.ts';
import { FieldReader } from './field-reader.ts';
import { sortDistinct } from './order.ts';
import { parseSnapshot } from './parse-snapshot.ts';
import { Problems } from './problems.ts';
import type { SnapshotFields } from './snapshot-fields.ts';

/**
 * Decodes the value of field 14, for an upload that is otherwise unchanged. Empty bytes are an empty observation; null
 * means malformed (400 `invalid_protobuf`).
 */
export function decodeObservation(bytes: Uint8Array): Observation | null {
  const parsed = parseSnapshot(asSnapshot(bytes));
  if (parsed.kind !== 'parsed') return null;
  return readObservation(parsed.message.observed, new FieldReader(new Problems()));
}

/** Wraps the value of field 14 in an otherwise empty snapshot. */
function asSnapshot(observation: Uint8Array): Uint8Array {
  const prefix = [(14 << 3) | 2];
  let length = observation.length;
  for (; length > 0x7f; length >>>= 7) prefix.push((length & 0x7f) | 0x80);
  prefix.push(length);
  const message = new Uint8Array(prefix.length + observation.length);
  message.set(prefix);
  message.set(observation, prefix.length);
  return message;
}

/** Reads an observation; the refreshes are sorted by repository and time, without empty ones. */
export function readObservation(wire: SnapshotFields['observed'], reader: FieldReader): Observation {
  const refreshed: RepositoryRefresh[] = [];
  wire?.refreshed.forEach((entry, index) => {
    reader.at('/observed/refreshed', index);
    const refresh = {
      repositoryId: reader.text('repository_id', entry.repositoryId),
      at: reader.time('at', entry.at),
      publishedAt: reader.time('published_at', entry.publishedAt),
      validUntil: reader.time('valid_until', entry.validUntil),
      error: reader.text('error', entry.error, textLimits.fetchError),
    };
    const isEmpty = refresh.at === null && refresh.publishedAt === null && refresh.error === '';
    if (refresh.repositoryId === '' || isEmpty) reader.warn('', 'has no repository or no time; left out');
    else refreshed.push(refresh);
  });
  reader.at('/observed');
  return {
    bootId: reader.text('boot_id', wire?.bootId ?? ''),
    bootedAt: reader.time('booted_at', wire?.bootedAt),
    refreshed: sortDistinct(refreshed, compareRefreshes),
  };
}

function compareRefreshes(a: RepositoryRefresh, b: RepositoryRefresh): number {
  return (
    compareText(a.repositoryId, b.repositoryId) ||
    compareTimes(a.at, b.at) ||
    compareTimes(a.publishedAt, b.publishedAt) ||
    compareTimes(a.validUntil, b.validUntil) ||
    compareText(a.error, b.error)
  );
}

/** Orders times, unknown ones first. */
function compareTimes(a: Date | null, b: Date | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return a.getTime() - b.getTime();
}
