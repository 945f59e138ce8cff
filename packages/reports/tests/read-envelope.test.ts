import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { decodeSnapshot, type Envelope, encodeSnapshot, readEnvelope } from '../src/index.ts';
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

const bash = packageField('bash', '5.2.15-2+b8');
const zlib = packageField('zlib1g', '1:1.2.13.dfsg-1');
const failure = message(12, delimited(1, 'repositories'), delimited(2, 'apt-cache: not found'));
const whole = concat(number(1, 1), debianPlatform, bash, zlib, failure, number(13, 2));

function read(...parts: readonly Uint8Array[]): Extract<Envelope, { kind: 'envelope' }> {
  const envelope = readEnvelope(concat(...parts));
  if (envelope.kind !== 'envelope') throw new Error(envelope.detail);
  return envelope;
}

function hashOf(...parts: readonly Uint8Array[]): string {
  return Buffer.from(read(...parts).contentHash).toString('hex');
}

function sha256(...parts: readonly Uint8Array[]): string {
  return createHash('sha256')
    .update(concat(...parts))
    .digest('hex');
}

describe('the content hash', () => {
  it('is SHA-256 over fields 4 to 12 and 16, tags and lengths included', () => {
    expect(hashOf(whole)).toBe(sha256(debianPlatform, bash, zlib, failure));
  });

  it('covers the fields in the order received, with others between them', () => {
    const observed = message(14, delimited(1, 'boot-1'));
    expect(hashOf(failure, number(1, 1), zlib, observed, bash, number(13, 2), debianPlatform)).toBe(
      sha256(failure, zlib, bash, debianPlatform),
    );
    expect(hashOf(bash, zlib)).not.toBe(hashOf(zlib, bash));
  });

  it.each([
    ['schema_version', number(1, 7)],
    ['collected_at', message(2, number(1, 1_790_000_000))],
    ['collector_version', delimited(3, '9.9')],
    ['package_count', number(13, 2)],
    ['observed', message(14, delimited(1, 'another-boot'))],
    ['an unknown varint', number(18, 99)],
    ['an unknown submessage', delimited(2000, 'what a newer agent says')],
    ['an unknown fixed32', concat(tag(17, 5), new Uint8Array(4))],
    ['an unknown fixed64', concat(tag(536_870_911, 1), new Uint8Array(8))],
    ['an empty report', delimited(15, '')],
  ])('does not depend on %s', (_field, bytes) => {
    const plain = hashOf(debianPlatform, bash, zlib);
    expect(hashOf(bytes, debianPlatform, bash, zlib)).toBe(plain);
    expect(hashOf(debianPlatform, bash, bytes, zlib)).toBe(plain);
    expect(hashOf(debianPlatform, bash, zlib, bytes)).toBe(plain);
  });

  it.each([4, 5, 6, 7, 8, 9, 10, 11, 12, 16])('changes if field %i is added', (fieldNumber) => {
    expect(hashOf(debianPlatform, bash, delimited(fieldNumber, ''))).not.toBe(hashOf(debianPlatform, bash));
  });

  it('of a text report is SHA-256 over its text only', () => {
    const report = delimited(15, 'plimsoll-report 1\n');
    expect(hashOf(report)).toBe(sha256(new TextEncoder().encode('plimsoll-report 1\n')));
    expect(hashOf(number(1, 1), report, delimited(99, 'x'))).toBe(hashOf(report));
  });

  it('of our own encoding ignores only observations', () => {
    fc.assert(
      fc.property(snapshotArbitrary, snapshotArbitrary, (a, b) => {
        const moved = {
          ...a,
          collectedAt: b.collectedAt,
          schemaVersion: b.schemaVersion,
          observed: b.observed,
        };
        expect(hashOf(encodeSnapshot(moved))).toBe(hashOf(encodeSnapshot(a)));
        const changed = { ...a, failures: [...a.failures, { section: '', detail: 'one more' }] };
        expect(hashOf(encodeSnapshot(changed))).not.toBe(hashOf(encodeSnapshot(a)));
      }),
      { numRuns: 50 },
    );
  });
});

