import { once } from 'node:events';
import { createGunzip, gunzipSync } from 'node:zlib';
import { gzipped } from '../src/http/compress-answer.ts';

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces) chunks.push(piece);
  return Buffer.concat(chunks);
}

it('has what its pieces have', async () => {
  async function* source() {
    yield 'ä';
    yield Buffer.from('bc');
    yield 'x'.repeat(1_000_000);
  }
  expect(gunzipSync(await all(gzipped(source()))).toString()).toBe(`äbc${'x'.repeat(1_000_000)}`);
});

it('takes no more pieces than its reader, and none once the reader has left', async () => {
  let taken = 0;
  let isOver = false;
  async function* endless() {
    try {
      // Random, so that it does not become smaller.
      for (;;) {
        taken += 1;
        yield crypto.getRandomValues(new Uint8Array(60_000));
      }
    } finally {
      isOver = true;
    }
  }
  for await (const _piece of gzipped(endless())) {
    await new Promise(setImmediate);
    break;
  }
  expect(taken).toBeLessThan(10);
  expect(isOver).toBe(true);
});

it('fails as its pieces do, also before the first', async () => {
  async function* broken(pieces: readonly string[]) {
    yield* pieces;
    throw new Error('the disk is gone');
  }
  await expect(all(gzipped(broken(['a'])))).rejects.toThrow('the disk is gone');
  await expect(all(gzipped(broken([])))).rejects.toThrow('the disk is gone');
});

it('sends what it has while the next piece takes long', async () => {
  let goOn: () => void = () => undefined;
  const later = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  async function* slow() {
    yield '\n';
    await later;
    yield '{}';
  }
  const gunzip = createGunzip();
  const texts: string[] = [];
  const first = once(gunzip, 'data').then(([chunk]) => texts.push(String(chunk)));
  const feeding = (async () => {
    for await (const piece of gzipped(slow())) gunzip.write(piece);
    gunzip.end();
  })();
  await first;
  expect(texts).toEqual(['\n']);
  gunzip.on('data', (chunk) => texts.push(String(chunk)));
  goOn();
  await feeding;
  await once(gunzip, 'end');
  expect(texts.join('')).toBe('\n{}');
});
