import { Link } from '@tanstack/react-router';
import { useApi } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Panel } from '../../design/page/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import { ApproveButton } from '../hosts/approve-button.tsx';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

const shownHosts = 4;
const pending = { approval_status: 'pending', sort: '-created_at' } as const;

/** Enrolled hosts that are not approved yet; no total counts them. */
export function PendingApprovals({ count }: { readonly count: number }) {
  return (
    <Panel
      title="To approve"
      actions={
        <HostCount count={count} list={pending}>
          {count === 1 ? 'host' : 'hosts'}
        </HostCount>
      }
    >
      {count === 0 ? <p className={styles['calm']}>No hosts to approve.</p> : <Waiting />}
    </Panel>
  );
}

function Waiting() {
  const isOperator = useMay('operator');
  const query = useApi('/hosts', { query: { ...pending, limit: String(shownHosts) } });
  return (
    <Loaded query={query} what="Loading the hosts to approve">
      {(hosts) => (
        <ul className={styles['lines']}>
          {hosts.map(({ id, display_name, ip_address, created_at, machine_id_conflict_with }) => (
            <li key={id} className={styles['waiting']}>
              <div className={styles['waitingHost']}>
                <Link to="/hosts/$id" params={{ id }}>
                  <ForeignText text={display_name} oneLine />
                </Link>
                <span className={styles['meaning']}>
                  {ip_address !== null && <ForeignText text={`${ip_address}, `} />}
                  enrolled <Time at={created_at} />
                  {machine_id_conflict_with !== null && ' · another host has the same machine id'}
                </span>
              </div>
              {isOperator && <ApproveButton id={id} name={display_name} />}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
