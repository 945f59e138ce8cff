import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  evidenceFormat,
  generateSigningKey,
  signingFingerprint,
  signingKeyOf,
  signManifest,
  ZipWriter,
} from '@plimsoll/secrets';
import { verifyEvidenceCommand } from '../src/commands/verify-evidence-command.ts';

const key = signingKeyOf(generateSigningKey().secret);
const at = new Date('2026-11-27T09:00:00Z');
const zeros = Buffer.alloc(64 * 1024 * 1024);
const zerosPerFile = 40;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-archive-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => {
  process.exitCode = undefined;
});

/** Files of 2.5 GiB each of which only headers are written, and behind 5 GiB of them a signed pack. */
async function* largePack(): AsyncGenerator<Uint8Array> {
  const writer = new ZipWriter(at);
  for (const name of ['large-1', 'large-2']) {
    yield* writer.begin(name);
    for (let n = 0; n < zerosPerFile; n += 1) yield* writer.more([zeros]);
    const compressed = zerosPerFile * zeros.length;
    yield* writer.finish({ file: { name, bytes: 1, sha256: '' }, crc: 0, compressed, content: [] });
  }
  const late = yield* writer.stream('late.csv', ['a,b\n', 'c,d\n'.repeat(100_000)]);
  const times = { made_at: at.toISOString(), from: at.toISOString(), to: at.toISOString() };
  const { manifest, signature } = signManifest(
    { format: evidenceFormat, ...times, made_by: 'a', subject: 'all', complete: true, files: [late] },
    key,
  );
  yield* writer.stream('manifest.json', [manifest.toString()]);
  yield* writer.stream('manifest.sig', [signature.toString()]);
  yield* writer.end();
}

it('a pack beyond 4 GiB is checked to its end', async () => {
  const name = path.join(folder, 'large.zip');
  const file = await open(name, 'w');
  let position = 0;
  for await (const piece of largePack()) {
    // The zeros are a hole in the file.
    if (piece !== zeros) await file.write(piece, 0, piece.length, position);
    position += piece.length;
  }
  await file.close();
  expect(position).toBeGreaterThan(5 * 2 ** 30);
  const lines: string[] = [];
  const command = verifyEvidenceCommand({ say: (line) => void lines.push(line) });
  await command.parseAsync(['node', 'verify', name, '--key', signingFingerprint(key.publicBytes)]);
  expect(lines).toEqual(expect.arrayContaining(['valid   late.csv', 'ADDED   large-1', 'ADDED   large-2']));
  expect(process.exitCode).toBe(1);
});
