import { syncPart, syncWords } from '../../src/words/sync-words.ts';

const mebibyte = 1024 * 1024;
const sync = {
  state: 'running',
  stage: 'downloading',
  files_done: 3,
  files_total: 12,
  bytes: 120 * mebibyte,
  bytes_expected: 900.5 * mebibyte,
  records_read: 0,
  started_at: '2026-11-22T10:00:00.000Z',
  progressed_at: '2026-11-22T10:01:00.000Z',
  reported_at: '2026-11-22T10:01:00.000Z',
} as const;

describe('the progress of a sync', () => {
  it.each([
    [sync, 'Downloading: 3 of 12 files, 120 MiB of 900.5 MiB', 0.25],
    [
      { ...sync, files_done: 0, files_total: 1, bytes_expected: 240 * mebibyte },
      'Downloading: 0 of 1 file, 120 MiB of 240 MiB',
      0.5,
    ],
    [{ ...sync, files_total: null, bytes_expected: null }, 'Downloading: 120 MiB', null],
    [{ ...sync, stage: 'listing', files_total: null, bytes: 0 }, 'Looking for files', null],
    [{ ...sync, stage: 'reading', records_read: 1_234 }, 'Reading records: 1,234 records', null],
    [{ ...sync, stage: 'matching' }, 'Storing records and checking the hosts again', null],
    [{ ...sync, state: 'interrupted' }, 'Sync interrupted (downloading)', null],
  ] as const)('%j: %s', (shown, words, part) => {
    expect(syncWords(shown)).toBe(words);
    expect(syncPart(shown)).toBe(part);
  });
});
