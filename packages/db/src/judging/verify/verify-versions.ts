import { isDeepStrictEqual } from 'node:util';
import { rulesVersion } from '@plimsoll/advisories';
import { type PackageVersionId, severities } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import { classifyVersion } from '../../ingest/interned-rows.ts';
import { findMatches } from '../../knowledge/find-matches.ts';
import type { StoredPackageVersion } from '../../knowledge/package-versions.ts';
import type { StateDifference } from './state-difference.ts';

/** Classifies and matches package versions anew and compares the results with what is stored. */
export async function verifyVersions(
  tx: PgTransaction,
  versions: readonly StoredPackageVersion[],
): Promise<readonly StateDifference[]> {
  if (versions.length === 0) return [];
  return [...(await verifyClassification(tx, versions)), ...(await verifyMatches(tx, versions))];
}

async function verifyClassification(
  tx: PgTransaction,
  versions: readonly StoredPackageVersion[],
): Promise<readonly StateDifference[]> {
  const { rows } = await tx.query<{ id: PackageVersionId; rules: number; key: Uint8Array | null }>(
    'SELECT id, rules, match_key AS key FROM package_versions WHERE id = ANY($1::int[])',
    [versions.map(({ id }) => id)],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  return versions.flatMap((version) => {
    const row = stored.get(version.id);
    if (row === undefined || row.rules !== rulesVersion) return [];
    const { matchName, matchKey, verdict } = classifyVersion(version, version.release);
    const isSame =
      matchName === version.matchName &&
      Buffer.compare(matchKey ?? new Uint8Array(), row.key ?? new Uint8Array()) === 0 &&
      // As stored: JSON has no undefined.
      isDeepStrictEqual(JSON.parse(JSON.stringify(verdict)), JSON.parse(JSON.stringify(version.verdict)));
    return isSame ? [] : [difference(version, 'classification', 'is classified differently by the rules')];
  });
}

async function verifyMatches(
  tx: PgTransaction,
  versions: readonly StoredPackageVersion[],
): Promise<readonly StateDifference[]> {
  const { rows } = await tx.query<{ id: PackageVersionId; matches: readonly string[] }>(
    `SELECT package_version_id AS id,
            array_agg(concat_ws(' ', advisory_package_id, severity, array_to_string(open_cves, ','))) AS matches
     FROM package_version_advisories WHERE package_version_id = ANY($1::int[]) GROUP BY 1`,
    [versions.map(({ id }) => id)],
  );
  const stored = new Map(rows.map(({ id, matches }) => [id, new Set(matches)]));
  const byId = new Map(versions.map((version) => [version.id, version]));
  return (await findMatches(tx, versions)).flatMap(({ id, matches }) => {
    const version = byId.get(id);
    if (version === undefined) return [];
    const found = new Set(
      matches.map(({ statement, severity, openCves }) =>
        [
          statement.statementId,
          ...(severity === null ? [] : [severity]),
          ...(openCves === null ? [] : [openCves.join()]),
        ].join(' '),
      ),
    );
    const have = stored.get(id) ?? new Set<string>();
    return [
      ...[...found].filter((match) => !have.has(match)).map((match) => `lacks the match ${named(match)}`),
      ...[...have]
        .filter((match) => !found.has(match))
        .map((match) => `has a match that the rules do not give: ${named(match)}`),
    ].map((detail) => difference(version, 'matches', detail));
  });
}

/** `statement`, `severity` and `open CVEs` in words. */
function named(match: string): string {
  const [statement, ...rest] = match.split(' ');
  const severity = rest.find((part) => severities.some((word) => word === part));
  const cves = rest.find((part) => part !== severity);
  return `statement ${statement}${severity === undefined ? '' : `, ${severity}`}${cves === undefined ? '' : `, open: ${cves}`}`;
}

function difference(
  { id, name, version, release }: StoredPackageVersion,
  what: StateDifference['what'],
  detail: string,
): StateDifference {
  return { hostId: null, what, detail: `${name} ${version} of ${release} (version ${id}) ${detail}.` };
}
