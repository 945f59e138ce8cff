import type { BulletinContents } from '@plimsoll/contract';
import { bulletinMail } from '../src/bulletins/bulletin-mail.ts';

/** What a bulletin says that has something of everything. */
export const sampleContents: BulletinContents = {
  name: 'Web <b>servers</b>',
  about: { kind: 'group', name: 'Web' },
  limited_to: null,
  as_of: '2026-11-23T10:14:00.000Z',
  hosts: 12,
  unknown_hosts: 2,
  uncounted_hosts: 0,
  silent_hosts: 1,
  gaps: [{ gap: 'report_outdated', hosts: 1 }],
  open: [
    { severity: 'critical', findings: 3, hosts: 2 },
    { severity: 'unfixed', findings: 40, hosts: 12 },
  ],
  known_exploited: { findings: 1, hosts: 1 },
  exploited_data: { freshness: 'current', updated_at: '2026-11-23T06:00:00.000Z' },
  has_due_policy: true,
  due_exploitation_unknown: false,
  due_forensics: false,
  overdue: { findings: 2, hosts: 1 },
  first: [
    {
      key: 'DSA-1-1',
      title: 'openssh\r\nBcc: x <script>',
      severity: 'critical',
      known_exploited: true,
      hosts: 2,
      installable_hosts: 1,
      overdue_hosts: 1,
      due_at: '2026-11-20T00:00:00.000Z',
    },
  ],
  advisories: 1,
  changes: {
    since: '2026-11-16T10:14:00.000Z',
    hosts: 12,
    overdue: 0,
    findings: { critical: 1, important: 0, moderate: 0, low: 0, unrated: 0, unfixed: 41 },
    added: 1,
    added_first: [{ key: 'DSA-1-1', title: 'openssh', hosts: 2 }],
    gone: 0,
    gone_first: [],
  },
};
/** The mail of `sampleContents` with changes. */
export const bulletinMailOf = (
  changes: Partial<BulletinContents> = {},
  unknownCsv = '',
  omittedUnknown = 0,
) =>
  bulletinMail('019a0000-0000-7000-8000-000000000000', ['a@example.org'], {
    contents: { ...sampleContents, ...changes },
    csv: 'a,b\r\n',
    unknownCsv,
    omittedRows: 0,
    omittedUnknown,
    publicUrl: 'https://plimsoll.example',
    bulletinId: 'b1',
  });
