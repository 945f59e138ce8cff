import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import { Notice } from '../../design/notice.tsx';
import { Page } from '../../design/page/page.tsx';
import { type TabSpec, Tabs } from '../../design/page/tabs.tsx';
import { AgentWay } from './agent/agent-way.tsx';
import type { IssuedToken } from './agent/issued-token.ts';
import { ManualWay } from './manual/manual-way.tsx';
import { ManyWay } from './ssh/many/many-way.tsx';
import { SshWay } from './ssh/ssh-way.tsx';

type Way = 'agent' | 'ssh' | 'many' | 'manual';

const wayWords: Readonly<Record<Way, string>> = {
  agent: 'Agent',
  ssh: 'SSH',
  many: 'Many over SSH',
  manual: 'Manual',
};
const ways = Object.keys(wayWords) as readonly Way[]; // its keys are the ways

/** The way in the address; the first one if it is missing or unknown. */
function wayOf(named: string | undefined): Way {
  return ways.find((known) => known === named) ?? 'agent';
}

const route = getRouteApi('/signed-in/add-hosts');

/** The ways to add hosts, each from the first step to the first report. */
export function AddHostsPage() {
  const mayAdd = useMay('operator');
  const { way } = route.useSearch();
  return (
    <Page
      title={`${wayWords[wayOf(way)]} · Add hosts`}
      heading="Add hosts"
      lead="Ways to get reports from hosts. All of them run the same collector, which changes nothing on the host."
    >
      {mayAdd ? <Ways /> : <NotAllowed />}
    </Page>
  );
}

function NotAllowed() {
  return (
    <Notice tone="neutral">
      <p>Only operators and administrators can add hosts. An administrator can change your role.</p>
    </Notice>
  );
}

function Ways() {
  const { way, token, host } = route.useSearch();
  const navigate = route.useNavigate();
  // The page keeps the token, which is shown once, so that opening another tab does not lose it.
  const [issued, setIssued] = useState<IssuedToken | null>(null);
  const tabs: readonly TabSpec<Way>[] = [
    {
      id: 'agent',
      words: wayWords.agent,
      content: () => <AgentWay tokenId={token ?? issued?.id} issued={issued} onIssued={setIssued} />,
    },
    { id: 'ssh', words: wayWords.ssh, content: () => <SshWay hostId={host} /> },
    { id: 'many', words: wayWords.many, content: () => <ManyWay /> },
    { id: 'manual', words: wayWords.manual, content: () => <ManualWay hostId={host} /> },
  ];
  return (
    <Tabs
      label="Ways to add a host"
      tabs={tabs}
      selected={wayOf(way)}
      onSelect={(next) => void navigate({ search: { way: next } })}
    />
  );
}
