import type { FeedFormat, FeedKind } from '@plimsoll/model';
import type { FeedKindDefinition, FeedOf, FormatTraits } from '../feeds/feed.ts';
import { advisoryKind } from './advisory-feeds.ts';
import { cveKind } from './cve-feeds.ts';
import { lifecycleKind } from './lifecycle-feeds.ts';
import { repositoryKind } from './repository-feeds.ts';

/** Every kind of feed, one line each. A record that fits two formats belongs to the kind listed first. */
const kinds = {
  advisories: advisoryKind,
  cves: cveKind,
  repositories: repositoryKind,
  lifecycles: lifecycleKind,
} satisfies { readonly [K in FeedKind]: FeedKindDefinition<K> };

type Kinds = typeof kinds;

// A kind that is missing above has no feeds here, so that its absence is one error instead of one per file.
type FeedsOf<K extends FeedKind> = K extends keyof Kinds ? Kinds[K]['feeds'] : readonly never[];

/** The parsed type of a feed's records, by kind. */
export type FeedItems = {
  readonly [K in FeedKind]: FeedsOf<K>[number] extends FeedOf<K, infer Item extends object> ? Item : never;
};

/** A feed of a kind, or of any kind. */
export type Feed<K extends FeedKind = FeedKind> = { [P in K]: FeedsOf<P>[number] }[K];

/** Every feed. */
export const feeds: readonly Feed[] = Object.values(kinds).flatMap((kind): readonly Feed[] => kind.feeds);

/** Every feed of a kind. */
export function feedsOf<K extends FeedKind>(kind: K): readonly Feed<K>[] {
  return feeds.filter((feed): feed is Feed<K> => feed.kind === kind);
}

/** The feed with an id; null if unknown. */
export function feedOf(id: string): Feed | null {
  return feeds.find((feed) => feed.id === id) ?? null;
}

/** The ids of all feeds, sorted. */
export const feedIds: readonly string[] = feeds.map(({ id }) => id).sort();

// The tables' types guarantee that their keys are exactly the formats.
const formats = Object.values(kinds).flatMap((kind) =>
  Object.entries<FormatTraits>(kind.formats),
) as readonly (readonly [FeedFormat, FormatTraits])[];

/**
 * The format of a JSON record, by fields that no other format has. Default: OSV, because it has the fewest
 * mandatory fields, and its reader reports the faults.
 */
export function formatOfRecord(json: unknown): FeedFormat {
  if (typeof json !== 'object' || json === null) return 'osv';
  for (const [format, { jsonFields }] of formats)
    if (jsonFields.some((field) => Object.hasOwn(json, field))) return format;
  return 'osv';
}

const splitFormats = new Map(formats.map(([format, { isSplit }]) => [format, isSplit ?? false]));

/** Whether a format can split an item over several files, or over any records of one file. */
export function isSplitFormat(format: FeedFormat): boolean | 'by_record' {
  return splitFormats.get(format) ?? false;
}
