import type { InstalledPackage } from '@plimsoll/model';
import { type VexEntry, vexDocument } from './distributions/rhel/vex-document.ts';
import { assessRpm, lines, rpm } from './rpm-host.ts';
import { advisoryOf, update } from './rpm-records.ts';

const vex = (entry: Partial<VexEntry>, cve = 'CVE-2024-0001') =>
  advisoryOf(
    'redhat-vex',
    vexDocument(
      [
        {
          product: 'enterprise_linux:9::baseos',
          component: 'glibc-0:2.34-60.el9_2.7.src',
          status: 'fixed',
          ...entry,
        },
      ],
      { cve },
    ),
  );
const glibc = (release: string, rest: Partial<InstalledPackage> = {}) =>
  rpm(`glibc-common-2.34-${release}.x86_64`, {
    sourceName: 'glibc',
    sourceVersion: `2.34-${release}`,
    ...rest,
  });
const erratum = (feedId: string, release: string, build: string, cve: string) =>
  advisoryOf(
    feedId,
    update('RLSA-2024:1', [`glibc-common-2.34-${build}.x86_64`], {
      references: [{ href: '', id: cve, title: cve, type: 'cve' }],
    }),
    release,
  );
const rocky = (build: string, cve: string) => erratum('rocky-updateinfo', 'rocky:9', build, cve);

describe("a fix in Red Hat's VEX", () => {
  it.each([
    ['rhel:9', '60.el9_2.3', true],
    ['rhel:9', '60.el9_2.7', false],
    ['rocky:9', '60.el9_2.3', true],
    ['rocky:9', '60.el9_2.7', false],
    ['rocky:9', '60.el9_2.7.rocky.0.1', false],
    ['rocky:9', '60.el9.7', false],
    ['almalinux:9', '60.el9_2.7.alma.1', false],
    ['almalinux:9', '59.el9_2.9.alma.1', true],
    ['oracle:9', '60.0.1.el9_2.3', true],
    ['oracle:9', '60.0.1.el9_2.7', false],
    ['oracle:9', '60.0.2.el9', true],
  ])('on %s says of the build %s that it is affected: %s', (release, build, isAffected) => {
    const found = lines({ release, packages: [glibc(build)], advisories: [vex({})] });
    expect(found).toHaveLength(isAffected ? 1 : 0);
  });

  it('is compared without the number of the module build, which every distribution has its own of', () => {
    const purl = 'pkg:rpm/redhat/nodejs@18.19.1-2.module+el8.9.0%2B21387%2Bab?arch=src&rpmmod=nodejs:18';
    const advisories = [vex({ product: 'enterprise_linux:8', purl })];
    const nodejs = (release: string) =>
      rpm(`nodejs-1:18.19.1-${release}.x86_64`, {
        sourceVersion: `18.19.1-${release}`,
        module: 'nodejs:18:8090020240101:1',
      });
    const found = (release: string) =>
      lines({ release: 'almalinux:8', packages: [nodejs(release)], advisories }).length;
    expect(['1.module_el8.9.0+9999+cd', '2.module_el8.9.0+3700+cd'].map(found)).toEqual([1, 0]);
  });

  it('is marked as upstream’s on a rebuild, and counts as a fix', () => {
    const { findings } = assessRpm({
      release: 'rocky:9',
      packages: [glibc('60.el9_2.3')],
      advisories: [vex({})],
    });
    expect(findings).toMatchObject([{ fixed: true, severity: 'moderate' }]);
    expect(findings[0]?.evidence.notes).toContainEqual({
      code: 'upstream_statement',
      detail: expect.stringContaining(
        'said of the source glibc by the distribution this one is rebuilt from',
      ),
    });
  });

  it('gives way to the distribution’s own errata about the CVE, open or fixed', () => {
    const own = rocky('60.el9_2.9', 'CVE-2024-0001');
    const found = (build: string) =>
      lines({ release: 'rocky:9', packages: [glibc(build)], advisories: [vex({}), own] });
    expect(found('60.el9_2.3').map((line) => line.split(' ')[1])).toEqual(['RLSA-2024:1']);
    expect(found('60.el9_2.9')).toEqual([]);
  });

  it('stands beside own errata that do not name the CVE', () => {
    const own = rocky('60.el9_2.7', 'CVE-2024-0002');
    const found = lines({ release: 'rocky:9', packages: [glibc('60.el9_2.3')], advisories: [vex({}), own] });
    expect(found.map((line) => line.split(' ')[1])).toEqual(['CVE-2024-0001', 'RLSA-2024:1']);
  });

  it('gives way to Red Hat’s errata in the same way where it names binary packages', () => {
    const own = erratum('redhat-updateinfo', 'rhel:9', '60.el9_2.7', 'CVE-2024-0001');
    const ofBinary = vex({ component: 'glibc-common-0:2.34-60.el9_2.7.x86_64' });
    const found = lines({ release: 'rhel:9', packages: [glibc('60.el9_2.3')], advisories: [ofBinary, own] });
    expect(found.map((line) => line.split(' ')[1])).toEqual(['RLSA-2024:1']);
  });

  it('is not said again by a record that has no fix of the CVE yet', () => {
    const unfixed = advisoryOf('redhat-cve', {
      name: 'CVE-2024-0001',
      package_state: [
        { cpe: 'cpe:/o:redhat:enterprise_linux:9', fix_state: 'Affected', package_name: 'glibc' },
      ],
    });
    const found = lines({
      release: 'rhel:9',
      packages: [glibc('60.el9_2.7')],
      advisories: [vex({}), unfixed],
    });
    expect(found).toEqual([]);
  });

  it('counts once where the CVE API calls the CVE unfixed too', () => {
    const unfixed = advisoryOf('redhat-cve', {
      name: 'CVE-2024-0001',
      package_state: [
        { cpe: 'cpe:/o:redhat:enterprise_linux:9', fix_state: 'Affected', package_name: 'glibc' },
      ],
    });
    const advisories = [unfixed, vex({ component: 'glibc.src', status: 'known_affected' })];
    expect(lines({ release: 'rhel:9', packages: [glibc('60.el9_2.7')], advisories })).toHaveLength(1);
  });

  it('counts as affected where only one of two records says that it is under investigation', () => {
    const affected = advisoryOf('redhat-cve', {
      name: 'CVE-2024-0001',
      package_state: [
        { cpe: 'cpe:/o:redhat:enterprise_linux:9', fix_state: 'Affected', package_name: 'glibc' },
      ],
    });
    const open = vex({ component: 'glibc.src', status: 'under_investigation' });
    for (const advisories of [
      [affected, open],
      [open, affected],
    ]) {
      const found = lines({ release: 'rhel:9', packages: [glibc('60.el9_2.7')], advisories });
      expect(found).toEqual([expect.stringContaining('no_fix')]);
    }
  });
});
