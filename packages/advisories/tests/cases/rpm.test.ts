import { assessRpm, lines, offer, rpm } from '../rpm-host.ts';
import { advisoryOf, update } from '../rpm-records.ts';

const on =
  (release: string, feedId: string) =>
  (id: string, nevras: readonly string[], title = '') =>
    advisoryOf(feedId, update(id, nevras, title === '' ? {} : { title }), release);
const alma8 = on('almalinux:8', 'almalinux-updateinfo');
const rocky9 = on('rocky:9', 'rocky-updateinfo');
const label = (name: string, stream: string) => `${name}:${stream}:8060020220422081956:fbe42456`;

describe('matching rules on rpm with other packages, by number', () => {
  it.each([
    ['nodejs', '18', '20', '1:18.12.1-1', '1:20.9.0-1'],
    ['php', '7.4', '8.0', '7.4.30-1', '8.0.30-1'],
    ['podman', 'rhel8', '4.0', '3:4.4.1-1', '3:4.9.4-1'],
    ['ruby', '3.1', '3.10', '3.1.2-1', '3.10.1-1'],
  ])('17. %s of stream %s is clean against a fix in stream %s', (name, stream, other, version, fixed) => {
    const module = name === 'podman' ? 'container-tools' : name;
    const build = '.module_el8.6.0+2811+fe6c84b0';
    const packages = [rpm(`${name}-${version}${build}.x86_64`, { module: label(module, stream) })];
    const fix = (of: string) =>
      alma8('ALSA-1', [`${name}-${fixed}${build}.x86_64`], `Important: ${module}:${of} security update`);
    expect(lines({ release: 'almalinux:8', packages, advisories: [fix(other)] })).toEqual([]);
    expect(lines({ release: 'almalinux:8', packages, advisories: [fix(stream)] })).toHaveLength(1);
  });

  it('17. two modules with equal stream names are distinct: perl-libwww-perl:6.34 is not perl-IO-Socket-SSL:6.34', () => {
    const nevra = 'perl-Net-SSLeay-1.88-2.module_el8.6.0+2811+fe6c84b0.x86_64';
    const packages = [rpm(nevra, { module: label('perl-IO-Socket-SSL', '2.066') })];
    const about = (module: string) =>
      alma8(
        'ALSA-1',
        ['perl-Net-SSLeay-1.88-3.module_el8.9.0+1+aa.x86_64'],
        `Low: ${module} security update`,
      );
    expect(
      lines({ release: 'almalinux:8', packages, advisories: [about('perl-libwww-perl:2.066')] }),
    ).toEqual([]);
    expect(
      lines({ release: 'almalinux:8', packages, advisories: [about('perl-IO-Socket-SSL:2.066')] }),
    ).toHaveLength(1);
  });

  it.each([
    ['nginx-1:1.14.1-9.el8.x86_64', 'nginx-1:1.22.1-2.module_el8.8.0+3545+a2d2d4a5.x86_64', 'nginx:1.22'],
    [
      'subversion-1.10.2-5.el8.x86_64',
      'subversion-1.14.1-2.module_el8.7.0+1146+633d65ff.x86_64',
      'subversion:1.14',
    ],
  ])('18. %s outside modules is not affected by a statement about a module', (nevra, fixed, module) => {
    const advisories = [alma8('ALSA-1', [fixed], `Important: ${module} security update`)];
    expect(lines({ release: 'almalinux:8', packages: [rpm(nevra)], advisories })).toEqual([]);
  });

  it('18. a build in a module is not affected by a statement about packages outside modules', () => {
    const module = label('nginx', '1.14');
    const packages = [rpm('nginx-1:1.14.1-9.module_el8.0.0+1+aa.x86_64', { module })];
    const advisories = [alma8('ALSA-1', ['nginx-1:1.20.1-1.el8.x86_64'])];
    expect(assessRpm({ release: 'almalinux:8', packages, advisories })).toMatchObject({
      findings: [],
      counts: { unknown: 0 },
    });
  });

  it.each([
    ['almalinux:8', 'redhat-updateinfo', 'rhel:8'],
    ['rocky:8', 'almalinux-updateinfo', 'almalinux:8'],
    ['oracle:8', 'redhat-updateinfo', 'rhel:8'],
    ['rhel:8', 'rocky-updateinfo', 'rocky:8'],
  ])('19. %s is not judged by fixed versions of %s', (release, feedId, other) => {
    const advisories = [on(other, feedId)('XXSA-1', ['bash-99-1.el8.x86_64'])];
    expect(lines({ release, packages: [rpm('bash-4.4-1.el8.x86_64')], advisories })).toEqual([]);
  });

  it('20. the offered version counts, not the published one: a candidate below the fix closes nothing', () => {
    const curl = rpm('curl-7.76.1-19.el9_1.x86_64');
    const advisories = [rocky9('RLSA-1', ['curl-7.76.1-23.el9_2.4.x86_64'])];
    const host = { release: 'rocky:9', packages: [curl], advisories };
    const offered = (version: string) => lines({ ...host, upgrades: [offer(curl, version)] });
    expect(offered('7.76.1-19.el9_1.2')).toEqual(['curl.x86_64 RLSA-1 not_in_repositories']);
    expect(offered('7.76.1-23.el9_2.4')).toEqual(['curl.x86_64 RLSA-1 installable']);
    expect(offered('7.76.1-29.el9_4')).toEqual(['curl.x86_64 RLSA-1 installable']);
  });

  it('21. an offered i686 build does not close findings of the x86_64 build', () => {
    const packages = [rpm('zlib-1.2.11-1.el8.x86_64'), rpm('zlib-1.2.11-1.el8.i686')];
    const advisories = [alma8('ALSA-1', ['zlib-1.2.11-2.el8.x86_64', 'zlib-1.2.11-2.el8.i686'])];
    const [, i686] = packages;
    if (i686 === undefined) throw new Error('no package');
    const upgrades = [offer(i686, '1.2.11-2.el8')];
    expect(lines({ release: 'almalinux:8', packages, advisories, upgrades })).toEqual([
      'zlib.i686 ALSA-1 installable',
      'zlib.x86_64 ALSA-1 not_in_repositories',
    ]);
  });

  it.each(['aarch64', 's390x', 'ppc64le'])(
    '21. a %s host is not affected by builds that exist only for x86_64',
    (architecture) => {
      const advisories = [alma8('ALSA-1', ['grub2-2.02-9.el8.x86_64', 'tzdata-2025a-1.el8.noarch'])];
      const packages = [rpm(`grub2-2.02-1.el8.${architecture}`), rpm('tzdata-2024a-1.el8.noarch')];
      expect(lines({ release: 'almalinux:8', packages, advisories })).toEqual([
        'tzdata.noarch ALSA-1 not_in_repositories',
      ]);
    },
  );
});
