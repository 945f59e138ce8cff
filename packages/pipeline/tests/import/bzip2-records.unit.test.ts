import { createHash } from 'node:crypto';
import { bzip2Of } from '@plimsoll/testing';
import { unpackBzip2 } from '../../src/import/records/unpack-bzip2.ts';
import { idsIn } from './read-content.ts';

/** Packed by libbz2: three lines of JSON, 400 lines in several blocks, and 300 MiB of zeros. */
const packed = {
  few: 'QlpoOTFBWSZTWXoZAfsAABrfgAAQEAJxEAoAAQAEIAAKIAAxTAABHqmQNMJaSOWc6/iSGMCaFIQoosYq0U+LuSKcKEg9DID9gA==',
  many: 'QlpoMTFBWSZTWWTqxBoAwqffgEQQEAZ/EAoAAQA8IABKMAETBFAANAyZAmqqADTTI0aMFKlAA0AyaepIVPckKmikKn8FZxYC8CxF5FkLMX2ql+qpaQJqCfAT1VR8BMpDQExSmdTIEwqLwCYpTYCbwVfgT8CZqqSRzioFuBMQzVUkjRJULSlSSMRKhagm8CbNapW8FbGKCskymskVB5jwBeLq/AIggIAz+IBQAAgB4QACUYAIg0KAAaBkyBNVKGiMaCemmUClVGQNGgNGT2SFT+JCppRCpuCvQuwu4sxeIvMXqLhqCtgVpArcFaAr2CtAVmlX0FYkWoswVhFPIKxIuAKyQjYFbArVVRJX7VIFjVRuI+wKSP1JUH2lRJWJRUccKEluCsoFbgrAK/zFBWSZTWUR0o7IAKeVfgEQQEAZ/EAoAAQA8IABKMAD2UFAANAyZAmqpDQNAGTIFKpDQDQNMmnsklPhJKfSSU2VL1TId6ZU8U8l6LHSE/QmaE2hM4T2iZwmSGsJhVNC8QWApkqWAW5UsShqqWqo0gCjpCWeAhUxhNIAo1pJFrAFGFJItoTghNoTBE/i7kinChISU8q84A==',
  bomb: 'QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWaJ1bucBLBJABMAAAAEACCAAMMwFKaYiBSNiRApHi7kinChIKup7h4A=',
};
/** libbz2's output for texts that are difficult for one of the steps, with the digest of the text. */
const hard: readonly (readonly [string, string, string])[] = [
  [
    'bytes of every value',
    'QlpoOTFBWSZTWbVAlCwAASX////////t/9///97+///////v/3//d/////7/////////wAHrud3WSIBGNTTANR6j0noBMmTammjTJkwT0mExNohhPRNGmJtR6npqYA9TICMIYMk0zQJp6anpoDUaZMmmCNpNBtJ6mAmJjRoPU0n6h6iQ2kyaZG0ABDZTACMAAAATAABGjABoDQAammDQAJ6EwANA0B6IAmaNRgAAAAajHqEz1QgADQAAAAAAANAAAAAAAAGgDQAA0AAGgAAAAAANAAAABoAA0AgAaABpoAAAAAAABoAAAAAAAaAAAAAAAAADQGmgAAABoAAAABh04DYvHSfv/dlwajXZTZUN7x8jBOlvh5C4J8lnCBRp5MhISh6545C8gt7hBcR8F5udJSFBo2GuANWxQ4rsIUPDLwSa1pm1UAYpKvkyIChG5FBjPPp4GlG01/A+uHsShoppxIHAauLjhsaTKrAlJl+rmPxAc/DnURpPWhLEFTVvDnnYIIbp21D8I2s4sDbvX65gHhjF3elhNi+AK7BuM9/C5z4PcjnjpNTKw2cGYaEOFp23aeQi3hND+F1FwSRbwKbh2sxGAYg7TXj4QigPikT3y9JAXrsuDBatAE/ZxwyBFy4WYJrLH8NKKxXcgSvwJhhZA+Lx6iYjq1sgVvQuZmXQBL2GMXK7ln5R2Fw8itFjf+U7Jk3V61scGpJ1Bqd6GxssEtB0kyY2ejUBX92POBilvkwhVUYFAA5CrJz/xXa+tJDUMp98UqvGhwemoWzk5Dtg9aptyOIFuQcyGPWPeO0gQFAGHOS9KvaJha6hwtVwlwLQUnvhA8SwE7KaSkytFEAggGfDW2ZZ+UGFvc7PvkuL1HDdQb8NbCG9CpyQRArgVq+NE3wMgLW3eD1mj3GXcwDoVAEmkKu/lAcv8ooG1WApbjTRo6piPS/5yDsPY1tSDCemUmurba7Me56MYSyU6izzCdyQcDZLYDlMlVsUOhSDEuaG8B/hkARagy/41Y3SfPUfFsJjQ6A+DRf0JoeO716yTsHMEkL8jGNegbcR/p659lw/tdUi2qOc/gej/xj73yh2hIo75RxNacIye/eh7aWIIlpgHElBGP1Dw5ZIoq4mgN5czdgNMLdyE76rkN5hnPRXc2RA+lOy0Pd3jEH4G3BM7r+6fLdIgN1r8R44ujDc0AeD/E8+HxUhsmrK8xeVJnwEA5XTIiLD0Az+kJDbDlQBzUW+LuSKcKEhaoEoWA==',
    'e62e3c2df516227d1ef0db5c462cc02ebb92eaf1edaa398a0e6d3f10d9eb3bfe',
  ],
  [
    'runs of every length up to 529',
    'QlpoOTFBWSZTWQPyOgAAAKh//8kkkkkkkkkkukkkkkkkkkkkkkkkkkkkkkkkkkkkkkkoMAFyrTBT9VRGgAADTQ0AAANHlANGT1MT1MT/yqg1Pyqo0AAAAAAAAA0aAAAANJUYAAAAAAAAAAAAA/1UYWDhKqqqqoMUGKDFBigxRkkp/SoSyLUuC7L4wSzMYyTMM80jVNg2zeOE5CqViuWCYtk5eEbBV293f4ePl5+nr7a3hL5entX+bM1q5PdvqSWWEIyknMSkpJv0kleSkkcqVCVCqc50FY6bJ6jrOw7SwWT6Jj7LRbLh+E5+l0vF8/hEEJJJbiSSSJJJJJJJP1+AgQCMoIEAyIAP5SBAFLVBaqDGMYxjGMYxjGMYxjGMYxjGa4xtttJJJJJJJJJKRLxhGMYwi6tAKEUGKDFBigxQYoMUGKDFBigxQYoMUGKDFBigxQYoMUGJJJCkkjKST/F3JFOFCQA/I6AA',
    'd6dc0f4341211df78ab3577e28924c3912df9b823803e940b59fb76c0f975eed',
  ],
  ['nothing', 'QlpoORdyRThQkAAAAAA=', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
];

async function* inPieces(content: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += length) yield content.subarray(at, at + length);
}

