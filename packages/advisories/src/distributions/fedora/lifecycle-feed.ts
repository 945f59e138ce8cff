import { dayOf } from '../../feeds/cves/cve-feed.ts';
import type { FeedReading } from '../../feeds/feed.ts';
import type { LifecycleFeed, ReleaseLifecycle } from '../../feeds/lifecycles/lifecycle-feed.ts';
import { fieldOf, objectOf } from '../../json-fields.ts';
import { rpmRelease } from '../../rpm/rpm-family.ts';
import { fedoraFamily } from './fedora.ts';

const dayMs = 86_400_000;

/**
 * The releases of Fedora and their ends, as Bodhi lists them, which publishes its updates. The list also has EPEL's, and
 * those of containers and Flatpaks.
 */
export const fedoraLifecycles: LifecycleFeed = {
  id: 'fedora-lifecycles',
  distribution: fedoraFamily.id,
  kind: 'lifecycles',
  format: 'bodhi-releases',
  title: 'Fedora lifecycles',
  files: [
    {
      url: 'https://bodhi.fedoraproject.org/releases/?rows_per_page=500',
      path: 'fedora/releases.json',
      release: null,
    },
  ],
  read: readRelease,
};

/** Reads one release of Bodhi's list; `eol` is the last day of its support. Total. */
function readRelease(record: unknown): FeedReading<ReleaseLifecycle> {
  const row = objectOf(record);
  if (row === null) return { kind: 'rejected', reason: 'not_an_object' };
  if (fieldOf(row, 'id_prefix') !== 'FEDORA') return { kind: 'skipped', reason: 'other_feed' };
  const version = fieldOf(row, 'version');
  const release = typeof version === 'string' ? rpmRelease(fedoraFamily, version) : null;
  if (release === null || fieldOf(row, 'name') !== `F${version}`)
    return { kind: 'skipped', reason: 'no_release_number' };
  const end = fieldOf(row, 'eol');
  if (end === undefined || end === null || end === '') return { kind: 'skipped', reason: 'no_end' };
  const lastDay = dayOf(end);
  if (lastDay === null) return { kind: 'rejected', reason: 'invalid_date' };
  const lifecycle = { endsAt: new Date(lastDay.getTime() + dayMs), extended: [] };
  return { kind: 'read', items: [{ release, lifecycle }], asOf: null, issues: [] };
}
