import type { Host } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { LinkButton } from '../../design/button.tsx';
import { Facts } from '../../design/page/facts.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Step } from './step.tsx';

interface ChosenHostProps {
  readonly title: string;
  readonly host: Host;
  readonly way: 'ssh' | 'manual';
  /** Label of the button that starts again. */
  readonly another: string;
  /** Account and port of the connection. */
  readonly login?: string;
}

/** The host of the steps below. */
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
