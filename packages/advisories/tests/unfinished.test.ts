import type { Release } from '@plimsoll/model';
import { classifyPackage } from '../src/index.ts';
import { installed } from './debian-host.ts';

describe('a package whose installation did not end', () => {
  const utilLinux = { name: 'util-linux', version: '2.38.1-5+deb12u3' };
  const samba = { name: 'samba', version: '2:4.17.12' };
  const defaults = { name: 'gcc-defaults', version: '1.203' };
  const alma = { vendor: 'AlmaLinux', architecture: 'x86_64' };

  it.each<[string, string, string, { name?: string; version?: string }, object, string, string]>([
    ['debian:12', 'bsdutils', '1:2.38.1-5+deb12u3', utilLinux, {}, '1:2.38.1-5+deb12u1', '2.38.1-5+deb12u1'],
    ['debian:12', 'libldb2', '2:2.6.2+samba4.17.12', samba, {}, '2:2.6.2+samba4.17.9', '2:4.17.9'],
    ['debian:12', 'bash', '5.2-2+b8', { version: '5.2-2' }, {}, '5.2-1+b1', '5.2-1'],
    ['almalinux:9', 'bash', '5.1.8-6.el9', {}, alma, '5.1.8-9.el9', '5.1.8-6.el9'],
  ])(
    'is compared by the lower version: %s %s %s',
    (release, name, version, source, rest, unfinished, compared) => {
      const subject = { ...installed(name, version, source, rest), unfinished };
      const reached = rest === alma ? unfinished : (source.version ?? version);
      expect(classifyPackage(subject, release as Release)).toMatchObject({ matchVersion: compared, reached });
    },
  );

  it.each([
    [installed('bash', '5.2-2'), '', 'unfinished'],
    // Its source version does not follow its own.
    [installed('gcc', '4:12.2.0-3', defaults), '4:12.2.0-2', 'unfinished'],
    [installed('libldb2', '2:2.6.2+samba4.17.12', samba), '2:2.6.1+samba4.17.9', 'unfinished'],
    [installed('openssl', '3.0.17-1'), '3.0.15-1+rpt1', 'not_the_distributions'],
    [installed('openssl', '3.0.17-1'), '3.2.1-1~bpo12+1', 'backport'],
  ])('has no verdict if what was configured cannot be compared: %#', (subject, unfinished, reason) => {
    const verdict = classifyPackage({ ...subject, unfinished }, 'debian:12' as Release);
    expect(verdict).toMatchObject({ kind: 'unknown', reason });
  });

  it('is compared by what is unpacked if that is not higher', () => {
    const subject = { ...installed('bash', '5.2-1'), unfinished: '5.2-2' };
    expect(classifyPackage(subject, 'debian:12' as Release)).toMatchObject({ matchVersion: '5.2-1' });
    expect(classifyPackage(subject, 'debian:12' as Release)).not.toHaveProperty('reached');
  });
});
