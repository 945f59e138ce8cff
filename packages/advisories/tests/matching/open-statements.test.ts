import { type AdvisoryKey, anyBuild, type SourceNaming, type Statement } from '@plimsoll/model';
import fc from 'fast-check';
import { matchPackage } from '../../src/index.ts';
import { keyOf } from '../stored-statements.ts';

const installed = keyOf('rpm', '1.0-1.el9');

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

function statementOf({ id, cves, line, names, isFixed }: Saying, index: number): Statement {
  const version = '1.0-2.el9';
  return {
    statementId: index + 1,
    advisory: (index + 1) as AdvisoryKey, // A row's number.
    kind: 'erratum',
    externalId: id,
    cves,
    severity: 'important',
    severitySource: 'vendor',
    fix: isFixed
      ? { kind: 'fixed', version, service: null, key: keyOf('rpm', version) }
      : { kind: 'unfixed', reason: 'no_fix', detail: '' },
    builds: { ...anyBuild, line },
    withdrawn: false,
    knownExploited: false,
    firstSeenAt: new Date(0),
    ...(names === undefined ? {} : { names }),
  };
}

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
            .map(statementOf);
          const subject = {
            kind: 'comparable',
            key: installed,
            architecture: 'x86_64',
            module: '',
            line: own,
            ...(followed === undefined ? {} : { follows: followed }),
          } as const;
          const found = new Set(matchPackage(subject, statements, () => false).flatMap((each) => each.cves));
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
