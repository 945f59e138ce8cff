import type { DuePolicy } from '@plimsoll/advisories';
import { type AdvisoryKey, fixStates, type PackageVersionId } from '@plimsoll/model';
import fc from 'fast-check';
import { encodeEntry, FindingListWriter } from '../src/judging/counting/finding-list.ts';
import { ContributionCache } from '../src/judging/findings/contribution-cache.ts';
import type { AlikeHosts } from '../src/judging/findings/finding-hosts.ts';
import type { KnownFindings, KnownStatement } from '../src/judging/findings/finding-knowledge.ts';
import type { FindingFilters, FindingGrouping, FindingRow } from '../src/judging/findings/finding-query.ts';
import { groupFindings, type ListInUse } from '../src/judging/findings/group-findings.ts';
import { Places } from '../src/judging/findings/places.ts';
import { type DueProfile, StatementDues } from '../src/judging/findings/statement-due.ts';

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 5, 1);
const versionCount = 4;
const advisoryCount = 5;
const [cves, groups, sources] = [new Places(), new Places(), new Places()];
for (let n = 1; n <= 4; n += 1) cves.of(`CVE-2026-000${n}`);
for (let n = 1; n <= advisoryCount + 1; n += 1) groups.of(`A-${n}`);
for (const name of ['openssl', 'curl']) sources.of(name);

/** The last group is an erratum that is folded into the second statement of each version. */
const foldedGroup = advisoryCount;

function statementOf(version: number, n: number): KnownStatement {
  const advisory = 1 + ((version + n) % advisoryCount);
  const places =
    n === 0 ? [version % 4] : [n % 4, (n + version) % 4].filter((p, at, all) => all.indexOf(p) === at);
  const severity = advisory % 4;
  const number = version * 10 + n;
  return {
    advisory: advisory as AdvisoryKey, // The id of a stored advisory.
    group: advisory - 1,
    folded: n === 1 ? [foldedGroup] : [],
    cves: places,
    severity,
    knownExploited: places.includes(0),
    reason: n === 2 ? fixStates.indexOf('no_fix') : -1,
    number,
    firstCve: number * 2,
    due: {
      severity: (['critical', 'important', 'moderate', 'low'] as const)[severity] ?? 'low',
      cves: places.map((place) => ({
        id: cves.at(place),
        exploitedAt: place === 0 ? nowMs - 40 * dayMs : null,
        ssvc: null,
      })),
      fix: n === 2 ? null : { publishedAt: nowMs - (10 + advisory) * dayMs, isDateKnown: true },
      statedAt: nowMs - 20 * dayMs,
    },
    knownAt: nowMs - advisory * dayMs,
    epss: advisory / 10,
    epssAsOf: 0,
  };
}

const known: KnownFindings = {
  groups,
  cves,
  sources,
  groupData: groups.all().map((title) => ({ title: `about ${title}`, cves: new Set<number>() })),
  cveFacts: cves.all().map((_, place) => ({ epss: place / 8, knownExploited: place === 0 })),
  epssOf: ({ epss }) => epss,
  get: (id) =>
    id > versionCount ? undefined : { source: id % 2, statements: [0, 1, 2].map((n) => statementOf(id, n)) },
};

const policies: readonly DuePolicy[] = [
  { preset: null, rules: [] },
  { preset: null, rules: [{ within: 5, clock: 'installed', forensics: false }] },
  {
    preset: null,
    rules: [
      { knownExploited: true, within: 3, clock: 'kev', forensics: false },
      { tags: ['web'], within: 4, clock: 'installed', forensics: false },
      { severity: 'critical', exposure: 'public', within: 12, clock: 'published', forensics: false },
      { within: 15, clock: 'installed', forensics: false },
    ],
  },
  { preset: null, rules: [{ within: 5, clock: 'detected', forensics: false }] },
];

type Made<From> = From extends fc.Arbitrary<infer Value> ? Value : never;

const marks = fc.record({
  state: fc.constantFrom(null, 'installable' as const, 'held' as const, 'livepatched' as const),
  waived: fc.boolean(),
});
const entries = fc.record({
  mark: marks,
  exceptions: fc.dictionary(fc.constantFrom('1', '2', '3', '4', '5'), marks, { maxKeys: 2 }),
  installedDaysAgo: fc.integer({ min: 0, max: 20 }),
});
const hostsOfList = fc.array(
  fc.record({
    tags: fc.constantFrom([], ['web']),
    exposure: fc.constantFrom('public', 'internal', 'unknown'),
  }),
  { minLength: 1, maxLength: 3 },
);
/** Of each version whether the list has it, and how. One more version than is known. */
const lists = fc.array(
  fc.record({
    entries: fc.array(fc.option(entries), { minLength: versionCount + 1, maxLength: versionCount + 1 }),
    hosts: hostsOfList,
  }),
  { minLength: 1, maxLength: 8 },
);

function bytesOf(all: readonly (Made<typeof entries> | null)[]): Uint8Array {
  const writer = new FindingListWriter(all.length);
  for (const [index, one] of all.entries()) {
    if (one === null) continue;
    const entry = {
      versionId: (index + 1) as PackageVersionId, // The id of a stored version.
      mark: one.mark,
      exceptions: Object.entries(one.exceptions)
        .map(([advisory, mark]) => ({ advisory: Number(advisory) as AdvisoryKey, mark }))
        .sort((a, b) => a.advisory - b.advisory),
    };
    const installedAt = nowMs - one.installedDaysAgo * dayMs;
    writer.entry(encodeEntry(entry), installedAt + dayMs, installedAt);
  }
  return writer.written().bytes;
}

