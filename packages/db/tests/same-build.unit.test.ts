import type { AdvisoryKey, PackageVersionId } from '@plimsoll/model';
import {
  type Build,
  type Exposure,
  exposuresOf,
  SameBuilds,
  withSameBuilds,
} from '../src/judging/history/exposure-walk.ts';
import type { VersionChain } from '../src/judging/history/version-chains.ts';
import type { MatchSpan } from '../src/knowledge/known-versions.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const dayOf = (date: Date | null) => (date === null ? '' : String(date.getUTCDate()));
const v = (n: number) => n as PackageVersionId; // A stored version's id.
const advisory = (n: number) => n as AdvisoryKey; // A stored advisory's id.

interface KnownSpan extends MatchSpan {
  readonly versionId: PackageVersionId;
  readonly cves: readonly string[];
}

function span(version: number, key: number, days: readonly [number, number | null], cves = ['A']): KnownSpan {
  const [since, until] = days;
  return {
    versionId: v(version),
    advisory: advisory(key),
    since: day(since),
    sinceCause: 'advisory_published',
    until: until === null ? null : day(until),
    untilCause: until === null ? null : 'advisory_changed',
    knownAt: day(since),
    cves,
  };
}

/** A chain of versions, each from a day on. */
function chainOf(...stays: readonly (readonly [version: number, from: number])[]): VersionChain {
  return {
    kind: 'installed',
    stays: stays.map(([version, from], index) => {
      const next = stays[index + 1];
      return { versionId: v(version), from: day(from), until: next === undefined ? null : day(next[1]) };
    }),
  };
}

const curl = (version: string): Build => ({ name: 'curl', architecture: 'amd64', version });
/** Versions below 10 are one build; the tens are of others. Number 9 cannot be judged. */
const versions = { get: (id: PackageVersionId) => curl(id < 10 ? '1.0' : `${id}`) };

/** The exposures of a chain by one advisory: start, cause, end, cause, and since when it is timed. */
function walk(chain: VersionChain, key: number, spans: readonly KnownSpan[]): readonly string[] {
  const marked = withSameBuilds(chain, versions);
  const spansOf = (version: PackageVersionId, of: AdvisoryKey) =>
    spans.filter((one) => one.versionId === version && one.advisory === of);
  const builds = new SameBuilds(marked, {
    spansOf,
    openAt: (version, at) =>
      spans.filter(
        (one) => one.versionId === version && one.since <= at && (one.until === null || at < one.until),
      ),
    isJudged: (version) => version !== 9,
  });
  const textOf = (exposure: Exposure) => {
    const { fromCause, untilCause } = builds.causesOf(advisory(key), exposure);
    const timed = dayOf(builds.startOf(advisory(key), exposure).from);
    const end = exposure.until === null ? '' : ` ${dayOf(exposure.until)} ${untilCause}`;
    return `${dayOf(exposure.from)} ${fromCause} -${end} (${timed})`;
  };
  return exposuresOf(marked, (version) => spansOf(version, advisory(key))).map(textOf);
}

it('an advisory that affects both rows of a build goes on', () => {
  const spans = [span(1, 1, [1, null]), span(2, 1, [4, null])];
  expect(walk(chainOf([1, 3], [2, 6]), 1, spans)).toEqual(['3 package_changed - (3)']);
});

it('another advisory of the same CVE takes over at the same build, and its time goes on', () => {
  const chain = chainOf([1, 3], [2, 6], [1, 9], [20, 12]);
  const spans = [span(1, 1, [1, null]), span(2, 2, [1, null])];
  expect(walk(chain, 1, spans)).toEqual([
    '3 package_changed - 6 source_changed (3)',
    '9 source_changed - 12 package_changed (3)',
  ]);
  expect(walk(chain, 2, spans)).toEqual(['6 source_changed - 9 source_changed (3)']);
});

