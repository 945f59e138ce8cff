import { anyBuild } from '@plimsoll/model';
import fc from 'fast-check';
import { explainVersion, matchVersion } from '../../src/index.ts';
import { statement } from '../debian-host.ts';
import { versionToMatch } from '../stored-statements.ts';

const at = (version: string, line: string) => versionToMatch('dpkg', version, { line });
const of = (line: string | null, fix: string | null, id = 'CVE-2024-0001') =>
  statement(id, fix, { builds: { ...anyBuild, line } });

describe('a line whose versions compare only within the line', () => {
  it('is covered only by its own statements', () => {
    const statements = [
      of(null, null),
      of('fips', '2.fips.2', 'CVE-2024-0002'),
      of('el9_0', null, 'CVE-2024-0003'),
    ];
    const judgements = explainVersion(at('2.fips.1', 'fips'), statements, () => false);
    expect(judgements.map(({ judgement }) => judgement)).toEqual(['other_build', 'affected', 'other_build']);
  });

  it('does not share its statements with other lines', () => {
    for (const line of ['', 'el9_0']) {
      expect(matchVersion(at('1', line), [of('fips', null)], () => false)).toEqual([]);
    }
  });

  it('is never affected, fixed or refined by statements about every build', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom('CVE-2024-0001', 'CVE-2024-0002'), fc.constantFrom(null, '1', '3')),
        ),
        fc.boolean(),
        (said, alsoOwn) => {
          const statements = said.map(([id, fix]) => of(null, fix, id));
          const own = alsoOwn ? [of('fips', '9')] : [];
          expect(matchVersion(at('2', 'fips'), [...statements, ...own], () => false)).toEqual(own);
        },
      ),
    );
  });
});
