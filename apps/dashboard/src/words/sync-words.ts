import type { Feed } from '@plimsoll/contract';
import { amountInWords, groupedNumber } from '../design/number-words.ts';

/** A sync that has begun and not ended. */
type UnfinishedSync = NonNullable<Feed['sync']>;

const stages: Readonly<Record<UnfinishedSync['stage'], string>> = {
  listing: 'Looking for files',
  downloading: 'Downloading',
  reading: 'Reading records',
  matching: 'Storing records and checking the hosts again',
};

/** The progress of a sync, in one line. */
export function syncWords(sync: UnfinishedSync): string {
  const stage = stages[sync.stage];
  if (sync.state === 'interrupted') return `Sync interrupted (${stage.toLowerCase()})`;
  const amounts = sync.stage === 'reading' ? recordsOf(sync) : filesOf(sync);
  return sync.stage === 'matching' || amounts === '' ? stage : `${stage}: ${amounts}`;
}

/** The completed part of the current stage, from 0 to 1; null if unknown. */
export function syncPart({
  state,
  stage,
  files_done,
  files_total,
  bytes,
  bytes_expected,
}: UnfinishedSync): number | null {
  if (state === 'interrupted' || stage !== 'downloading') return null;
  if (files_total !== null && files_total > 1) return Math.min(files_done / files_total, 1);
  return bytes_expected === null || bytes_expected === 0 ? null : Math.min(bytes / bytes_expected, 1);
}

function recordsOf({ records_read }: UnfinishedSync): string {
  return amountInWords(records_read, 'record', 'records');
}

function filesOf({ files_done, files_total, bytes, bytes_expected }: UnfinishedSync): string {
  const files = files_total === null ? '' : `${groupedNumber(files_done)} of ${filesInWords(files_total)}`;
  const size =
    bytes_expected === null ? mebibytes(bytes) : `${mebibytes(bytes)} of ${mebibytes(bytes_expected)}`;
  return [files, bytes === 0 ? '' : size].filter((text) => text !== '').join(', ');
}

function filesInWords(count: number): string {
  return amountInWords(count, 'file', 'files');
}

function mebibytes(bytes: number): string {
  return `${groupedNumber(Math.round((bytes / 1024 / 1024) * 10) / 10)} MiB`;
}
