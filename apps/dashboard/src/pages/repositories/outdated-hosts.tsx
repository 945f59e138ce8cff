import { useApi } from '../../api/queries.ts';
import { HostCount } from '../fleet/host-count.tsx';

/**
 * Numbers of approved hosts with an outdated repository and of hosts where that is not known, with links. The list of
 * hosts has no filter by repository, so the rows of the table have no such links.
 */
export function OutdatedHosts() {
  const { data: fleet } = useApi('/fleet/summary');
  if (fleet === undefined) return null;
  const { outdated, unknown } = fleet.by_repositories_state;
  return (
    <>
      <HostCount count={outdated} list={{ repositories_state: 'outdated' }} isKnown={unknown === 0}>
        {outdated === 1 ? 'host has' : 'hosts have'} an outdated repository
      </HostCount>
      {unknown > 0 && (
        <HostCount count={unknown} list={{ repositories_state: 'unknown' }}>
          not known
        </HostCount>
      )}
    </>
  );
}
