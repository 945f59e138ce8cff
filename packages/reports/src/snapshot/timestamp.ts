import type { SnapshotFields } from './snapshot-fields.ts';

/** google.protobuf.Timestamp, as the generated messages hold it. */
export type WireTimestamp = NonNullable<SnapshotFields['collectedAt']>;

const firstSecond = -62_135_596_800n;
const lastSecond = 253_402_300_799n;

/**
 * The time in milliseconds, rounded down; null outside the range of google.protobuf.Timestamp and ISO 8601 (years 1 to
 * 9999, nanoseconds 0 to 999,999,999).
 */
export function dateOf(timestamp: WireTimestamp): Date | null {
  const { seconds, nanos } = timestamp;
  if (seconds < firstSecond || seconds > lastSecond || nanos < 0 || nanos > 999_999_999) return null;
  return new Date(Number(seconds) * 1000 + Math.floor(nanos / 1_000_000));
}

/** The inverse of `dateOf`. Requires a valid date. */
export function timestampOf(date: Date): { seconds: bigint; nanos: number } {
  const milliseconds = date.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: BigInt(seconds), nanos: (milliseconds - seconds * 1000) * 1_000_000 };
}
