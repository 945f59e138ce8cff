import type { Advisory } from '@plimsoll/model';
import type { FeedDefinition } from '../feed.ts';
import type { OsvIdentity } from './dialect.ts';
import { FieldReader, fieldOf, type JsonObject, objectOf } from './json-fields.ts';
import { readCvss } from './read-cvss.ts';
import { cveOf, isRecordId, readIds, sortedIds } from './read-ids.ts';
import { ownEntries, readPackages } from './read-packages.ts';
import { type RecordIssue, RecordIssues } from './record-issues.ts';
import { titleOf } from './record-title.ts';

/**
 * What a record is to a feed. `issues` are the parts of it that were left out or taken as wider than they are; an
 * advisory stands without them. Skipped: nothing in it is for this feed. Rejected: it is broken.
 */
export type OsvRecord =
  | { readonly kind: 'advisory'; readonly advisory: Advisory; readonly issues: readonly RecordIssue[] }
  | { readonly kind: 'skipped'; readonly reason: 'no_release_of_this_feed' }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason; readonly issues: readonly RecordIssue[] };

/** Why a record was rejected as a whole. */
export type RejectionReason =
  | 'not_an_object'
  | 'invalid_id'
  | 'unknown_id_form'
  | 'invalid_affected'
  | 'too_many_affected'
  | 'no_usable_package';

const maxAffected = 20_000;
const maxTextCharacters = 1_000_000;

/** Parses one OSV record (https://ossf.github.io/osv-schema/) for a feed. Total: any value has an answer. */
export function parseOsvRecord(json: unknown, feed: FeedDefinition): OsvRecord {
  const issues = new RecordIssues();
  const reject = (reason: RejectionReason): OsvRecord => ({ kind: 'rejected', reason, issues: issues.list });
  const record = objectOf(json);
  if (record === null) return reject('not_an_object');
  const id = fieldOf(record, 'id');
  if (!isRecordId(id)) return reject('invalid_id');
  const affected = fieldOf(record, 'affected') ?? [];
  if (!Array.isArray(affected)) return reject('invalid_affected');
  if (affected.length > maxAffected) return reject('too_many_affected');

  const reading = { dialect: feed.dialect, fields: new FieldReader(issues), issues };
  const entries = ownEntries(record, maxAffected, reading);
  if (entries.length === 0 && issues.list.length > 0) return reject('invalid_affected');
  if (entries.length === 0) return { kind: 'skipped', reason: 'no_release_of_this_feed' };
  const identity = feed.dialect.identify(id);
  if (identity === null) return reject('unknown_id_form');
  const cvss = readCvss({ entry: record, pointer: '' }, reading.fields, issues);
  const packages = readPackages(entries, cvss, reading);
  if (packages.length === 0) return reject('no_usable_package');
  const advisory = { ...describe(record, id, identity, reading), cvss, packages };
  return { kind: 'advisory', advisory, issues: issues.list };
}

function describe(
  record: JsonObject,
  id: string,
  identity: OsvIdentity,
  { fields, issues }: { fields: FieldReader; issues: RecordIssues },
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

/** An erratum's CVEs stand under `related` in older exports and under `upstream` in today's. */
function referencesOf(record: JsonObject, fields: FieldReader, issues: RecordIssues): readonly string[] {
  return [...readIds(record, 'related', fields, issues), ...readIds(record, 'upstream', fields, issues)];
}
