import type { Advisory, AffectedPackage, JsonObject } from '@plimsoll/model';
import {
  type AdvisoryFeed,
  type AdvisoryReading,
  advisoryRead,
  hasReadable,
  type RejectionReason,
} from '../feeds/advisories/advisory-feed.ts';
import { fieldOf, JsonFieldReader, objectOf } from '../json-fields.ts';
import { RecordIssues } from '../record-issues.ts';
import type { OsvAdvisoryIdentity, OsvDialect } from './dialect.ts';
import { readCvss } from './read-cvss.ts';
import { cveOf, isRecordId, readIds, sortedIds } from './read-ids.ts';
import { ownEntries, readPackages } from './read-packages.ts';
import { titleOf } from './record-title.ts';

const maxAffected = 20_000;
const maxTextCharacters = 1_000_000;
const maxSummaryCharacters = 2_000;

/** The public export of OSV (https://google.github.io/osv.dev/data/), one zip per ecosystem. */
const osvExport = 'https://osv-vulnerabilities.storage.googleapis.com';

/** A feed of OSV records. `path` is its file in the public export (`Debian/all.zip`) and on a mirror. */
export function osvFeed(
  feed: Pick<AdvisoryFeed, 'id' | 'distribution' | 'rebuilds' | 'title' | 'statesUnfixed' | 'limits'> & {
    readonly path: string;
    readonly dialect: OsvDialect;
  },
): AdvisoryFeed {
  const { dialect, path, ...rest } = feed;
  const url = `${osvExport}/${path.split('/').map(encodeURIComponent).join('/')}`;
  return {
    ...rest,
    kind: 'advisories',
    format: 'osv',
    files: [{ url, path, release: null }],
    read: (record) => parseOsvRecord(record, dialect),
  };
}

/** Parses one OSV record (https://ossf.github.io/osv-schema/) in a dialect. Total: returns a reading for any value. */
function parseOsvRecord(json: unknown, dialect: OsvDialect): AdvisoryReading {
  const issues = new RecordIssues();
  const reject = (reason: RejectionReason): AdvisoryReading => ({
    kind: 'rejected',
    reason,
    issues: issues.list,
  });
  const record = objectOf(json);
  if (record === null) return reject('not_an_object');
  const id = fieldOf(record, 'id');
  if (!isRecordId(id)) return reject('invalid_id');
  const affected = fieldOf(record, 'affected') ?? [];
  if (!Array.isArray(affected)) return reject('invalid_affected');
  if (affected.length > maxAffected) return reject('too_many_affected');

  const reading = { dialect, fields: new JsonFieldReader(issues), issues };
  const entries = ownEntries(record, maxAffected, reading);
  if (entries.length === 0 && issues.list.length > 0) return reject('invalid_affected');
  if (entries.length === 0) return { kind: 'skipped', reason: 'no_release_of_this_feed' };
  const identity = dialect.identify(id, record);
  if (identity === null) return reject('unknown_id_form');
  if (identity.kind === 'not_about_packages' || identity.kind === 'not_about_security') {
    return { kind: 'skipped', reason: identity.kind };
  }
  const cvss = readCvss({ entry: record, pointer: '' }, reading.fields, issues);
  // Only text; a wrong type is reported where it becomes the title.
  const text = fieldOf(record, 'summary');
  const summary = typeof text === 'string' ? text.slice(0, maxSummaryCharacters) : '';
  const packages = readPackages(entries, { id, summary, record }, cvss, reading);
  if (!hasReadable(packages)) return reject('no_usable_package');
  const said = describe(record, id, identity, reading);
  const advisory = { ...said, cvss, ...cvesOfPackages(said.cves, packages, mappedCves(affected, dialect)) };
  return advisoryRead(advisory, issues.list);
}

/**
 * The CVEs that the entries of a record state as theirs, of any release; null if an entry is about all of the
 * record.
 */
function mappedCves(
  entries: readonly unknown[],
  { cvesOf }: Pick<OsvDialect, 'cvesOf'>,
): ReadonlySet<string> | null {
  const mapped = new Set<string>();
  for (const entry of entries) {
    const own = cvesOf?.(objectOf(entry) ?? {}) ?? [];
    if (own.length === 0) return null;
    for (const cve of own) mapped.add(cve);
  }
  return mapped;
}

/**
 * The CVEs of a record and its packages; a package about all of them does not list them. A CVE that the record
 * names but none of its entries has is of every package: it is not known which of them it affects.
 */
function cvesOfPackages(
  ofRecord: readonly string[],
  packages: readonly AffectedPackage[],
  mapped: ReadonlySet<string> | null,
): Pick<Advisory, 'cves' | 'packages'> {
  const cves = sortedIds([...ofRecord, ...packages.flatMap((affected) => affected.cves ?? [])]);
  const shared = mapped === null ? [] : ofRecord.filter((cve) => !mapped.has(cve));
  return {
    cves,
    packages: packages.map(({ cves: listed, ...affected }) => {
      const own = listed && sortedIds([...listed, ...shared]);
      return own === undefined || own.length === cves.length ? affected : { ...affected, cves: own };
    }),
  };
}

function describe(
  record: JsonObject,
  id: string,
  identity: OsvAdvisoryIdentity,
  { fields, issues }: { fields: JsonFieldReader; issues: RecordIssues },
): Omit<Advisory, 'cvss' | 'packages'> {
  const aliases = readIds(record, 'aliases', fields, issues);
  const named =
    identity.kind === 'vulnerability' ? [] : [...aliases, ...referencesOf(record, fields, issues)];
  const cves =
    identity.kind === 'vulnerability'
      ? [identity.cve]
      : sortedIds(named.flatMap((name) => cveOf(name) ?? []));
  const summary = fields.text(record, 'summary', maxTextCharacters, '');
  const details = fields.text(record, 'details', maxTextCharacters, '');
  return {
    externalId: id,
    kind: identity.kind,
    title: titleOf(summary, details, id),
    url: identity.url,
    publishedAt: fields.time(record, 'published'),
    modifiedAt: fields.time(record, 'modified'),
    withdrawnAt: fields.time(record, 'withdrawn'),
    aliases: sortedIds(aliases.filter((alias) => alias !== id && !cves.includes(cveOf(alias) ?? alias))),
    cves,
  };
}

/** Older exports list an erratum's CVEs in `related`, current ones in `upstream`. */
function referencesOf(record: JsonObject, fields: JsonFieldReader, issues: RecordIssues): readonly string[] {
  return [...readIds(record, 'related', fields, issues), ...readIds(record, 'upstream', fields, issues)];
}
