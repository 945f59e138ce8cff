import type { Release } from '@plimsoll/model';
import { numberOfRelease, type RpmFamily, rpmRelease } from '../../rpm/rpm-family.ts';
import { almalinuxFamily } from '../almalinux/almalinux.ts';
import { oracleFamily } from '../oracle/oracle.ts';
import { rockyFamily } from '../rocky/rocky.ts';
import { rhelFamily } from './rhel-family.ts';

/** Distributions rebuilt from Red Hat's sources. Their own advisories do not cover unfixed packages. */
export const rebuilds: readonly RpmFamily[] = [almalinuxFamily, rockyFamily, oracleFamily];

/** The releases rebuilt from a release of Red Hat Enterprise Linux; empty for a release of another distribution. */
export function rebuiltReleases(release: Release): readonly Release[] {
  const number = numberOfRelease(rhelFamily, release);
  if (number === null) return [];
  return rebuilds
    .filter(({ lastDays }) => lastDays.has(number))
    .flatMap((family) => rpmRelease(family, number) ?? []);
}
