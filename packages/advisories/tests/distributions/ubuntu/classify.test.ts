import type { InstalledPackage } from '@plimsoll/model';
import fc from 'fast-check';
import { verdictOf } from '../../../src/index.ts';
import { debianKey } from '../../debian-records.ts';
import { focal, installed, jammy, kernelImage, offered, ubuntu } from '../../ubuntu-host.ts';

const classify = (subject: InstalledPackage, release = jammy) => ubuntu().classify(subject, release);

describe('a package of Ubuntu', () => {
  it('is compared by source name and source version', () => {
    expect(classify(installed('libssl3', '3.0.2-0ubuntu1.15', { name: 'openssl' }))).toEqual({
      kind: 'comparable',
      matchName: 'openssl',
      matchVersion: '3.0.2-0ubuntu1.15',
      key: debianKey('3.0.2-0ubuntu1.15'),
      module: '',
      line: '',
      originStated: true,
      kernel: null,
    });
  });

  it('is stored as JSON without losing anything except its key', () => {
    const verdict = verdictOf(classify(kernelImage('5.15.0-69-generic', '5.15.0-69.76')));
    expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict);
  });

  it('is unknown if its version cannot be ordered', () => {
    expect(classify(installed('x', '1.0', { version: '1:2:3 4' }))).toMatchObject({
      kind: 'unknown',
      reason: 'unparseable_version',
      detail: '1:2:3 4',
    });
  });

  it.each([
    ['openssl', '1.1.1f-1ubuntu2.fips.18'],
    ['openssl', '3.0.2-0ubuntu1.12+Fips1'],
    ['openssh', '1:7.2p2-4ubuntu2.fips.2.8.4'],
    ['libgcrypt20', '1.8.5-5ubuntu1.fips.1.5'],
    ['linux-fips', '5.4.0-1026.30'],
    ['linux-aws-fips', '5.4.0-1069.73+fips2'],
  ])('%s %s is a FIPS build', (name, version) => {
    const image = name.startsWith('linux') ? 'linux-image-5.4.0-1026-fips' : name;
    expect(classify(installed(image, version, { name }), focal)).toMatchObject({ line: 'fips' });
  });

  it.each(['1.1.1f-1ubuntu2.22', '0.1+fipsy-1', '2.0-fipscheck'])(
    '%s is not a FIPS build by its version alone',
    (version) => {
      expect(classify(installed('openssl', version), focal)).toMatchObject({ line: '' });
      const fromFips = installed('openssl', version, {}, { vendor: 'UbuntuFIPSUpdates' });
      expect(classify(fromFips, focal)).toMatchObject({ line: 'fips' });
    },
  );
});

describe('any package and any update', () => {
  const name = fc.constantFrom(
    'curl',
    'linux-image-generic',
    'linux-image-5.15.0-69-generic',
    'linux-image-',
    'linux-image-unsigned-6.8.0-1-aws',
    'linux-libc-dev',
    'linux-',
    'linux',
    '',
  );
  const source = fc.constantFrom(
    'curl',
    'linux',
    'linux-signed',
    'linux-signed-',
    'linux-meta-hwe-6.8',
    'linux-fips',
    '',
  );
  const version = fc.oneof(
    fc.constantFrom('5.15.0-69.76', '5.15.0.69.67', '6.8.0-40.40~22.04.3', '1:2:3', '', '-', '5.15.0-'),
    fc.string({ maxLength: 12 }),
  );

  it('has an answer, and all functions agree on which package is an image', () => {
    fc.assert(
      fc.property(name, source, version, version, fc.string({ maxLength: 8 }), (...[n, s, v, sv, vendor]) => {
        const subject = installed(n, v, { name: s, version: sv }, { vendor });
        const verdict = classify(subject);
        expect(['comparable', 'excluded', 'unknown']).toContain(verdict.kind);
        const image = ubuntu().kernelOf(n, { version: v, architecture: 'amd64' });
        expect(verdict.kind === 'excluded' ? null : verdict.kernel).toEqual(image);
        const upgrade = offered(n, '1', v, { sourceName: s, sourceVersion: sv, origin: vendor });
        expect(['comparable', 'unknown']).toContain(ubuntu().classifyUpgrade(upgrade, jammy).kind);
        ubuntu().runningKernelSubject(subject, n, v);
      }),
      { numRuns: 500 },
    );
  });
});
