import { Server } from 'lucide-react';
import { useMay } from '../../api/session.ts';
import { LinkButton } from '../../design/button.tsx';
import { Panel } from '../../design/page.tsx';
import { Empty } from '../../design/states.tsx';

/** There is no host yet, and how to get one. */
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
          ? 'With an agent, over SSH or by hand. What is vulnerable on it shows here as soon as it has reported.'
          : 'An operator or administrator has to add one. What is vulnerable on it shows here.'}
      </Empty>
    </Panel>
  );
}
