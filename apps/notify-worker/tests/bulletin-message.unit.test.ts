import type { DeliveryToSend, MadeBulletin } from '@plimsoll/db';
import { bulletinMessage } from '../src/bulletins/bulletin-message.ts';
import { sampleContents } from './sample-bulletin.ts';

type Made = Extract<MadeBulletin, { kind: 'made' }>;

const row: Made['rows'][number] = {
  key: 'DSA-1-1',
  title: 'openssh',
  severity: 'critical',
  knownExploited: false,
  epss: null,
  dueAt: null,
  overdueHosts: 0,
  waivedHosts: 0,
  hosts: 2,
  byState: { installable: 2 },
  firstSeenAt: 0,
};

const base: Made['base'] = {
  as_of: '2026-11-23T10:14:00.000Z',
  about: 'all',
  hosts: 2,
  overdue: 0,
  findings: {},
  keys: [],
  is_complete: true,
};
const current = { exploited_data: { freshness: 'current', updated_at: '2026-11-23T06:00:00.000Z' } } as const;
const never = { exploited_data: { freshness: 'never_synced', updated_at: null } } as const;

/** The cells of the attached table's only row, by column. */
function cellsOf(changes: Partial<Made['contents']>, changed: Partial<typeof row> = {}) {
  const contents = { ...sampleContents, ...current, ...changes };
  const delivery = { id: 'd' as DeliveryToSend['id'], createdAt: new Date(0), bulletinId: 'b' };
  const rows = [{ ...row, ...changed }];
  const made: Made = { kind: 'made', contents, base, rows, unknown: [] };
  const csv = bulletinMessage(delivery, made, null).bulletin?.csv ?? '';
  const [columns = [], cells = []] = csv
    .replace('\uFEFF', '')
    .split('\r\n')
    .map((line) => line.replaceAll('"', '').split(','));
  return Object.fromEntries(columns.map((column, n) => [column, cells[n]]));
}

it.each([
  ['is zero while the catalog is current', {}, {}, '0'],
  ['is not known without it if the policy asks for it', { ...never, due_exploitation_unknown: true }, {}, ''],
  ['is zero without it if the policy does not ask for it', never, {}, '0'],
  ['is at least what is known', { ...never, due_exploitation_unknown: true }, { overdueHosts: 1 }, '1'],
])('the number of overdue hosts in the table of a report %s', (_, contents, changed, expected) => {
  expect(cellsOf(contents, changed)['overdue_hosts']).toBe(expected);
});

it('the table of a report does not call anything unexploited without the catalog', () => {
  expect(cellsOf({})['known_exploited']).toBe('false');
  expect(cellsOf(never)['known_exploited']).toBe('');
});
