import {
  type Advisory,
  type AdvisoryKey,
  anyBuild,
  type ComparableVerdict,
  type Fix,
  type Release,
  type Statement,
  type StatementFix,
  type Verdict,
} from '@plimsoll/model';
import { type VersionScheme, versionKey } from '@plimsoll/versions';

/** Sort key of a parseable version. */
export function keyOf(scheme: VersionScheme, version: string): Uint8Array {
  const parsed = versionKey(scheme, version);
  if (parsed.kind !== 'key') throw new Error(`${version} is no version`);
  return parsed.key;
}

let nextStatement = 1;

/** A statement of one advisory with default values: a vendor's record of a CVE, fixed in `fix` or unfixed. */
export function storedStatement(
  scheme: VersionScheme,
  externalId: string,
  fix: string | null,
  rest: Partial<Statement> = {},
): Statement {
  const number = nextStatement++;
  return {
    statementId: number,
    advisory: number as AdvisoryKey, // A row's number.
    kind: 'vulnerability',
    externalId,
    cves: [externalId],
    severity: 'moderate',
    severitySource: 'vendor',
    fix:
      fix === null
        ? { kind: 'unfixed', reason: 'no_fix', detail: '' }
        : { kind: 'fixed', version: fix, service: null, key: keyOf(scheme, fix) },
    builds: anyBuild,
    withdrawn: false,
    knownExploited: false,
    firstSeenAt: new Date(0),
    ...rest,
  };
}

/** A comparable package version as input of matching. */
export function versionToMatch(
  scheme: VersionScheme,
  version: string,
  build: Partial<ComparableVerdict> = {},
  release = 'none:1',
) {
  const matchName = 'some';
  const verdict: Verdict = {
    kind: 'comparable',
    matchName,
    matchVersion: version,
    module: '',
    line: '',
    originStated: true,
    kernel: null,
    ...build,
  };
  return {
    architecture: scheme === 'rpm' ? 'x86_64' : 'amd64',
    version,
    sourceVersion: version,
    matchKey: Buffer.from(keyOf(scheme, version)),
    verdict,
    release: release as Release,
  };
}

/** An erratum about an rpm package. */
export function rpmErratum(externalId: string, fix: string | null, rest: Partial<Statement> = {}): Statement {
  return storedStatement('rpm', externalId, fix, { kind: 'erratum', severity: 'important', ...rest });
}

/** The statements of advisories about one package in one release, and about its source rpm, as stored. */
export function storedStatements(
  scheme: VersionScheme,
  advisories: readonly Advisory[],
  release: string,
  name: string,
  sourceName: string | null = null,
): readonly Statement[] {
  return advisories.flatMap((advisory, index) =>
    advisory.packages
      .filter(
        (affected) =>
          affected.release === release &&
          affected.name === (affected.names === undefined ? name : sourceName),
      )
      .map(
        ({ severity, severitySource, fix, builds, names }, place): Statement => ({
          statementId: index * 1000 + place + 1,
          advisory: (index + 1) as AdvisoryKey,
          kind: advisory.kind,
          externalId: advisory.externalId,
          cves: advisory.cves,
          severity,
          severitySource,
          fix: storedFix(scheme, fix),
          builds,
          ...(names === undefined ? {} : { names }),
          withdrawn: advisory.withdrawnAt !== null,
          knownExploited: false,
          firstSeenAt: new Date(0),
        }),
      ),
  );
}

function storedFix(scheme: VersionScheme, fix: Fix): StatementFix {
  if (fix.kind === 'fixed') return { ...fix, key: keyOf(scheme, fix.version) };
  const { pending, ...unfixed } = fix;
  return pending === undefined ? unfixed : { ...unfixed, pendingKey: keyOf(scheme, pending) };
}
