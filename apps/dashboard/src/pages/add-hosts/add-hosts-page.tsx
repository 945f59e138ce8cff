import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import { Notice } from '../../design/notice.tsx';
import { Page } from '../../design/page.tsx';
import { type TabSpec, Tabs } from '../../design/tabs.tsx';
import { AgentWay } from './agent-way.tsx';
import type { IssuedToken } from './issued-token.ts';
import { ManualWay } from './manual-way.tsx';
import { SshWay } from './ssh-way.tsx';

type Way = 'agent' | 'ssh' | 'manual';

const ways: readonly Way[] = ['agent', 'ssh', 'manual'];
const route = getRouteApi('/signed-in/add-hosts');

/** The three ways by which a host's reports come in, each from its beginning to the first report. */
export function AddHostsPage() {
  const mayAdd = useMay('operator');
  return (
    <Page
      title="Add hosts"
      lead="Three ways to bring in a host's reports. All of them run the same collector, which changes nothing on the host."
    >
      {mayAdd ? <Ways /> : <NotAllowed />}
    </Page>
  );
}

function NotAllowed() {
  return (
    <Notice tone="neutral">
      <p>
        Only operators and administrators add hosts. Ask one of them to add it, or an administrator to change
        your role.
      </p>
    </Notice>
  );
}

function Ways() {
  const { way, token, host } = route.useSearch();
  const navigate = route.useNavigate();
  // Kept here, for a token is shown once, and looking at another way must not lose it.
  const [issued, setIssued] = useState<IssuedToken | null>(null);
  const tabs: readonly TabSpec<Way>[] = [
    {
      id: 'agent',
      words: 'Agent',
      content: () => <AgentWay tokenId={token ?? issued?.id} issued={issued} onIssued={setIssued} />,
    },
    { id: 'ssh', words: 'SSH', content: () => <SshWay hostId={host} /> },
    { id: 'manual', words: 'By hand', content: () => <ManualWay hostId={host} /> },
  ];
  return (
    <Tabs
      label="Ways to add a host"
      tabs={tabs}
      selected={ways.find((known) => known === way) ?? 'agent'}
      onSelect={(next) => void navigate({ search: { way: next } })}
    />
  );
}
