import type { AffectedPackage, CvssScore, Fix, Release, Severity } from '@plimsoll/model';
import { compareText } from '../compare-text.ts';
import { severityOfScore } from '../severity/severity-of-score.ts';
import { worseSeverity } from '../severity/worse-severity.ts';
import { type AffectedVersions, readAffectedVersions, unionOf } from './affected-versions.ts';
import type { OsvDialect, VendorRating } from './dialect.ts';
import { type FieldReader, fieldOf, type JsonObject, type LocatedObject } from './json-fields.ts';
import { readCvss } from './read-cvss.ts';
import type { RecordIssues } from './record-issues.ts';

/** An affected entry of a release that the feed speaks for. */
export interface OwnEntry extends LocatedObject {
  readonly release: Release;
  readonly name: unknown;
}

/** What reading entries needs besides them. */
export interface PackageReading {
  readonly dialect: OsvDialect;
  readonly fields: FieldReader;
  readonly issues: RecordIssues;
}

/** The affected entries of our releases; those of other ecosystems and without one are passed over. */
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
    const release = typeof ecosystem === 'string' ? dialect.releaseOf(ecosystem) : null;
    if (release !== null) own.push({ entry, pointer, release, name: fieldOf(subject, 'name') });
  }
  return own;
}

interface PackageStatement {
  readonly release: Release;
  readonly name: string;
  readonly versions: AffectedVersions;
  readonly severity: Severity;
  readonly unfixed: VendorRating['unfixed'];
}

/**
 * What entries say, one statement per release and package, sorted by both. Entries that repeat a package are one
 * statement: affected is what any of them calls affected, with the worst of their severities. `cvss` is the record's,
 * for entries without a severity of their own.
 */
export function readPackages(
  entries: readonly OwnEntry[],
  cvss: CvssScore | null,
  reading: PackageReading,
): readonly AffectedPackage[] {
  const statements = new Map<string, PackageStatement>();
  for (const entry of entries) {
    const statement = readStatement(entry, cvss, reading);
    if (statement === null) continue;
    const key = `${statement.release} ${statement.name}`;
    const other = statements.get(key);
    statements.set(key, other === undefined ? statement : merge(other, statement));
  }
  return [...statements.values()]
    .sort((a, b) => compareText(a.release, b.release) || compareText(a.name, b.name))
    .map(({ release, name, severity, versions, unfixed }) => ({
      release,
      name,
      severity,
      fix: versions.kind === 'below' ? ({ kind: 'fixed', version: versions.version } satisfies Fix) : unfixed,
    }));
}

function readStatement(
  located: OwnEntry,
  cvss: CvssScore | null,
  { dialect, fields, issues }: PackageReading,
): PackageStatement | null {
  const { entry, pointer, release, name } = located;
  if (typeof name !== 'string' || !dialect.isPackageName(name)) {
    issues.add(`${pointer}/package/name`, 'invalid_package_name');
    return null;
  }
  const versions = readAffectedVersions(located, { scheme: dialect.scheme, fields, issues });
  if (versions === null) return null;
  const rating = dialect.rate(fields.object(entry, 'ecosystem_specific', pointer));
  const scored = readCvss(located, fields, issues) ?? cvss;
  const severity = rating.severity ?? (scored === null ? 'unrated' : severityOfScore(scored.score));
  return { release, name, versions, severity, unfixed: rating.unfixed };
}

function merge(a: PackageStatement, b: PackageStatement): PackageStatement {
  return {
    ...a,
    versions: unionOf(a.versions, b.versions),
    severity: worseSeverity(a.severity, b.severity),
    // A fix may still come as long as one entry does not rule it out.
    unfixed: b.unfixed.reason === 'no_fix' ? b.unfixed : a.unfixed,
  };
}
