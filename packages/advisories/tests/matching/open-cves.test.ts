import { anyBuild, type Severity, type Statement, severities } from '@plimsoll/model';
import fc from 'fast-check';
import { cveRatingsIn, matchVersion, rateOpenCves } from '../../src/index.ts';
import { rpmErratum, versionToMatch } from '../stored-statements.ts';

const subject = versionToMatch('rpm', '1.0-5.el9');

/** An erratum that fixes CVEs in `1.0-<build>`; the package has build 5. */
const erratum = (id: string, cves: readonly string[], build: number, rest: Partial<Statement> = {}) =>
  rpmErratum(id, `1.0-${build}.el9`, { cves, ...rest });

/** The vendor's own record of a CVE. */
const record = (cve: string, severity: Severity, build: number, rest: Partial<Statement> = {}) =>
  erratum(cve, [cve], build, { severity, ...rest });

/** The severity and the open CVEs of an affecting advisory. */
function open(externalId: string, statements: readonly Statement[]) {
  const found = matchVersion(subject, statements, () => false).find((one) => one.externalId === externalId);
  if (found === undefined) return null;
  const { severity, severitySource, openCves } = rateOpenCves(found, cveRatingsIn(statements));
  return { severity, severitySource, openCves };
}

const both = ['CVE-1', 'CVE-2'];
const second = erratum('RHSA-2', both, 9);

describe('an erratum of which some CVEs are fixed on the package already', () => {
  it('has the severity of the CVE that is open, derived', () => {
    const statements = [second, erratum('RHSA-1', ['CVE-1'], 4), record('CVE-2', 'low', 9)];
    expect(open('RHSA-2', statements)).toEqual({
      severity: 'low',
      severitySource: 'cves',
      openCves: ['CVE-2'],
    });
  });

  it('has the worst of several open CVEs', () => {
    const three = erratum('RHSA-2', ['CVE-1', 'CVE-2', 'CVE-3'], 9);
    const ratings = [record('CVE-2', 'low', 9), record('CVE-3', 'moderate', 9)];
    expect(open('RHSA-2', [three, record('CVE-1', 'critical', 5), ...ratings])).toMatchObject({
      severity: 'moderate',
      openCves: ['CVE-2', 'CVE-3'],
    });
  });

  it('keeps its severity if the vendor does not rate an open CVE: CVSS does not lower it', () => {
    const byScore = record('CVE-2', 'low', 9, { severitySource: 'cvss' });
    const statements = [second, erratum('RHSA-1', ['CVE-1'], 4), byScore];
    expect(open('RHSA-2', statements)).toEqual({
      severity: 'important',
      severitySource: 'vendor',
      openCves: ['CVE-2'],
    });
  });

  it('is never negligible', () => {
    const statements = [second, erratum('RHSA-1', ['CVE-1'], 4), record('CVE-2', 'none', 9)];
    expect(open('RHSA-2', statements)).toMatchObject({ severity: 'low' });
  });

  it('takes the rating of its own distribution before that of the one it is rebuilt from', () => {
    const upstream = record('CVE-2', 'critical', 9, { names: 'upstream_source' });
    const statements = [second, erratum('RLSA-1', ['CVE-1'], 4), upstream];
    expect(open('RHSA-2', statements)).toMatchObject({ severity: 'critical' });
    expect(open('RHSA-2', [...statements, record('CVE-2', 'low', 9)])).toMatchObject({ severity: 'low' });
  });
});

describe('a CVE of an erratum stays open', () => {
  const low = record('CVE-2', 'low', 9);
  it.each([
    ['if the package is below the other fix', [erratum('RHSA-1', ['CVE-1'], 6)]],
    ['if the other advisory was withdrawn', [erratum('RHSA-1', ['CVE-1'], 4, { withdrawn: true })]],
    [
      'if the other advisory is about another architecture',
      [erratum('RHSA-1', ['CVE-1'], 4, { builds: { ...anyBuild, architectures: ['s390x'] } })],
    ],
    [
      'if the vendor’s record of the CVE itself affects the package',
      [erratum('RHSA-1', ['CVE-1'], 4), record('CVE-1', 'important', 9)],
    ],
    [
      'if the vendor states that it has no fix',
      [
        erratum('RHSA-1', ['CVE-1'], 4),
        record('CVE-1', 'important', 9, { fix: { kind: 'unfixed', reason: 'no_fix', detail: '' } }),
      ],
    ],
    ['if only another build of the same advisory is fixed', [erratum('RHSA-2', both, 4)]],
  ])('%s', (_why, others) => {
    expect(open('RHSA-2', [second, low, ...others])).toEqual({
      severity: 'important',
      severitySource: 'vendor',
      openCves: undefined,
    });
  });

  it('if all CVEs are fixed: the vendor has another reason for the erratum', () => {
    const statements = [second, erratum('RHSA-1', both, 4), record('CVE-2', 'low', 4)];
    expect(open('RHSA-2', statements)).toMatchObject({ severity: 'important', openCves: undefined });
  });
});

describe('open CVEs of random advisories', () => {
  const cves = ['CVE-1', 'CVE-2', 'CVE-3'];
  const drawn = fc.array(
    fc.record({
      id: fc.constantFrom('RHSA-1', 'RHSA-2', 'RHSA-3'),
      cves: fc.subarray(cves, { minLength: 1 }),
      build: fc.integer({ min: 3, max: 8 }),
      withdrawn: fc.boolean(),
    }),
    { maxLength: 6 },
  );
  const ratings = fc.array(fc.tuple(fc.constantFrom(...cves), fc.constantFrom(...severities)), {
    maxLength: 4,
  });

  it('never hide a statement, and are some but not all of its CVEs', () => {
    fc.assert(
      fc.property(drawn, ratings, (list, rated) => {
        const statements = [
          ...list.map(({ id, cves: of, build, withdrawn }) => erratum(id, of, build, { withdrawn })),
          ...rated.map(([cve, severity], index) => record(cve, severity, 3 + index)),
        ];
        const affected = statements.filter(
          ({ withdrawn, fix, externalId }) =>
            externalId.startsWith('RHSA') &&
            !withdrawn &&
            fix.kind === 'fixed' &&
            Buffer.compare(subject.matchKey, fix.key) < 0,
        );
        const matched = matchVersion(subject, statements, () => false);
        const errata = matched.filter(({ externalId }) => externalId.startsWith('RHSA'));
        expect(new Set(errata.map(({ statementId }) => statementId))).toEqual(
          new Set(affected.map(({ statementId }) => statementId)),
        );
        for (const statement of matched) {
          const { openCves, cves: named } = statement;
          const { severity } = rateOpenCves(statement, cveRatingsIn(statements));
          if (openCves === undefined) expect(severity).toBe(statement.severity);
          else {
            expect(openCves.length).toBeGreaterThan(0);
            expect(openCves.length).toBeLessThan(named.length);
            expect(named).toEqual(expect.arrayContaining([...openCves]));
          }
          if (statement.severity !== 'none') expect(severity).not.toBe('none');
        }
      }),
    );
  });
});
