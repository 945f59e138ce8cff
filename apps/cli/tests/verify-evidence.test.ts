import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  evidenceFormat,
  generateSigningKey,
  signingFingerprint,
  signingKeyOf,
  signManifest,
} from '@plimsoll/secrets';
import { folderPerFile, type TextFile, zipOf } from '@plimsoll/testing';
import { verifyEvidenceCommand } from '../src/commands/verify-evidence-command.ts';

const key = signingKeyOf(generateSigningKey().secret);
const fingerprint = signingFingerprint(key.publicBytes);
const at = new Date('2026-11-23T09:00:00Z');

const folder = folderPerFile();
afterEach(() => {
  process.exitCode = undefined;
});

/** The files of a signed pack. */
function packOf(
  signer = key,
  complete = true,
  notes?: readonly string[],
): readonly [TextFile, TextFile, TextFile, TextFile] {
  const csv = { name: 'findings.csv', text: 'a,b\n'.repeat(50_000) };
  const json = { name: 'evidence.json', text: '{}' };
  const signed = signManifest(
    {
      format: evidenceFormat,
      made_at: at.toISOString(),
      made_by: 'a@example.org',
      subject: 'host al\u001b[2Jpha',
      from: at.toISOString(),
      to: at.toISOString(),
      complete,
      ...(notes === undefined ? {} : { notes }),
      files: [csv, json].map(({ name, text }) => ({
        name,
        bytes: text.length,
        sha256: createHash('sha256').update(text).digest('hex'),
      })),
    },
    signer,
  );
  return [
    { name: 'manifest.json', text: signed.manifest.toString() },
    { name: 'manifest.sig', text: signed.signature.toString() },
    csv,
    json,
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

it.each([
  ['a pack', false],
  ['a pack in the form of those beyond 4 GiB', true],
])('says that %s is valid if it is signed by the expected key', async (_what, isLarge) => {
  const { code, lines } = await verify(await zipOf(packOf(), { isLarge }), '--key', fingerprint);
  expect(code).toBe(0);
  expect(lines[0]).toMatch(/^VALID/);
  expect(lines).toContain('valid   findings.csv');
  expect(lines.join('\n')).not.toContain('\u001b');
});

it('does not say that it is valid without an expected key, or with another one', async () => {
  expect((await verify(await zipOf(packOf()))).code).toBe(3);
  const other = packOf(signingKeyOf(generateSigningKey().secret));
  const { code, lines } = await verify(await zipOf(other), '--key', fingerprint);
  expect(code).toBe(1);
  expect(lines[1]).toMatch(/It is signed by the key SHA256:.*, not by/);
});

it('names what was changed, is missing, and was added', async () => {
  const [manifest, signature, csv, json] = packOf();
  const changed = { name: 'evidence.json', text: '[]' };
  const swapped = await verify(await zipOf([manifest, signature, csv, changed]), '--key', fingerprint);
  expect([swapped.code, swapped.lines]).toEqual([1, expect.arrayContaining(['CHANGED evidence.json'])]);
  const less = await verify(await zipOf([manifest, signature, json]), '--key', fingerprint);
  expect([less.code, less.lines]).toEqual([1, expect.arrayContaining(['MISSING findings.csv'])]);
  const extra = { name: 'extra.txt', text: 'x' };
  const more = await verify(await zipOf([manifest, signature, csv, json, extra, json]), '--key', fingerprint);
  expect([more.code, more.lines]).toEqual([
    1,
    expect.arrayContaining(['ADDED   extra.txt', 'ADDED   evidence.json (a second file of this name)']),
  ]);
});

it('a changed manifest is not valid', async () => {
  const [manifest, ...rest] = packOf();
  const text = JSON.stringify({ subject: 'other', bytes: manifest.text.length });
  const { code, lines } = await verify(
    await zipOf([{ name: 'manifest.json', text }, ...rest]),
    '--key',
    fingerprint,
  );
  expect([code, lines[0]]).toEqual([1, 'NOT VALID.']);
});

it('says that a pack calls itself not complete', async () => {
  const { code, lines } = await verify(await zipOf(packOf(key, false)), '--key', fingerprint);
  expect([code, lines.at(-1)]).toEqual([0, expect.stringContaining('NOT COMPLETE')]);
});

it('shows what limits the evidence, also of a valid pack, and of an earlier version where to read it', async () => {
  const notes = ['Silent: 1 of 2 hosts.', 'The feed \u001b[2J was never synced.'];
  const { code, lines } = await verify(await zipOf(packOf(key, true, notes)), '--key', fingerprint);
  expect([code, lines.slice(-3)]).toEqual([
    0,
    [
      'What limits the evidence, as the pack says:',
      '- Silent: 1 of 2 hosts.',
      '- The feed ?[2J was never synced.',
    ],
  ]);
  const earlier = await verify(await zipOf(packOf()), '--key', fingerprint);
  expect(earlier.lines.at(-1)).toBe('What limits the evidence is in the notes of evidence.json: read them.');
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
  const [manifest, signature, , json] = packOf();
  const size = 50_000_000;
  const bomb = await zipOf([manifest, signature, { name: 'findings.csv', text: '0'.repeat(size) }, json]);
  const claiming = withSize(bomb, size, 200_000);
  for (const bytes of [bomb, claiming]) {
    const { code, lines } = await verify(bytes, '--key', fingerprint);
    expect([code, lines]).toEqual([1, expect.arrayContaining(['CHANGED findings.csv'])]);
  }
  const cut = (await zipOf(packOf())).subarray(0, -30);
  expect((await verify(cut, '--key', fingerprint)).code).toBe(2);
});

/** An archive whose headers state another size of a file. */
function withSize(archive: Buffer, stated: number, other: number): Buffer {
  const [from, to] = [stated, other].map((size) => Buffer.from(Uint32Array.of(size).buffer));
  const changed = Buffer.from(archive);
  let headers = 0;
  for (let at = changed.indexOf(from ?? ''); at >= 0; at = changed.indexOf(from ?? '', at + 1)) {
    to?.copy(changed, at);
    headers += 1;
  }
  expect(headers).toBe(2);
  return changed;
}
