import type { AdvisoryKey, HostId, PackageVersionId, Release } from '@plimsoll/model';
import fc from 'fast-check';
import { answerExposures, findExposures } from '../src/judging/exposures/host-exposures.ts';
import type { MatchContent } from '../src/judging/exposures/match-contents.ts';
import { Matches } from '../src/judging/exposures/matches.ts';
import type { VersionChain } from '../src/judging/history/version-chains.ts';

/** Days on which something can begin or end; what has no end lasts past the last one. */
const days = 12;
const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const everything = { from: null, to: null, severity: 'any', open: null } as const;

/** A chain of up to five stays, the oldest first, of versions that can come again. */
const chains: fc.Arbitrary<VersionChain> = fc
  .record({
    changes: fc.uniqueArray(fc.integer({ min: 0, max: days }), { minLength: 1, maxLength: 5 }),
    versions: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 5, maxLength: 5 }),
    goesOn: fc.boolean(),
  })
  .map(({ changes, versions, goesOn }) => {
    const starts = changes.sort((a, b) => a - b);
    const stays = starts.map((from, index) => {
      const next = starts[index + 1] ?? (goesOn ? null : days + 1);
      const versionId = (versions[index] ?? 1) as PackageVersionId; // A stored version's id.
      return { versionId, from: day(from), until: next === null ? null : day(next) };
    });
    return { kind: 'installed', stays };
  });

interface Drawn {
  readonly version: number;
  readonly advisory: number;
  readonly since: number;
  readonly lasts: number | null;
  readonly knownBefore: number;
  readonly statementId: number;
}

function matchOf({ version, advisory, since, lasts, knownBefore, statementId }: Drawn): MatchContent {
  return {
    versionId: version as PackageVersionId, // A stored version's id.
    advisory: advisory as AdvisoryKey, // A stored advisory's id.
    since: day(since),
    sinceCause: 'advisory_published' as const,
    until: lasts === null ? null : day(since + lasts),
    untilCause: lasts === null ? null : ('advisory_changed' as const),
    knownAt: day(since - knownBefore),
    externalId: `A-${advisory}`,
    statementId,
    severity: 'low' as const,
    cves: [],
    isNarrowed: false,
    publishedAt: null,
    fixedVersion: null,
    fixedKey: null,
    fixedService: null,
    names: null,
  };
}

const matches: fc.Arbitrary<MatchContent> = fc
  .record({
    version: fc.integer({ min: 1, max: 3 }),
    advisory: fc.integer({ min: 1, max: 2 }),
    since: fc.integer({ min: 0, max: days }),
    lasts: fc.option(fc.integer({ min: 1, max: days })),
    knownBefore: fc.integer({ min: 0, max: 3 }),
    statementId: fc.integer({ min: 1, max: 9 }),
  })
  .map(matchOf);

/** The longest runs of days on which the chain has a version that the advisory affects on that day. */
function runsByDay({ stays }: VersionChain, all: readonly MatchContent[], advisory: AdvisoryKey) {
  const isIn = (at: number, since: Date, until: Date | null) =>
    since <= day(at) && (until === null || day(at) < until);
  const runs: { from: number; until: number | null; last: PackageVersionId }[] = [];
  for (let at = 0; at <= 3 * days; at += 1) {
    const stay = stays.find(({ from, until }) => isIn(at, from, until));
    const affected = all.some(
      (match) =>
        match.advisory === advisory &&
        match.versionId === stay?.versionId &&
        isIn(at, match.since, match.until),
    );
    if (stay === undefined || !affected) continue;
    const run = runs.at(-1);
    if (run?.until === at) Object.assign(run, { until: at + 1, last: stay.versionId });
    else runs.push({ from: at, until: at + 1, last: stay.versionId });
  }
  return runs.map((run) => ({ ...run, until: run.until === 3 * days + 1 ? null : run.until }));
}

it('finds the same exposures as a look at each day', () => {
  fc.assert(
    fc.property(chains, fc.array(matches, { maxLength: 8 }), (chain, all) => {
      const found = findExposures([chain], { matches: new Matches(all), filter: everything });
      for (const advisory of [1, 2] as AdvisoryKey[]) {
        const own = found.filter(({ content }) => content.advisory === advisory);
        expect(
          own.map(({ exposure: { from, until, lastVersion } }) => ({ from, until, last: lastVersion })),
        ).toEqual(
          runsByDay(chain, all, advisory).map(({ from, until, last }) => ({
            from: day(from),
            until: until === null ? null : day(until),
            last,
          })),
        );
      }
    }),
    { numRuns: 1_000 },
  );
});

it('an exposure has the newest match of its last version, and is known since the first one of all its versions', () => {
  fc.assert(
    fc.property(chains, fc.array(matches, { maxLength: 8 }), (chain, all) => {
      for (const { exposure, content, knownAt } of findExposures([chain], {
        matches: new Matches(all),
        filter: everything,
      })) {
        const overlaps = (since: Date, until: Date | null) =>
          (until === null || until > exposure.from) && (exposure.until === null || since < exposure.until);
        const had = chain.stays.filter(({ from, until }) => overlaps(from, until));
        const during = all.filter(
          ({ advisory, versionId, since, until }) =>
            advisory === content.advisory &&
            had.some((stay) => stay.versionId === versionId) &&
            overlaps(since, until),
        );
        const ofLast = all.filter(
          ({ advisory, versionId, since }) =>
            advisory === content.advisory &&
            versionId === exposure.lastVersion &&
            (exposure.until === null || since < exposure.until),
        );
        expect(content.since.getTime()).toBe(Math.max(...ofLast.map(({ since }) => since.getTime())));
        expect(knownAt.getTime()).toBe(Math.min(...during.map((match) => match.knownAt.getTime())));
      }
    }),
    { numRuns: 1_000 },
  );
});

it('an exposure says since when the host has the build, whatever else was said of it meanwhile', () => {
  const always = { advisory: 1, since: 0, lasts: null, knownBefore: 0, statementId: 1 };
  const all = [1, 2, 3].map((version) => matchOf({ version, ...always }));
  const [old, installed, restated] = all.map(({ versionId }) => versionId);
  if (old === undefined || installed === undefined || restated === undefined)
    throw new Error('three matches');
  const chain: VersionChain = {
    kind: 'installed',
    stays: [
      { versionId: old, from: day(1), until: day(3) },
      { versionId: installed, from: day(3), until: day(6), isRestated: true },
      { versionId: restated, from: day(6), until: null, restates: true },
    ],
  };
  const known = new Matches(all);
  const timeline = {
    hostId: '' as HostId,
    release: 'debian:12' as Release,
    firstSnapshotAt: day(1),
    versions: new Map(),
    judged: [chain],
    boots: [],
    kernels: [],
  };
  const answered = answerExposures(findExposures([chain], { matches: known, filter: everything }), {
    timeline,
    offers: { offers: [], restartedAt: [] },
    matches: known,
  });
  expect(answered.map(({ from, installedSince }) => [from, installedSince])).toEqual([[day(1), day(3)]]);
});
