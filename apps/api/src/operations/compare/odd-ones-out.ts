import type { OddOnesOut } from '@plimsoll/contract';
import type { OddHost, ReleaseOddities } from '@plimsoll/db';
import { hostFiltersOf } from '../hosts/host-selection.ts';
import type { ReadHandler } from '../read-operation.ts';

const defaultLimit = 100;
/** Differences listed for a host. */
const listedPackages = 50;

/** GET /hosts/odd-ones-out */
export const findOddHosts: ReadHandler<'findOddHosts'> = async ({ query, caller }, { stores }) => {
  const { limit = defaultLimit, ...filters } = query;
  const found = await stores.oddHosts.find(caller.scope, hostFiltersOf(filters), limit);
  const body: OddOnesOut = {
    hosts: found.hosts,
    unreported_hosts: found.unreported,
    left_out_hosts: found.leftOut,
    releases: found.releases.map(releaseAnswer),
  };
  return { kind: 'json', status: 200, body };
};

function releaseAnswer({
  release,
  hosts,
  odd,
  oddHosts,
  common,
}: ReleaseOddities): OddOnesOut['releases'][number] {
  return {
    release,
    hosts,
    odd_hosts: odd === null ? null : oddHosts,
    odd: (odd ?? []).map(hostAnswer),
    common: common.map(({ others, ...one }) => ({ ...one, other_hosts: others })),
  };
}

function hostAnswer({ id, displayName, packages }: OddHost): OddOnesOut['releases'][number]['odd'][number] {
  return {
    host_id: id,
    display_name: displayName,
    packages: packages.slice(0, listedPackages).map(({ commonVersion, ...one }) => ({
      ...one,
      common_version: commonVersion,
    })),
    more_packages: Math.max(0, packages.length - listedPackages),
  };
}
