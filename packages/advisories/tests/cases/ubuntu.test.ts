import { assessHost } from '../../src/index.ts';
import { affecting, assessed, installed, lines } from '../ubuntu-host.ts';
import { advisoryIn, cveAdvisory, noticeRecord } from '../ubuntu-records.ts';

const cve = 'CVE-2024-0001';
const id = `UBUNTU-${cve}`;

describe('matching rules on Ubuntu with other packages, by number', () => {
  it.each([
    ['2.4.52-1ubuntu4.7+esm1', '2.4.52-1ubuntu4.7+esm1', false],
    ['2.4.52-1ubuntu4.7', '2.4.52-1ubuntu4.7+esm1', true],
    ['2.4.52-1ubuntu4.8', '2.4.52-1ubuntu4.7+esm1', false],
    ['1.2-4ubuntu0.22.04.1~esm1', '1.2-4ubuntu0.22.04.1~esm1', false],
    ['1.2-4ubuntu0.22.04.1~esm1', '1.2-4ubuntu0.22.04.1~esm2', true],
  ])('13. %s against a fix of Ubuntu Pro in %s: affected %s', (version, fixed, affected) => {
    const advisories = [cveAdvisory(cve, [{ ecosystem: 'Ubuntu:Pro:22.04:LTS', name: 'tool', fixed }])];
    expect(affecting(installed('tool', version), advisories)).toEqual(affected ? [`${id} tool`] : []);
  });

  const entriesFor = (name: string, free: string | null, esm: string | null) => [
    cveAdvisory(cve, [
      { ecosystem: 'Ubuntu:22.04:LTS', name, fixed: free },
      { ecosystem: 'Ubuntu:Pro:22.04:LTS', name, fixed: esm },
    ]),
  ];

  it.each([
    // A build of Pro has the fix of a later build for all users only if its own entry says so.
    ['1.2-3ubuntu0.2~esm1', '1.2-3ubuntu0.1', '1.2-3ubuntu0.2~esm2', true],
    ['1.2-3ubuntu0.2~esm2', '1.2-3ubuntu0.1', '1.2-3ubuntu0.2~esm2', false],
    ['1.2-3ubuntu0.1~esm1', '1.2-3ubuntu0.1', '1.2-3ubuntu0.1~esm1', false],
    ['1.2-3ubuntu0.1+esm1', '1.2-3ubuntu0.1', null, true],
    ['1.2-3ubuntu0.1', '1.2-3ubuntu0.1', '1.2-3ubuntu0.1+esm1', false],
    ['1.2-3', '1.2-3ubuntu0.1', '1.2-3~esm1', true],
    // A later build for all users lacks the fixes of Pro.
    ['1.2-3ubuntu0.1', null, '1.2-3ubuntu0.1~esm1', true],
    ['1.2-3ubuntu0.1~esm1', null, '1.2-3ubuntu0.1~esm1', false],
    ['1.2-3.4', null, '1.2-3.4', false],
  ])('13. %s with a fix for all in %s and for Pro in %s: affected %s', (version, free, esm, affected) => {
    const found = affecting(installed('tool', version), entriesFor('tool', free, esm));
    expect(found).toEqual(affected ? [`${id} tool`] : []);
  });

  it('13. a build from an archive of Pro is judged by the entry for Pro, whatever its version is', () => {
    const advisories = entriesFor('tool', '1.2-3', '1.2-4ubuntu1~esm1');
    const at = (vendor: string) => affecting(installed('tool', '1.2-4', {}, { vendor }), advisories);
    expect(at('Ubuntu')).toEqual([]);
    expect(at('UbuntuESMApps')).toEqual([`${id} tool`]);
  });

  it.each([
    ['1.2-3', null, '1.2-3ubuntu0.1~esm1', 'needs_subscription', '1.2-3ubuntu0.1~esm1'],
    ['1.2-3', '1.2-3ubuntu0.1', '1.2-3ubuntu0.1~esm1', 'fix_published', '1.2-3ubuntu0.1'],
    ['1.2-3ubuntu0.1', null, '1.2-3ubuntu0.1~esm1', 'no_fix', null],
    ['1.2-3ubuntu0.1~esm1', null, '1.2-3ubuntu0.1~esm2', 'needs_subscription', '1.2-3ubuntu0.1~esm2'],
    ['1.2-3ubuntu0.1~esm1', '1.2-3ubuntu0.2', null, 'fix_published', '1.2-3ubuntu0.2'],
  ])(
    '13. %s with a fix for all in %s and for Pro in %s is %s',
    (version, free, esm, fixState, fixedVersion) => {
      const advisories = entriesFor('tool', free, esm);
      const facts = { updates: 'unknown' as const };
      expect(
        assessHost(assessed({ packages: [installed('tool', version)], advisories, facts })).findings,
      ).toMatchObject([{ fixState, fixedVersion }]);
    },
  );

  it.each([
    ['5.15.0-49.55', true],
    ['5.15.0-50.56', false],
    ['5.15.0-51.57', false],
  ])(
    'a fix that is pending in 5.15.0-50.56 is in the build that is installed: %s affected %s',
    (version, affected) => {
      const specific = { uct_status: 'pending', uct_note: '5.15.0-50.56' };
      const advisories = [cveAdvisory(cve, [{ name: 'tool', fixed: null, specific }])];
      const packages = [installed('tool', version)];
      const findings = affected ? [{ fixState: 'no_fix', fixedVersion: null }] : [];
      expect(assessHost(assessed({ packages, advisories })).findings).toMatchObject(findings);
      expect(assessHost(assessed({ packages, advisories })).findings).toHaveLength(findings.length);
    },
  );

  it.each(['fipscheck', 'libfips1'])(
    '14. a package with "fips" in its name is not a FIPS build: %s',
    (name) => {
      const advisories = [cveAdvisory(cve, [{ name, fixed: '2.0-1' }])];
      expect(affecting(installed(name, '1.4.1-6'), advisories)).toEqual([`${id} ${name}`]);
    },
  );

  it('15. a notice whose CVE has a record that names other releases says nothing of this one', () => {
    const notice = advisoryIn(noticeRecord('USN-2-1', [cve], [{ name: 'vim', fixed: '9' }]));
    const ecosystem = 'Ubuntu:20.04:LTS';
    const others = (modified: string) =>
      cveAdvisory(cve, [{ ecosystem, name: 'vim', fixed: null }], { modified });
    const at = (advisories: readonly (typeof notice)[]) =>
      lines({ packages: [installed('vim', '8')], advisories });
    expect(at([notice])).toEqual(['USN-2-1 vim']);
    expect(at([notice, others('2024-02-03T04:05:06Z')])).toEqual([]);
    // A record that was changed after the end of a release's support may no longer name the release.
    expect(at([notice, others('2040-02-03T04:05:06Z')])).toEqual(['USN-2-1 vim']);
  });
});
