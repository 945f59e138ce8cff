import type { FeedRow } from '@plimsoll/db';
import { wholeFleet } from '@plimsoll/model';
import { evidenceNotes } from '../src/operations/evidence/evidence-notes.ts';
import { HostTally } from '../src/operations/evidence/host-tally.ts';

const from = new Date('2026-10-01T00:00:00Z');
const to = new Date('2026-11-01T00:00:00Z');
const notesOf = (deletedHosts: number, auditFrom: Date | null) =>
  evidenceNotes({
    period: { from, to, now: to },
    scope: wholeFleet,
    bounds: { historyFrom: null, deletedHosts, auditFrom },
    tally: new HostTally({ from, to, now: to }),
    feeds: ['cisa-kev', 'cisa-ssvc'].map(
      (id) => ({ id, updatedAt: to, staleAfterSeconds: 86_400, lastError: null }) as FeedRow,
    ),
    policy: { policy: { rules: [] }, changed: null } as never,
    limits: [],
  }).join('\n');

it('says how many hosts were deleted, as far back as the audit log goes', () => {
  expect(notesOf(0, from)).toContain('since 2026-10-01T00:00:00.000Z: no host.');
  expect(notesOf(0, from)).not.toContain('not known');
  expect(notesOf(1, from)).toContain(
    'since 2026-10-01T00:00:00.000Z: 1 host. Deleted hosts are in no number',
  );
  const late = notesOf(0, new Date('2026-10-20T00:00:00Z'));
  expect(late).toContain('since 2026-10-20T00:00:00.000Z: no host.');
  expect(late).toContain('whether hosts were deleted before is not known');
});

it('does not say that no host was deleted if the audit log is empty', () => {
  expect(notesOf(0, null)).toContain('How many were deleted is not known');
  expect(notesOf(0, null)).not.toContain('no host.');
});
