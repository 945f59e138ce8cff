import type { Host } from '@plimsoll/contract';
import type { Gap } from '@plimsoll/model';
import { hostCell } from '../src/operations/hosts/host-cell.ts';

const known = { isKevKnown: true, isDueByKev: true };
const cells = (gaps: readonly Gap[], count = 0) => {
  const host = {
    gaps,
    critical_count: count,
    overdue_count: count,
    available_updates: count,
  } as unknown as Host;
  return (['critical_count', 'overdue_count', 'available_updates'] as const).map((field) =>
    hostCell(host, field, known),
  );
};

it.each<[readonly Gap[], readonly (number | null)[]]>([
  [[], [0, 0, 0]],
  [['no_report'], [null, null, null]],
  [['no_feed'], [null, null, 0]],
  [['feed_never_synced'], [null, null, 0]],
  [['package_lists_unknown'], [0, 0, null]],
  // Known as of then.
  [
    ['feed_outdated', 'report_outdated', 'package_lists_outdated'],
    [0, 0, 0],
  ],
])('a zero of which nothing is known is empty in a table: %j', (gaps, expected) => {
  expect(cells(gaps)).toEqual(expected);
  expect(cells(gaps, 2)).toEqual([2, 2, 2]);
});

it.each([
  ['unknown', null],
  ['not_needed', 0],
])('a state that is %s shows %j', (state, expected) => {
  const host = {
    gaps: [],
    needs_reboot: 0,
    reboot_state: state,
    needs_restart: 0,
    restart_state: state,
  } as unknown as Host;
  expect([hostCell(host, 'needs_reboot', known), hostCell(host, 'needs_restart', known)]).toEqual([
    expected,
    expected,
  ]);
});

it('no exploited finding is known to be none only with the catalog of CISA', () => {
  const cell = (count: number, isKevKnown: boolean) =>
    hostCell({ gaps: [], known_exploited_count: count } as unknown as Host, 'known_exploited_count', {
      isKevKnown,
      isDueByKev: false,
    });
  expect([cell(0, true), cell(0, false), cell(2, false)]).toEqual([0, null, 2]);
});

it('no finding is known to be overdue without the catalog of CISA, if due dates depend on it', () => {
  const cell = (count: number, isKevKnown: boolean, isDueByKev: boolean) =>
    hostCell({ gaps: [], overdue_count: count } as unknown as Host, 'overdue_count', {
      isKevKnown,
      isDueByKev,
    });
  expect([cell(0, true, true), cell(0, false, false), cell(0, false, true), cell(2, false, true)]).toEqual([
    0,
    0,
    null,
    2,
  ]);
});
