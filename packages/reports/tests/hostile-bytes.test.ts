import fc from 'fast-check';
import { decodeSnapshot, encodeSnapshot, listLimits, readEnvelope } from '../src/index.ts';
import { type MessageLayout, snapshotLayout } from '../src/wire/wire-format.ts';
import { bash, decode, receivedAt } from './decoding.ts';
import { snapshotArbitrary } from './snapshot-arbitrary.ts';
import {
  concat,
  debianPlatform,
  delimited,
  message,
  number,
  packageField,
  tag,
  varint,
} from './wire-bytes.ts';

describe('decodeSnapshot', () => {
  it.each([
    ['text that is not UTF-8', packageField('bash', '1', delimited(6, Uint8Array.of(0x46, 0xfc, 0x72)))],
    ['an encoded surrogate', packageField('bash', '1', delimited(6, Uint8Array.of(0xed, 0xa0, 0x80)))],
    [
      'text that runs past its message into the next',
      concat(tag(5, 2), varint(3), tag(1, 2), varint(20), bash),
    ],
    ['a name that is a number', message(5, number(1, 7))],
    ['a flag that is text', packageField('bash', '1', delimited(8, 'yes'))],
    ['a group inside a package', packageField('bash', '1', tag(20, 3), tag(20, 4))],
    ['field number 0 inside a package', packageField('bash', '1', Uint8Array.of(0, 0))],
    ['a varint that leaves its message', packageField('bash', '1', Uint8Array.of(0x40, 0x80))],
    ['a cut unknown field inside a package', packageField('bash', '1', tag(30, 1), new Uint8Array(7))],
    ['a time with text for seconds', packageField('bash', '1', message(9, delimited(1, 'now')))],
  ])('rejects %s inside a submessage as invalid_protobuf, with its position', (_what, entry) => {
    expect(decode(debianPlatform, entry, bash)).toEqual({
      kind: 'invalid_protobuf',
      detail: expect.stringMatching(/(InstalledPackage|Timestamp).* at byte \d+/),
    });
  });

  it('does not read the bytes of one field as another if a length is wrong', () => {
    // The outer length says 2, the inner one 8: a trusting decoder reads the second package into the first one's name.
    const lying = concat(debianPlatform, Uint8Array.of(0x2a, 2, 0x0a, 8), bash);
    expect(readEnvelope(lying).kind).toBe('envelope');
    expect(decode(lying).kind).toBe('invalid_protobuf');
  });

  it.each([
    ['packages', 0x2a, '/packages', 50_000],
    ['updates', 0x32, '/upgradable', 20_000],
    ['failures', 0x62, '/failures', 10_000],
  ])('refuses more %s than the limit before it decodes any', (_what, tagByte, pointer, limit) => {
    const entries = new Uint8Array((limit + 1) * 2).map((_, index) => (index % 2 === 0 ? tagByte : 0));
    expect(decode(debianPlatform, entries)).toEqual({
      kind: 'snapshot_invalid',
      errors: [{ pointer, detail: `has ${limit + 1} entries; at most ${limit} are accepted` }],
    });
  });

  it('counts the entries of a list across all its parents', () => {
    const kernel = delimited(
      7,
      new Uint8Array(10_002).map((_, index) => (index % 2 === 0 ? 0x22 : 0)),
    );
    expect(decode(debianPlatform, bash, kernel).kind).toBe('snapshot');
    expect(decode(debianPlatform, bash, kernel, kernel)).toMatchObject({
      errors: [{ pointer: '/kernel/installed' }],
    });
  });

  it('accepts as many packages as the limit allows', () => {
    const packages = Array.from({ length: 50_000 }, (_, index) => packageField(`package-${index}`, '1'));
    expect(decode(number(13, 50_000), debianPlatform, ...packages).kind).toBe('snapshot');
  });

  it('merges a platform that is repeated a hundred thousand times', () => {
    const platforms = Buffer.alloc(200_000, Uint8Array.of(0x22, 0));
    expect(decode(debianPlatform, platforms, bash).kind).toBe('snapshot');
  });

  it('never throws on a valid snapshot with changed bytes, and agrees with the envelope', () => {
    const change = fc.record({ at: fc.nat(), to: fc.nat({ max: 255 }), insert: fc.boolean() });
    fc.assert(
      fc.property(
        snapshotArbitrary,
        fc.array(change, { minLength: 1, maxLength: 6 }),
        (snapshot, changes) => {
          const bytes = [...encodeSnapshot(snapshot)];
          for (const { at, to, insert } of changes) bytes.splice(at % bytes.length, insert ? 0 : 1, to);
          const mutated = Uint8Array.from(bytes);
          const decoded = decodeSnapshot(mutated, { receivedAt });
          if (readEnvelope(mutated).kind === 'malformed') expect(decoded.kind).toBe('invalid_protobuf');
          if (decoded.kind === 'snapshot_invalid') expect(decoded.errors.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('returns only snapshots that are equal after encoding and decoding', () => {
    fc.assert(
      fc.property(snapshotArbitrary, fc.nat(), fc.nat({ max: 255 }), (snapshot, at, to) => {
        const bytes = encodeSnapshot(snapshot);
        bytes[at % bytes.length] = to;
        const decoded = decodeSnapshot(bytes, { receivedAt });
        if (decoded.kind !== 'snapshot') return;
        const again = decodeSnapshot(encodeSnapshot(decoded.snapshot), { receivedAt });
        expect(again).toEqual({ kind: 'snapshot', snapshot: decoded.snapshot, warnings: [] });
      }),
      { numRuns: 200 },
    );
  });
});

describe('the list limits', () => {
  it('name exactly the repeated fields of the format', () => {
    expect(repeatedPaths(snapshotLayout).sort()).toEqual(Object.keys(listLimits).sort());
  });
});

function repeatedPaths(layout: MessageLayout): string[] {
  return layout.fields.flatMap((field) => {
    if (field === undefined) return [];
    return [
      ...(field.repeated ? [field.path] : []),
      ...(field.message === null ? [] : repeatedPaths(field.message)),
    ];
  });
}
