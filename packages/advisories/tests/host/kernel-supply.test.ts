import { summarisePackage } from '../../src/index.ts';
import { assessed, type DebianHost, offered, running } from '../debian-host.ts';
import { assess, linux, metapackage, newer, states } from '../debian-kernels.ts';
import { countHost } from './count-host.ts';

describe('the offers for the running kernel', () => {
  const kernel = running('6.1.0-29-amd64', '6.1.123-1');
  const packages = [newer, metapackage];
  const state = (upgrades: DebianHost['upgrades'], rest: Partial<DebianHost> = {}) =>
    states({ packages, kernel, upgrades: upgrades ?? [], ...rest }, newer.name)?.[0]?.split(' ')[1];

  it.each([
    ['a newly installed image of its flavour', offered('linux-image-6.1.0-31-amd64', '', '6.1.128-1')],
    ['the metapackage of its flavour', offered('linux-image-amd64', '6.1.123-1', '6.1.128-1')],
    ['a new build under its own name', offered('linux-image-6.1.0-29-amd64', '6.1.123-1', '6.1.128-1')],
    [
      'one whose source the host names',
      offered('linux-image-6.1.0-31-amd64', '', '6.1.128-1', {
        sourceName: 'linux-signed-amd64',
        sourceVersion: '6.1.128+1',
      }),
    ],
  ])('%s makes its fixes installable', (_what, upgrade) => {
    expect(state([upgrade])).toBe('installable');
  });

  it.each([
    ['an image of another flavour', offered('linux-image-6.1.0-31-cloud-amd64', '', '6.1.128-1')],
    ['an image of another line', offered('linux-image-6.12.9+deb12-amd64', '', '6.12.9-1~deb12u1')],
    ['headers', offered('linux-headers-amd64', '6.1.123-1', '6.1.128-1')],
    ['an image that is too old', offered('linux-image-6.1.0-30-amd64', '', '6.1.124-1')],
  ])('%s does not', (_what, upgrade) => {
    expect(state([upgrade])).toBe('not_in_repositories');
  });

  it.each([
    [offered('linux-image-amd64', '6.1.123-1', '6.1.128-1', { held: true }), packages],
    [offered('linux-image-amd64', '6.1.123-1', '6.1.128-1'), [newer, { ...metapackage, held: true }]],
  ])('is held if the metapackage or its update is', (upgrade, held) => {
    expect(state([upgrade], { packages: held })).toBe('held');
  });

  it('are held if the metapackage is held and there is no offer', () => {
    expect(state([], { packages: [newer, { ...metapackage, held: true }] })).toBe('held');
  });

  it('are shown as one update of the metapackage', () => {
    const upgrades = [
      offered('linux-image-amd64', '6.1.123-1', '6.1.128-1'),
      offered('linux-image-6.1.0-31-amd64', '', '6.1.128-1'),
      offered('linux-libc-dev', '6.1.123-1', '6.1.128-1', { sourceName: 'linux' }),
    ];
    const assessment = assess({ packages, kernel, upgrades });
    expect(
      assessment.upgradable.map(({ name, severity, advisoryIds }) => ({ name, severity, advisoryIds })),
    ).toEqual([
      { name: 'linux-image-amd64', severity: 'important', advisoryIds: ['CVE-2024-0002'] },
      { name: 'linux-libc-dev', severity: null, advisoryIds: [] },
    ]);
    expect(assessment.availableUpdates).toBe(2);
  });

  it('are counted the same by the fast path', () => {
    const upgrades = [offered('linux-image-amd64', '6.1.123-1', '6.1.128-1')];
    const host = assessed({ packages, kernel, upgrades, statements: linux });
    const counted = countHost({
      packages: host.packages.map(summarisePackage),
      runningKernel: null,
      facts: host.facts,
    });
    expect(counted.totals).toMatchObject({
      counts: { important: 1, unfixed: 0 },
      grounds: ['open_finding', 'update_waiting', 'security_update'],
    });
  });
});
