import type { AdvisoryKey, MatchCause, PackageVersionId } from '@plimsoll/model';
import {
  continuedExposure,
  type Exposure,
  exposuresOf,
  sinceKnown,
} from '../src/judging/history/exposure-walk.ts';
import { bootedChains, installedChains, type VersionChain } from '../src/judging/history/version-chains.ts';
import type { MatchSpan } from '../src/knowledge/known-versions.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const dayOf = (date: Date | null) => (date === null ? '' : String(date.getUTCDate()));
const v = (n: number) => n as PackageVersionId; // A stored version's id.

function change(at: number, from: number | null, to: number | null) {
  const fromId = from === null ? null : v(from);
  return { name: 'curl', architecture: 'amd64', at: day(at), fromId, toId: to === null ? null : v(to) };
}

const boot = (at: number, kernel: number | null) => ({
  at: day(at),
  kernelId: kernel === null ? null : v(kernel),
});

type SpanOfVersion = MatchSpan & { readonly versionId: PackageVersionId };

function span(
  version: number,
  since: number,
  until: number | null,
  {
    knownAt = since,
    sinceCause = 'advisory_published',
    untilCause = 'advisory_changed',
  }: { knownAt?: number; sinceCause?: MatchCause; untilCause?: MatchCause } = {},
): SpanOfVersion {
  return {
    versionId: v(version),
    advisory: 1 as AdvisoryKey, // A stored advisory's id.
    since: day(since),
    sinceCause,
    until: until === null ? null : day(until),
    untilCause: until === null ? null : untilCause,
    knownAt: day(knownAt),
  };
}

const staysOf = (chains: readonly VersionChain[]) =>
  chains
    .map(({ stays }) =>
      stays.map(({ versionId, from, until }) => `${versionId}:${dayOf(from)}-${dayOf(until)}`).join(' '),
    )
    .sort();

const textOf = ({ from, fromCause, until, untilCause }: Exposure) =>
  `${dayOf(from)} ${fromCause} - ${until === null ? '' : `${dayOf(until)} ${untilCause}`}`.trim();

function walk(chains: readonly VersionChain[], spans: readonly SpanOfVersion[]): readonly string[] {
  return chains.flatMap((chain) =>
    exposuresOf(chain, (version) => spans.filter(({ versionId }) => versionId === version)).map(textOf),
  );
}

describe('installedChains', () => {
  it('follows upgrades and downgrades back to the first snapshot', () => {
    const chains = installedChains([v(1), v(9)], [change(3, 1, 2), change(5, 2, 1)], day(1));
    expect(staysOf(chains)).toEqual(['1:1-3 2:3-5 1:5-', '9:1-']);
  });

  it('begins another chain when a removed package is installed again', () => {
    const chains = installedChains([v(1)], [change(3, 1, null), change(5, null, 1)], day(1));
    expect(staysOf(chains)).toEqual(['1:1-3', '1:5-']);
  });

  it('has one chain per installed version of a package', () => {
    const changes = [change(3, null, 2), change(5, 1, 3)];
    expect(staysOf(installedChains([v(2), v(3)], changes, day(1)))).toEqual(['1:1-5 3:5-', '2:3-']);
  });

  it('has the chain of a package that is gone', () => {
    const chains = installedChains([], [change(3, null, 2), change(5, 2, 3), change(7, 3, null)], day(1));
    expect(staysOf(chains)).toEqual(['2:3-5 3:5-7']);
  });

  it('has every stay of a version, also if changes between other versions are not known', () => {
    // 8, 1, 9, 8, 1: the change from 9 to 8 is missing.
    const chains = installedChains([v(1)], [change(3, 8, 1), change(4, 1, 9), change(6, 8, 1)], day(1));
    expect(walk(chains, [span(1, 1, null)])).toEqual([
      '6 package_changed -',
      '3 package_changed - 4 package_changed',
    ]);
  });
});

