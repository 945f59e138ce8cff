import type { AffectedPackage, Release } from '@plimsoll/model';
import { numberOfRelease, type RpmFamily, rpmRelease } from '../../rpm/rpm-family.ts';
import { almalinuxFamily } from '../almalinux/almalinux.ts';
import { oracleFamily } from '../oracle/oracle.ts';
import { rockyFamily } from '../rocky/rocky.ts';
import { rhelFamily } from './rhel-family.ts';

/** Distributions rebuilt from Red Hat's sources. Their own advisories do not cover unfixed packages. */
export const rebuilds: readonly RpmFamily[] = [almalinuxFamily, rockyFamily, oracleFamily];

/**
 * A statement about a source rpm of Red Hat Enterprise Linux, as upstream's for the releases of some families
 * that are rebuilt from its own. Empty for builds that they do not rebuild: rebuilds follow the main line and
 * lack builds for subscribers. Errata of the rebuild take precedence (`yieldsToRebuild`).
 */
export function upstreamStatements(
  own: AffectedPackage,
  families: readonly RpmFamily[] = rebuilds,
): readonly AffectedPackage[] {
  const isForAll = own.fix.kind === 'unfixed' || own.fix.service === null;
  if (own.builds.line !== null || !isForAll) return [];
  return rebuiltReleases(own.release, families).map((release) => ({
    ...own,
    release,
    names: 'upstream_source',
  }));
}

/** The releases rebuilt from a release of Red Hat Enterprise Linux; empty for a release of another distribution. */
export function rebuiltReleases(
  release: Release,
  families: readonly RpmFamily[] = rebuilds,
): readonly Release[] {
  const number = numberOfRelease(rhelFamily, release);
  if (number === null) return [];
  return families
    .filter(({ lastDays }) => lastDays.has(number))
    .flatMap((family) => rpmRelease(family, number) ?? []);
}
