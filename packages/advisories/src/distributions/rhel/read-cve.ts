import type { AffectedPackage, CvssScore, Fix, Rating, Release, SourceNaming } from '@plimsoll/model';
import { compareText, type JsonObject } from '@plimsoll/model';
import { type AdvisoryReading, advisoryRead } from '../../feeds/advisories/advisory-feed.ts';
import { recordTools } from '../../feeds/advisories/record-tools.ts';
import { fieldOf, type JsonFieldReader, type LocatedObject, objectOf } from '../../json-fields.ts';
import { titleOf } from '../../osv/record-title.ts';
import type { RecordIssues } from '../../record-issues.ts';
import { rpmRelease } from '../../rpm/rpm-family.ts';
import { severityOfWord } from '../../rpm/severity-word.ts';
import { scoreVector } from '../../severity/cvss-score.ts';
import { rate } from '../../severity/rating.ts';
import { parseUpdateTime } from '../../updateinfo/update-time.ts';
import { readComponentName } from './component-name.ts';
import { rebuiltReleases } from './rebuilds.ts';
import { rhelFamily } from './rhel-family.ts';

const cveId = /^CVE-\d{4}-\d{4,19}$/;
const platform = /^cpe:\/o:redhat:enterprise_linux:(\d{1,2})$/;
const maxStates = 20_000;
const maxCharacters = 500;
const maxTextCharacters = 1_000_000;

type Unfixed = Extract<Fix, { kind: 'unfixed' }>;

/** The states of an affected package without a fix; the remaining state is `Not affected`. */
const unfixedStates: ReadonlyMap<string, Unfixed['reason']> = new Map([
  ['affected', 'no_fix'],
  ['fix deferred', 'no_fix'],
  ['under investigation', 'under_investigation'],
  ['new', 'under_investigation'],
  ['will not fix', 'will_not_fix'],
  ['out of support scope', 'will_not_fix'],
]);

/**
 * Reads the unfixed packages in a record of Red Hat's CVE API. Total. The record names source packages: a statement
 * covers every binary package built from such a source, in Red Hat's release and in rebuilt ones. The errata cover the
 * fixed packages; so the record is read as an erratum, not as the judgement of a whole release.
 */
export function readRedHatCve(json: unknown): AdvisoryReading {
  const { issues, fields, reject } = recordTools();
  const record = objectOf(json);
  if (record === null) return reject('not_an_object');
  const id = fieldOf(record, 'name') ?? fieldOf(record, 'CVE');
  if (typeof id !== 'string' || !cveId.test(id)) return reject('invalid_id');
  const states = fields.objects(record, 'package_state', maxStates, '');
  const cvss = cvssOf(record, fields, issues);
  const rating = ratingOf(record, cvss, fields);
  const packages = packagesOf(states, rating, fields, issues);
  if (packages.length === 0) {
    return issues.list.length > 0 && states.length === 0
      ? reject('invalid_affected')
      : { kind: 'skipped', reason: 'no_release_of_this_feed' };
  }
  const bug = fields.object(record, 'bugzilla', '');
  const publishedAt = timeOf(record, fields, issues);
  return advisoryRead(
    {
      externalId: id,
      kind: 'erratum',
      title: titleOf(fields.text(bug, 'description', maxTextCharacters, '/bugzilla'), null, id),
      url: `https://access.redhat.com/security/cve/${id}`,
      publishedAt,
      modifiedAt: publishedAt,
      withdrawnAt: null,
      aliases: [],
      cves: [id],
      cvss,
      packages,
    },
    issues.list,
  );
}

function cvssOf(record: JsonObject, fields: JsonFieldReader, issues: RecordIssues): CvssScore | null {
  for (const [key, vector] of [
    ['cvss3', 'cvss3_scoring_vector'],
    ['cvss', 'cvss_scoring_vector'],
  ] as const) {
    const text = fields.text(fields.object(record, key, ''), vector, maxCharacters, `/${key}`);
    if (text === null) continue;
    const score = scoreVector(text);
    if (score !== null) return score;
    issues.add(`/${key}/${vector}`, 'invalid_cvss');
  }
  return null;
}

function ratingOf(record: JsonObject, cvss: CvssScore | null, fields: JsonFieldReader): Rating {
  const word = severityOfWord(fields.text(record, 'threat_severity', maxCharacters, '') ?? '');
  return rate(word, cvss);
}

function packagesOf(
  states: readonly LocatedObject[],
  rating: Rating,
  fields: JsonFieldReader,
  issues: RecordIssues,
): readonly AffectedPackage[] {
  const packages = new Map<string, AffectedPackage>();
  for (const { entry, pointer } of states) {
    const number = platform.exec(fields.text(entry, 'cpe', maxCharacters, pointer) ?? '')?.[1];
    const state = fields.text(entry, 'fix_state', maxCharacters, pointer) ?? '';
    const reason = unfixedStates.get(state.trim().toLowerCase());
    if (number === undefined || reason === undefined) continue;
    const text = fields.text(entry, 'package_name', maxCharacters, pointer) ?? '';
    const component = readComponentName(text);
    if (component === 'invalid') issues.add(`${pointer}/package_name`, 'invalid_package_name');
    if (typeof component === 'string') continue;
    const { name, module } = component;
    for (const { release, names } of placesOf(number)) {
      packages.set(`${release} ${name} ${module}`, {
        release,
        name,
        names,
        ...rating,
        fix: { kind: 'unfixed', reason, detail: state },
        builds: { architectures: [], module, line: null },
      });
    }
  }
  return [...packages].sort(([a], [b]) => compareText(a, b)).map(([, statement]) => statement);
}

/** Red Hat's release with a number, and the releases rebuilt from it. */
function placesOf(number: string): readonly { readonly release: Release; readonly names: SourceNaming }[] {
  const own = rpmRelease(rhelFamily, number);
  if (own === null) return [];
  const rebuilt = rebuiltReleases(own).map((release) => ({ release, names: 'upstream_source' as const }));
  return [{ release: own, names: 'source' }, ...rebuilt];
}

function timeOf(record: JsonObject, fields: JsonFieldReader, issues: RecordIssues): Date | null {
  const text = fields.text(record, 'public_date', maxCharacters, '');
  const time = text === null ? null : parseUpdateTime(text);
  if (text !== null && time === null) issues.add('/public_date', 'invalid_time');
  return time;
}
