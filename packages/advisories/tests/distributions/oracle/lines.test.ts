import { assessRpm, lines, offer, rpm } from '../../rpm-host.ts';
import { advisoryOf, update } from '../../rpm-records.ts';

const oracle = (id: string, nevra: string) =>
  advisoryOf('oracle-updateinfo', update(id, [nevra]), 'oracle:8');

/** Versions as Oracle's errata state them; builds for FIPS and Ksplice have higher epochs or dist tags than the plain ones. */
const advisories = [
  oracle('ELSA-2026-1', 'openssl-libs-1:1.1.1k-14.el8_6.x86_64'),
  oracle('ELSA-2026-50174', 'openssl-libs-2:1.1.1k-14.ksplice1.el8_6.x86_64'),
  oracle('ELSA-2022-9564', 'openssl-libs-10:1.1.1k-15.el8_6_fips.x86_64'),
];
const builds = {
  plain: 'openssl-libs-1:1.1.1k-5.el8_5.x86_64',
  ksplice: 'openssl-libs-2:1.1.1k-5.0.1.ksplice1.el8_5.x86_64',
  fips: 'openssl-libs-10:1.1.1k-12.el8_fips.x86_64',
};
const idsOf = (nevra: string, given = advisories) =>
  lines({ release: 'oracle:8', packages: [rpm(nevra)], advisories: given }).map((line) => line.split(' ')[1]);

describe('builds of Oracle Linux for FIPS and for Ksplice', () => {
  it.each([
    ['plain', 'ELSA-2026-1'],
    ['ksplice', 'ELSA-2026-50174'],
    ['fips', 'ELSA-2022-9564'],
  ] as const)('%s is judged by errata of its own line alone', (build, id) => {
    expect(idsOf(builds[build])).toEqual([id]);
  });

  it.each([
    ['plain', 'openssl-libs-1:1.1.1k-14.el8_6.x86_64'],
    ['ksplice', 'openssl-libs-2:1.1.1k-14.ksplice1.el8_6.x86_64'],
    ['fips', 'openssl-libs-10:1.1.1k-15.el8_6_fips.x86_64'],
  ] as const)('%s with the fix of its line has no finding', (_build, nevra) => {
    expect(idsOf(nevra)).toEqual([]);
  });

  it('have no verdict without an erratum of their line, whatever the plain build has', () => {
    const [plain] = advisories;
    for (const nevra of [builds.ksplice, builds.fips]) {
      const packages = [rpm(nevra)];
      const { findings, counts } = assessRpm({
        release: 'oracle:8',
        packages,
        advisories: plain === undefined ? [] : [plain],
      });
      expect({ findings: findings.length, unknown: counts.unknown }).toEqual({ findings: 0, unknown: 1 });
    }
  });

  it.each([
    // An offer below the installed version is a downgrade.
    ['1:1.1.1k-14.el8_6', 'installable', 'not_in_repositories', 'not_in_repositories'],
    ['2:1.1.1k-14.ksplice1.el8_6', 'fix_published', 'installable', 'not_in_repositories'],
    ['10:1.1.1k-15.el8_6_fips', 'fix_published', 'fix_published', 'installable'],
  ])('an offer of %s is the fix of its own line alone', (version, ...states) => {
    const found = Object.values(builds).map((nevra) => {
      const installed = rpm(nevra);
      const upgrades = [offer(installed, version)];
      return assessRpm({ release: 'oracle:8', packages: [installed], advisories, upgrades }).findings.map(
        ({ fixState }) => fixState,
      );
    });
    expect(found).toEqual(states.map((state) => [state]));
  });
});
