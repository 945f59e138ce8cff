import { matchOf } from '@plimsoll/db';
import type { ReadHandler } from '../read-operation.ts';

const defaultLimit = 8;

/** GET /search */
export const search: ReadHandler<'search'> = async ({ query, caller: { scope } }, { stores }) => {
  const wanted = query.q.trim();
  const limit = query.limit ?? defaultLimit;
  if (wanted === '') return { kind: 'json', status: 200, body: nothing };
  const [found, packages] = await Promise.all([
    stores.search.find(scope, wanted, limit),
    stores.advisoryViews.packageNames(scope, { q: wanted }, limit),
  ]);
  return {
    kind: 'json',
    status: 200,
    body: {
      hosts: found.hosts.map(({ match, id, displayName, hostname, address, approvalStatus }) => ({
        match,
        id,
        display_name: displayName,
        hostname,
        ip_address: address,
        approval_status: approvalStatus,
      })),
      hosts_total: found.hostsTotal,
      packages: packages.map(({ name, hosts }) => ({
        match: matchOf([name.toLowerCase()], wanted.toLowerCase()) ?? ('part' as const),
        name,
        hosts,
      })),
      cves: found.cves.map(({ match, id, isKnown }) => ({ match, id, known: isKnown })),
      advisories: found.advisories.map(({ match, id, title }) => ({ match, id, title })),
    },
  };
};

const nothing = { hosts: [], hosts_total: 0, packages: [], cves: [], advisories: [] };
