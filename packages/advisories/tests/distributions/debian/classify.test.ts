import type { InstalledPackage, Release } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { distributionOf, verdictOf } from '../../../src/index.ts';
import { bookworm, installed, kernelImage, offered } from '../../debian-host.ts';
import { debianKey } from '../../debian-records.ts';

function debian() {
  const distribution = distributionOf(bookworm);
  if (distribution === null) throw new Error('Debian is not registered');
  return distribution;
}

const classify = (subject: InstalledPackage, release: Release = bookworm) =>
  debian().classify(subject, release);

describe('a package of the distribution', () => {
  it('is compared by source name and source version', () => {
    const libssl = installed('libssl3', '3.0.15-1~deb12u1', { name: 'openssl' });
    expect(classify(libssl)).toEqual({
      kind: 'comparable',
      matchName: 'openssl',
      matchVersion: '3.0.15-1~deb12u1',
      key: debianKey('3.0.15-1~deb12u1'),
      module: '',
      line: '',
      originStated: true,
      kernel: null,
    });
  });

  it('is compared without its rebuild suffix if the collector omitted the source version', () => {
    expect(classify(installed('bash', '5.2.15-2+b8'))).toMatchObject({ matchVersion: '5.2.15-2' });
  });

  it('keeps a given source version with any suffix', () => {
    const subject = installed('odd', '2.0', { name: 'odd-source', version: '1.0+b1' });
    expect(classify(subject)).toMatchObject({ matchVersion: '1.0+b1' });
  });

  it('is stored as JSON without losing anything except its key', () => {
    const verdict = verdictOf(classify(kernelImage('6.1.0-29-amd64', '6.1.123-1')));
    expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict);
    expect(verdict).not.toHaveProperty('key');
  });

  it('is unknown if its version cannot be ordered', () => {
    expect(classify(installed('x', '1.0', { version: '1:2:3 4' }))).toEqual({
      kind: 'unknown',
      reason: 'unparseable_version',
      detail: '1:2:3 4',
      kernel: null,
    });
  });
});

describe('an offered update', () => {
  const classifyUpgrade = (...[name, to, rest]: [string, string, Parameters<typeof offered>[3]?]) =>
    debian().classifyUpgrade(offered(name, '', to, rest), bookworm);

  it('is compared by the source in the report', () => {
    const source = { sourceName: 'util-linux', sourceVersion: '2.38.1-5+deb12u3' };
    expect(classifyUpgrade('bsdutils', '1:2.38.1-5+deb12u3', source)).toMatchObject({
      kind: 'comparable',
      matchName: 'util-linux',
      matchVersion: '2.38.1-5+deb12u3',
      stated: true,
      kernelFlavour: null,
    });
  });

  it('is its own source, without its rebuild suffix, if the host names none', () => {
    expect(classifyUpgrade('libfoo1', '1.2-3+b4')).toMatchObject({
      matchName: 'libfoo1',
      matchVersion: '1.2-3',
      stated: false,
    });
  });

  it.each([
    ['linux-image-amd64', '6.1.162-1', 'linux', 'amd64'],
    ['linux-image-6.1.0-30-cloud-amd64', '6.1.124-1', 'linux', 'cloud-amd64'],
    ['linux-image-6.12-amd64', '6.12.100-1~deb12u1', 'linux-6.12', 'amd64'],
  ])(
    '%s %s is a kernel of %s even if the host names no source',
    (name, version, matchName, kernelFlavour) => {
      const source = classifyUpgrade(name, version);
      expect(source).toMatchObject({ kind: 'comparable', matchName, matchVersion: version, kernelFlavour });
      expect(source.kind === 'comparable' && compareKeys(source.key, debianKey(version))).toBe(0);
    },
  );

  it.each([
    [{ origin: 'Docker' }, 'not_the_distributions'],
    [{ suite: 'bookworm-backports' }, 'backport'],
    [{ sourceVersion: '1 2' }, 'unparseable_version'],
  ])('with %j is not compared', (rest, reason) => {
    expect(classifyUpgrade('curl', '8.0-1', { sourceName: 'curl-src', ...rest })).toMatchObject({
      kind: 'unknown',
      reason,
    });
  });
});
