import type { Release } from '@plimsoll/model';
import {
  distributionOf,
  distributions,
  feedIds,
  feedProfile,
  feedRoles,
  feedsOf,
  filesOf,
  staleAfterSecondsOf,
  syncIntervalsMsOf,
} from '../src/index.ts';

describe('the profile of a feed', () => {
  it.each(feedIds)('%s has a title and whole sentences', (id) => {
    const profile = feedProfile(id);
    expect(profile?.title).toMatch(/\w/);
    for (const limit of profile?.limits ?? []) expect(limit).toMatch(/^[A-Z].*\.$/);
  });

  it('is null for an unknown feed', () => {
    expect(feedProfile('nothing')).toBeNull();
  });

  it('states for fixes-only feeds, and no others, that unfixed vulnerabilities are missing', () => {
    const silent = feedsOf('advisories')
      .filter(({ id }) => feedProfile(id)?.limits.some((limit) => limit.includes('It lists fixes only.')))
      .map(({ id }) => id);
    expect(
      feedsOf('advisories')
        .map(({ id }) => id)
        .filter((id) => !silent.includes(id)),
    ).toEqual(['debian-osv', 'debian-tracker', 'ubuntu-osv', 'ubuntu-vex', 'redhat-vex', 'redhat-cve']);
  });

  it('names the feed that covers another feed’s gap, if there is one', () => {
    expect(feedProfile('rocky-updateinfo')?.limits.join(' ')).toMatch(
      /redhat-vex or redhat-cve has them.*part of Red Hat's/,
    );
    expect(feedProfile('oracle-updateinfo')?.limits.join(' ')).toMatch(/no feed here has them/);
  });

  it('names alternatives for the same releases, downloadable ones first', () => {
    // The updateinfo of Rocky's older minor releases never changes.
    expect(feedProfile('rocky-errata')?.alternatives).toEqual([]);
    expect(feedProfile('rocky-updateinfo')).toMatchObject({ alternatives: [], listsFixes: false });
    expect(feedProfile('redhat-updateinfo')?.alternatives).toEqual(['redhat-osv']);
    expect(feedProfile('almalinux-updateinfo')?.alternatives).toEqual(['almalinux-osv', 'almalinux-errata']);
    expect(feedProfile('redhat-cve')?.alternatives).toEqual([]);
    expect(feedProfile('cisa-kev')).toMatchObject({ alternatives: [], limits: [], distributions: null });
  });
});

it('lists a fetchable feed first, for distributions that have one', () => {
  for (const { id } of distributions) {
    const own = feedsOf('advisories').filter(({ distribution }) => distribution === id);
    const fetched = own.filter((feed) => filesOf(feed.id).length > 0);
    if (fetched.length > 0) expect(fetched[0]?.id).toBe(own[0]?.id);
  }
});

it('lists the distributions whose unfixed vulnerabilities a feed states', () => {
  const examples: Record<string, string> = {
    debian: 'debian:12',
    ubuntu: 'ubuntu:24.04',
    rhel: 'rhel:9',
    almalinux: 'almalinux:9',
    rocky: 'rocky:9',
  };
  for (const { distribution } of feedRoles.unfixedSources)
    expect(distributionOf((examples[distribution] ?? '') as Release)?.id).toBe(distribution);
  for (const id of ['redhat-vex', 'redhat-cve']) expect(feedRoles.fixFeeds).not.toContain(id);
  // No feed that states unfixed packages covers Oracle's own kernels.
  expect(feedRoles.unfixedSources.map(({ distribution }) => distribution)).not.toContain('oracle');
});

describe('the age at which data becomes outdated', () => {
  it('has a default for all feeds, and exceptions for single ones', () => {
    const seconds = staleAfterSecondsOf(['8', 'cisa-kev=14']);
    expect([seconds.get('debian-osv'), seconds.get('cisa-kev')]).toEqual([8 * 86_400, 14 * 86_400]);
    expect([...seconds.keys()]).toEqual(feedIds);
  });

  it('is three days without an entry', () => {
    expect(staleAfterSecondsOf(['cisa-kev=14']).get('epss')).toBe(3 * 86_400);
  });
});

it('reads the time between two syncs of each feed, as that until its data is outdated', () => {
  const ms = syncIntervalsMsOf(['30', 'cisa-ssvc=1440']);
  expect([...ms.keys()]).toEqual(feedIds);
  expect(ms.get('cisa-ssvc')).toBe(86_400_000);
  expect(ms.get('cisa-kev')).toBe(1_800_000);
  expect(syncIntervalsMsOf(['cisa-ssvc=1440']).get('cisa-kev')).toBe(360 * 60_000);
});
