import { installed, jammy, ubuntu } from '../../ubuntu-host.ts';

const classify = (rest: Parameters<typeof installed>[3], version = '7.81.0-1ubuntu1.15') =>
  ubuntu().classify(installed('curl', version, {}, rest), jammy);

describe('the origin of a package', () => {
  it.each([
    'Ubuntu',
    'ubuntu',
    'UbuntuESM',
    'UbuntuESMApps',
    'UbuntuFIPS',
    'UbuntuFIPSUpdates',
    'UbuntuRealtimeKernel',
  ])('%s is the distribution’s', (vendor) => {
    expect(classify({ vendor })).toMatchObject({ kind: 'comparable', originStated: true });
  });

  it('is assumed to be the distribution if unstated, and the verdict shows it', () => {
    expect(classify({ vendor: '' })).toMatchObject({ kind: 'comparable', originStated: false });
  });

  it.each([
    'LP-PPA-ondrej-php',
    'LP-PPA-ubuntu-toolchain-r-test',
    'Docker',
    'Debian',
    'Canonical',
    'UbuntuROS',
    'Ubuntu Developers <ubuntu-devel-discuss@lists.ubuntu.com>',
    'linuxmint',
  ])('%s makes the verdict unknown, never affected and never clean', (vendor) => {
    expect(classify({ vendor })).toEqual({
      kind: 'unknown',
      reason: 'not_the_distributions',
      detail: vendor,
      kernel: null,
    });
  });

  it.each([
    'jammy',
    'jammy-security',
    'jammy-updates',
    'jammy-proposed',
    'jammy-infra-security',
    'jammy-apps-updates',
    'now',
    'stable',
  ])('%s may be the host’s own release', (suite) => {
    expect(classify({ suite })).toMatchObject({ kind: 'comparable' });
  });

  it.each(['noble', 'noble-security', 'focal-updates'])('%s is another release', (suite) => {
    expect(classify({ suite })).toMatchObject({ kind: 'unknown', reason: 'other_release', detail: suite });
  });

  it.each([
    [{ suite: 'jammy-backports' }, '8.5.0-1'],
    [{ suite: 'noble-backports' }, '8.5.0-1'],
    [{ vendor: '' }, '8.5.0-1~bpo22.04.1'],
  ])('with %j and version %s is a backport', (rest, version) => {
    expect(classify(rest, version)).toMatchObject({ kind: 'unknown', reason: 'backport' });
  });

  it.each([
    ['7.81.0-1ubuntu1.15', 'unknown'],
    ['7.81.0-1ubuntu1.15+esm1', 'comparable'],
  ])('is none of its repositories’ for %s: %s', (version, kind) => {
    expect(classify({ vendor: '', suite: 'now' }, version)).toMatchObject({ kind });
  });
});