describe('bootedChains', () => {
  it('has a stay per boot, and no chain over a time without a known kernel', () => {
    expect(staysOf(bootedChains(v(4), [], day(1)))).toEqual(['4:1-']);
    expect(staysOf(bootedChains(v(5), [boot(1, 4), boot(3, 5)], day(1)))).toEqual(['4:1-3 5:3-']);
    const away = [boot(1, 4), boot(2, 4), boot(3, null), boot(6, 4)];
    expect(staysOf(bootedChains(v(4), away, day(1)))).toEqual(['4:1-3', '4:6-']);
    expect(staysOf(bootedChains(null, [], day(1)))).toEqual([]);
  });

  it('assumes the first known kernel before it', () => {
    expect(staysOf(bootedChains(v(4), [boot(5, 4)], day(1)))).toEqual(['4:1-']);
  });

  it('states a boot as the cause', () => {
    const chains = bootedChains(v(4), [boot(1, 4), boot(3, 5), boot(6, 4)], day(1));
    expect(walk(chains, [span(5, 1, null)])).toEqual(['3 kernel_booted - 6 kernel_booted']);
  });
});

describe('exposuresOf', () => {
  const upgraded = installedChains([v(2)], [change(10, 1, 2)], day(1));

  it('ends with what came first and begins with what came last', () => {
    const fixed = installedChains([v(2)], [change(10, 1, 2)], day(1));
    const withdrawn = { untilCause: 'advisory_withdrawn' } as const;
    expect(walk(fixed, [span(1, 5, 12, withdrawn)])).toEqual(['5 advisory_published - 10 package_changed']);
    expect(walk(fixed, [span(1, 5, 8, withdrawn)])).toEqual(['5 advisory_published - 8 advisory_withdrawn']);
    expect(walk(fixed, [span(2, 8, null)])).toEqual(['10 package_changed -']);
    expect(walk(fixed, [span(2, 12, null)])).toEqual(['12 advisory_published -']);
  });

  it('goes on over a change of the record, and ends when the last of its matches ends', () => {
    const changed = { sinceCause: 'advisory_changed' } as const;
    expect(walk(upgraded, [span(2, 12, 14), span(2, 14, null, changed)])).toEqual([
      '12 advisory_published -',
    ]);
    expect(walk(upgraded, [span(2, 12, 20), span(2, 13, 15)])).toEqual([
      '12 advisory_published - 20 advisory_changed',
    ]);
  });

  it('takes the age of the record that said so before only if asked to', () => {
    const continued = [span(2, 15, null, { knownAt: 5, sinceCause: 'source_changed' }), span(1, 3, null)];
    expect(walk(upgraded, continued)).toEqual([
      '3 advisory_published - 10 package_changed',
      '15 source_changed -',
    ]);
    expect(walk(upgraded, sinceKnown(continued))).toEqual(['3 advisory_published -']);
  });

  it('continues what was known before its record counted, by the matches of then', () => {
    const continued = (spans: readonly SpanOfVersion[]) =>
      upgraded.flatMap((chain) => {
        const spansOf = (version: PackageVersionId) => spans.filter(({ versionId }) => versionId === version);
        return exposuresOf(chain, spansOf).map((exposure) => {
          const whole = continuedExposure(chain, exposure, spansOf);
          return whole === null ? null : textOf(whole);
        });
      });
    const counts = (version: number, since: number, knownAt: number) =>
      span(version, since, null, { knownAt, sinceCause: 'source_changed' });
    expect(continued([counts(2, 15, 12)])).toEqual(['12 source_changed -']);
    expect(continued([counts(2, 15, 5)])).toEqual(['10 package_changed -']);
    expect(continued([counts(2, 15, 5), counts(1, 15, 5)])).toEqual(['5 source_changed -']);
    // It began to count for the earlier version when the host did not have it any more.
    expect(continued([counts(2, 15, 5), counts(1, 16, 5)])).toEqual(['10 package_changed -']);
    expect(continued([span(2, 15, null)])).toEqual([null]);
    expect(continued([counts(2, 8, 5)])).toEqual([null]);
  });
});
