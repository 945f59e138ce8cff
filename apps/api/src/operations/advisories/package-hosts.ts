import type { Operations, PackageHost } from '@plimsoll/contract';
import type { NamedVersion } from '@plimsoll/db';
import { versionSchemes } from '@plimsoll/model';
import { pageOf } from '../../http/page.ts';
import { validationFailed } from '../../http/request-fields.ts';
import type { ReadHandler } from '../read-operation.ts';
import { defaultHostLimit, listedHostAnswer, readHostCursor, writeHostCursor } from './listed-host.ts';
import { type BoundComparison, compareWithBound, readBound, type VersionBound } from './version-bound.ts';

/** GET /packages */
export const listPackageHosts: ReadHandler<Operations['listPackageHosts']> = async (
  { query, origin, caller },
  { stores },
) => {
  const limit = query.limit ?? defaultHostLimit;
  const bound = query.version_lt === undefined ? null : readBoundOf(query.version_lt);
  const compare = (version: NamedVersion) => (bound === null ? null : compareWithBound(version, bound));
  const { total, uncompared, unreported, hosts } = await stores.advisoryViews.hostsWithPackage(caller.scope, {
    name: query.name,
    wants: (version) => compare(version) !== 'not_lower',
    isUncompared: (version) => compare(version) === 'unknown',
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
        epochs: bound?.epochs ?? null,
      })),
    }),
  );
  const said = {
    'Plimsoll-Not-Reported': String(unreported),
    ...(bound !== null && {
      'Plimsoll-Epochs': bound.epochs,
      'Plimsoll-Not-Comparable': String(uncompared),
    }),
  };
  return { kind: 'json', status: 200, headers: { ...headers, ...said }, body };
};

function readBoundOf(text: string): VersionBound {
  const bound = readBound(text);
  if (bound !== null) return bound;
  const detail = `is not a version that ${versionSchemes.join(' or ')} can read`;
  throw validationFailed([{ pointer: '/version_lt', detail }]);
}

/** Comparisons other than `not_lower`; null for that one. */
function shown(comparison: BoundComparison | null): PackageHost['packages'][number]['comparison'] {
  return comparison === 'not_lower' ? null : comparison;
}