const bytesOf = (text: string) => Buffer.from(text, 'base64');
const all = ['CVE-2026-0', 'CVE-2026-1', 'CVE-2026-2'];

describe('records of a bzip2 file', () => {
  it('are those of the text', async () => {
    expect(await idsIn(bytesOf(packed.few))).toEqual(all);
  });

  it('are those that the encoder of the tests packed', async () => {
    const texts = all.map((id) => JSON.stringify({ id, text: `${'aaaaaa'.repeat(700)}${id}` }));
    expect(await idsIn(bzip2Of(Buffer.from(texts.join('\n'))))).toEqual(all);
  });

  it('are read from several blocks', async () => {
    const ids = await idsIn(bytesOf(packed.many));
    expect(ids).toHaveLength(400);
    expect(ids.slice(-2)).toEqual(['CVE-2026-6', 'CVE-2026-0']);
  });

  it('are read from several streams, as pbzip2 writes them', async () => {
    const one = bytesOf(packed.few);
    // The last line of the first stream has no end: the first line of the second stream continues it.
    const ids = await idsIn(
      Buffer.concat([
        bytesOf(packed.many),
        bytesOf('QlpoOTFBWSZTWZ59lp0AAABAAAAQIAAhGEaC7kinChITz7LToA=='),
        one,
      ]),
    );
    expect(ids.slice(-3)).toEqual(all);
  });

  it('are refused wherever the file is cut off', async () => {
    const whole = bytesOf(packed.few);
    for (let length = 5; length < whole.length; length += 3) {
      await expect(idsIn(whole.subarray(0, length))).rejects.toMatchObject({ code: 'corrupt_archive' });
    }
  });

  it('are refused where any byte is another', async () => {
    const whole = bytesOf(packed.few);
    for (let at = 4; at < whole.length - 1; at++) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at);
      await expect(idsIn(damaged)).rejects.toMatchObject({ code: 'corrupt_archive' });
    }
  });

  it('are refused where something else follows', async () => {
    const more = Buffer.concat([bytesOf(packed.few), Buffer.from('more')]);
    await expect(idsIn(more)).rejects.toMatchObject({ code: 'corrupt_archive' });
  });

  it('are refused in a bomb', async () => {
    const unpack = async () => {
      let length = 0;
      for await (const piece of unpackBzip2(inPieces(bytesOf(packed.bomb), 100))) length += piece.length;
      return length;
    };
    await expect(unpack()).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('unpacking bzip2', () => {
  it.each(hard)('gives %s back', async (_what, content, digest) => {
    for (const length of [1, 64, 100_000]) {
      const sum = createHash('sha256');
      for await (const piece of unpackBzip2(inPieces(bytesOf(content), length))) sum.update(piece);
      expect(sum.digest('hex')).toBe(digest);
    }
  });
});
