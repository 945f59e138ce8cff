import type { Advisory, AdvisoryKey, Fix, Statement, StatementFix } from '@plimsoll/model';
import { type VersionScheme, versionKey } from '@plimsoll/versions';

/** Sort key of a parseable version. */
export function keyOf(scheme: VersionScheme, version: string): Uint8Array {
  const parsed = versionKey(scheme, version);
  if (parsed.kind !== 'key') throw new Error(`${version} is no version`);
  return parsed.key;
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
