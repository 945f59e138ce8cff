import { type Advisory, groupBy, type JsonObject, type Rating, type Release } from '@plimsoll/model';
import { type AdvisoryReading, advisoryRead, hasReadable } from '../feeds/advisories/advisory-feed.ts';
import { recordTools } from '../feeds/advisories/record-tools.ts';
import type { RecordContext } from '../feeds/feed.ts';
import { fieldOf, type JsonFieldReader, type LocatedObject, objectOf } from '../json-fields.ts';
import { isRecordId, sortedIds } from '../osv/read-ids.ts';
import { titleOf } from '../osv/record-title.ts';
import type { RecordIssues } from '../record-issues.ts';
import { severityOfTitle } from '../rpm/severity-word.ts';
import { rate } from '../severity/rating.ts';
import { readCollections } from './read-collections.ts';
import type { UpdateDialect } from './update-dialect.ts';
import { parseUpdateTime } from './update-time.ts';

const maxCollections = 1_000;
const maxTextCharacters = 1_000_000;
const maxWordCharacters = 200;
/** SUSE's word for a withdrawn update. */
const withdrawn = 'retracted';

/**
 * Reads one `<update>` of updateinfo.xml, as JSON. Total: returns a reading for any value. Skips bug fixes and
 * enhancements, which are not findings.
 */
export function readUpdate(json: unknown, context: RecordContext, dialect: UpdateDialect): AdvisoryReading {
  const { issues, fields, reject } = recordTools();
  const update = objectOf(json);
  if (update === null) return reject('not_an_object');
  const id = fieldOf(update, 'id');
  const externalId = typeof id === 'string' ? id.trim() : id;
  if (!isRecordId(externalId)) return reject('invalid_id');
  const type = fields.text(update, 'type', maxWordCharacters, '');
  if (type?.trim().toLowerCase() !== 'security') {
    return issues.list.length > 0
      ? reject('invalid_affected')
      : { kind: 'skipped', reason: 'not_about_security' };
  }
  const title = fields.text(update, 'title', maxTextCharacters, '') ?? '';
  const collections = fields.objects(update, 'collections', maxCollections, '');
  const named = collections.map((collection) => ({ ...collection, names: namesOf(collection, fields) }));
  const byRelease = collectionsByRelease(named, (names) =>
    dialect.releaseOf({ id: externalId, title, collections: names }, context),
  );
  if (byRelease.size === 0) return { kind: 'skipped', reason: 'no_release_of_this_feed' };
  const rating = ratingOf(update, title, fields, dialect);
  const packages = [...byRelease].flatMap(([release, own]) =>
    readCollections(own, { id: externalId, release, title, rating, dialect, fields, issues }),
  );
  if (!hasReadable(packages)) {
    const isElsewhere =
      issues.list.length > 0 && issues.list.every(({ reason }) => reason === 'other_release');
    return isElsewhere ? { kind: 'skipped', reason: 'no_release_of_this_feed' } : reject('no_usable_package');
  }
  const advisory = {
    ...describe(update, externalId, title, fields, issues),
    url: dialect.urlOf(externalId),
    packages,
  };
  return advisoryRead(advisory, issues.list);
}

interface NamedCollection extends LocatedObject {
  readonly names: readonly string[];
}

function namesOf({ entry, pointer }: LocatedObject, fields: JsonFieldReader): readonly string[] {
  return ['short', 'name'].map((key) => fields.text(entry, key, maxWordCharacters, pointer) ?? '');
}

/**
 * An update's collections by their named release; a collection without a release belongs to the release of the others.
 */
function collectionsByRelease(
  collections: readonly NamedCollection[],
  releaseOf: (names: readonly string[]) => Release | null,
): ReadonlyMap<Release, readonly NamedCollection[]> {
  const ofAll = releaseOf(collections.flatMap(({ names }) => names));
  const found = [...groupBy(collections, ({ names }) => releaseOf(names) ?? ofAll)].flatMap(
    ([release, named]) => (release === null ? [] : [[release, named] as const]),
  );
  // A release that all names together give has an entry, even if each collection names another one.
  return new Map<Release, readonly NamedCollection[]>([
    ...(ofAll === null ? [] : [[ofAll, []] as const]),
    ...found,
  ]);
}

/** updateinfo has no CVSS scores. */
function ratingOf(
  update: JsonObject,
  title: string,
  fields: JsonFieldReader,
  dialect: UpdateDialect,
): Rating {
  const word = fields.text(update, 'severity', maxWordCharacters, '') ?? '';
  return rate(dialect.severityOf(word) ?? severityOfTitle(title), null);
}

function describe(
  update: JsonObject,
  id: string,
  title: string,
  fields: JsonFieldReader,
  issues: RecordIssues,
): Omit<Advisory, 'url' | 'packages'> {
  const time = (key: string): Date | null => {
    const value = fieldOf(update, key);
    const text = typeof value === 'number' ? String(value) : fields.text(update, key, maxWordCharacters, '');
    if (text === null || text.trim() === '') return null;
    const read = parseUpdateTime(text);
    if (read === null) issues.add(`/${key}`, 'invalid_time');
    return read;
  };
  const description = fields.text(update, 'description', maxTextCharacters, '');
  const publishedAt = time('issued');
  const modifiedAt = time('updated') ?? publishedAt;
  const status = fields.text(update, 'status', maxWordCharacters, '')?.trim().toLowerCase();
  return {
    externalId: id,
    kind: 'erratum',
    title: titleOf(title, description, id),
    publishedAt,
    modifiedAt,
    // updateinfo does not state the time.
    withdrawnAt: status === withdrawn ? (modifiedAt ?? new Date(0)) : null,
    aliases: [],
    cves: readUpdateCves(update, fields),
    cvss: null,
  };
}

const cve = /\bCVE-\d{4}-\d{4,19}\b/g;
const maxReferences = 10_000;
const maxCharacters = 4_000;

/**
 * The CVEs in the ids, titles or addresses of an update's references, sorted. Fedora refers to bugs of its tracker,
 * whose titles contain the CVEs.
 */
function readUpdateCves(update: JsonObject, fields: JsonFieldReader): readonly string[] {
  const cves: string[] = [];
  for (const { entry, pointer } of fields.objects(update, 'references', maxReferences, '')) {
    for (const key of ['id', 'title', 'href']) {
      cves.push(...(fields.text(entry, key, maxCharacters, pointer)?.match(cve) ?? []));
    }
  }
  return sortedIds(cves);
}
