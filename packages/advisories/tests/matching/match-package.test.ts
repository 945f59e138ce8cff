import fc from 'fast-check';
import { explainVersion, matchVersion } from '../../src/index.ts';
import { statement } from '../debian-host.ts';
import { versionToMatch } from '../stored-statements.ts';

const none = () => false;
const at = (version: string) => versionToMatch('dpkg', version);
const ids = (...args: Parameters<typeof matchVersion>) =>
  matchVersion(...args).map(({ externalId }) => externalId);

describe('matchVersion', () => {
  const fixed = statement('CVE-2024-0001', '1.0-2');

  it.each([
    ['1.0-1', ['CVE-2024-0001']],
    ['1.0-2~rc1', ['CVE-2024-0001']],
    ['1.0-2', []],
    ['0:1.0-2', []],
    ['1.0-2+deb12u1', []],
    ['1:0.1-1', []],
  ])('finds version %s affected by %j where 1.0-2 has the fix', (version, expected) => {
    expect(ids(at(version), [fixed], none)).toEqual(expected);
  });

  it('reports every version as affected if there is no fix', () => {
    expect(ids(at('99:9'), [statement('CVE-2024-0002', null)], none)).toEqual(['CVE-2024-0002']);
  });

  it('ignores a withdrawn statement', () => {
    const withdrawn = { ...statement('CVE-2024-0003', null), withdrawn: true };
    expect(ids(at('1.0-1'), [withdrawn], none)).toEqual([]);
  });

  it('counts the statement without architectures of an advisory whose list of architectures omits the own one', () => {
    const plain = statement('ALSA-1', '1.0-2', { kind: 'erratum' });
    const of = (...architectures: readonly string[]) => ({
      ...statement('ALSA-1', '1.0-1', { kind: 'erratum' }),
      statementId: plain.statementId + 1,
      builds: { ...plain.builds, architectures: [...architectures] },
    });
    expect(ids(at('1.0-1'), [plain, of('s390x', 'ppc64el')], none)).toEqual(['ALSA-1']);
    expect(ids(at('1.0-1'), [plain, of('s390x', 'amd64')], none)).toEqual([]);
  });

  describe('of an erratum', () => {
    const erratum = (cves: readonly string[]) => statement('DSA-1-1', '2.0-1', { kind: 'erratum', cves });

    it('counts while one of its CVEs has no record', () => {
      const judged = (cve: string) => cve !== 'CVE-2024-0002';
      expect(ids(at('1.0-1'), [erratum(['CVE-2024-0001'])], judged)).toEqual([]);
      expect(ids(at('1.0-1'), [erratum(['CVE-2024-0001', 'CVE-2024-0002'])], judged)).toEqual(['DSA-1-1']);
      expect(ids(at('1.0-1'), [erratum(['CVE-2024-0002'])], judged)).toEqual(['DSA-1-1']);
    });

    it('of several packages gives way as soon as one of its CVEs has a record', () => {
      const judged = (cve: string) => cve !== 'CVE-2024-0002';
      const subject = versionToMatch('dpkg', '1.0-1', {}, 'ubuntu:22.04');
      expect(ids(subject, [erratum(['CVE-2024-0001', 'CVE-2024-0002'])], judged)).toEqual([]);
      expect(ids(subject, [erratum(['CVE-2024-0002'])], judged)).toEqual(['DSA-1-1']);
    });

    it('counts if no record is known', () => {
      const judged = () => false;
      expect(ids(at('1.0-1'), [erratum(['CVE-2024-0002'])], judged)).toEqual(['DSA-1-1']);
    });

    it('counts it if it names no CVE', () => {
      expect(ids(at('1.0-1'), [erratum([])], () => true)).toEqual(['DSA-1-1']);
    });
  });
});

describe('explainVersion', () => {
  it('gives a judgement for every statement', () => {
    const statements = [
      statement('CVE-2024-0001', '1.0-2'),
      statement('CVE-2024-0002', '0.9-1'),
      statement('CVE-2024-0003', '1.0-2', { withdrawn: true }),
      statement('DSA-1-1', '1.0-2', { kind: 'erratum', cves: ['CVE-2024-0001'] }),
    ];
    const judged = (cve: string) => cve === 'CVE-2024-0001';
    expect(explainVersion(at('1.0-1'), statements, judged).map(({ judgement }) => judgement)).toEqual([
      'affected',
      'fixed',
      'withdrawn',
      'folded',
    ]);
  });

  const versions = fc.constantFrom('0.9-1', '1.0-1', '1.0-1+deb12u1', '1.0-2', '1:0.1-1');
  const anyStatement = fc
    .record({ fix: fc.option(versions), withdrawn: fc.boolean(), erratum: fc.boolean() })
    .map(({ fix, withdrawn, erratum }) =>
      statement(erratum ? 'DSA-1-1' : 'CVE-2024-0001', fix, {
        withdrawn,
        kind: erratum ? 'erratum' : 'vulnerability',
        cves: ['CVE-2024-0001'],
      }),
    );

  it('agrees with matchVersion', () => {
    fc.assert(
      fc.property(versions, fc.array(anyStatement), fc.boolean(), (version, statements, judged) => {
        const explained = explainVersion(at(version), statements, () => judged);
        const affected = explained.filter(({ judgement }) => judgement === 'affected');
        expect(new Set(matchVersion(at(version), statements, () => judged))).toEqual(
          new Set(affected.map((entry) => entry.statement)),
        );
        expect(explained).toHaveLength(statements.length);
      }),
    );
  });
});
