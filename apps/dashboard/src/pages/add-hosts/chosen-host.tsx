import type { Host } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { LinkButton } from '../../design/button.tsx';
import { Facts } from '../../design/facts.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Step } from './step.tsx';

interface ChosenHostProps {
  readonly title: string;
  readonly host: Host;
  readonly way: 'ssh' | 'manual';
  /** What the button says that begins anew. */
  readonly another: string;
  /** By which account and port it is reached. */
  readonly login?: string;
}

/** The host that the steps below are about. */
export function ChosenHost({ title, host, way, another, login }: ChosenHostProps) {
  const name = (
    <Link to="/hosts/$id" params={{ id: host.id }}>
      <ForeignText text={host.display_name} oneLine />
    </Link>
  );
  return (
    <Step
      number={1}
      title={title}
      takesFocus
      actions={
        <LinkButton to="/add-hosts" search={{ way }}>
          {another}
        </LinkButton>
      }
    >
      <Facts
        facts={[
          ['Host', name],
          ['Hostname', <ForeignText key="hostname" text={host.hostname} />],
          ...(login === undefined ? [] : ([['Login', <ForeignText key="login" text={login} />]] as const)),
        ]}
      />
    </Step>
  );
}
