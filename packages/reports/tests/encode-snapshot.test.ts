import fc from 'fast-check';
import { decodeSnapshot, encodeSnapshot, readEnvelope } from '../src/index.ts';
import { snapshotArbitrary } from './snapshot-arbitrary.ts';

const receivedAt = new Date('2026-11-20T12:00:00Z');

describe('encodeSnapshot', () => {
  it('is undone by decodeSnapshot, without a warning', () => {
    fc.assert(
      fc.property(snapshotArbitrary, (snapshot) => {
        const decoded = decodeSnapshot(encodeSnapshot(snapshot), { receivedAt });
        expect(decoded).toEqual({ kind: 'snapshot', snapshot, warnings: [] });
      }),
      { numRuns: 200 },
    );
  });

  it('gives the same bytes for the same snapshot', () => {
    fc.assert(
      fc.property(snapshotArbitrary, (snapshot) => {
        expect(encodeSnapshot(structuredClone(snapshot))).toEqual(encodeSnapshot(snapshot));
      }),
      { numRuns: 30 },
    );
  });

  it('gives a message that, if truncated, is never accepted as a host with fewer packages', () => {
    fc.assert(
      fc.property(snapshotArbitrary, (snapshot) => {
        const bytes = encodeSnapshot(snapshot);
        for (let length = 0; length < bytes.length; length++) {
          const cut = bytes.subarray(0, length);
          const decoded = decodeSnapshot(cut, { receivedAt });
          if (decoded.kind === 'snapshot') expect(decoded.snapshot.packages).toEqual(snapshot.packages);
          // The part before package_count cannot pass for a host.
          if (decoded.kind === 'snapshot_invalid')
            expect(readEnvelope(cut)).toMatchObject({ hasStructured: false });
        }
      }),
      { numRuns: 8 },
    );
  });
});
