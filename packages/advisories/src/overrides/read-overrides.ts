import type { JsonObject, Release } from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';
import { isCveId } from '../feeds/cves/cve-feed.ts';
import { fieldOf, objectOf } from '../json-fields.ts';
import { distributionOf } from '../registry/distributions.ts';
import { feedsOf } from '../registry/feeds.ts';
import type { FeedOverride } from './feed-override.ts';

/** A mistake in a list of overrides: location (RFC 6901 pointer) and a sentence that follows it. */
export interface OverrideMistake {
  readonly pointer: string;
  readonly detail: string;
}

/** A list of overrides without mistakes, or all its mistakes. */
export type OverridesReading =
  | { readonly kind: 'read'; readonly overrides: readonly FeedOverride[] }
  | { readonly kind: 'refused'; readonly mistakes: readonly OverrideMistake[] };

const mostEntries = 1_000;
const longestText = 500;
const keys = [
  'feed',
  'release',
  'package',
  'cve',
  'affected_from',
  'affected_before',
  'reason',
  'source',
] as const;

/** Reads a list of overrides in the form of the setting `advisories.overrides_file`. Total. */
export function readOverrides(json: unknown): OverridesReading {
  if (!Array.isArray(json)) return refused([{ pointer: '', detail: 'must be a list' }]);
  if (json.length > mostEntries)
    return refused([{ pointer: '', detail: `must have at most ${mostEntries} entries` }]);
  const mistakes: OverrideMistake[] = [];
  const overrides = new Map<string, FeedOverride>();
  for (const [index, entry] of json.entries()) {
    const pointer = `/${index}`;
    const found = mistakesOf(objectOf(entry));
    for (const { field, detail } of found)
      mistakes.push({ pointer: field === '' ? pointer : `${pointer}/${field}`, detail });
    if (found.length > 0) continue;
    const override = toOverride(objectOf(entry) ?? {});
    const key = [override.feed, override.release, override.package, override.cve].join(' ');
    if (overrides.has(key)) mistakes.push({ pointer, detail: 'repeats an earlier entry' });
    overrides.set(key, override);
  }
  return mistakes.length > 0 ? refused(mistakes) : { kind: 'read', overrides: [...overrides.values()] };
}

function refused(mistakes: readonly OverrideMistake[]): OverridesReading {
  return { kind: 'refused', mistakes };
}

interface FieldMistake {
  readonly field: string;
  readonly detail: string;
}

function mistakesOf(entry: JsonObject | null): readonly FieldMistake[] {
  if (entry === null) return [{ field: '', detail: 'must be an object' }];
  const unknown = Object.keys(entry)
    .filter((key) => !keys.some((known) => known === key))
    .slice(0, keys.length)
    .map((key) => ({ field: key.slice(0, longestText), detail: `is unknown; known are ${keys.join(', ')}` }));
  const checked = keys.flatMap((field): readonly FieldMistake[] => {
    const detail = mistakeIn(field, fieldOf(entry, field), entry);
    return detail === null ? [] : [{ field, detail }];
  });
  return [...unknown, ...checked];
}

/** The mistake in a field; null if it is valid. */
function mistakeIn(field: (typeof keys)[number], value: unknown, entry: JsonObject): string | null {
  switch (field) {
    case 'feed':
      return feedsOf('advisories').some(({ id }) => id === value)
        ? null
        : 'must be the id of a feed of advisories';
    case 'release':
      return typeof value === 'string' && distributionOf(value as Release) !== null
        ? null
        : 'must be a known release, like "debian:13"';
    case 'package':
      return isText(value) && !/\s/.test(value) ? null : 'must be the name of a package';
    case 'cve':
      return isCveId(value) ? null : 'must be the id of a CVE';
    case 'affected_from':
    case 'affected_before':
      return mistakeInVersion(field, value, entry);
    case 'reason':
      return isText(value) ? null : `must be a text of 1 to ${longestText} characters on one line`;
    case 'source':
      return isText(value) && /^https:\/\/[^\s/]+\/\S*$/.test(value) ? null : 'must be an https URL';
    default:
      return field satisfies never;
  }
}

function mistakeInVersion(
  field: 'affected_from' | 'affected_before',
  value: unknown,
  entry: JsonObject,
): string | null {
  const release = fieldOf(entry, 'release');
  // Without a known release no version can be compared: then the release is the mistake.
  if (value === undefined || value === null || mistakeIn('release', release, entry) !== null) return null;
  const key = isText(value) ? keyOf(release, value) : null;
  if (key === null) return 'must be a version of the release';
  const from = fieldOf(entry, 'affected_from');
  const lower = field === 'affected_before' && isText(from) ? keyOf(release, from) : null;
  return lower !== null && compareKeys(key, lower) <= 0 ? 'must be higher than affected_from' : null;
}

function keyOf(release: unknown, version: string): Uint8Array | null {
  const scheme = typeof release === 'string' ? distributionOf(release as Release)?.scheme : undefined;
  if (scheme === undefined) return null;
  const parsed = versionKey(scheme, version);
  return parsed.kind === 'key' ? parsed.key : null;
}

function isText(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length > 0 && value.length <= longestText && !/\p{Cc}/u.test(value)
  );
}

/** Converts an entry without mistakes. */
function toOverride(entry: JsonObject): FeedOverride {
  const text = (field: (typeof keys)[number]): string => String(fieldOf(entry, field));
  const version = (field: 'affected_from' | 'affected_before'): string | null =>
    isText(fieldOf(entry, field)) ? text(field) : null;
  return {
    feed: text('feed'),
    release: text('release') as Release, // A distribution owns it.
    package: text('package'),
    cve: text('cve'),
    affectedFrom: version('affected_from'),
    affectedBefore: version('affected_before'),
    reason: text('reason'),
    source: text('source'),
  };
}

/**
 * The sort keys of an override's limits; null without the limit. Throws for an override that readOverrides
 * did not return.
 */
export function overrideKeys({ release, affectedFrom, affectedBefore }: FeedOverride): {
  readonly fromKey: Uint8Array | null;
  readonly beforeKey: Uint8Array | null;
} {
  const limit = (version: string | null): Uint8Array | null => {
    if (version === null) return null;
    const key = keyOf(release, version);
    if (key === null) throw new Error(`${version} has no sort key in ${release}`);
    return key;
  };
  return { fromKey: limit(affectedFrom), beforeKey: limit(affectedBefore) };
}
