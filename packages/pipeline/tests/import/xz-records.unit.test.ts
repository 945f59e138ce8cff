import { Readable } from 'node:stream';
import { unpackXz } from '../../src/import/records/unpack-xz.ts';
import { idsIn } from './read-content.ts';

/** Three lines of JSON, packed by liblzma with each of its checks. */
const packed = {
  'CRC-64':
    '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AA6ACBdAD2IiSaBk1OFgp54Q1BxZYH1IY7l07lSblhtGVC554AAACp51k8UvgJmAAE8O/AlfuIftvN9AQAAAAAEWVo=',
  'SHA-256':
    '/Td6WFoAAArh+wyhAgAhARYAAAB0L+Wj4AA6ACBdAD2IiSaBk1OFgp54Q1BxZYH1IY7l07lSblhtGVC554AAAFBE2jz259o4GkR54qse4MgxUa678e0rCVydT6QRCo22AAFUO1/EWk8Ym0uaAQAAAAAKWVo=',
  'CRC-32':
    '/Td6WFoAAAFpIt42AgAhARYAAAB0L+Wj4AA6ACBdAD2IiSaBk1OFgp54Q1BxZYH1IY7l07lSblhtGVC554AAAJ3WZDEAATg79OAShpBCmQ0BAAAAAAFZWg==',
  greedy:
    '/Td6WFoAAATm1rRGAgAhASgAAADmoBGz4AA6ACBdAD2IiSaBk1OFgp54Q1BxZYH1IY7l07lSblhtGVC554AAACp51k8UvgJmAAE8O/AlfuIftvN9AQAAAAAEWVo=',
  /** A mebibyte of zeros in 284 bytes. */
  zeros:
    '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM7///ANldAABv/f//o7f/Rz5IFXI5YVG4kijmo4YH+e7kHoLTL8U6PAFLsX7JiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3llestk3haR1v+0uIEGxCy4g/XACP0E6vJiiUcR89jyThcJ6nI1/sKMuF0ZWYin4qkfIndfcZwAaYTZj92K/VkA/EJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1Iq9+SVJQAAAAAAwva6PqJwa2AAAfUBgIBAAHmXf0exxGf7AgAAAAAEWVo=',
};
/** The dictionary of a block header: 24 is 16 MiB, 40 is 4 GiB - 1. */
const dictionaryAt = 16;

const bytesOf = (name: keyof typeof packed) => Buffer.from(packed[name], 'base64');
const all = ['CVE-2026-0', 'CVE-2026-1', 'CVE-2026-2'];

describe('records of an xz file', () => {
  it.each(['CRC-64', 'CRC-32'] as const)('with %s as its check are those of the text', async (name) => {
    expect(await idsIn(bytesOf(name))).toEqual(all);
  });

  it('are read from several files at once, and after one that was left halfway', async () => {
    expect(await idsIn(bytesOf('CRC-64'), 1)).toEqual(all.slice(0, 1));
    const many = await Promise.all([1, 2, 3].map(() => idsIn(bytesOf('CRC-64'))));
    expect(many).toEqual([all, all, all]);
  });

  it('are read from several streams', async () => {
    // The last line of the first stream has no end: the first line of the second stream continues it.
    const ids = await idsIn(Buffer.concat([bytesOf('CRC-64'), bytesOf('CRC-32')]));
    expect(ids).toEqual(['CVE-2026-0', 'CVE-2026-1', 'is not valid JSON', 'CVE-2026-1', 'CVE-2026-2']);
  });

  it('are refused in a bomb', async () => {
    const bomb = Buffer.concat(Array.from({ length: 70 }, () => bytesOf('zeros')));
    const unpack = async () => {
      for await (const _piece of unpackXz(Readable.from([bomb])));
    };
    await expect(unpack()).rejects.toMatchObject({ code: 'too_large' });
  });

  it('are refused wherever the file is cut off, and other files can be read afterwards', async () => {
    const whole = bytesOf('CRC-64');
    for (let length = 8; length < whole.length; length += 7) {
      await expect(idsIn(whole.subarray(0, length))).rejects.toMatchObject({ code: 'corrupt_archive' });
    }
    expect(await idsIn(whole)).toEqual(all);
  });

  it('are refused where a byte of the content, of its sum or of a header is another', async () => {
    const whole = bytesOf('CRC-64');
    for (const at of [7, 13, 20, 40, whole.length - 30, whole.length - 5]) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x55, at);
      await expect(idsIn(damaged)).rejects.toMatchObject({ code: 'corrupt_archive' });
    }
  });

  it('are refused where the file asks for a dictionary of 4 GiB', async () => {
    const greedy = Buffer.from(packed.greedy, 'base64');
    expect(greedy.readUInt8(dictionaryAt)).toBe(40);
    await expect(idsIn(greedy)).rejects.toMatchObject({ code: 'corrupt_archive' });
  });
});
