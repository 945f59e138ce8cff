import type { AffectedPackage, Builds, CvssScore, Fix, Rating, UnfixedReason } from '@plimsoll/model';
import { compareText, type JsonObject } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { buildsKey } from '../builds.ts';
import { unreadableFix } from '../feeds/advisories/advisory-feed.ts';
import { fieldOf, type JsonFieldReader, type LocatedObject } from '../json-fields.ts';
import type { RecordIssues } from '../record-issues.ts';
import { rate, worseRating } from '../severity/rating.ts';
import {
  type AffectedVersions,
  intersectionOf,
  latestFixOf,
  readAffectedVersions,
  unionOf,
} from './affected-versions.ts';
import type { OsvDialect, OsvPlace, OsvRecordFacts, VendorRating } from './dialect.ts';
import { readCvss } from './read-cvss.ts';
import { sortedIds } from './read-ids.ts';

/** An affected entry of a release that the feed covers. */
interface OwnEntry extends LocatedObject {
  readonly place: OsvPlace;
  readonly name: unknown;
}

/** Input of reading entries besides the entries. */
interface PackageReading {
  readonly dialect: OsvDialect;
  readonly fields: JsonFieldReader;
  readonly issues: RecordIssues;
}

/** The affected entries of supported releases; entries of other or missing ecosystems are skipped. */
export function ownEntries(
  record: JsonObject,
  maxEntries: number,
  reading: PackageReading,
): readonly OwnEntry[] {
  const { dialect, fields } = reading;
  const own: OwnEntry[] = [];
  for (const { entry, pointer } of fields.objects(record, 'affected', maxEntries, '')) {
    const subject = fields.object(entry, 'package', pointer);
    const ecosystem = fieldOf(subject, 'ecosystem');
    const place = typeof ecosystem === 'string' ? dialect.placeOf(ecosystem) : null;
    if (place !== null) own.push({ entry, pointer, place, name: fieldOf(subject, 'name') });
  }
  return own;
}

/** The statement of one entry before merging. */
interface PackageStatement extends Rating {
  readonly place: OsvPlace;
  readonly name: string;
  readonly builds: Builds;
  /** Null: unreadable. */
  readonly versions: AffectedVersions | null;
  readonly unfixed: VendorRating['unfixed'];
  readonly service: string | null;
  /** Empty: those of the record. */
  readonly cves: readonly string[];
}

/**
 * The statements of some entries, one per release, package and builds, sorted by them. Repeated entries are merged by
 * the dialect's rule, with the worst of their severities. `cvss` is the record's, for entries without their own
 * severity.
 */
export function readPackages(
  entries: readonly OwnEntry[],
  record: OsvRecordFacts,
  cvss: CvssScore | null,
  reading: PackageReading,
): readonly AffectedPackage[] {
  const statements = new Map<string, PackageStatement>();
  for (const entry of entries) {
    for (const statement of readStatements(entry, record, cvss, reading)) {
      const key = keyOf(statement);
      const other = statements.get(key);
      statements.set(key, other === undefined ? statement : merge(other, statement, reading.dialect.repeats));
    }
  }
  const packages = [...statements.entries()]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, { place, name, severity, severitySource, versions, unfixed, builds, service, cves }]) => ({
      release: place.release,
      name,
      ...(reading.dialect.names !== undefined && { names: reading.dialect.names }),
      severity,
      severitySource,
      fix: fixOf(versions, unfixed, service),
      builds,
      ...(cves.length > 0 && { cves }),
    }));
  return reading.dialect.settle?.(packages) ?? packages;
}

function fixOf(
  versions: AffectedVersions | null,
  unfixed: VendorRating['unfixed'],
  service: string | null,
): Fix {
  if (versions === null) return unreadableFix;
  return versions.kind === 'below' ? { kind: 'fixed', version: versions.version, service } : unfixed;
}

function keyOf({ place, name, builds }: PackageStatement): string {
  return `${place.release} ${name} ${buildsKey(builds)}`;
}

/** The statements of an entry, one per build. */
function readStatements(
  located: OwnEntry,
  record: OsvRecordFacts,
  cvss: CvssScore | null,
  { dialect, fields, issues }: PackageReading,
): readonly PackageStatement[] {
  const { entry, pointer, place, name } = located;
  if (typeof name !== 'string' || !dialect.isPackageName(name)) {
    issues.add(`${pointer}/package/name`, 'invalid_package_name');
    return [];
  }
  const versions = readAffectedVersions(located, {
    scheme: dialect.scheme,
    fixedVersionOf: dialect.fixedVersionOf,
    fields,
    issues,
  });
  const rating = dialect.rate(fields.object(entry, 'ecosystem_specific', pointer), record, { entry, place });
  const scored = readCvss(located, fields, issues) ?? cvss;
  const builds = [
    dialect.buildsOf(versions?.kind === 'below' ? versions.version : null, place, record),
  ].flat();
  if (builds.length === 0) issues.add(pointer, 'stream_unknown');
  const service = rating.service === undefined ? place.service : rating.service;
  const cves = dialect.cvesOf?.(entry) ?? [];
  const said = {
    place,
    name,
    versions,
    ...rate(rating.severity, scored),
    unfixed: rating.unfixed,
    service,
    cves,
  };
  // The version shows whether a build belongs to a module.
  return builds.map((each) => ({ ...said, builds: versions === null ? { ...each, module: null } : each }));
}

/**
 * Precedence when merging several unfixed entries: affected before undecided, and "will not fix" only if all entries
 * say so.
 */
const mostOpen: readonly UnfixedReason[] = ['no_fix', 'under_investigation', 'will_not_fix'];

/** The more open of two reasons for no fix, of two equal ones the first. */
export function moreOpen<F extends { readonly reason: UnfixedReason }>(a: F, b: F): F {
  return mostOpen.indexOf(b.reason) < mostOpen.indexOf(a.reason) ? b : a;
}

function merge(a: PackageStatement, b: PackageStatement, repeats: OsvDialect['repeats']): PackageStatement {
  const rating = worseRating(a, b);
  const cves = bothCves(a.cves, b.cves);
  const unfixed = moreOpen(a.unfixed, b.unfixed);
  if (a.versions === null || b.versions === null) {
    // With `all` an unread fixed version can only be one more that fixes.
    const isDecided = repeats === 'all' && (a.versions ?? b.versions)?.kind === 'below';
    const taken = (a.versions === null) === isDecided ? b : a;
    return { ...taken, ...rating, unfixed, cves };
  }
  if (repeats === 'any') return { ...a, versions: unionOf(a.versions, b.versions), ...rating, unfixed, cves };
  const choose = repeats === 'all' ? intersectionOf : latestFixOf;
  const versions = choose(a.versions, b.versions);
  // The service of the chosen fix; null if one of two equal fixes is free.
  const taken = versions === b.versions ? b : a;
  const isFree = isSameFix(a.versions, b.versions) && (a.service === null || b.service === null);
  return { ...taken, versions, ...rating, unfixed, cves, service: isFree ? null : taken.service };
}

/** The CVEs of two statements about the same package; empty, for all of the record, if one of them states none. */
export function bothCves(a: readonly string[] = [], b: readonly string[] = []): readonly string[] {
  return a.length === 0 || b.length === 0 ? [] : sortedIds([...a, ...b]);
}

function isSameFix(a: AffectedVersions, b: AffectedVersions): boolean {
  return a.kind === 'below' && b.kind === 'below' && compareKeys(a.key, b.key) === 0;
}
