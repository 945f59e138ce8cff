import { anyBuild, type SourceNaming, type Statement } from '@plimsoll/model';
import fc from 'fast-check';
import { matchVersion } from '../../src/index.ts';
import { rpmErratum, versionToMatch } from '../stored-statements.ts';

/** An advisory that calls every build, or every build older than 1.0-2, open. */
interface Saying {
  readonly id: string;
  readonly cves: readonly string[];
  readonly line: string | null;
  readonly names: SourceNaming | undefined;
  readonly isFixed: boolean;
}

const saying: fc.Arbitrary<Saying> = fc.record({
  id: fc.constantFrom('RHSA-1', 'RHSA-2', 'CVE-1', 'CVE-2'),
  cves: fc.subarray(['CVE-1', 'CVE-2'], { minLength: 1 }),
  line: fc.constantFrom(null, 'el9_0', 'el9_2'),
  names: fc.constantFrom<SourceNaming | undefined>(undefined, 'source'),
  isFixed: fc.boolean(),
});

const statementOf = ({ id, cves, line, names, isFixed }: Saying): Statement =>
  rpmErratum(id, isFixed ? '1.0-2.el9' : null, {
    cves,
    builds: { ...anyBuild, line },
    ...(names === undefined ? {} : { names }),
  });

describe('statements that agree that a build has no fix', () => {
  it('never lose a CVE if one statement replaces another', () => {
    const cvesOfIds = fc.record({
      'RHSA-1': fc.subarray(['CVE-1', 'CVE-2'], { minLength: 1 }),
      'RHSA-2': fc.subarray(['CVE-1', 'CVE-2'], { minLength: 1 }),
      'CVE-1': fc.constant(['CVE-1']),
      'CVE-2': fc.constant(['CVE-2']),
    });
    const line = fc.constantFrom('', 'el9_0', 'el9_2');
    const follows = fc.constantFrom(undefined, 'main', 'el9_0', 'el9_2');
    fc.assert(
      fc.property(
        fc.array(saying, { maxLength: 6 }),
        cvesOfIds,
        line,
        follows,
        (said, cves, own, followed) => {
          const statements = said
            .map((each) => ({ ...each, cves: cves[each.id as keyof typeof cves] })) // The ids are its keys.
            .map((each) => statementOf(each));
          const build = { line: own, ...(followed === undefined ? {} : { follows: followed }) };
          const found = new Set(
            matchVersion(versionToMatch('rpm', '1.0-1.el9', build), statements, () => false).flatMap(
              (each) => each.cves,
            ),
          );
          const spoken = statements.filter(
            ({ builds }) => builds.line === null || builds.line === own || builds.line === followed,
          );
          expect([...found].sort()).toEqual([...new Set(spoken.flatMap((each) => each.cves))].sort());
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
