import { type AffectedPackage, anyBuild, type Fix, type JsonObject, type Rating } from '@plimsoll/model';
import { versionKey } from '@plimsoll/versions';
import { withoutRebuildSuffix } from '../../builds.ts';
import { type AdvisoryReading, advisoryRead, unreadableFix } from '../../feeds/advisories/advisory-feed.ts';
import { type RecordTools, recordTools } from '../../feeds/advisories/record-tools.ts';
import { fieldOf, objectOf } from '../../json-fields.ts';
import { titleOf } from '../../osv/record-title.ts';
import { packageName, tracker } from './osv-dialect.ts';
import { debianRelease, numberOfDebianCodename } from './releases.ts';
import { ratingOf } from './urgency.ts';

const cveId = /^CVE-\d{4}-\d{4,19}$/;
/** The id of an issue without a CVE. */
const temporaryId = /^TEMP-\d{1,10}-[0-9A-F]{1,10}$/;
const maxReleases = 100;
const maxWordCharacters = 300;
const maxTextCharacters = 1_000_000;

/**
 * The state of a package that the tracker does not track for this vulnerability; normally such a package is
 * not listed.
 */
const notForUs = 'not-for-us';

/**
 * Reads one vulnerability of one source package of the tracker's JSON, as `{ package, id, issue }`. Total. A
 * release in which the package was never affected has no statement, because the feed states what is unfixed
 * and its silence means "not affected".
 */
export function readTrackerIssue(json: unknown): AdvisoryReading {
  const { issues, fields, reject } = recordTools();
  const record = objectOf(json);
  const issue = record === null ? null : objectOf(fieldOf(record, 'issue'));
  if (record === null || issue === null) return reject('not_an_object');
  const id = fieldOf(record, 'id');
  if (typeof id !== 'string' || !(cveId.test(id) || temporaryId.test(id))) return reject('invalid_id');
  const name = fieldOf(record, 'package');
  if (typeof name !== 'string' || !packageName.test(name)) return reject('no_usable_package');
  const states = Object.entries(objectOf(fieldOf(issue, 'releases')) ?? {}).slice(0, maxReleases);
  const packages = states.flatMap(([codename, state]) => {
    const number = numberOfDebianCodename(codename);
    const release = number === null ? null : debianRelease(number);
    if (release === null) return [];
    const stated = statementOf(objectOf(state), `/releases/${codename}`, { fields, issues });
    return stated === null ? [] : [{ release, name, ...stated, builds: anyBuild }];
  });
  if (packages.length === 0) return { kind: 'skipped', reason: 'no_release_of_this_feed' };
  const isCve = cveId.test(id);
  return advisoryRead(
    {
      // The id of the same record in OSV.
      externalId: isCve ? `DEBIAN-${id}` : id,
      kind: 'vulnerability',
      title: titleOf(null, fields.text(issue, 'description', maxTextCharacters, ''), id),
      url: tracker + id,
      publishedAt: null,
      modifiedAt: null,
      withdrawnAt: null,
      aliases: [],
      cves: isCve ? [id] : [],
      cvss: null,
      packages,
    },
    issues.list,
  );
}

/** Null: the release is not affected. An unreadable state counts as affected, with an issue. */
function statementOf(
  state: JsonObject | null,
  pointer: string,
  { fields, issues }: Pick<RecordTools, 'fields' | 'issues'>,
): (Rating & Pick<AffectedPackage, 'fix'>) | null {
  if (state === null) {
    issues.add(pointer, 'wrong_type');
    return { ...ratingOf(''), fix: unreadableFix };
  }
  const word = (key: string) => (fields.text(state, key, maxWordCharacters, pointer) ?? '').trim();
  const [status, urgency] = [word('status'), word('urgency')];
  const version = withoutRebuildSuffix(word('fixed_version'));
  if (status === notForUs || (status === 'resolved' && version === '0')) return null;
  const rating = ratingOf(urgency);
  if (version !== '' && version !== '0') {
    if (versionKey('dpkg', version).kind === 'key')
      return { ...rating, fix: { kind: 'fixed', version, service: null } };
    issues.add(`${pointer}/fixed_version`, 'unparseable_version');
    return { ...rating, fix: unreadableFix };
  }
  if (status === 'resolved') {
    issues.add(`${pointer}/fixed_version`, 'no_range');
    return { ...rating, fix: unreadableFix };
  }
  const decision = { nodsa: word('nodsa'), reason: word('nodsa_reason') };
  return { ...rating, fix: unfixedBy(status, urgency, decision) };
}

/**
 * Why a release has no fix; the only mapping of the tracker's words. Without a planned advisory (`nodsa`) the
 * fix is `ignored` (never), `postponed` (with the next update), or left to the next point release.
 */
function unfixedBy(
  status: string,
  urgency: string,
  { nodsa, reason }: { readonly nodsa: string; readonly reason: string },
): Extract<Fix, { kind: 'unfixed' }> {
  const said = (state: string) => (nodsa === '' ? state : titleOf(`${state} (${nodsa})`, null, state));
  if (status === 'undetermined')
    return { kind: 'unfixed', reason: 'under_investigation', detail: said(status) };
  if (urgency === 'end-of-life') return { kind: 'unfixed', reason: 'will_not_fix', detail: said(urgency) };
  if (reason === 'ignored') return { kind: 'unfixed', reason: 'will_not_fix', detail: said(reason) };
  const decided = nodsa === '' && reason === '' ? '' : said(reason === '' ? 'no-dsa' : reason);
  return { kind: 'unfixed', reason: 'no_fix', detail: decided };
}
