import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import styles from '../add-hosts.module.css';
import { Step } from '../step.tsx';
import { ArrivalsStep } from './arrivals-step.tsx';
import { InstallCommand } from './install-command.tsx';
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

interface InstallStepProps {
  /** Null: the secret was shown before and is not known any more. */
  readonly issued: IssuedToken | null;
  readonly another: ReactNode;
}

/** The command that enrols a host. */
function InstallStep({ issued, another }: InstallStepProps) {
  return (
    <Step number={1} title="Run this on the host" actions={another} takesFocus={issued !== null}>
      {issued === null ? (
        <Notice tone="neutral">
          <p>
            The command was shown when the token was made, and is not known any more. If you do not have it,
            make another token.
          </p>
        </Notice>
      ) : (
        <InstallCommand issued={issued} />
      )}
    </Step>
  );
}
