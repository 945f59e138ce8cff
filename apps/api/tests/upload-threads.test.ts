import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folderPerFile, waitFor } from '@plimsoll/testing';
import type { UploadThreads, UploadToRead } from '../src/uploads/receive-upload.ts';
import { createUploadThreads } from '../src/uploads/upload-threads.ts';
import { uploadBytes } from './agent-uploads.ts';
import { enrol, startApi, withAdmin } from './api-under-test.ts';
import { createTestLogger } from './test-logger.ts';

/** The channel on which the brittle thread is told to break. */
const breaking = 'plimsoll-test-break';

/** A thread that breaks on an upload starting with 0, and when it is told to after one starting with 1. */
const brittle = `
  const { BroadcastChannel, parentPort, threadId } = require('node:worker_threads');
  parentPort.on('message', ({ sent }) => {
    if (sent[0] === 0) process.exit(3);
    if (sent[0] === 1) new BroadcastChannel('${breaking}').onmessage = () => { throw new Error('broken'); };
    parentPort.postMessage({ kind: 'understood', understood: { threadId }, gzip: new Uint8Array() });
  });`;

const folder = folderPerFile();
let file: string;
beforeAll(async () => {
  file = path.join(folder, 'brittle.cjs');
  await writeFile(file, brittle);
});
const read = (threads: UploadThreads, one: UploadToRead) => threads.turn(1, (reading) => reading(one));
const upload = (first: number): UploadToRead => ({
  form: 'report',
  sent: Uint8Array.of(first),
  encoding: null,
  receivedAt: new Date(),
});

describe('threads for uploads', () => {
  it('that break on an upload fail it, and another thread takes the next', async () => {
    const threads = createUploadThreads(file, createTestLogger().logger);
    await expect(read(threads, upload(0))).rejects.toMatchObject({
      code: 'internal',
      cause: { message: 'the thread ended with 3' },
    });
    await expect(read(threads, upload(2))).resolves.toMatchObject({ kind: 'understood' });
  });

  it('that break between two uploads end neither the process nor the next upload', async () => {
    const log = createTestLogger();
    const threads = createUploadThreads(file, log.logger);
    const first = await read(threads, upload(1));
    // Not before the answer is here: an error of a thread can arrive before its last message.
    const channel = new BroadcastChannel(breaking);
    channel.postMessage('now');
    channel.close();
    await waitFor('the thread to break', () =>
      log.lines.some(({ msg }) => msg === 'a thread that reads uploads broke'),
    );
    const second = await read(threads, upload(2));
    expect(second.understood).not.toEqual(first.understood);
    expect((await read(threads, upload(2))).understood).toEqual(second.understood);
  });

  it('that break cost the host one upload of its allowance', async () => {
    const api = await withAdmin(() => startApi({ uploadThreadFile: file }));
    try {
      const response = await uploadBytes(api, await enrol(api), Buffer.alloc(2 * 1024 * 1024));
      expect([response.status, response.body.code]).toEqual([500, 'internal']);
      const { rows } = await api.database.db.pool.query(
        'SELECT uploads_whole_at > now() AS taken FROM upload_allowances',
      );
      expect(rows).toEqual([{ taken: true }]);
    } finally {
      await api.stop();
    }
  });
});
