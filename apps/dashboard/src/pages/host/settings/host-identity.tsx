import type { HostDetail } from '@plimsoll/contract';
import { modeWords } from '@plimsoll/words';
import { Facts } from '../../../design/page/facts.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExactTime } from '../../../design/time/time.tsx';

const approvalWords = { pending: 'Pending', approved: 'Approved', retired: 'Retired' };

/** Ids of a host; read-only. */
export function HostIdentity({ host }: { readonly host: HostDetail }) {
  const { onboarding_mode, approval_status, machine_id, agent_version, created_at } = host;
  return (
    <Panel title="Identity">
      <Facts
        facts={[
          ['Reporting method', modeWords[onboarding_mode]],
          ['Approval', approvalWords[approval_status]],
          ['Added', <ExactTime key="added" at={created_at} />],
          ['Hostname', <ForeignText key="name" text={host.hostname} />],
          ['Machine id', machine_id === '' ? 'Not known' : <ForeignText key="id" text={machine_id} mono />],
          ...(onboarding_mode === 'agent'
            ? [
                [
                  'Agent',
                  agent_version === '' ? 'Not known' : <ForeignText key="agent" text={agent_version} />,
                ] as const,
              ]
            : []),
        ]}
      />
    </Panel>
  );
}
