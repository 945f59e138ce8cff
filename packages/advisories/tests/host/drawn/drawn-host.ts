import type { InstalledPackage, Severity, Statement, UnfixedReason } from '@plimsoll/model';
import { severities } from '@plimsoll/model';
import fc from 'fast-check';
import type { AssessedHost } from '../../../src/index.ts';
import { statement } from '../../debian-host.ts';

/** A random host with the data that the laws compare its assessment with. */
export interface DrawnHost {
  readonly packages: readonly InstalledPackage[];
  /** By match name. */
  readonly statements: Readonly<Record<string, readonly Statement[]>>;
  readonly subject: AssessedHost;
  /** The sort key of a parseable version. */
  keyOf(version: string): Uint8Array;
}

/** True for one host in six. */
export const seldom = fc.constantFrom(false, false, false, false, false, true);

/** The differences between statements of one kind of host. */
export interface DrawnStatements {
  /** Parseable versions. */
  readonly fixes: readonly string[];
  keyOf(version: string): Uint8Array;
  /** Subscription services that ship a fix; null: the fix is free. */
  readonly services?: readonly (string | null)[];
  readonly builds?: fc.Arbitrary<Statement['builds']>;
}

/** Draws the fields of a statement about a package that all kinds of host have. */
export function drawnStatements(drawn: DrawnStatements, maxLength = 5): fc.Arbitrary<readonly Statement[]> {
  const {
    keyOf,
    services = [null],
    builds = fc.constant({ architectures: [], module: null, line: null }),
  } = drawn;
  const fixed = fc
    .record({ version: fc.constantFrom(...drawn.fixes), service: fc.constantFrom(...services) })
    .map((fix) => ({ kind: 'fixed' as const, ...fix, key: keyOf(fix.version) }));
  const unfixed = fc
    .constantFrom<UnfixedReason>('no_fix', 'will_not_fix', 'under_investigation')
    .map((reason) => ({ kind: 'unfixed' as const, reason, detail: '' }));
  const one = fc
    .record({
      id: fc.integer({ min: 1, max: 9 }),
      fix: fc.oneof({ weight: 3, arbitrary: fixed }, { weight: 1, arbitrary: unfixed }),
      severity: fc.constantFrom<Severity>(...severities),
      severitySource: fc.constantFrom('vendor' as const, 'cvss' as const),
      knownExploited: fc.boolean(),
      withdrawn: fc.constantFrom(false, false, false, true),
      builds,
    })
    .map(({ id, ...rest }) => statement(`CVE-2024-000${id}`, null, rest));
  return fc.uniqueArray(one, { maxLength, selector: ({ externalId }) => externalId });
}

/** Draws for each name the statements of advisories about it. */
export function drawnByName(
  names: readonly string[],
  statements: fc.Arbitrary<readonly Statement[]>,
): fc.Arbitrary<Record<string, readonly Statement[]>> {
  return fc.record(Object.fromEntries(names.map((name) => [name, statements])));
}
