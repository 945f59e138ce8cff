import path from 'node:path';
import { folderPerFile } from '@plimsoll/testing';
import { openLedger, readLedger, type SentUpload } from '../src/index.ts';

const upload: SentUpload = {
  hostId: 'h',
  host: 0,
  round: 0,
  report: 1,
  sentAt: '2026-11-01T08:00:00.000Z',
  sha256: 'ab',
  status: 202,
  answer: 'queued',
  uploadId: 'u',
  ms: 3,
};

describe('a ledger', () => {
  const folder = folderPerFile();
  it('has in its file every attempt, in order', async () => {
    const file = path.join(folder, 'ledger.jsonl');
    const ledger = openLedger(file);
    const attempts = Array.from({ length: 5_000 }, (_, report) => ({ ...upload, report }));
    for (const attempt of attempts) ledger.note(attempt);
    await ledger.close();
    expect(await readLedger(file)).toEqual(attempts);
    expect(ledger.uploads).toEqual(attempts);
  });

  it('says so if its file cannot be written', async () => {
    const ledger = openLedger(path.join(folder, 'no', 'such', 'folder'));
    ledger.note(upload);
    await expect(ledger.close()).rejects.toThrow('ENOENT');
  });
});
