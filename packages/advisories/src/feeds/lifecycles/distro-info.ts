import type { JsonObject, Release } from '@plimsoll/model';
import { fieldOf, objectOf } from '../../json-fields.ts';
import { dayOf } from '../cves/cve-feed.ts';
import type { FeedReading } from '../feed.ts';
import type { LifecycleFeed, ReleaseLifecycle } from './lifecycle-feed.ts';

/**
 * How to read one of the tables of distro-info-data (https://debian.pages.debian.net/distro-info-data/README.html).
 */
export interface DistroInfoDialect {
  /** A column that no other table has. */
  readonly ownColumn: string;
  /** Columns with ends of free support, in chronological order; the last non-empty one applies. */
  readonly ends: readonly string[];
  /** Columns with extended support, the shortest first, and the required subscription service. */
  readonly extended: readonly { readonly column: string; readonly service: string }[];
  /** The release of a `version`; null for other text. */
  releaseOf(version: string): Release | null;
}

const dayMs = 86_400_000;
const publishedAt = 'https://debian.pages.debian.net/distro-info-data';

/** A table of distro-info-data as a feed: `<distribution>.csv`. */
export function distroInfoFeed(
  { distribution, title }: Pick<LifecycleFeed, 'distribution' | 'title'>,
  dialect: DistroInfoDialect,
): LifecycleFeed {
  return {
    id: `${distribution}-lifecycles`,
    distribution,
    kind: 'lifecycles',
    format: 'lifecycles',
    title,
    files: [
      {
        url: `${publishedAt}/${distribution}.csv`,
        path: `distro-info-data/${distribution}.csv`,
        release: null,
      },
    ],
    read(record) {
      const row = objectOf(record);
      return row === null ? { kind: 'rejected', reason: 'not_an_object' } : readRow(row, dialect);
    },
  };
}

function readRow(
  row: JsonObject,
  { ownColumn, ends, extended, releaseOf }: DistroInfoDialect,
): FeedReading<ReleaseLifecycle> {
  if (fieldOf(row, ownColumn) === undefined) return { kind: 'skipped', reason: 'other_feed' };
  const version = fieldOf(row, 'version');
  const release = typeof version === 'string' ? releaseOf(version.trim()) : null;
  if (release === null) return { kind: 'skipped', reason: 'no_release_number' };
  const dayIn = (column: string) => readDay(fieldOf(row, column));
  const general = ends.map(dayIn);
  const more = extended.map(({ column, service }) => ({ service, lastDay: dayIn(column) }));
  const begun = [dayIn('created'), dayIn('release')];
  const days = [...begun, ...general, ...more.map(({ lastDay }) => lastDay)];
  if (days.includes('invalid')) return { kind: 'rejected', reason: 'invalid_date' };
  // An end before its start, or before the end it extends, is a mistake and would give every host a wrong end of
  // support.
  const set = days.filter((day) => day instanceof Date);
  if (set.some((day, n) => n > 0 && day < (set[n - 1] ?? day)))
    return { kind: 'rejected', reason: 'ends_out_of_order' };
  const lastDay = general.findLast((day) => day instanceof Date);
  if (lastDay === undefined) return { kind: 'skipped', reason: 'no_end' };
  const lifecycle = {
    endsAt: dayAfter(lastDay),
    extended: more.flatMap(({ service, lastDay: last }) =>
      last instanceof Date ? [{ service, endsAt: dayAfter(last) }] : [],
    ),
  };
  const asOf = begun[0] instanceof Date ? begun[0] : null;
  return { kind: 'read', items: [{ release, lifecycle }], asOf, issues: [] };
}

/** Returns a day; null for an empty value. */
function readDay(value: unknown): Date | null | 'invalid' {
  return value === undefined || value === '' ? null : (dayOf(value) ?? 'invalid');
}

function dayAfter(day: Date): Date {
  return new Date(day.getTime() + dayMs);
}
