import { distributionOf } from '@plimsoll/advisories';
import type { Operations, PackageHost } from '@plimsoll/contract';
import type { NamedVersion } from '@plimsoll/db';
import { compareKeys, type VersionScheme, versionKey } from '@plimsoll/versions';
import { validationFailed } from '../http/field-errors.ts';
import type { Handler } from '../http/operation-request.ts';
import { pageOf } from '../http/page.ts';
import { defaultHostLimit, listedHostAnswer, readHostCursor, writeHostCursor } from './listed-host.ts';

type Comparison = PackageHost['packages'][number]['comparison'];

/** GET /packages */
export const listPackageHosts: Handler<Operations['listPackageHosts']> = async (
  { query, origin },
  { stores },
) => {
  const limit = query.limit ?? defaultHostLimit;
  const { version_lt: bound } = query;
  if (bound !== undefined) refuseUnreadable(bound);
  const compare = (version: NamedVersion) => (bound === undefined ? null : comparisonOf(version, bound));
  const { total, hosts } = await stores.advisoryViews.hostsWithPackage({
    name: query.name,
    wants: (version) => compare(version) !== 'not_lower',
    limit: limit + 1,
    after: readHostCursor(query.cursor),
  });
  const { rows, headers } = pageOf(hosts, {
    limit,
    total,
    cursorOf: ({ listed }) => writeHostCursor(listed),
    place: { origin, path: '/api/v1/packages', query },
  });
  const body = rows.map(
    ({ listed, installed }): PackageHost => ({
      ...listedHostAnswer(listed),
      packages: installed.map(({ version, held }) => ({
        name: version.name,
        architecture: version.architecture,
        version: version.version,
        source_name: version.sourceName,
        source_version: version.sourceVersion,
        vendor: version.vendor,
        module: version.module,
        held,
        comparison: shown(compare(version)),
      })),
    }),
  );
  return { kind: 'json', status: 200, headers, body };
};

/** Only those that are wanted are shown. */
function shown(comparison: Comparison | 'not_lower'): Comparison {
  return comparison === 'not_lower' ? null : comparison;
}

function refuseUnreadable(bound: string): void {
  const schemes: readonly VersionScheme[] = ['dpkg', 'rpm'];
  if (schemes.some((scheme) => versionKey(scheme, bound).kind === 'key')) return;
  throw validationFailed([{ pointer: '/version_lt', detail: 'is no version that dpkg or rpm can read' }]);
}

function comparisonOf({ release, osFamily, version }: NamedVersion, bound: string): Comparison | 'not_lower' {
  const scheme = distributionOf(release)?.scheme ?? schemeOfFamily[osFamily];
  if (scheme === null) return 'unknown';
  const [installed, limit] = [versionKey(scheme, version), versionKey(scheme, bound)];
  if (installed.kind !== 'key' || limit.kind !== 'key') return 'unknown';
  return compareKeys(installed.key, limit.key) < 0 ? 'lower' : 'not_lower';
}

/** Of hosts whose distribution is none of ours. */
const schemeOfFamily: Readonly<Record<NamedVersion['osFamily'], VersionScheme | null>> = {
  apt: 'dpkg',
  rpm: 'rpm',
  unknown: null,
};
