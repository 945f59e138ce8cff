import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../../design/button.tsx';
import styles from '../add-hosts.module.css';
import { Step } from '../step.tsx';
import { ArrivalsStep } from './arrivals-step.tsx';
import { InstallStep } from './install-step.tsx';
import type { IssuedToken } from './issued-token.ts';
import { TokenForm } from './token-form.tsx';

interface AgentWayProps {
  /** The token whose hosts are awaited; undefined until it is created. */
  readonly tokenId: string | undefined;
  readonly issued: IssuedToken | null;
  readonly onIssued: (token: IssuedToken | null) => void;
}

const route = getRouteApi('/signed-in/add-hosts');

/** Adds hosts by agent: from a registration token to the first report. */
export function AgentWay({ tokenId, issued, onIssued }: AgentWayProps) {
  const navigate = route.useNavigate();
  const show = async (token: IssuedToken | null) => {
    onIssued(token);
    await navigate({ search: token === null ? { way: 'agent' } : { way: 'agent', token: token.id } });
  };
  if (tokenId === undefined) {
    return (
      <div className={styles['steps']}>
        <p className={styles['lead']}>
          A small script on the host reports on a timer. Use it where hosts can reach this server.
        </p>
        <Step number={1} title="Create a token">
          <TokenForm onIssued={show} />
        </Step>
      </div>
    );
  }
  return (
    <div className={styles['steps']}>
      <InstallStep
        key={tokenId}
        issued={issued?.id === tokenId ? issued : null}
        another={<Button onPress={() => show(null)}>Create another token</Button>}
      />
      <ArrivalsStep tokenId={tokenId} />
    </div>
  );
}
