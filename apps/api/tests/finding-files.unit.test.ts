import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { EvidenceArchive } from '../src/operations/evidence/evidence-archive.ts';
import type { EvidenceFinding } from '../src/operations/evidence/evidence-record.ts';
import { FindingFiles } from '../src/operations/evidence/finding-files.ts';
import { KeptText } from '../src/operations/evidence/kept-text.ts';

// Only what the test looks at.
const finding = (n: number) =>
  ({
    host: `host ${n}`,
    cves: [],
    due_assumptions: [],
    due_verdict: n % 2 === 0 ? 'missed' : 'met',
  }) as unknown as EvidenceFinding;

/** The archive of the findings of hosts, with so many in a file, and what the manifest says of its files. */
async function written(hosts: readonly (readonly EvidenceFinding[])[], perFile: number) {
  const archive = new EvidenceArchive(new Date('2026-11-27T09:00:00Z'));
  const read = buffer(archive.pieces);
  const files = new FindingFiles(archive, perFile);
  for (const some of hosts) await files.add(some);
  await files.end();
  archive.end();
  const zip = await yauzl.fromBufferPromise(await read, { lazyEntries: true });
  const texts = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
    texts.set(entry.fileName, Buffer.concat(chunks).toString());
  }
  return { texts, files };
}

it.each([1, 3, 7, 8])('has each finding once in both forms, with %i findings in a file', async (perFile) => {
  const all = Array.from({ length: 7 }, (_, n) => finding(n));
  const { texts, files } = await written([all.slice(0, 2), [], all.slice(2, 7)], perFile);
  const names = [...texts.keys()];
  const parts = Math.ceil(all.length / perFile);
  expect(names).toHaveLength(2 * parts);
  expect(names.slice(0, 4)).toEqual(
    ['findings.json', 'findings.csv', 'findings-2.json', 'findings-2.csv'].slice(0, 2 * parts),
  );
  const read = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(texts.get(name) ?? ''));
  expect(read.flat().map(({ host }: { host: string }) => host)).toEqual(all.map(({ host }) => host));
  expect(Math.max(...read.map(({ length }) => length))).toBeLessThanOrEqual(perFile);
  const lines = names
    .filter((name) => name.endsWith('.csv'))
    .flatMap((name) => (texts.get(name) ?? '').trim().split('\r\n').slice(1));
  expect(lines).toHaveLength(all.length);
  expect(files.files.map(({ name, bytes, sha256 }) => [name, bytes, sha256])).toEqual(
    [...texts].map(([name, text]) => [
      name,
      Buffer.byteLength(text),
      createHash('sha256').update(text).digest('hex'),
    ]),
  );
  expect([files.count, files.missedCount, files.missed.length, files.others.length]).toEqual([7, 4, 4, 3]);
});

it('has an empty pair without findings', async () => {
  const { texts } = await written([[], []], 3);
  expect([...texts.keys()]).toEqual(['findings.json', 'findings.csv']);
  expect(JSON.parse(texts.get('findings.json') ?? '')).toEqual([]);
});

it('a kept text is what was added, also a long one', () => {
  const kept = new KeptText();
  const parts = Array.from({ length: 2_000 }, (_, n) => `${n}: ${'ä€😀'.repeat(n % 200)}\n`);
  for (const part of parts) kept.add(part);
  expect([...kept.read()].join('')).toBe(parts.join(''));
  expect([...kept.read()].length).toBeGreaterThan(1);
});

describe('an archive', () => {
  const noise = () => randomBytes(100_000).toString('base64');
  const fill = async (archive: EvidenceArchive) => {
    for (let n = 0; n < 500; n += 1) await archive.add(`file-${n}`, [noise(), noise()]);
  };

  it('waits for its reader, and ends the writing when the reader leaves', async () => {
    const archive = new EvidenceArchive(new Date());
    const filling = expect(fill(archive)).rejects.toThrow('the archive is not read any more');
    for await (const piece of archive.pieces) if (piece.length > 1_000) break;
    await filling;
  });

  it('that breaks off is an error for its reader', async () => {
    const archive = new EvidenceArchive(new Date());
    const reading = expect(buffer(archive.pieces)).rejects.toThrow('no host');
    await archive.add('file', [noise()]);
    archive.fail(new Error('no host'));
    await reading;
    expect(() => archive.begin('another')).toThrow('the archive is not read any more');
  });
});
