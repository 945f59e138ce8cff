import type { Release, Repository, Subscription } from '@plimsoll/model';
import {
  areJudgementOf,
  assessHost,
  releaseOf,
  shownSubscription,
  supportEndOf,
} from '../../../src/index.ts';
import { platform } from '../../debian-host.ts';
import { assessed, jammy, pro, ubuntu, unattached } from '../../ubuntu-host.ts';

describe('a platform', () => {
  it.each([
    ['22.04', 'ubuntu:22.04'],
    ['22.04.5', 'ubuntu:22.04'],
    ['25.10', 'ubuntu:25.10'],
    ['32.04', 'ubuntu:32.04'],
    ['6.06', 'ubuntu:6.06'],
  ])('of ubuntu %s runs %s', (versionId, release) => {
    expect(releaseOf(platform('apt', 'ubuntu', { osVersionId: versionId }))).toEqual({
      kind: 'release',
      release,
      scheme: 'dpkg',
    });
  });

  it.each(['', '22', '22.4', 'jammy', '22.04 LTS', '122.04'])('of ubuntu %j has no release', (versionId) => {
    expect(releaseOf(platform('apt', 'ubuntu', { osVersionId: versionId }))).toEqual({
      kind: 'unsupported',
      reason: 'no_release_number',
    });
  });

  it.each(['linuxmint', 'pop', 'elementary', 'zorin', 'neon', 'ubuntu-core', 'Ubuntu', 'kubuntu'])(
    'of %s without a codename is not Ubuntu',
    (osId) => {
      expect(releaseOf(platform('apt', osId, { osVersionId: '22.04' }))).toEqual({
        kind: 'unsupported',
        reason: 'other_distribution',
      });
    },
  );
});

describe('support of a release', () => {
  const endOf = (release: string, subscription: Subscription | null) =>
    supportEndOf(release as Release, subscription)
      ?.toISOString()
      .slice(0, 10);

  // distro-info-data: eol-server, eol-esm, eol-legacy; the last day counts.
  it.each([
    ['ubuntu:14.04', '2019-04-26', '2024-04-26', '2026-04-29'],
    ['ubuntu:16.04', '2021-05-01', '2026-04-24', '2028-04-26'],
    ['ubuntu:18.04', '2023-06-01', '2028-04-27', '2030-05-01'],
    ['ubuntu:20.04', '2025-05-30', '2030-04-24', '2032-04-28'],
    ['ubuntu:22.04', '2027-06-02', '2032-04-22', '2034-04-26'],
    ['ubuntu:24.04', '2029-06-01', '2034-04-26', '2036-04-30'],
    ['ubuntu:25.10', '2026-07-10', '2026-07-10', '2026-07-10'],
  ])('%s ends on %s; with ESM on %s, with its legacy add-on on %s', (release, standard, esm, legacy) => {
    expect(endOf(release, null)).toBe(standard);
    expect(endOf(release, unattached)).toBe(standard);
    expect(endOf(release, pro('esm-apps', 'livepatch'))).toBe(standard);
    expect(endOf(release, pro('esm-infra'))).toBe(esm);
    expect(endOf(release, { ...pro('esm-infra'), attached: false })).toBe(standard);
    expect(endOf(release, pro('esm-infra', 'esm-infra-legacy'))).toBe(legacy);
    expect(
      ubuntu()
        .lifecycleOf(release as Release)
        ?.endsAt.toISOString()
        .slice(0, 10),
    ).toBe(standard);
  });

  it('of Debian with the archive of Extended LTS lasts longer, without records of Debian', () => {
    const host = platform('apt', 'debian', { osVersionId: '10', osCodename: 'buster' });
    const shown = (url: string) =>
      shownSubscription({
        platform: host,
        repositories: [{ id: 'x', url, enabled: true } as Repository],
        subscription: null,
      });
    expect(endOf('debian:10', shown('http://deb.debian.org/debian'))).toBe('2024-07-01');
    expect(endOf('debian:10', shown('http://deb.freexian.com/extended-lts'))).toBe('2029-07-01');
    const records = { changedAt: new Date('2025-01-01'), namesRelease: false };
    expect(areJudgementOf('debian:10' as Release, records)).toBe(false);
  });

  it('has no end if none is known', () => {
    expect(supportEndOf('ubuntu:32.04' as Release, null)).toBeNull();
    expect(supportEndOf('plan9:4' as Release, pro('esm-infra'))).toBeNull();
    expect(supportEndOf('debian:12' as Release, pro('esm-infra'))?.toISOString()).toBe(
      '2028-07-01T00:00:00.000Z',
    );
  });

  it('includes the host’s subscription extensions', () => {
    const release = 'ubuntu:20.04' as Release;
    const endsAt = (subscription: Subscription | null) =>
      assessHost(assessed({ packages: [], release, subscription }))
        .supportEndsAt?.toISOString()
        .slice(0, 10);
    expect(endsAt(null)).toBe('2025-05-30');
    expect(endsAt(pro('esm-infra', 'esm-apps'))).toBe('2030-04-24');
  });

  it('lists extensions in the order of their length', () => {
    const { endsAt, extended = [] } = ubuntu().lifecycleOf(jammy) ?? { endsAt: new Date(0) };
    const ends = [endsAt, ...extended.map((support) => support.endsAt)];
    expect([...ends].sort((a, b) => a.getTime() - b.getTime())).toEqual(ends);
  });
});