it('what is no finding by the other row ends by the rules, and what only that row has begins by them', () => {
  const chain = chainOf([1, 3], [2, 6]);
  const spans = [span(1, 1, [1, null], ['A', 'B']), span(2, 2, [1, null], ['B', 'C'])];
  expect(walk(chain, 1, spans)).toEqual(['3 package_changed - 6 rules_changed (3)']);
  expect(walk(chain, 2, spans)).toEqual(['6 rules_changed - (6)']);
  expect(walk(chain, 1, [span(1, 1, [1, null], []), span(2, 2, [1, null], [])])).toEqual([
    '3 package_changed - 6 rules_changed (3)',
  ]);
});

it('a time in which the verdict of the build is unknown is no gap', () => {
  const chain = chainOf([1, 3], [9, 6], [1, 8], [9, 10], [9, 11], [2, 12]);
  const spans = [span(1, 1, [1, null]), span(2, 2, [5, null])];
  expect(walk(chain, 1, spans)).toEqual([
    '3 package_changed - 6 rules_changed (3)',
    '8 rules_changed - 10 rules_changed (3)',
  ]);
  expect(walk(chain, 2, spans)).toEqual(['12 rules_changed - (3)']);
});

it('a time in which the build was known not to be affected is a gap', () => {
  const spans = [span(1, 1, [1, null])];
  expect(walk(chainOf([1, 3], [2, 6], [1, 8]), 1, spans)).toEqual([
    '3 package_changed - 6 rules_changed (3)',
    '8 rules_changed - (8)',
  ]);
});

it('an advisory about several CVEs is timed since all of them are known', () => {
  const spans = [
    span(1, 1, [2, null], ['A']),
    span(1, 2, [4, null], ['B']),
    span(2, 3, [1, null], ['A', 'B']),
  ];
  expect(walk(chainOf([1, 3], [2, 6]), 3, spans)).toEqual(['6 source_changed - (4)']);
});

it('a build that is restated thousands of times is timed from its arrival', () => {
  const flips = 5000;
  const chain = chainOf(
    ...Array.from({ length: flips }, (_, index) => [1 + (index % 2), 3 + index] as const),
  );
  const marked = withSameBuilds(chain, versions);
  const spans = [span(1, 1, [1, null]), span(2, 2, [1, null])];
  const spansOf = (version: PackageVersionId, of: AdvisoryKey) =>
    spans.filter((one) => one.versionId === version && one.advisory === of);
  const builds = new SameBuilds(marked, {
    spansOf,
    openAt: (version) => spans.filter(({ versionId }) => versionId === version),
    isJudged: () => true,
  });
  const exposures = exposuresOf(marked, (version) => spansOf(version, advisory(2)));
  expect(exposures).toHaveLength(flips / 2);
  const newest = exposures.at(-1);
  if (newest === undefined) throw new Error('no exposure');
  expect(builds.startOf(advisory(2), newest)).toMatchObject({ from: day(3), fromCause: 'package_changed' });
  expect(new Set(exposures.map((one) => builds.startOf(advisory(2), one).from.getTime()))).toEqual(
    new Set([day(3).getTime()]),
  );
});

it('another build, and a build that was removed in between, is a change on the host', () => {
  const spans = [span(1, 1, [1, null]), span(20, 2, [1, null]), span(2, 2, [1, null])];
  expect(walk(chainOf([1, 3], [20, 6]), 1, spans)).toEqual(['3 package_changed - 6 package_changed (3)']);
  expect(walk(chainOf([1, 3], [20, 6]), 2, spans)).toEqual(['6 package_changed - (6)']);
  const removed: VersionChain = {
    kind: 'installed',
    stays: [
      { versionId: v(1), from: day(3), until: day(5) },
      { versionId: v(2), from: day(6), until: null },
    ],
  };
  expect(walk(removed, 1, spans)).toEqual(['3 package_changed - 5 package_changed (3)']);
});

it('a package with another architecture or name is another build', () => {
  const of = (build: Partial<Build>) => ({
    get: (id: PackageVersionId) => ({ ...curl('1.0'), ...(id === 2 ? build : {}) }),
  });
  const chain = chainOf([1, 3], [2, 6]);
  expect(withSameBuilds(chain, of({})).stays.map(({ restates }) => restates)).toEqual([false, true]);
  for (const build of [{ name: 'wget' }, { architecture: 'i386' }, { version: '1.1' }])
    expect(withSameBuilds(chain, of(build))).toBe(chain);
});
