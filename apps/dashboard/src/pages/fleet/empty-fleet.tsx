import { Server } from 'lucide-react';
import { useMay } from '../../api/session.ts';
import { LinkButton } from '../../design/button.tsx';
import { Panel } from '../../design/page/page.tsx';
import { Empty } from '../../design/states.tsx';

/** Shown while there is no host: how to add one. */
export function EmptyFleet() {
  const isOperator = useMay('operator');
  return (
    <Panel title="Get started">
      <Empty
        title={isOperator ? 'No hosts yet: add one' : 'No hosts yet'}
        icon={Server}
        action={
          isOperator && (
            <LinkButton to="/add-hosts" look="primary">
              Add a host
            </LinkButton>
          )
        }
      >
        {isOperator
          ? 'Use an agent, SSH or a manual upload. Findings are shown here after the first report and the first sync of its feed.'
          : 'An operator or administrator can add hosts. Their findings are then shown here.'}
      </Empty>
    </Panel>
  );
}