const filters = fc.constantFrom<FindingFilters>(
  {},
  { severity: 'moderate' },
  { knownExploited: true },
  { knownExploited: false },
  { fixState: 'installable' },
  { overdue: true },
  { q: 'ssl' },
  { q: 'a-3' },
  { q: 'host-1' },
  { onlyWaived: true },
  { cve: 'CVE-2026-0002' },
  { advisory: 'A-2' },
  { advisory: 'A-6', includeWaived: true },
);
const questions = fc.record({
  groupBy: fc.constantFrom<FindingGrouping>('advisory', 'cve', 'package', 'host'),
  filters: fc
    .tuple(filters, fc.boolean())
    .map(([some, includeWaived]): FindingFilters => ({ ...some, ...(includeWaived && { includeWaived }) })),
});

async function rowsOf(
  made: Made<typeof lists>,
  question: Made<typeof questions>,
  policy: DuePolicy,
  cache: ContributionCache,
): Promise<readonly FindingRow[]> {
  const dues = new StatementDues();
  dues.follow(policy, 1);
  let host = 0;
  const inUse = made.flatMap(({ entries: some, hosts }) => {
    const bytes = bytesOf(some);
    return hosts.map((profile): ListInUse => {
      host += 1;
      const name = `host-${host}`;
      const one: AlikeHosts = {
        ...(profile as DueProfile), // The words are those of a host's exposure.
        list: 1,
        hosts: 1,
        id: `id-${host}`,
        name,
        isNamed: question.filters.q !== undefined && name.includes(question.filters.q.toLowerCase()),
        firstSnapshotAt: nowMs - host * dayMs,
      };
      const own = dues.of(one, known);
      const firstReportAt = own?.isByFirstReport === true ? one.firstSnapshotAt : 0;
      return { bytes, dues: own, firstReportAt, alike: [one] };
    });
  });
  const rows = await groupFindings(known, inUse, { ...question, nowMs }, cache);
  return rows.slice().toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

it('gives the same rows whatever is kept of what versions contribute', async () => {
  let withRows = 0;
  await fc.assert(
    fc.asyncProperty(lists, questions, fc.constantFrom(...policies), async (made, question, policy) => {
      const plain = await rowsOf(made, question, policy, new ContributionCache(0));
      if (plain.length > 0) withRows += 1;
      for (const bytes of [1_000, undefined])
        expect(await rowsOf(made, question, policy, new ContributionCache(bytes))).toEqual(plain);
    }),
    { numRuns: 500 },
  );
  // Otherwise the questions select nothing.
  expect(withRows).toBeGreaterThan(300);
});

/** A list with the first version, installed some days ago, on one host. */
function listWith(installedDaysAgo: number, state: 'installable' | 'held'): Made<typeof lists>[number] {
  const entry = { mark: { state, waived: false }, exceptions: {}, installedDaysAgo };
  return {
    entries: [entry, null, null, null, null],
    hosts: [{ tags: [], exposure: 'unknown' }],
  };
}

it('dates findings by when the hosts of each list got the version', async () => {
  const made = [listWith(10, 'installable'), listWith(1, 'installable'), listWith(2, 'installable')];
  const fiveDays = policies[1] ?? { preset: null, rules: [] };
  const question = { groupBy: 'package', filters: {} } as const;
  const rows = await rowsOf(made, question, fiveDays, new ContributionCache());
  expect(rows).toMatchObject([
    { key: 'curl', hosts: 3, overdueHosts: 1, dueAt: nowMs - 5 * dayMs, byState: { installable: 3 } },
  ]);
});

it('dates findings by when each host reported first, but not before the advisory', async () => {
  // The first host reported a day ago, the second two days ago; one of the CVEs is in KEV since 40 days.
  const made = [listWith(1, 'installable'), listWith(1, 'installable')];
  const detected = policies[3] ?? { preset: null, rules: [] };
  const question = { groupBy: 'host', filters: { knownExploited: false } } as const;
  const rows = await rowsOf(made, question, detected, new ContributionCache());
  expect(rows).toMatchObject([
    { key: 'id-1', dueAt: nowMs + 4 * dayMs },
    { key: 'id-2', dueAt: nowMs + 3 * dayMs },
  ]);
});

it('gives each host the findings of its own list', async () => {
  const made = [listWith(10, 'installable'), listWith(1, 'held')];
  const fiveDays = policies[1] ?? { preset: null, rules: [] };
  const rows = await rowsOf(made, { groupBy: 'host', filters: {} }, fiveDays, new ContributionCache());
  expect(rows).toMatchObject([
    { key: 'id-1', hosts: 1, overdueHosts: 1, dueAt: nowMs - 5 * dayMs },
    { key: 'id-2', hosts: 1, overdueHosts: 0, dueAt: nowMs + 4 * dayMs },
  ]);
  expect(rows.map(({ byState }) => Object.keys(byState))).toEqual([['installable'], ['held']]);
});

it('keeps no more than there is room for', () => {
  const cache = new ContributionCache(1_000).of({}, null);
  const said = [{ rows: new Array<number>(8).fill(0), waived: false, later: [] }];
  for (let id = 1; id <= 10; id += 1) cache.keep(id as PackageVersionId, [0], said); // The id of a stored version.
  const kept = Array.from({ length: 10 }, (_, n) => cache.find((n + 1) as PackageVersionId, [0])); // As above.
  expect(kept.filter((each) => each !== undefined)).toHaveLength(2);
  expect(cache.find(1 as PackageVersionId, [1])).toBeUndefined(); // As above.
});
