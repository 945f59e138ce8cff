import fc from 'fast-check';
import {
  decodeHeader,
  decodeObservation,
  decodeSnapshot,
  encodeSnapshot,
  readEnvelope,
} from '../src/index.ts';
import { snapshotArbitrary } from './snapshot-arbitrary.ts';
import { concat, delimited, message, number } from './wire-bytes.ts';

const receivedAt = new Date('2026-11-20T12:00:00Z');

describe('an unchanged upload', () => {
  it('gives the same header and observation from its envelope as from the whole message', () => {
    fc.assert(
      fc.property(snapshotArbitrary, (snapshot) => {
        const envelope = readEnvelope(encodeSnapshot(snapshot));
        if (envelope.kind !== 'envelope') throw new Error(envelope.detail);
        expect(decodeObservation(envelope.observation)).toEqual(snapshot.observed);
        const { schemaVersion, collectedAt, collectorVersion } = snapshot;
        expect(decodeHeader(envelope.header, { receivedAt })).toEqual({
          kind: 'header',
          header: { schemaVersion, collectedAt, collectorVersion },
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe('decodeObservation', () => {
  const nothing = { at: null, publishedAt: null, validUntil: null, error: '' };
  const at = (second: number) => new Date((1_700_000_000 + second) * 1000);

  it('decodes zero bytes as an empty observation', () => {
    expect(decodeObservation(new Uint8Array())).toEqual({ bootId: '', bootedAt: null, refreshed: [] });
  });

  it('skips refreshes without a time, and times outside the calendar', () => {
    const bytes = concat(
      message(2, number(1, 253_402_300_800)),
      message(3, delimited(1, 'updates'), message(2, number(1, 1_700_000_000))),
      message(3, delimited(1, 'main')),
      message(3, delimited(1, 'failed'), delimited(5, 'the key\nhas expired')),
      message(
        3,
        delimited(1, 'dated'),
        message(3, number(1, 1_700_000_001)),
        message(4, number(1, 1_700_000_002)),
      ),
    );
    expect(decodeObservation(bytes)).toEqual({
      bootId: '',
      bootedAt: null,
      refreshed: [
        { ...nothing, repositoryId: 'dated', publishedAt: at(1), validUntil: at(2) },
        { ...nothing, repositoryId: 'failed', error: 'the key has expired' },
        { ...nothing, repositoryId: 'updates', at: at(0) },
      ],
    });
  });

  it.each([
    ['cut text', concat(delimited(1, 'boot').subarray(0, 4))],
    ['text that is not UTF-8', delimited(1, Uint8Array.of(0xff))],
    ['a time that is a number', number(2, 1_700_000_000)],
    ['more refreshes than the limit', new Uint8Array(20_002).map((_, index) => (index % 2 === 0 ? 0x1a : 0))],
  ])('gives null for %s', (_what, bytes) => {
    expect(decodeObservation(bytes)).toBeNull();
  });

  it('never throws, and agrees with decodeSnapshot on whether bytes are well-formed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const decoded = decodeSnapshot(delimited(14, bytes), { receivedAt });
        expect(decodeObservation(bytes) === null).toBe(decoded.kind === 'invalid_protobuf');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('decodeHeader', () => {
  it('refuses a clock that is more than a day ahead, as for a changed upload', () => {
    const dayAhead = receivedAt.getTime() / 1000 + 86_400;
    expect(decodeHeader(message(2, number(1, dayAhead)), { receivedAt }).kind).toBe('header');
    expect(decodeHeader(message(2, number(1, dayAhead + 1)), { receivedAt })).toEqual({
      kind: 'snapshot_invalid',
      errors: [{ pointer: '/collected_at', detail: expect.any(String) }],
    });
  });

  it('refuses bytes that are not protobuf', () => {
    expect(decodeHeader(delimited(3, Uint8Array.of(0xc3)), { receivedAt }).kind).toBe('invalid_protobuf');
  });
});
