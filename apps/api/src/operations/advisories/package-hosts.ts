import { plainOrigin } from '@plimsoll/advisories';
import type { PackageHost } from '@plimsoll/contract';
import type { HostsWithPackage, NamedVersion } from '@plimsoll/db';
import { versionSchemes } from '@plimsoll/model';
import { csvAnswer } from '../../http/csv-answer.ts';
import { askedPage } from '../../http/page.ts';
import { validationFailed } from '../../http/request-fields.ts';
import type { ReadHandler } from '../read-operation.ts';
import { hostPlaceOf, hostPlaceSchema, listedHostAnswer } from './listed-host.ts';
import { type BoundComparison, compareWithBound, readBound, type VersionBound } from './version-bound.ts';

/** GET /packages */
export const listPackageHosts: ReadHandler<'listPackageHosts'> = async (request, { stores }) => {
  const { query, caller } = request;
  const page = askedPage(request, '/api/v1/packages', hostPlaceSchema);
  const bound = readBoundOf(query.version_lt);
  const { total, uncompared, unreported, hosts } = await stores.advisoryViews.hostsWithPackage(caller.scope, {
    ...questionOf(query.name, bound),
    limit: page.limit + 1,
    after: page.after,
  });
  const { rows, headers } = page.of(hosts, total, hostPlaceOf);
  const body = rows.map((host) => hostAnswer(host, bound));
  const said = {
    'Plimsoll-Not-Reported': String(unreported),
    ...(bound !== null && {
      'Plimsoll-Epochs': bound.epochs,
      'Plimsoll-Not-Comparable': String(uncompared),
    }),
  };
  return { kind: 'json', status: 200, headers: { ...headers, ...said }, body };
};

const hostColumns = ['host_id', 'display_name', 'hostname', 'os_name', 'os_version', 'tags'] as const;
const packageColumns = [
  'name',
  'architecture',
  'version',
  'source_name',
  'source_version',
  'vendor',
  'module',
  'held',
  'comparison',
  'epochs',
] as const;

/** GET /packages.csv */
export const exportPackageHosts: ReadHandler<'exportPackageHosts'> = ({ query, caller }, { stores }) => {
  const bound = readBoundOf(query.version_lt);
  const pages = stores.advisoryViews.everyHostWithPackage(caller.scope, questionOf(query.name, bound));
  return csvAnswer({
    fileName: `plimsoll-${query.name}-hosts.csv`,
    columns: [...hostColumns, ...packageColumns, 'reported'],
    rows: rowsOf(pages, bound),
  });
};

async function* rowsOf(pages: AsyncIterable<HostsWithPackage['hosts']>, bound: VersionBound | null) {
  for await (const hosts of pages)
    yield hosts.flatMap((host) => {
      const { packages, ...answer } = hostAnswer(host, bound);
      const cells = hostColumns.map((column) => answer[column]);
      return packages.length === 0
        ? [[...cells, ...packageColumns.map(() => null), false]]
        : packages.map((found) => [...cells, ...packageColumns.map((column) => found[column]), true]);
    });
}

function questionOf(name: string, bound: VersionBound | null) {
  return {
    name,
    wants: (version: NamedVersion) => compare(version, bound) !== 'not_lower',
    isUncompared: (version: NamedVersion) => compare(version, bound) === 'unknown',
  };
}

function compare(version: NamedVersion, bound: VersionBound | null): BoundComparison | null {
  return bound === null ? null : compareWithBound(version, bound);
}

function hostAnswer(
  { listed, installed }: HostsWithPackage['hosts'][number],
  bound: VersionBound | null,
): PackageHost {
  return {
    ...listedHostAnswer(listed),
    packages: installed.map(({ version, held }) => ({
      name: version.name,
      architecture: version.architecture,
      version: version.version,
      source_name: version.sourceName,
      source_version: version.sourceVersion,
      vendor: plainOrigin(version.vendor),
      module: version.module,
      held,
      comparison: shown(compare(version, bound)),
      epochs: bound?.epochs ?? null,
    })),
  };
}

function readBoundOf(text: string | undefined): VersionBound | null {
  if (text === undefined) return null;
  const bound = readBound(text);
  if (bound !== null) return bound;
  const detail = `is not a version that ${versionSchemes.join(' or ')} can read`;
  throw validationFailed([{ pointer: '/version_lt', detail }]);
}

/** Comparisons other than `not_lower`; null for that one. */
function shown(comparison: BoundComparison | null): PackageHost['packages'][number]['comparison'] {
  return comparison === 'not_lower' ? null : comparison;
}
