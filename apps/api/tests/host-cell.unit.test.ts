import type { Host } from '@plimsoll/contract';
import type { Gap } from '@plimsoll/model';
import { hostCell } from '../src/operations/hosts/host-cell.ts';
import { unknownFieldsOf } from '../src/operations/hosts/unknown-fields.ts';

const known = { isKevKnown: true, isDueByKev: true };
const fields = ['critical_count', 'unfixed_count', 'available_updates', 'needs_reboot'] as const;
const hostWith = (gaps: readonly Gap[], count = 0, states: Partial<Host> = {}) => {
  const host = {
    gaps,
    os_version: '12.8',
    reboot_state: 'not_needed',
    restart_state: 'not_needed',
    known_exploited_count: count,
    overdue_count: count,
    ...Object.fromEntries(fields.map((field) => [field, count])),
    ...states,
  } as unknown as Host;
  return { ...host, unknown_fields: unknownFieldsOf(host) };
};
const cells = (host: Host) => fields.map((field) => hostCell(host, field, known));

it.each<[readonly Gap[], readonly (number | null)[]]>([
  [[], [0, 0, 0, 0]],
  [['no_report'], [null, null, null, null]],
  [['report_outdated'], [null, null, null, null]],
  [['no_feed'], [null, null, 0, 0]],
  [['feed_never_synced'], [null, null, 0, 0]],
  [['feed_outdated'], [null, null, 0, 0]],
  [['feed_lists_fixes_only'], [0, null, 0, 0]],
  [['package_lists_unknown'], [0, 0, null, 0]],
  [['repository_failing'], [0, 0, null, 0]],
  [['packages_unchecked'], [0, 0, 0, 0]],
])('a zero of which nothing is known is empty in a table, more is at least that: %j', (gaps, expected) => {
  expect(cells(hostWith(gaps))).toEqual(expected);
  expect(cells(hostWith(gaps, 2))).toEqual([2, 2, 2, 2]);
});

it('a no that follows from an unknown state, and an unknown system, are not known', () => {
  const host = hostWith([], 0, { reboot_state: 'unknown', restart_state: 'unknown', os_version: '' });
  expect(host.unknown_fields).toEqual(['os_major', 'needs_reboot', 'needs_restart']);
});

it.each([
  ['known_exploited_count', false, null],
  ['overdue_count', false, 0],
  ['overdue_count', true, null],
] as const)(
  'without the catalog of CISA, %s with due dates by it: %s is %j',
  (field, isDueByKev, expected) => {
    const of = { isKevKnown: false, isDueByKev };
    expect(hostCell(hostWith([]), field, of)).toBe(expected);
    expect(hostCell(hostWith([], 2), field, of)).toBe(2);
  },
);
