import type { HostDetail } from '@plimsoll/contract';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { useApi } from '../../api/queries.ts';
import { LinkButton } from '../../design/button.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import styles from './add-hosts.module.css';
import { Step } from './step.tsx';

interface HostStepsProps {
  readonly id: string;
  readonly way: 'ssh' | 'manual';
  readonly children: (host: HostDetail) => ReactNode;
}

/** The steps about the host in the address, which may have been deleted. */
export function HostSteps({ id, way, children }: HostStepsProps) {
  const query = useApi('/hosts/{id}', { params: { id } });
  if (query.error instanceof ApiProblem && query.error.status === 404) {
    const again = (
      <LinkButton to="/add-hosts" search={{ way }}>
        Start again
      </LinkButton>
    );
    return (
      <Step number={1} title="The host">
        <Empty title="Host not found" action={again}>
          The host was deleted, or the address is wrong.
        </Empty>
      </Step>
    );
  }
  return (
    <Loaded query={query} what="Loading the host">
      {(host) => <div className={styles['steps']}>{children(host)}</div>}
    </Loaded>
  );
}
