import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  evidenceFormat,
  type FinishedFile,
  generateSigningKey,
  signingFingerprint,
  signingKeyOf,
  signManifest,
  ZipFile,
  zipArchive,
} from '@plimsoll/secrets';
import { verifyEvidenceCommand } from '../src/commands/verify-evidence-command.ts';

const key = signingKeyOf(generateSigningKey().secret);
const fingerprint = signingFingerprint(key.publicBytes);
const at = new Date('2026-11-23T09:00:00Z');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-evidence-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => {
  process.exitCode = undefined;
});

async function fileOf(name: string, text: string): Promise<FinishedFile> {
  const file = new ZipFile(name);
  await file.write(text);
  return file.end();
}

/** The files of a signed pack. */
async function packOf(signer = key, complete = true): Promise<FinishedFile[]> {
  const files = [await fileOf('findings.csv', 'a,b\n'.repeat(50_000)), await fileOf('evidence.json', '{}')];
  const signed = signManifest(
    {
      format: evidenceFormat,
      made_at: at.toISOString(),
      made_by: 'a@example.org',
      subject: 'host al\u001b[2Jpha',
      from: at.toISOString(),
      to: at.toISOString(),
      complete,
      files: files.map(({ file }) => file),
    },
    signer,
  );
  return [
    await fileOf('manifest.json', signed.manifest.toString()),
    await fileOf('manifest.sig', signed.signature.toString()),
    ...files,
  ];
}

async function verify(bytes: Uint8Array, ...flags: string[]): Promise<{ code: unknown; lines: string[] }> {
  const file = path.join(folder, 'pack.zip');
  await writeFile(file, bytes);
  const lines: string[] = [];
  const command = verifyEvidenceCommand({ say: (line) => void lines.push(line) });
  await command.parseAsync(['node', 'verify-evidence', file, ...flags]);
  return { code: process.exitCode, lines };
}

const zip = (files: readonly FinishedFile[]) => Buffer.concat([...zipArchive(files, at)]);

it('says that a pack is valid if it is signed by the expected key', async () => {
  const { code, lines } = await verify(zip(await packOf()), '--key', fingerprint);
  expect(code).toBe(0);
  expect(lines[0]).toMatch(/^VALID/);
  expect(lines).toContain('valid   findings.csv');
  expect(lines.join('\n')).not.toContain('\u001b');
});

it('does not say that it is valid without an expected key, or with another one', async () => {
  expect((await verify(zip(await packOf()))).code).toBe(3);
  const other = await packOf(signingKeyOf(generateSigningKey().secret));
  const { code, lines } = await verify(zip(other), '--key', fingerprint);
  expect(code).toBe(1);
  expect(lines[1]).toMatch(/It is signed by the key SHA256:.*, not by/);
});

it('names what was changed, is missing, and was added', async () => {
  const [manifest, signature, csv, json] = (await packOf()) as [
    FinishedFile,
    FinishedFile,
    FinishedFile,
    FinishedFile,
  ];
  const changed = await fileOf('evidence.json', '[]');
  const swapped = await verify(zip([manifest, signature, csv, changed]), '--key', fingerprint);
  expect([swapped.code, swapped.lines]).toEqual([1, expect.arrayContaining(['CHANGED evidence.json'])]);
  const less = await verify(zip([manifest, signature, json]), '--key', fingerprint);
  expect([less.code, less.lines]).toEqual([1, expect.arrayContaining(['MISSING findings.csv'])]);
  const extra = await fileOf('extra.txt', 'x');
  const more = await verify(zip([manifest, signature, csv, json, extra, json]), '--key', fingerprint);
  expect([more.code, more.lines]).toEqual([
    1,
    expect.arrayContaining(['ADDED   extra.txt', 'ADDED   evidence.json (a second file of this name)']),
  ]);
});

it('a changed manifest is not valid', async () => {
  const [manifest, ...rest] = (await packOf()) as [FinishedFile, ...FinishedFile[]];
  const text = JSON.stringify({ subject: 'other', bytes: manifest.file.bytes });
  const { code, lines } = await verify(
    zip([await fileOf('manifest.json', text), ...rest]),
    '--key',
    fingerprint,
  );
  expect([code, lines[0]]).toEqual([1, 'NOT VALID.']);
});

it('says that a pack calls itself not complete', async () => {
  const { code, lines } = await verify(zip(await packOf(key, false)), '--key', fingerprint);
  expect([code, lines.at(-1)]).toEqual([0, expect.stringContaining('NOT COMPLETE')]);
});

it.each([
  ['no archive', Buffer.from('hello')],
  ['an empty file', Buffer.alloc(0)],
])('%s is not an evidence pack', async (_what, bytes) => {
  expect((await verify(bytes, '--key', fingerprint)).code).toBe(2);
});

it('distinguishes a file that it cannot read from one that is not an evidence pack', async () => {
  const lines: string[] = [];
  const command = verifyEvidenceCommand({ say: (line) => void lines.push(line) });
  await command.parseAsync(['node', 'verify-evidence', path.join(folder, 'nowhere.zip')]);
  expect([process.exitCode, lines]).toEqual([
    2,
    ['NOT CHECKED: the file cannot be read.', expect.stringContaining('ENOENT')],
  ]);
});

it('unpacks no more than the manifest states', async () => {
  const [manifest, signature, , json] = (await packOf()) as [
    FinishedFile,
    FinishedFile,
    FinishedFile,
    FinishedFile,
  ];
  const bomb = await fileOf('findings.csv', '0'.repeat(50_000_000));
  const claiming = { ...bomb, file: { ...bomb.file, bytes: 200_000 } };
  for (const one of [bomb, claiming]) {
    const { code, lines } = await verify(zip([manifest, signature, one, json]), '--key', fingerprint);
    expect([code, lines]).toEqual([1, expect.arrayContaining(['CHANGED findings.csv'])]);
  }
  const cut = zip(await packOf()).subarray(0, -30);
  expect((await verify(cut, '--key', fingerprint)).code).toBe(2);
});