describe('readEnvelope', () => {
  it('reports which of the two forms was received', () => {
    expect(read(whole)).toMatchObject({ hasStructured: true, hasReport: false });
    expect(read(delimited(15, 'text'))).toMatchObject({ hasStructured: false, hasReport: true });
    expect(read(whole, delimited(15, 'text'))).toMatchObject({ hasStructured: true, hasReport: true });
    expect(read(message(14), delimited(15, 'text'))).toMatchObject({ hasStructured: true, hasReport: true });
    expect(read(number(1, 1), number(13, 0))).toMatchObject({ hasStructured: false, hasReport: false });
    expect(read()).toMatchObject({ hasStructured: false, hasReport: false });
  });

  it('merges a repeated observation as protobuf does: its bytes one after the other', () => {
    const boot = delimited(1, 'boot-1');
    const refresh = message(3, delimited(1, 'bookworm'));
    const { observation } = read(delimited(14, boot), bash, delimited(14, refresh));
    expect(Buffer.from(observation)).toEqual(Buffer.from(concat(boot, refresh)));
  });

  it('uses the last of several reports, as protobuf does', () => {
    const { report } = read(delimited(15, 'first'), delimited(15, 'second'));
    expect(Buffer.from(report).toString()).toBe('second');
    expect(read(delimited(15, 'first'), delimited(15, '')).hasReport).toBe(false);
  });

  it('returns fields 1 to 3 as received', () => {
    const { header } = read(number(1, 1), bash, delimited(3, '1.4'));
    expect(Buffer.from(header)).toEqual(Buffer.from(concat(number(1, 1), delimited(3, '1.4'))));
  });

  it('detects a message truncated at a field boundary if it declares its package count', () => {
    expect(readEnvelope(concat(number(13, 2), debianPlatform, bash)).kind).toBe('malformed');
    expect(readEnvelope(concat(debianPlatform, bash, zlib, number(13, 1))).kind).toBe('malformed');
    expect(readEnvelope(concat(debianPlatform, bash, number(13, 0))).kind).toBe('envelope');
    expect(readEnvelope(concat(number(13, 7), bash, number(13, 1))).kind).toBe('envelope');
  });

  it.each<[string, Uint8Array]>([
    ['a length past the end', concat(tag(5, 2), varint(100), new Uint8Array(10))],
    ['a length of 4 GiB', concat(tag(5, 2), varint(0xffff_ffff))],
    [
      'a length that is 1 in its low 32 bits only',
      concat(tag(16, 2), varint((1n << 32n) + 1n), new Uint8Array(1)),
    ],
    ['a negative length', concat(tag(5, 2), varint(-1n))],
    ['a varint of 11 bytes', concat(tag(1, 0), new Uint8Array(10).fill(0x80), new Uint8Array(1))],
    ['a varint of more than 64 bits', concat(tag(1, 0), new Uint8Array(9).fill(0xff), Uint8Array.of(2))],
    ['a varint that never ends', concat(tag(1, 0), new Uint8Array(40).fill(0xff))],
    ['a tag that ends in the middle', Uint8Array.of(0x80)],
    ['a tag of more than 32 bits', Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x10, 0)],
    ['a padded tag of six bytes', Uint8Array.of(0x88, 0x80, 0x80, 0x80, 0x80, 0x00, 1)],
    ['field number 0', Uint8Array.of(0x00, 0x01)],
    ['a group', concat(tag(5, 3), tag(5, 4))],
    ['a group in an unknown field', concat(tag(20, 3), tag(20, 4))],
    ['an end of no group', tag(20, 4)],
    ['wire type 6', Uint8Array.of(0x86, 0x01)],
    ['wire type 7', Uint8Array.of(0x87, 0x01)],
    ['a cut fixed32', concat(tag(16, 5), new Uint8Array(3))],
    ['a cut fixed64', concat(tag(16, 1), new Uint8Array(7))],
    ['packages as a varint', number(5, 1)],
    ['schema_version as text', delimited(1, '1')],
    ['the report as fixed64', concat(tag(15, 1), new Uint8Array(8))],
    ['an HTML page', new TextEncoder().encode('<!doctype html><title>502 Bad Gateway</title>')],
    ['JSON', new TextEncoder().encode('{"packages":[]}')],
    ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)],
  ])('rejects %s as malformed', (_what, bytes) => {
    expect(readEnvelope(bytes)).toEqual({ kind: 'malformed', detail: expect.any(String) });
    expect(decodeSnapshot(bytes, { receivedAt: new Date() }).kind).toBe('invalid_protobuf');
  });

  it('reads varints padded up to ten bytes, which protobuf allows', () => {
    const padded = concat(
      tag(13, 0),
      Uint8Array.of(0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00),
    );
    expect(hashOf(padded, debianPlatform, bash)).toBe(hashOf(debianPlatform, bash));
  });

  it('reads millions of tiny fields, alternately counted and not', () => {
    const pair = concat(message(14), message(12));
    const bytes = new Uint8Array(pair.length * 1_000_000);
    for (let offset = 0; offset < bytes.length; offset += pair.length) bytes.set(pair, offset);
    const envelope = read(bytes);
    expect(envelope.observation).toHaveLength(0);
    expect(Buffer.from(envelope.contentHash).toString('hex')).toBe(
      createHash('sha256')
        .update(Buffer.alloc(2_000_000, message(12)))
        .digest('hex'),
    );
  });

  it('never throws, and is never stricter than the decoder', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const envelope = readEnvelope(bytes);
        const decoded = decodeSnapshot(bytes, { receivedAt: new Date() });
        if (envelope.kind === 'malformed') expect(decoded.kind).toBe('invalid_protobuf');
        else expect(envelope.contentHash).toHaveLength(32);
      }),
      { numRuns: 2000 },
    );
  });
});
