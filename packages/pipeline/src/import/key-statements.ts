import { buildsKey, distributionOf, feedForRelease, rulesVersion } from '@plimsoll/advisories';
import type { ImportedStatement, Interner } from '@plimsoll/db';
import type { AffectedPackage } from '@plimsoll/model';
import { versionKey } from '@plimsoll/versions';

/**
 * An advisory's packages with their releases interned and a sort key for every fixed version. The parser lets only
 * versions through that have one; a release without a distribution cannot come out of it either.
 */
export async function keyStatements(
  interner: Interner,
  packages: readonly AffectedPackage[],
): Promise<readonly ImportedStatement[]> {
  const statements: ImportedStatement[] = [];
  for (const { release, name, names, severity, severitySource, fix, builds } of packages) {
    const distribution = distributionOf(release);
    if (distribution === null) throw new Error(`no distribution owns ${release}`);
    const { id: releaseId } = await interner.release({
      name: release,
      feedId: feedForRelease(release)?.id ?? null,
      endsAt: distribution.lifecycleOf(release)?.endsAt ?? null,
      rules: rulesVersion,
    });
    const stated = {
      releaseId,
      name,
      severity,
      severitySource,
      builds,
      buildsKey: buildsKey(builds, names ?? null),
      ...(names === undefined ? {} : { names }),
    };
    if (fix.kind === 'unfixed') {
      statements.push({ ...stated, fix });
      continue;
    }
    const keyed = versionKey(distribution.scheme, fix.version);
    if (keyed.kind === 'unparseable') throw new Error(`${fix.version} has no sort key: ${keyed.reason}`);
    statements.push({ ...stated, fix: { ...fix, key: keyed.key } });
  }
  return statements;
}
