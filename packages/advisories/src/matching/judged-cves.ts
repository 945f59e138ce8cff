import type { Release } from '@plimsoll/model';
import { distributionOf } from '../registry/distributions.ts';

/** A vendor's records of one CVE, in all of its releases. */
export interface VendorRecords {
  /** When the newest of them was last changed; null: unknown. */
  readonly changedAt: Date | null;
  /** Whether at least one names the release. */
  readonly namesRelease: boolean;
}

/**
 * Whether a vendor's records of a CVE judge a release: they name it, or they were last changed while the
 * vendor supported it, so that not naming it means "not affected". After the end of support vendors remove a
 * release from their records, and records without a time do not show whether it was removed.
 */
export function areJudgementOf(release: Release, { changedAt, namesRelease }: VendorRecords): boolean {
  if (namesRelease) return true;
  if (changedAt === null) return false;
  const lifecycle = distributionOf(release)?.lifecycleOf(release) ?? null;
  if (lifecycle === null) return true;
  const own = (lifecycle.extended ?? []).filter(({ byOthers }) => byOthers !== true);
  return [lifecycle, ...own].some(({ endsAt }) => changedAt < endsAt);
}
