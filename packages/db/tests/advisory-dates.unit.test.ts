import type { AdvisoryKey, PackageVersionId, Statement } from '@plimsoll/model';
import type { ListedEntry } from '../src/judging/counting/finding-list.ts';
import { AdvisoryDatesReader, firstAfter } from '../src/outbox/advisory-dates.ts';
import type { DueOn } from '../src/outbox/list-marks.ts';

const dayMs = 24 * 3600_000;
const version = 7 as PackageVersionId;
const [one, two] = [1, 2] as unknown as readonly [AdvisoryKey, AdvisoryKey];
const published = Date.UTC(2026, 0, 1);
const mark = { state: 'installable', waived: false, dueMinute: (published + 10 * dayMs) / 60_000 } as const;
const entry: ListedEntry = { versionId: version, mark, installedMinute: 0, exceptions: [] };

function statement(advisory: AdvisoryKey, publishedAt: number): Statement {
  const dates = { fixPublishedAt: publishedAt, isFixDateKnown: true, statedAt: publishedAt, cves: [] };
  const shown = { advisory, severity: 'critical', fix: { kind: 'fixed' }, cves: [], urgency: null };
  return { ...shown, dates } as unknown as Statement; // Only what due dates depend on.
}

const statements = [statement(one, published), statement(two, published + dayMs)];
const rule = { severity: 'critical', within: 10, clock: 'published' };

function on(more: Partial<DueOn> = {}): DueOn {
  const terms = { exposure: 'public', rules: [rule] } as unknown as DueOn['terms'];
  return { terms, key: 'ten days', installedAt: () => 0, firstReportAt: 0, ...more };
}

it('keeps dates for hosts with equal entries and terms, and for no others', () => {
  const reader = new AdvisoryDatesReader();
  const dates = reader.of(entry, statements, on());
  expect([...dates.at]).toEqual([
    [one, published + 10 * dayMs],
    [two, published + 11 * dayMs],
  ]);
  expect(dates.times).toEqual([published + 10 * dayMs, published + 11 * dayMs]);
  expect(reader.of({ ...entry }, statements, on())).toBe(dates);
  const waived = { ...entry, exceptions: [{ advisory: two, mark: { ...mark, waived: true } }] };
  expect([...reader.of(waived, statements, on()).at.keys()]).toEqual([one]);
  const others = [
    reader.of({ ...entry, mark: { ...mark, dueMinute: mark.dueMinute + 1 } }, statements, on()),
    reader.of({ ...entry, mark: { ...mark, state: 'held' } }, statements, on()),
    reader.of({ ...entry, versionId: 8 as PackageVersionId }, statements, on()),
    reader.of(entry, statements, on({ key: 'other terms' })),
    reader.of(entry, statements, on({ installedAt: () => 1 })),
    reader.of(entry, statements, on({ firstReportAt: 1 })),
  ];
  for (const other of others) expect(other).not.toBe(dates);
});

it('gives the first time after another', () => {
  const times = [3, 3, 5, 9];
  const expected = [3, 3, 3, 5, 5, 9, 9, 9, 9, Number.POSITIVE_INFINITY];
  expect(expected.map((_, time) => firstAfter(times, time))).toEqual(expected);
  expect(firstAfter([], 0)).toBe(Number.POSITIVE_INFINITY);
});
