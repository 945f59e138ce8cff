import { distributionOf } from '@plimsoll/advisories';
import type { InternedRelease, Interning } from '@plimsoll/db';
import type { Snapshot } from '@plimsoll/model';

/** The release line that a snapshot's repositories follow, as `suite` of its package versions; null if unknown. */
export async function followedReleaseLineOf(
  interner: Interning,
  release: InternedRelease,
  snapshot: Snapshot,
): Promise<string | null> {
  const distribution = distributionOf(release.name);
  if (distribution?.followedReleaseLine === undefined) return null;
  const enabled = snapshot.repositories.filter((repository) => repository.enabled).map(({ id }) => id);
  const products = await interner.productsOf([...new Set(enabled)]);
  const line = distribution.followedReleaseLine(snapshot, (id) => products.get(id) ?? []);
  return line === '' ? null : line;
}
